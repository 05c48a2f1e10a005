"""The parts that are values in, values out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.embedded.lines import LineCutter, encode
from wave_bridge.embedded.models.directives import parse, pieces, without
from wave_bridge.embedded.shell import grammar, judgement
from wave_bridge.embedded.shell.output import KEPT, Tail, last_lines

ENDS = ("\n", "\r\n", "\r", "\u2028", "\u2029")
PLAIN = st.text(st.characters(exclude_characters="\r\n\u2028\u2029", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(PLAIN, st.sampled_from(ENDS))), st.data())
def test_every_way_of_cutting_gives_the_same_lines(lines, data):
    """Also where a character or a CRLF is cut in two."""
    whole = "".join(text + end for text, end in lines).encode()
    cutter, found, position = LineCutter(), [], 0
    while position < len(whole):
        size = data.draw(st.integers(1, 5))
        found += cutter.feed(whole[position : position + size])
        position += size
    assert [line for line in found + cutter.finish() if line] == [text for text, _ in lines]


@given(st.text(st.characters()))
def test_what_goes_out_is_one_line_of_utf8(text):
    line = encode({"x": text})
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert json.loads(line.decode()) == json.loads(json.dumps({"x": text}))


@given(st.dictionaries(st.text(), st.text()), st.text(), st.text(st.characters(exclude_characters="[<")))
def test_a_directive_is_found_whatever_is_in_it(directive, inner, around):
    directive = {**directive, "text": inner}
    text = f"{around}[[{json.dumps(directive)}]][[{json.dumps({})}]]"
    assert parse(text) == [directive, {}]
    assert without(text) == around.strip()


@pytest.mark.parametrize("text", ["", "[[", "[[1]]", "[[{]]", "a [[b]] c", '[[{"a": 1}', "]]"])
def test_what_is_no_directive_is_text(text):
    assert parse(text) == []
    assert without(text) == text.strip()


@given(st.text(), st.integers(1, 50))
def test_pieces_are_the_whole_text(text, chunks):
    cut = pieces(text, chunks)
    assert "".join(cut) == text
    assert len(cut) <= chunks


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("a && b || c; d | e & f", ["a", "b", "c", "d", "e", "f"]),
        ("echo 'a && b' \"c; d\" e\\;f", ["echo 'a && b' \"c; d\" e\\;f"]),
        ("a\nb", ["a", "b"]),
        ("A=1 B='x y' npm run build", ["npm run build"]),
        ("ls 2>&1 >/dev/null", ["ls"]),
        ("cat < in > out", ["cat"]),
        ("", []),
    ],
)
def test_a_command_is_cut_at_its_operators(command, parts):
    assert [part.text for part in grammar.split(command)] == parts


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("ls -la src", True),
        ("git log --oneline", True),
        ("sed -n 1p a", False),
        ("ls $(rm x)", False),
        ("ls `rm x`", False),
        ("cat <<E", False),
        ("echo a > b", False),
        ("echo a 2>&1", True),
        ("ls /etc", False),
        ("ls /code/dir/sub", True),
        ("ls ../x", False),
        ("ls sub/../../x", False),
        ("cat ~/.ssh/id", False),
        ("find . -name x", True),
        ("find . -exec rm {} +", False),
        ("'ls", False),
        ("cat $HOME/x", False),
        ("echo $HOME", True),
        ("grep --file=/etc/passwd x", False),
        ("grep -o x a", True),
        ("sort -o out in", False),
        ("git log --output=x", False),
        ("git branch -D main", False),
        ("rg --pre ./run x", False),
        ("cat < /etc/passwd", False),
        ("echo a >| cat", False),
        ("PATH=. ls", False),
        ("cd", False),
        ("cd -", False),
        ("cd sub", True),
    ],
)
def test_what_only_reads_inside_the_folder(command, reads):
    parts = grammar.split(command)
    assert all(judgement.is_reading(part, "/code/dir") for part in parts) is reads


@given(st.lists(st.text(max_size=KEPT // 2), max_size=12))
def test_a_tail_keeps_the_end(texts):
    tail = Tail()
    for text in texts:
        tail.add(text)
    whole = "".join(texts)
    shown = str(tail)
    assert shown.endswith(whole[-KEPT:])
    assert len(shown) <= KEPT + 100


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\n", "a"), ("a\nb\nc\n", "a\nb\nc"), ("a\nb\nc\nd\ne", "... +2 lines\nc\nd\ne")],
)
def test_the_last_lines(text, shown):
    assert last_lines(text) == shown
