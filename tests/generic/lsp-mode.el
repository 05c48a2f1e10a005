;;; A user of Emacs with lsp-mode: asks, sees the answer come, allows a tool, stops, renames, resumes, and goes on when
;;; the CLI and the daemon are killed; prints JSON. With WB_JOIN it only joins.
(require 'package)
(package-initialize)
(unless (require 'lsp-mode nil t) (princ "\nSKIP lsp-mode is not installed\n") (kill-emacs 0))
(require 'json)
(setq lsp-auto-guess-root t
      lsp-session-file (expand-file-name "lsp-session" default-directory)
      lsp-response-timeout 20
      lsp-enable-file-watchers nil)
(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (list (getenv "WB_PYTHON") "-m" "wave_bridge" "--stdio"))
                  :major-modes '(text-mode)
                  :server-id 'wave))
(defvar answers 0)
(defun completing-read (_prompt choices &rest _)
  "Be the user whom lsp-mode asks: allow."
  (setq answers (1+ answers))
  (seq-find (lambda (choice) (string-prefix-p "Allow" (if (consp choice) (car choice) choice))) choices))

(find-file "code.txt")
(text-mode)
(lsp-workspace-folders-add default-directory)
(lsp)

(defun wait (found)
  (with-timeout (20 :json-false)
    (while (not (funcall found)) (accept-process-output nil 0.05))
    t))
(wait (lambda () (and (lsp-workspaces) (eq 'initialized (lsp--workspace-status (car (lsp-workspaces)))))))

(defun run (name argument)
  (lsp-request "workspace/executeCommand" (list :command name :arguments (vector argument))))
(defun text (uri)
  "Give the document at URI as this editor has it: in its buffer, else in the file."
  (let* ((path (lsp--uri-to-path uri)) (buffer (find-buffer-visiting path)))
    (if buffer (with-current-buffer buffer (buffer-string))
      (with-temp-buffer (insert-file-contents path) (buffer-string)))))
(defun shows (uri wanted)
  (wait (lambda () (and (string-search wanted (text uri)) (not (string-search "Wave is working" (text uri)))))))

(defun outlives (killed uri words)
  "Kill a process of ours and see the conversation go on; what was asked of it is refused at once, and asked again."
  (let ((process-environment (cons (concat "WB_KILLED=" killed) process-environment)))
    (call-process (getenv "WB_PYTHON") nil nil nil "-c" (getenv "WB_KILL")))
  (wait (lambda () (ignore-errors (run "wave.ask" `(:text ,(format "Again [[{\"text\": \"%s\"}]]" words))))))
  (shows uri (concat "\n" words)))

(defun join ()
  (let ((uri (lsp-get (run "wave.resume" `(:sessionId ,(getenv "WB_JOIN"))) :uri)))
    (list (cons 'joined (shows uri (getenv "WB_STREAMED"))))))

(defun converse ()
  (let* ((answer (run "wave.ask" `(:text ,(getenv "WB_STREAM"))))
         (uri (lsp-get answer :uri))
         (streamed (shows uri (getenv "WB_STREAMED"))))
    (run "wave.ask" `(:text ,(getenv "WB_TOOL")))
    (let ((allowed (and (eq (shows uri "Made.") t) (wait (lambda () (file-exists-p "made.txt"))))))
      (run "wave.ask" `(:text ,(getenv "WB_SLOW")))
      (wait (lambda () (string-search "Wave is working" (text uri))))
      (run "wave.stop" (make-hash-table))
      (let ((stopped (shows uri "aborted")))
        (run "wave.rename" '(:title "From lsp-mode"))
        (list (cons 'streamed streamed)
              (cons 'allowed allowed)
              (cons 'stopped stopped)
              (cons 'renamed (shows uri "# From lsp-mode"))
              (cons 'outlivedCli (outlives "wave_bridge.embedded" uri "after the CLI"))
              (cons 'outlivedDaemon (outlives "daemon" uri "after the daemon"))
              (cons 'resumed (if (equal uri (lsp-get (run "wave.resume" `(:sessionId ,(lsp-get answer :sessionId))) :uri))
                                 t :json-false))
              (cons 'questions answers))))))

(princ (format "\nSEEN %s\n" (json-encode (if (getenv "WB_JOIN") (join) (converse)))))
(kill-emacs 0)
