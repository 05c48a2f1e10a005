"""Where commands begin and end in a terminal's bytes, by the marks that shells send. Looks at marks, never at prompts.

Two families mean the same: OSC 633 (VS Code) and OSC 133 (FinalTerm). A prompt begins, B typing begins, C output
begins, D the command ended (with its exit code); 633 adds E, the command line, F … G around a continuation prompt and
H … I around a right prompt.

Marks alone are not enough (found by running the shells): D may be missing, then the next A ends the command; PowerShell
may send D before the output; two integrations may double a mark; and zsh prints its end-of-line mark in front of D.
A terminal lets ESC cut any string short, so each `ESC ]` begins a real mark wherever it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Span = tuple[int, int]  # from, to: places in the bytes

_MARK = re.compile(
    rb"\x1b\](?P<family>633|133);(?P<letter>[A-I])(?:;(?P<fields>[^\x07\x1b\x18\x1a]*?))?(?:\x07|\x1b\\|\xc2\x9c|(?=\x1b))"
)
_SGR: Final = rb"(?:\x1b\[[0-9;]*m|\x1b\(B)*"
_SEQUENCE: Final = rb"(?:\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\([0B]|\x1b[=>]|\r)*"
_UNSEEN = re.compile(_SEQUENCE + rb"\s*")
_EOL_ERASED = re.compile(rb"\r(?:\xe2\x8f\x8e)? \r" + _SEQUENCE + rb"\Z")
_EOL_MARK = re.compile(_SGR + rb"(?:\x1b\[7m[%#]\x1b\[27m|\x1b\[2m\xe2\x8f\x8e)" + _SGR + rb"\Z")
_EOL_TAIL: Final = 2048  # bytes: what shells send between their end-of-line mark and the next A


class Mark(NamedTuple):
    """One mark: `ESC ] family ; letter ; fields` and where it stands."""

    letter: bytes
    fields: bytes
    start: int
    end: int


@dataclass(slots=True)
class _Asked:
    """What the marks since the last prompt say about the command to come."""

    prompt: Mark | None = None
    typing: Mark | None = None
    announced: Mark | None = None
    hidden: list[Mark] = field(default_factory=list)


class Run(NamedTuple):
    """One command: places of its parts in the bytes, and what its marks say. `late` is text between D and A."""

    output: Span
    late: Span | None = None
    exit_code: int | None = None
    running: bool = True
    announced: bytes | None = None  # the fields of E
    parameters: bytes = b""  # the fields of C
    prompt: Span | None = None
    typed: Span | None = None
    hidden: tuple[Span, ...] = ()  # continuation and right prompts inside `typed`


def find_marks(data: bytes) -> list[Mark]:
    """Give the marks in order: those of family 633 if it marks any output, else those of 133 (T4)."""
    families: dict[bytes, list[Mark]] = {b"633": [], b"133": []}
    for found in _MARK.finditer(data):
        mark = Mark(found["letter"], found["fields"] or b"", found.start(), found.end())
        families[found["family"]].append(mark)
    better = families[b"633"]
    return better if any(mark.letter == b"C" for mark in better) else families[b"133"] or better


def find_runs(data: bytes) -> list[Run]:
    """Give the commands in order, with those for which Enter was pressed on an empty line."""
    return list(_runs(find_marks(data), len(data)))


def _runs(marks: list[Mark], size: int) -> Iterator[Run]:
    """Yield a run as soon as nothing can be added to it: at the next A or C."""
    run: Run | None = None
    asked = _Asked()
    for mark in marks:
        match mark.letter:
            case b"A" if b"k=s" in mark.fields and asked.typing:  # a continuation prompt, in kitty's words
                asked.hidden.append(mark)
            case b"A":
                if run:
                    yield _ended_by_prompt(run, mark)
                run, asked = None, _Asked(prompt=mark)
            case b"B" if asked.typing is None:
                asked.typing = mark
            case b"B" | b"F" | b"G" | b"H" | b"I":
                asked.hidden.append(mark)
            case b"E":
                asked.announced = mark
            case b"C" if run and run.running and not (asked.announced and asked.announced.end == mark.start):
                pass  # doubled by a second integration
            case b"C":
                if run:
                    yield run._replace(output=(run.output[0], mark.start)) if run.running else run
                run, asked = _begun(mark, size, asked), _Asked()
            case b"D" if run:
                run, asked = _ended(run, mark, asked.announced), _Asked()
            case _:
                pass  # D of the shell's own start
    if run and run.late and run.prompt:  # this shell marks its prompts, so what follows is none
        yield run._replace(late=(run.late[0], size))
    elif run:
        yield run


def _begun(mark: Mark, size: int, asked: _Asked) -> Run:
    prompt, typing, announced = asked.prompt, asked.typing, asked.announced
    return Run(
        output=(mark.end, size),
        announced=announced.fields if announced else None,
        parameters=mark.fields,
        prompt=(prompt.end, typing.start) if prompt and typing else None,
        typed=(typing.end, mark.start) if typing else None,
        hidden=tuple(_pairs(asked.hidden, mark.start)),
    )


def _ended(run: Run, mark: Mark, announced: Mark | None) -> Run:
    """Close at the first D; a doubled D may still bring the exit code. Older PowerShell sends E right before D."""
    code = _number(mark.fields)
    if not run.running:
        return run if run.exit_code is not None else run._replace(exit_code=code)
    late_line = announced.fields if announced and announced.end == mark.start else None
    end = announced.start if announced and late_line is not None else mark.start
    return run._replace(
        output=(run.output[0], end),
        late=(mark.end, mark.end),
        exit_code=code,
        running=False,
        announced=late_line if run.announced is None else run.announced,
    )


def _ended_by_prompt(run: Run, mark: Mark) -> Run:
    if run.running:
        return run._replace(output=(run.output[0], mark.start), running=False)
    return run._replace(late=(run.late[0], mark.start)) if run.late else run


def _pairs(marks: Iterable[Mark], end: int) -> Iterator[Span]:
    """Pair openings (F, H, a continuation's A) with the marks that close them; one that is left open goes to `end`."""
    start: int | None = None
    for mark in marks:
        if mark.letter in b"FHA":
            start = mark.end if start is None else start
        elif start is not None:
            yield start, mark.start
            start = None
    if start is not None:
        yield start, end


def _number(fields: bytes) -> int | None:
    """Give D's exit code: its first field, if it is a number."""
    first = fields.split(b";", 1)[0]
    return int(first) if re.fullmatch(rb"-?[0-9]{1,10}", first) else None


def without_eol_mark(output: bytes) -> bytes:
    """Cut the mark that zsh (inverse `%` or `#`) and fish (dim `⏎`) print behind output without a final newline (T5).

    Only the exact run counts: the mark, blanks to the edge, and its own erasure. A plain `%` at the end is output.
    """
    tail_start = max(0, len(output) - _EOL_TAIL)
    erased = _EOL_ERASED.search(output, tail_start)
    if not erased:
        return output
    head = output[: erased.start()]
    shown = head.rstrip(b" ")
    mark = _EOL_MARK.search(shown, max(0, len(shown) - 64))
    return output[: mark.start()] if mark and len(shown) < len(head) else output


def inside_marks(output: bytes) -> bytes:
    """Give what lies between C and D, for one command's output that an editor hands over with those marks around it.

    Marks in the middle are the program's own (a nested shell) and bound nothing.
    """
    marks = find_marks(output)
    opening = next((mark for mark in marks if mark.letter == b"C"), None)
    start = opening.end if opening and _UNSEEN.fullmatch(output, 0, opening.start) else 0
    closing = next((mark for mark in reversed(marks) if mark.letter == b"D" and mark.start >= start), None)
    end = closing.start if closing and _UNSEEN.fullmatch(output, closing.end) else len(output)
    return output[start:end]
