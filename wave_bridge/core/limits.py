"""Every bound of the bridge, in one place. Sizes are bytes, times are seconds, counts are items.

`initialize` tells clients the ones that they can meet (docs/PROTOCOL.md, limits).
"""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# Framing
MAX_LINE: Final = 64 * MIB  # one line of the CLI; the real one has no limit of its own, 3 MB lines were seen
MAX_FRAME: Final = 64 * MIB  # one LSP body
MAX_HEADER: Final = 8 * KIB  # the header block of one LSP frame

# Towards one client
OUTBOX_SOFT: Final = 1 * MIB  # past it, deltas of one block merge
OUTBOX_HARD: Final = 4 * MIB  # past it, events are dropped and the client is told to resync
OUTBOX_REPLIES: Final = 96 * MIB  # answers can't be dropped: past it, the connection is closed
TRANSPORT_HIGH_WATER: Final = 256 * KIB  # what the operating system has not taken yet, before the outbox holds back

# Requests
MAX_OUTSTANDING: Final = 1024  # unanswered requests of one client; one more is `overloaded`

# Routing
PARKED_LINES: Final = 512  # lines held for a session id that is not known yet
PARKED_BYTES: Final = 4 * MIB  # likewise, over all unknown ids

# State
REMEMBERED_APPROVALS: Final = 256  # ended approvals kept, so that a late answer learns what happened
REMEMBERED_TURNS: Final = 256  # ended turns kept a session, so that a repeated clientTurnId is one turn
REMEMBERED_GARBAGE: Final = 20  # samples of what could not be understood, shown by status
GARBAGE_SAMPLE: Final = 200  # bytes kept of each

# The CLI as a process
STDERR_TAIL: Final = 64 * KIB  # kept for diagnosis
STDERR_SHOWN: Final = 4 * KIB  # of the tail, what an error carries to a client
STDERR_LINE: Final = 8 * KIB  # an unfinished line of stderr is passed on at this size
STDERR_RATE: Final = 64 * KIB  # passed on a second; what is above is left out and counted
STDIN_BUFFER: Final = 64 * MIB  # what the CLI has not read yet: past it, requests are `overloaded`
CLOSE_GRACE: Final = 6.0  # stdin EOF to exit: the CLI bounds its own clean-up by 5
DEATH_GRACE: Final = 1.0  # a CLI that closed stdout or stdin exits within this, or is killed
DRAIN_LIMIT: Final = 1.0  # exit to EOF of stdout: a grandchild may hold the pipe open for ever
SURVIVOR_GRACE: Final = 0.5  # what a stopped CLI left running may end by itself within this
INITIALIZE_TIMEOUT: Final = 60.0  # first start of a cold CLI, restore of a long session
CONTEXT_TIMEOUT: Final = 2.0  # reading the terminal and the problems of an editor (MB3)
TMUX_TIMEOUT: Final = 1.5  # of it for tmux, where an editor runs in that
BACKOFF_FIRST: Final = 0.25  # before the first restart
BACKOFF_LAST: Final = 10.0  # it doubles up to this
BREAKER_FAILURES: Final = 5  # ends in a row without a working generation …
BREAKER_WINDOW: Final = 60.0  # … within this time open the breaker: no restart but by hand
HEALTHY_AFTER: Final = 10.0  # a generation that lived this long resets the back-off

SETTLE: Final = 0.03  # a session that stopped loading is idle after this: between queued turns it blips to idle

# Finding, copying and trying out the CLI and its Node
ASKED_OUTPUT: Final = 1 * MIB  # what a program that is asked for its version or its environment may say
NODE_TIMEOUT: Final = 5.0  # one Node to name its version
NODE_AT_ONCE: Final = 4  # Nodes that are asked at the same time
NODE_FOUND_KEPT: Final = 600.0  # a search is remembered for this long …
NODE_FAILURE_KEPT: Final = 10.0  # … and one that found nothing for this
LOGIN_SHELL_TIMEOUT: Final = 8.0  # start-up files of a shell, network look-ups in them included
LOGIN_SHELL_FAILURE_KEPT: Final = 60.0  # before a shell that could not be asked is asked again
PROBE_TIMEOUT: Final = 10.0  # the copied CLI to name its version; later it counts as damaged (TB2)
COPY_LOCK_TIMEOUT: Final = 30.0  # another window copies meanwhile
NOTICE_TIMEOUT: Final = 3600.0  # a notice with buttons stands until the user has seen it

# Panels in a browser
WEB_TOKEN_LIFE: Final = 120.0  # an address that nobody has opened within this is worth nothing
WEB_PANELS: Final = 64  # admitted browsers; past it, those that are not connected are forgotten, oldest first
WEB_LINGER: Final = 1.0  # for browsers to take their last bytes when the daemon ends

# Life of sessions and of the daemon
SESSION_GRACE: Final = 60.0  # a session that nobody watches and that is idle is destroyed after this
DAEMON_GRACE: Final = 600.0  # the daemon ends when it had no client for this long and nothing runs

# Towards an editor
EDITOR_TIMEOUT: Final = 10.0  # an editor verb: open a file, show a notice, copy
LIST_PAGE: Final = 100  # sessions of one page when the client does not say
MAX_TITLE: Final = 200  # characters of a session's title (SB16)
CLEAR_TIMEOUT: Final = 65.0  # the CLI answers `clearMessages` before its hooks have run; then the id changes

# Towards an editor that knows nothing of ours
DOCUMENT_CHARACTERS: Final = 8 * MIB  # an open document that is longer is not kept
EDIT_EVERY: Final = 0.1  # seconds between two edits of a session's document
EDIT_AGAIN: Final = 0.5  # after a refused edit; the user's next key comes first as a rule
PROGRESS_EVERY: Final = 0.25  # seconds between two reports of a turn's progress
CHOICES: Final = 8  # sessions that a question offers
