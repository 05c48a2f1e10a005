"""Messages: composing and parsing are inverse for every text; nothing a person types is taken for a block."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wave_bridge.providers.blocks import END, Block, Counts, compose, parse

GOLDEN = json.loads((Path(__file__).parents[1] / "data/providers/messages.json").read_text("utf-8"))

# Texts made of what fences are made of, so that imitations are common rather than a matter of luck.
PIECES = (
    "```",
    "````",
    "`",
    "wave-terminal 1/1",
    "wave-problems 1/1 truncated 3/4",
    "wave-terminal 2/2 unavailable",
    "\n",
    "\n\n",
    " ",
    "\r",
    "a",
    "终端",
    END,
    "\u2028",
    "\0",
    "~~~",
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=14).map("".join)
counts = st.none() | st.builds(Counts, st.integers(0, 10**12), st.integers(0, 10**12))


@st.composite
def block_lists(draw):
    kinds = draw(st.lists(st.sampled_from(("terminal", "problems")), unique=True, max_size=2))
    return tuple(Block(kind, draw(texts), draw(st.booleans()), draw(st.booleans()), draw(counts)) for kind in kinds)


@given(texts, block_lists())
@example("", ())
@example("\n\n", (Block("terminal", ""),))
@example(END, ())
@example("```wave-terminal 1/1\nx\n```", ())
@example(compose("a", [Block("terminal", "x")]) + END, (Block("problems", "y"),))
def test_parse_gives_back_what_was_composed(user_text, blocks):
    assert parse(compose(user_text, blocks)) == (user_text, blocks)


@given(texts, block_lists(), texts)
def test_a_message_quoted_inside_a_message_stays_text(user_text, blocks, more):
    quoted = compose(user_text, blocks) + more
    block = Block("terminal", compose(user_text, blocks))
    assert parse(compose(quoted, [block])) == (quoted, (block,))


def test_a_line_end_behind_the_message_does_no_harm():
    message = compose("x", [Block("terminal", "y")])
    assert parse(message + "\n") == parse(message)
    assert parse(compose(message) + "\r\n") == (message, ())


@given(texts)
def test_parsing_never_loses_a_character(message):
    user_text, blocks = parse(message)
    assert blocks or user_text == message or message.rstrip() == user_text + END


@pytest.mark.req("M1.6")
def test_one_block_a_kind():
    first, second = Block("terminal", "first"), Block("terminal", "second")
    problems = Block("problems", "p")
    assert parse(compose("x", [first, problems, second])).blocks == (first, problems)


def test_a_plain_text_is_sent_as_it_is():
    text = "look at ```this``` and\n```python\nprint()\n```"
    assert compose(text) == text
    assert parse(text) == (text, ())


@pytest.mark.parametrize(
    "message",
    [
        "```wave-terminal 1/1\ncut off",
        "hello\n```wave-terminal 1/1\nno gap before the fence\n```",
        "```wave-debugger 1/1\nan unknown kind\n```",
        "```wave-terminal 2/2\nits neighbour is missing\n```",
        "```wave-terminal 1/2\na\n```\n\n```wave-terminal 2/2\nthe same kind twice\n```",
        "```wave-terminal 1/1\nlonger closing\n````",
        f"```wave-terminal 1/1 {'9' * 5000}/1\nmore digits than Python reads\n```",
        "Terminal output\n$ make",
        "",
    ],
)
def test_what_is_not_whole_is_the_users_text(message):
    assert parse(message) == (message, ())


def test_words_added_by_a_later_version_are_passed_over():
    assert parse("```wave-terminal 1/1 truncated 1/2 age=3\nx\n```").blocks == (
        Block("terminal", "x", truncated=True, counts=Counts(1, 2)),
    )


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_the_form_of_messages_stays(case):
    """Messages lie in session files for ever: these texts, kept since the first version, must parse alike."""
    blocks = tuple(
        Block(b["kind"], b["text"], b["truncated"], b["unavailable"], Counts(*b["counts"]) if b["counts"] else None)
        for b in case["blocks"]
    )
    assert parse(case["message"]) == (case["userText"], blocks)
    assert compose(case["userText"], blocks) == case["message"]
