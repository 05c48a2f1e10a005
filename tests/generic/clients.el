;;; A user of Emacs with eglot: asks, sees the file grow, resumes and renames; prints JSON. With WB_JOIN it only joins.
(require 'package)
(package-initialize)
(unless (require 'eglot nil t) (princ "\nSKIP this Emacs has no eglot\n") (kill-emacs 0))
(require 'json)
(setq eglot-sync-connect 20)
(add-to-list 'eglot-server-programs `(text-mode . (,(getenv "WB_PYTHON") "-m" "wave_bridge" "--stdio")))
(find-file "code.txt")
(text-mode)
(apply #'eglot (eglot--guess-contact))

(defun run (name argument)
  (eglot-execute-command (eglot-current-server) name (vector argument)))

(defun reads (path wanted)
  "Wait until the file at PATH has WANTED and nothing runs."
  (with-timeout (20 nil)
    (let (found)
      (while (not found)
        (accept-process-output nil 0.05)
        (with-temp-buffer
          (insert-file-contents path)
          (setq found (and (search-forward wanted nil t)
                           (not (progn (goto-char (point-min)) (search-forward "Wave is working" nil t)))))))
      t)))

(defun converse ()
  (let* ((answer (run 'wave.ask `(:text ,(getenv "WB_STREAM"))))
         (path (eglot--uri-to-path (plist-get answer :uri)))
         (streamed (reads path (concat (getenv "WB_STREAMED") "\n")))
         (renamed (progn (run 'wave.rename '(:title "From Emacs")) (reads path "# From Emacs")))
         (resumed (plist-get (run 'wave.resume `(:sessionId ,(plist-get answer :sessionId))) :uri)))
    `(:streamed ,streamed :renamed ,renamed :resumed ,(if (equal resumed (plist-get answer :uri)) t :json-false))))

(defun join ()
  (let ((uri (plist-get (run 'wave.resume `(:sessionId ,(getenv "WB_JOIN"))) :uri)))
    `(:joined ,(reads (eglot--uri-to-path uri) (getenv "WB_STREAMED")))))

(princ (format "\nSEEN %s\n" (json-encode (if (getenv "WB_JOIN") (join) (converse)))))
(eglot-shutdown (eglot-current-server))
