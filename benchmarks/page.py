"""The words of docs/BENCHMARKS.md: what each section measures, and what its figures mean."""

from __future__ import annotations

from typing import NamedTuple

BEFORE = """<!-- Written by scripts/bench --write: change benchmarks/page.py, not this. -->

# Benchmarks

Figures belong to a machine; what counts are the ratios, against peers measured in the same run. `scripts/bench` makes
this page; each benchmark also runs alone, `python benchmarks/NAME.py`."""

AFTER = """What is not reached, and why:

* **A quarter of Node's CPU for a delta.** Of what the daemon spends on a delta of 120 bytes, about 1.3 µs is Python:
  cut 0.1, decode 0.4 (half of it msgspec's, the rest the making of one object), find the session and its watchers 0.25,
  frame 0.4. The rest is the kernel's and the event loop's share of each chunk. A chunk is decoded in one call, nothing
  is encoded again and no queue or task lies in between; what is left is a dozen bytecode calls for each event, which
  the interpreter takes as long for as V8 for parsing and printing so short a line. The bridge passes the bytes on
  untouched, so its lead grows with the length of a line.
* **The attach process in front.** It adds two copies and two wake-ups of a process to a round trip, and a second look
  at each frame to a flood. That is the price of an editor that outlives its daemon; without it stands
  `wave-bridge --standalone`.
* **Megabytes a second and milliseconds** belong to the machine. On a quieter one the same code cleaned 189, 84, 270
  and 9 MB a CPU second, and made 10,000 problems into a block in 21 to 46 ms."""


class Head(NamedTuple):
    """A section's words, and how the names of its plots begin; empty: it has none."""

    text: str
    plots: str = ""


HEADS = {
    "Attach to the first reply": Head(
        "Milliseconds from the start of the process that an editor starts until it has answered `initialize`."
    ),
    "Request round trip": Head(
        "One request at a time, 100 bytes, as an editor sees it: answered by the server itself, or passed on to the "
        "CLI and back. `cat` shows what the pipes cost."
    ),
    "Forwarding deltas": Head(
        "Deltas of the CLI, as fast as they go, with a bounded number of lines under way. CPU is user and system "
        "time of all the processes of the subject."
    ),
    "Delay of a delta at 1,000 a second": Head("From the CLI's write until the editor could read it."),
    "From the editor's start to the first token": Head(
        "The embedded CLI answers: process, session and turn are real, the model is not. What the daemon imports "
        "before it can answer is below; the attach process imports the standard library only."
    ),
    "An idle bridge": Head(
        "An attach process, the daemon with one session, and the CLI, while nobody asks anything: how often their "
        "threads are woken. There is no polling; `tests/daemon/test_idle.py` holds it."
    ),
    "Imports": Head(
        "What an interpreter takes to import each. lsprotocol builds its attrs classes when it is imported; nothing "
        "can be answered before, as `initialize` is pygls' own, and so the attach process tells the editor at once "
        "and an idle daemon stays for ten minutes."
    ),
    "Panels in one editor": Head(
        "Each with a session of its own, deltas going to all of them in turn; or all on one session, each delta told "
        "to each. Memory is the growth of the daemon.",
        "panels-",
    ),
    "Cost against size": Head("CPU time of what handles it.", "scale-"),
    "Listing sessions": Head(
        "Milliseconds, files in the page cache; beside the CLI's plain rule written in Node (head, header and last "
        "line of each file, one after another), and from a warm cache beside a `stat` of every file.",
        "listing",
    ),
    "Cleaning terminal output": Head(
        "Megabytes a CPU second, more is better, and how many of the recorded cases come out as the terminal shows "
        "them."
    ),
    "A log of 200 MB in blocks of 64 KB": Head("In a process of its own, the interpreter included."),
    "One @problems block": Head("CPU time of making the text."),
    "The panel while an answer streams": Head(
        "20,000 chunks at 1,000 a second into a conversation of 2,000 messages, in Chromium without a graphics card. "
        "Ours is all of it, the daemon included; the list is fed within its page, draws the Markdown of the message "
        "that has changed, and sanitises and highlights nothing."
    ),
    "soak": Head(
        "`python tests/soak/soak.py --figure docs/figures/soak.svg`: fifty panels in five editors, editors that "
        "stall and are reloaded, CLI and daemon killed at random. Each daemon has a line: it grows while sessions "
        "are opened, and is flat from then on."
    ),
}
