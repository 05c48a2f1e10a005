"""`wave-bridge mention`: shows the block that a mention would send, for a person and for tests.

    wave-bridge mention terminal [--cols N] [--rows N] [--marks] [--plain] [FILE]     bytes of one command, or a stream
    wave-bridge mention terminal --json FILE                                          what an editor answers
    wave-bridge mention terminal -- make test                                         run in a pseudo-terminal
    wave-bridge mention problems [FILE]                                               what an editor answers

Without FILE, or with `-`, standard input is read.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from wave_bridge.messages import locale_of
from wave_bridge.providers import problems, terminal
from wave_bridge.providers.marks import without_eol_mark
from wave_bridge.providers.screen import Screen
from wave_bridge.providers.shaping import TerminalLimits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wave_bridge.messages import Locale
    from wave_bridge.providers.screen import ScreenText

CHUNK: Final = 64 * 1024
HELD_BACK: Final = 16 * 1024  # bytes: a shell's end-of-line mark is at the very end, as wide as the terminal
USAGE: Final = 2  # exit code where the input can't be read


class _TerminalParser(argparse.ArgumentParser):
    """Keeps apart what follows `--`, which argparse would take for the FILE."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        words = list(args or ())
        split = words.index("--") if "--" in words else len(words)
        found, unknown = super().parse_known_args(words[:split], namespace)
        found.program = words[split + 1 :]
        return found, unknown


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `mention`."""
    parser = subparsers.add_parser("mention", help="show the block that @terminal or @problems would send")
    parser.set_defaults(run=run)
    kinds = parser.add_subparsers(dest="kind", required=True, parser_class=_TerminalParser)
    _add_terminal(kinds)
    parser = kinds.add_parser("problems", help="diagnostics as JSON in, the block out")
    _add_common(parser, "an answer's member `problems`, as JSON")


def run(namespace: argparse.Namespace) -> int:
    """Print the block; gives the exit code. `namespace.environment` is the process's, read by the command line."""
    environment: Mapping[str, str] = namespace.environment
    locale = locale_of(environment, namespace.locale)
    try:
        shown = _terminal(namespace, locale) if namespace.kind == "terminal" else _problems(namespace, locale)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"wave-bridge mention: {error}\n")
        return USAGE
    sys.stdout.buffer.write((shown + "\n").encode("utf-8", "replace") if shown else b"")
    sys.stdout.buffer.flush()
    return 0


def _add_terminal(kinds: argparse._SubParsersAction[Any]) -> None:
    parser = kinds.add_parser(
        "terminal", help="a terminal's bytes in, the block out", usage="%(prog)s [options] [FILE | -- COMMAND ...]"
    )
    _add_common(parser, "the bytes that a command wrote (or, with --marks or --json, see there)")
    parser.add_argument("--cols", type=int, help="columns of the terminal (without: lines do not wrap)")
    parser.add_argument("--rows", type=int, default=terminal.ROWS, help="rows of the terminal (%(default)s)")
    parser.add_argument("--marks", action="store_true", help="the bytes are a shell's, with its marks: OSC 633 or 133")
    parser.add_argument("--nonce", help="with --marks: the only nonce that command lines may carry")
    parser.add_argument("--json", action="store_true", help="an answer's member `terminal`, as JSON")
    parser.add_argument("--command", help="the command line to show")
    parser.add_argument("--exit", type=int, help="the exit code to show")
    parser.add_argument("--no-fold", action="store_true", help="show repeated lines one by one")
    parser.add_argument("--plain", action="store_true", help="the cleaned text alone, uncut")


def _add_common(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help=what)
    parser.add_argument("--locale", help="zh-CN or en (without: as the environment says)")


def _problems(namespace: argparse.Namespace, locale: Locale) -> str:
    return problems.problems_block(problems.read_facts(_json(namespace.file)), locale).text


def _terminal(namespace: argparse.Namespace, locale: Locale) -> str:
    screen = (
        Screen(namespace.cols, namespace.rows)
        if namespace.plain
        else terminal.tail_screen(namespace.cols, namespace.rows, _limits(namespace))
    )
    if namespace.program:
        last = _run_program(namespace.program, screen, namespace.cols or 80, namespace.rows)
    elif namespace.marks or namespace.json:
        facts = terminal.read_facts(_json(namespace.file)) if namespace.json else _stream(namespace)
        if not namespace.plain:
            return terminal.terminal_block(facts, locale, _limits(namespace)).text
        last = terminal.last_of(facts)
        screen.feed(last.output)
    else:
        last = terminal.LastCommand(namespace.command, b"", namespace.exit)
        _feed(screen, _chunks(namespace.file))
    return _shown(namespace, last, screen.finish(), locale)


def _shown(namespace: argparse.Namespace, last: terminal.LastCommand, text: ScreenText, locale: Locale) -> str:
    if namespace.plain:
        return "\n".join(text.lines)
    return terminal.shown_block(last, text, locale, _limits(namespace)).text


def _limits(namespace: argparse.Namespace) -> TerminalLimits:
    return TerminalLimits(fold_repeats=not namespace.no_fold)


def _stream(namespace: argparse.Namespace) -> terminal.StreamFacts:
    data = b"".join(_chunks(namespace.file))
    return terminal.StreamFacts(output_bytes=data, nonce=namespace.nonce, cols=namespace.cols, rows=namespace.rows)


def _json(name: str) -> Any:
    """Decode JSON; unlike stricter readers it takes lone surrogates, which JavaScript editors send."""
    return json.loads(b"".join(_chunks(name)))


def _chunks(name: str) -> Iterator[bytes]:
    with contextlib.ExitStack() as opened:
        source: BinaryIO = sys.stdin.buffer if name == "-" else opened.enter_context(Path(name).open("rb"))
        while chunk := source.read(CHUNK):
            yield chunk


def _feed(screen: Screen, chunks: Iterable[bytes]) -> None:
    """Feed one command's bytes, without the mark that zsh leaves behind them; memory stays small."""
    held = b""
    for chunk in chunks:
        held += chunk
        screen.feed(held[:-HELD_BACK])
        held = held[-HELD_BACK:]
    screen.feed(without_eol_mark(held))


def _run_program(argv: list[str], screen: Screen, cols: int, rows: int) -> terminal.LastCommand:
    """Run a program in a pseudo-terminal of its own until it ends, or until Ctrl-C: then it counts as running."""
    try:
        import pty  # noqa: PLC0415 - Unix only, and needed by this sub-command alone
        import termios  # noqa: PLC0415 - likewise
    except ImportError:
        raise OSError("running a command needs a Unix pseudo-terminal") from None
    pid, master = pty.fork()
    if pid == 0:
        termios.tcsetwinsize(0, (rows, cols))
        _become(argv)
    interrupted = False

    def end_program(*_: object) -> None:
        """Tell the program that its terminal is gone; if it is told again, end it."""
        nonlocal interrupted
        os.kill(pid, signal.SIGKILL if interrupted else signal.SIGHUP)
        interrupted = True

    signal.signal(signal.SIGINT, end_program)
    _feed(screen, _output(master))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.close(master)
    _, status = os.waitpid(pid, 0)
    code = None if interrupted else os.waitstatus_to_exitcode(status)
    return terminal.LastCommand(shlex.join(argv), b"", code, running=interrupted)


def _become(argv: list[str]) -> None:
    """Turn this forked process into the program; never returns. Signals are as a terminal's shell would leave them."""
    for name in ("SIGHUP", "SIGINT", "SIGPIPE"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)  # noqa: S606 - no shell: that is the point
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\r\n".encode())
    os._exit(127)


def _output(master: int) -> Iterator[bytes]:
    """Yield what is written until the terminal is closed, which Linux reports as EIO."""
    while True:
        try:
            chunk = os.read(master, CHUNK)
        except OSError:
            return
        if not chunk:
            return
        yield chunk
