"""Every bound of the session store, in one place. Sizes are bytes, times seconds, counts characters or items."""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# Names on disk (path encoding)
FOLDER_NAME: Final = 200  # UTF-16 code units of a project folder's name
FOLDER_NAME_KEPT: Final = 191  # of a longer one, before "-" and the hash
FOLDER_HASH: Final = 8  # hex digits

# Titles
TITLE: Final = 200  # characters of a custom title (SB16)
TITLE_LINE: Final = 8 * KIB  # no line of a title is longer
TITLE_SCAN: Final = 1 * MIB  # read at once in looking for the last title before it is re-appended
LABEL: Final = 30  # characters of the first message where there is no title (S12.3)

# Lists read the two ends of a file and never its middle
TAIL_WINDOW: Final = 64 * KIB  # where the last message and the title are looked for (SB14)
TAIL_MOST: Final = 4 * MIB  # how far the window grows when one line is longer than it
HEAD_WINDOW: Final = 16 * KIB  # header and first message
HEAD_MOST: Final = 256 * KIB
HEAD_LINES: Final = 10  # non-blank lines in which the first message is looked for
FIRST_MESSAGE: Final = 4096  # characters kept of it
CLOCK_SLACK: Final = 2000  # milliseconds by which a file's time may be coarser than its last message's

# Writing
LOCK_TIMEOUT: Final = 5.0  # for another writer of the same project folder
REWRITE_TRIES: Final = 3  # of a rewind that meets a writer who takes no lock

# Git
GIT_TIMEOUT: Final = 2.0
