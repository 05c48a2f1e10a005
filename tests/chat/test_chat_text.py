"""An open document follows its editor, whatever the positions, and as a plain string would."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.document import Place, Text, units

PIECES = st.text(st.sampled_from("ab é😀\t\x0b\u2028\n"), max_size=12)
PLACES = st.builds(Place, st.integers(0, 6), st.integers(0, 12))


def by_hand(content, place):
    """Give the offset of a place in UTF-16 units, the slow and obvious way."""
    lines = content.split("\n")
    if place.line >= len(lines):
        return len(content)
    before = sum(len(line) + 1 for line in lines[: place.line])
    seen = 0
    for index, character in enumerate(lines[place.line]):
        if seen >= place.character:
            return before + index
        seen += units(character, "utf-16")
    return before + len(lines[place.line])


@given(PIECES, st.lists(st.tuples(PLACES, PLACES, PIECES), max_size=4))
def test_changes_are_those_of_a_string(content, changes):
    text = Text(content)
    for start, end, piece in changes:
        first, last = sorted((by_hand(content, start), by_hand(content, end)))
        assert text.between(start, end) == content[first:last]
        text.change(start, end, piece)
        content = content[:first] + piece + content[last:]
        assert text.content == content
        assert text.lines() == content.split("\n")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_columns_count_in_the_agreed_units(encoding, column):
    text = Text("é😀x", encoding=encoding)
    assert text.until(Place(0, column)) == "é😀"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_end_of_line_is_one(end):
    text = Text(f"a{end}b{end}")
    assert text.lines() == ["a", "b", ""]
    text.change(Place(1, 0), Place(2, 0), "")
    assert text.content == f"a{end}"
    text.change(Place(0, 99), Place(0, 99), "!")
    assert text.content == f"a!{end}"


@pytest.mark.parametrize("place", [Place(99, 0), Place(0, 10**9), Place(-5, -5), Place(2**31, 2**31)])
def test_a_place_out_of_range_is_the_nearest_one_inside(place):
    text = Text("one\ntwo")
    text.change(place, place, "+")
    assert text.content in {"one\ntwo+", "one+\ntwo", "+one\ntwo"}


def test_a_key_in_a_long_document_costs_little():
    """pygls goes through all of it: 100 keys in 8 MB would hold up everybody for half a minute."""
    text = Text("a line of some length\n" * 400_000)
    began = time.perf_counter()
    for _ in range(100):
        text.change(Place(200_000, 3), Place(200_000, 3), "x")
    assert time.perf_counter() - began < 1.0
