;;; A user of Emacs with eglot: asks, sees the file grow, allows a tool, stops, renames, resumes, and goes on when the
;;; CLI and the daemon are killed; prints JSON. With WB_JOIN it only joins.
(require 'package)
(package-initialize)
(unless (require 'eglot nil t) (princ "\nSKIP this Emacs has no eglot\n") (kill-emacs 0))
(require 'json)
(setq eglot-sync-connect 20)
(add-to-list 'eglot-server-programs `(text-mode . (,(getenv "WB_PYTHON") "-m" "wave_bridge" "--stdio")))
(find-file "code.txt")
(text-mode)
(apply #'eglot (eglot--guess-contact))

(defvar answers 0)
(defun completing-read (_prompt choices &rest _)
  "Be the user whom eglot asks: allow."
  (setq answers (1+ answers))
  (seq-find (lambda (choice) (string-prefix-p "Allow" (if (consp choice) (car choice) choice))) choices))

(defun run (name argument)
  (eglot-execute-command (eglot-current-server) name (vector argument)))

(defun asks-again (words)
  "Ask, as often as it takes: what was asked of a process that died is refused at once."
  (with-timeout (20 nil)
    (while (not (ignore-errors (run 'wave.ask `(:text ,(format "Again [[{\"text\": \"%s\"}]]" words)))))
      (sleep-for 0.2))
    t))

(defun outlives (killed path words)
  "Kill a process of ours, and see the conversation go on."
  (let ((process-environment (cons (concat "WB_KILLED=" killed) process-environment)))
    (call-process (getenv "WB_PYTHON") nil nil nil "-c" (getenv "WB_KILL")))
  (and (asks-again words) (reads path (concat "\n" words "\n"))))

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
         (allowed (progn (run 'wave.ask `(:text ,(getenv "WB_TOOL"))) (reads path "Made.")))
         (stopped (progn (run 'wave.ask `(:text ,(getenv "WB_SLOW")))
                         (with-timeout (20 nil)
                           (while (not (with-temp-buffer (insert-file-contents path)
                                                         (search-forward "Wave is working" nil t)))
                             (accept-process-output nil 0.05)))
                         (run 'wave.stop (make-hash-table))
                         (reads path "aborted")))
         (renamed (progn (run 'wave.rename '(:title "From Emacs")) (reads path "# From Emacs")))
         (outlived-cli (outlives "wave_bridge.embedded" path "after the CLI"))
         (outlived-daemon (outlives "daemon" path "after the daemon"))
         (resumed (plist-get (run 'wave.resume `(:sessionId ,(plist-get answer :sessionId))) :uri)))
    `(:streamed ,streamed :allowed ,(and allowed (file-exists-p "made.txt")) :stopped ,stopped :renamed ,renamed
      :outlivedCli ,outlived-cli :outlivedDaemon ,outlived-daemon :questions ,answers
      :resumed ,(if (equal resumed (plist-get answer :uri)) t :json-false))))

(defun join ()
  (let ((uri (plist-get (run 'wave.resume `(:sessionId ,(getenv "WB_JOIN"))) :uri)))
    `(:joined ,(reads (eglot--uri-to-path uri) (getenv "WB_STREAMED")))))

(princ (format "\nSEEN %s\n" (json-encode (if (getenv "WB_JOIN") (join) (converse)))))
(eglot-shutdown (eglot-current-server))
