;;; wave.el --- Wave from Emacs, beside any language server  -*- lexical-binding: t -*-
;; Package-Requires: ((emacs "28.1"))

;;; Commentary:
;; Speaks wave-bridge's whole protocol over jsonrpc.el, so it needs neither eglot nor lsp-mode and takes no server's place.
;; M-x wave-ask, wave-ask-region, wave-stop, wave-new, wave-resume, wave-rename, wave-answer.
;; @terminal in a message is the last used shell, term or compilation buffer, @problems are Flymake's of the last used file.

;;; Code:
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(defgroup wave nil "Wave, a coding agent." :group 'tools)
(defcustom wave-command '("wave-bridge" "--stdio") "How the bridge is started." :type '(repeat string))

(defconst wave--terminal-modes '(comint-mode term-mode eshell-mode compilation-mode vterm-mode))
(defconst wave--terminal-characters 200000 "How much of a terminal's end is read.")
(defvar wave--connection nil)
(defvar wave--session nil "Plist of the session that is shown: :id, :seq, :busy, :title, :approvals.")
(defvar wave--turns 0)

(defun wave--connect ()
  "Give the connection, which is made when it is needed first."
  (unless (and wave--connection (jsonrpc-running-p wave--connection))
    (setq wave--connection
          (make-instance 'jsonrpc-process-connection
                         :name "wave" :events-buffer-scrollback-size 0
                         :process (make-process :name "wave" :command wave-command :connection-type 'pipe
                                                :coding 'utf-8-emacs-unix :noquery t
                                                :stderr (get-buffer-create " *wave stderr*"))
                         :notification-dispatcher #'wave--told :request-dispatcher #'wave--asked))
    (jsonrpc-request wave--connection :initialize
                     (list :processId (emacs-pid) :rootUri (concat "file://" (expand-file-name default-directory))
                           :capabilities '(:experimental (:wave (:version 1 :terminal t :problems t)))))
    (jsonrpc-notify wave--connection :initialized (make-hash-table)))
  wave--connection)

(defun wave--call (method &rest params)
  "Ask the bridge by METHOD with PARAMS, and wait for its answer."
  (jsonrpc-request (wave--connect) method (or params (make-hash-table)) :timeout 70))

(defun wave--send (method &rest params)
  "Ask the bridge by METHOD with PARAMS; only a failure is told."
  (jsonrpc-async-request (wave--connect) method params :success-fn #'ignore :timeout 70
                         :error-fn (lambda (fault) (message "Wave: %s" (plist-get fault :message)))))

;;; The session's buffer

(defun wave--buffer () "Give the buffer that shows the session." (get-buffer-create "*wave*"))

(defun wave--insert (text)
  "Put TEXT at the end; a window that shows the end goes on showing it."
  (with-current-buffer (wave--buffer)
    (let ((inhibit-read-only t) (follow (= (point) (point-max))))
      (save-excursion (goto-char (point-max)) (insert text))
      (when follow
        (goto-char (point-max))
        (dolist (window (get-buffer-window-list nil nil t)) (set-window-point window (point-max)))))))

(defun wave--show-message (message)
  "Put the whole MESSAGE at the end."
  (wave--insert (if (equal (plist-get message :role) "user") "\n\n## You\n\n" "\n\n## Wave\n\n"))
  (seq-doseq (block (plist-get message :blocks))
    (wave--insert (pcase (plist-get block :type)
                    ("tool" (format "\n[%s] %s\n" (plist-get block :name) (or (plist-get block :compactParams) "")))
                    ("bang" (format "$ %s\n%s" (plist-get block :command) (or (plist-get block :output) "")))
                    (_ (or (plist-get block :content) ""))))))

(defun wave--take (opened)
  "Show what was OPENED: a new session, or the snapshot of one."
  (let ((state (plist-get opened :state)))
    (setq wave--session (list :id (plist-get opened :sessionId) :seq (plist-get opened :seq)
                              :busy (eq (plist-get state :busy) t) :title (plist-get state :title)
                              :approvals (append (plist-get opened :approvals) nil))))
  (with-current-buffer (wave--buffer)
    (let ((inhibit-read-only t)) (erase-buffer))
    (setq buffer-read-only t)
    (visual-line-mode 1))
  (seq-doseq (message (plist-get opened :messages)) (wave--show-message message))
  (display-buffer (wave--buffer)))

(defun wave--load (id) "Show the session ID anew." (wave--take (wave--call :wave/session/load :sessionId id)))

(defun wave--ensure ()
  "Give the session's id; begin one if there is none."
  (unless wave--session
    (wave--take (wave--call :wave/session/new :workdir (expand-file-name default-directory))))
  (plist-get wave--session :id))

;;; What the bridge tells

(defun wave--event (method params)
  "Show an event of the CLI, METHOD with PARAMS."
  (pcase method
    ('sessionIdChange (plist-put wave--session :id (plist-get params :sessionId)))
    ((or 'userMessageAdded 'assistantMessageAdded) (wave--show-message (plist-get params :message)))
    ('assistantContentUpdated (wave--insert (or (plist-get params :chunk) "")))
    ('toolBlockUpdated
     (when (equal (plist-get params :stage) "end")
       (wave--insert (format "\n[%s] %s\n" (plist-get params :name) (or (plist-get params :compactParams) "")))))
    ('errorBlockAdded (wave--insert (format "\nError: %s\n" (plist-get params :error))))
    ('bangMessageCompleted (wave--insert (format "\n$ %s\n%s\n" (plist-get params :command) (plist-get params :output))))))

(defun wave--told (_connection method params)
  "Take the notification METHOD with PARAMS."
  (let ((mine (and wave--session (equal (plist-get params :sessionId) (plist-get wave--session :id)))))
    (pcase method
      ('wave/session/event
       (let ((event (plist-get params :event)))
         (when (and wave--session (equal (plist-get event :sessionId) (plist-get wave--session :id))
                    (> (plist-get params :seq) (plist-get wave--session :seq)))
           (plist-put wave--session :seq (plist-get params :seq))
           (wave--event (intern (plist-get event :method)) (plist-get event :params)))))
      ('wave/session/state
       (when mine
         (when (plist-member params :busy) (plist-put wave--session :busy (eq (plist-get params :busy) t)))
         (when (plist-get params :title) (plist-put wave--session :title (plist-get params :title)))
         (when (eq (plist-get params :resync) t) (wave--reload))))
      ('wave/permission/requested
       (when mine
         (plist-put wave--session :approvals (append (plist-get wave--session :approvals) (list params)))
         (message "Wave wants to use %s: M-x wave-answer" (plist-get (plist-get params :context) :toolName))))
      ('wave/permission/resolved
       (when mine
         (plist-put wave--session :approvals
                    (seq-remove (lambda (one) (equal (plist-get one :requestId) (plist-get params :requestId)))
                                (plist-get wave--session :approvals)))))
      ('wave/daemon/reattached (when wave--session (wave--reload)))
      ('window/showMessage (message "Wave: %s" (plist-get params :message))))))

(defun wave--reload ()
  "Fetch the session anew, once what is being told has been told."
  (run-at-time 0 nil #'wave--load (plist-get wave--session :id)))

(defun wave--asked (_connection method params)
  "Answer the bridge's question METHOD with PARAMS."
  (pcase method
    ('wave/context/read
     (let (facts)
       (seq-doseq (kind (plist-get params :kinds))
         (pcase kind
           ("terminal" (setq facts (plist-put facts :terminal (wave--terminal))))
           ("problems" (setq facts (plist-put facts :problems (wave--problems))))))
       (or facts (make-hash-table))))
    ((or 'wave/editor/openFile 'wave/editor/reveal)
     (find-file-other-window (plist-get params :path))
     (when (plist-get params :line) (goto-char (point-min)) (forward-line (1- (plist-get params :line))))
     '(:ok t))
    ('wave/editor/openUrl (browse-url (plist-get params :url)) '(:ok t))
    ('wave/editor/copy (kill-new (plist-get params :text)) '(:ok t))
    ('wave/editor/notify (message "Wave: %s" (plist-get params :message)) '(:ok t))
    (_ (jsonrpc-error "%s is not supported" method))))

;;; Facts

(defun wave--last (wanted)
  "Give the buffer used last for which WANTED is true."
  (seq-find (lambda (buffer) (with-current-buffer buffer (funcall wanted))) (buffer-list)))

(defun wave--terminal ()
  "Give the end of the last terminal's text."
  (if-let ((buffer (wave--last (lambda () (apply #'derived-mode-p wave--terminal-modes)))))
      (with-current-buffer buffer
        (list :source "screen"
              :text (buffer-substring-no-properties
                     (max (point-min) (- (point-max) wave--terminal-characters)) (point-max))))
    '(:source "unavailable" :reason "no terminal is open")))

(declare-function flymake-diagnostics "flymake")
(declare-function flymake-diagnostic-beg "flymake")
(declare-function flymake-diagnostic-type "flymake")
(declare-function flymake-diagnostic-text "flymake")

(defun wave--problem (one)
  "Give Flymake's diagnostic ONE as LSP has it, columns in characters."
  (save-excursion
    (goto-char (flymake-diagnostic-beg one))
    (let ((place (list :line (1- (line-number-at-pos nil t)) :character (- (point) (line-beginning-position)))))
      (list :range (list :start place :end place) :message (flymake-diagnostic-text one)
            :severity (pcase (flymake-diagnostic-type one) ((or :error 'eglot-error) 1) ((or :warning 'eglot-warning) 2) (_ 3))))))

(defun wave--problems ()
  "Give the problems of the file that was used last."
  (if-let ((buffer (wave--last (lambda () buffer-file-name))))
      (with-current-buffer buffer
        (list :uri (concat "file://" buffer-file-name) :root (expand-file-name default-directory)
              :positionEncoding "utf-32" :text (buffer-substring-no-properties (point-min) (point-max))
              :diagnostics (if (bound-and-true-p flymake-mode) (vconcat (mapcar #'wave--problem (flymake-diagnostics))) [])))
    '(:source "unavailable" :reason "no file is open")))

;;; Commands

(defun wave--parts (text)
  "Give TEXT as parts: mentions where @terminal and @problems stand."
  (let ((at 0) parts)
    (while (string-match "@\\(terminal\\|problems\\)\\_>" text at)
      (push (list :type "text" :text (substring text at (match-beginning 0))) parts)
      (push (list :type "mention" :kind (match-string 1 text)) parts)
      (setq at (match-end 0)))
    (push (list :type "text" :text (substring text at)) parts)
    (vconcat (seq-remove (lambda (part) (string-blank-p (or (plist-get part :text) "x"))) (nreverse parts)))))

;;;###autoload
(defun wave-ask (text)
  "Send TEXT to the session, or to a new one."
  (interactive "sAsk Wave: ")
  (let ((id (wave--ensure)))
    (wave--call :wave/turn/start :sessionId id :parts (wave--parts text)
                :clientTurnId (format "emacs-%d-%s-%d" (emacs-pid) (float-time) (setq wave--turns (1+ wave--turns))))
    (display-buffer (wave--buffer))))

;;;###autoload
(defun wave-ask-region (from to text)
  "Ask TEXT about what is between FROM and TO."
  (interactive "r\nsAsk about the region: ")
  (wave-ask (format "%s\n\n%s:%d-%d\n```\n%s\n```" text (or buffer-file-name (buffer-name)) (line-number-at-pos from t)
                    (line-number-at-pos to t) (buffer-substring-no-properties from to))))

(defun wave-new () "Begin a session." (interactive) (setq wave--session nil) (wave--ensure))
(defun wave-stop () "Stop the turn." (interactive) (wave--send :wave/turn/cancel :sessionId (wave--ensure)))
(defun wave-rename (title)
  "Give the session the TITLE."
  (interactive "sTitle: ")
  (wave--send :wave/session/rename :sessionId (wave--ensure) :title title))

;;;###autoload
(defun wave-resume (id)
  "Show the session ID; interactively it is chosen among those of this folder."
  (interactive
   (let* ((page (wave--call :wave/session/list :cwd (expand-file-name default-directory)))
          (rows (mapcar (lambda (row) (cons (format "%s  %s" (or (plist-get row :customTitle) (plist-get row :firstMessage) "")
                                                    (plist-get row :id))
                                            (plist-get row :id)))
                        (plist-get page :sessions))))
     (list (cdr (assoc (completing-read "Resume: " rows nil t) rows)))))
  (wave--load id))

(defun wave-answer (allow)
  "Answer the approval that waits longest; ALLOW it, or deny it."
  (interactive
   (let ((context (plist-get (car (plist-get wave--session :approvals)) :context)))
     (unless context (user-error "Nothing waits for an answer"))
     (list (y-or-n-p (format "Allow %s %S? " (plist-get context :toolName) (plist-get context :toolInput))))))
  (wave--send :wave/permission/respond :requestId (plist-get (car (plist-get wave--session :approvals)) :requestId)
              :decision (if allow '(:behavior "allow") '(:behavior "deny" :message "The user denied it."))))

(provide 'wave)
;;; wave.el ends here
