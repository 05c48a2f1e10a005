"""The @problems block: what is listed, in which order, what is said of the rest, and that nothing makes it fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.providers.problems import ProblemsFacts, ProblemsLimits, problems_block, read_facts

DATA = Path(__file__).parents[1] / "data/providers"
REPORTED = [json.loads(line) for line in (DATA / "diagnostics.jsonl").read_text("utf-8").splitlines()]
TITLE = "Problems in the current file — "


def at(line, character=0, **members):
    start = {"line": line, "character": character}
    return {"range": {"start": start, "end": start}, "message": "m", "severity": 1, **members}


def block(*diagnostics, limits=None, locale="en", **facts):
    facts = {"uri": "file:///w/src/app.ts", "root": "/w", "diagnostics": list(diagnostics), **facts}
    return problems_block(read_facts(facts), locale, limits)


def lines(*diagnostics, **facts):
    return block(*diagnostics, **facts).text.split("\n")


@pytest.mark.req("M2.1")
@pytest.mark.parametrize("case", REPORTED, ids=lambda case: case["id"])
def test_what_was_reported_elsewhere_is_right_here(case):
    assert problems_block(read_facts(case["input"]), "en").text == TITLE + case["right"], case["reason"]


@pytest.mark.req("M2.1")
def test_errors_and_warnings_come_in_position_order_and_info_after_them():
    shown = lines(at(9, severity=3), at(5, severity=2), at(0, severity=3), at(5, 4), at(2, severity=4), at(1))
    assert shown == [
        TITLE + "src/app.ts: 6 problems, 5 listed (2 errors, 1 warning, 2 info, 1 hint)",
        "2:1 error m",
        "6:1 warning m",
        "6:5 error m",
        "1:1 info m",
        "10:1 info m",
    ]


@pytest.mark.req("M2.2")
def test_no_problems_is_said():
    assert block().text == TITLE + "src/app.ts: no problems"
    assert block(locale="zh-CN").text == "当前文件的问题 — src/app.ts：没有问题"
    assert not block().unavailable


@pytest.mark.req("M2.3")
@pytest.mark.parametrize("facts", [{}, {"uri": None, "diagnostics": []}, {"uri": "", "diagnostics": [at(1)]}])
def test_no_active_editor_is_unavailable(facts):
    found = problems_block(read_facts(facts), "zh-CN")
    assert found.text == "当前文件的问题：不可用 [没有活动的编辑器]"
    assert found.unavailable


@pytest.mark.req("M2.4")
def test_over_the_limit_the_first_line_has_both_counts():
    found = block(*(at(i, severity=2) for i in range(70)), *(at(i, severity=1) for i in range(90, 95)))
    assert found.text.startswith(TITLE + "src/app.ts: 75 problems, 50 listed (5 errors, 70 warnings)\n")
    assert found.truncated
    assert found.counts == (50, 75)
    listed = found.text.split("\n")[1:]
    assert [line.split()[0] for line in listed] == [f"{i + 1}:1" for i in [*range(45), *range(90, 95)]]
    assert "已截断" in block(*(at(i) for i in range(51)), locale="zh-CN").text.split("\n")[0]
    assert not block(*(at(i) for i in range(50))).truncated


@pytest.mark.req("M2.4")
@pytest.mark.parametrize("message", ["x" * 900, "é" * 900, "a\nb\n" * 9, "long " * 5000 + "\n" + "y\n" * 40])
def test_the_block_stays_within_its_bytes(message):
    found = block(*(at(i, message=message) for i in range(60)))
    assert len(found.text.encode()) <= 16 * 1024
    assert found.counts.total == 60
    assert f"60 problems, {found.counts.shown} listed" in found.text
    assert found.counts.shown >= 1


def test_one_huge_entry_is_shortened_rather_than_left_out():
    found = block(at(0, message="\n".join("界" * 1000 for _ in range(20))))
    assert found.counts == (1, 1)
    assert found.text.split("\n")[-1].strip().endswith("more lines]")
    assert len(found.text.encode()) <= 16 * 1024


@pytest.mark.req("M2.5", "MB5")
@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"source": "unavailable", "reason": "unreadable"}, "编辑器读不到诊断"),
        (
            {"source": "unavailable", "reason": "HighlightInfo:\n no such\x1b[1m method"},
            "HighlightInfo: no such method",
        ),
        ({"source": "unavailable"}, "编辑器未说明原因"),
        ({"uri": "file:///w/a"}, "编辑器读不到诊断"),
        ({"uri": "file:///w/a", "diagnostics": {}}, "Expected `array | null`, got `object` - at `$.diagnostics`"),
        ({"uri": 5, "diagnostics": [], "text": []}, None),
        (None, None),
        ([1], None),
        ("text", None),
    ],
)
def test_what_can_not_be_read_is_said_and_raises_nothing(facts, reason):
    found = problems_block(read_facts(facts), "zh-CN")
    assert found.unavailable
    assert found.text.startswith("当前文件的问题：不可用 [")
    assert "\n" not in found.text
    assert reason is None or reason in found.text


def test_a_free_reason_is_one_bounded_line():
    found = problems_block(read_facts({"source": "unavailable", "reason": "x\n" * 100_000}), "en")
    assert len(found.text) < 400


@pytest.mark.req("MB6")
@pytest.mark.parametrize(
    "facts", [{"stale": True}, {"version": 5, "diagnosticsVersion": 3}, {"version": "b", "diagnosticsVersion": "a"}]
)
def test_diagnostics_of_an_older_version_are_said_to_be_so(facts):
    assert lines(at(0), **facts)[0].endswith("(1 error) (for an older version of the file)")


@pytest.mark.req("MB6")
@pytest.mark.parametrize(
    "facts", [{}, {"version": 3}, {"diagnosticsVersion": 3}, {"version": 3, "diagnosticsVersion": 3}]
)
def test_versions_that_agree_or_are_not_known_say_nothing(facts):
    assert lines(at(0), **facts)[0].endswith("(1 error)")


@pytest.mark.parametrize(
    ("encoding", "character", "column"),
    [("utf-8", 6, 4), ("utf-32", 2, 4), ("utf-16", 3, 4), ("UTF-8", 9, 7), ("utf-32", 99, 101), ("utf-8", 5, 2)],
)
def test_columns_are_utf16_units_whatever_was_sent(encoding, character, column):
    """The line is é😀abc: 2+4+3 bytes, 1+2+3 UTF-16 units, 5 characters. Inside a character counts as before it."""
    text = "x\r\né😀abc\n"
    assert lines(at(1, character), positionEncoding=encoding, text=text)[1].startswith(f"2:{column} ")


def test_without_the_text_columns_stay_as_they_are():
    assert lines(at(1, 6), positionEncoding="utf-8")[1].startswith("2:7 ")
    assert lines(at(9, 6), positionEncoding="utf-8", text="short")[1].startswith("10:7 ")


@pytest.mark.req("MB8")
@pytest.mark.parametrize(
    ("uri", "roots", "path"),
    [
        ("file:///w/src/a.ts", ["/w"], "src/a.ts"),
        ("file:///w/src/a.ts", ["/w/"], "src/a.ts"),
        ("file:///w/src/a.ts", ["file:///w"], "src/a.ts"),
        ("/w/src/a.ts", ["/w"], "src/a.ts"),
        ("file:///w/lib/src/a.ts", ["/w", "/w/lib", "/other"], "src/a.ts"),
        ("file:///w2/a.ts", ["/w"], "/w2/a.ts"),
        ("file:///w/a.ts", [], "/w/a.ts"),
        ("file:///a.ts", ["/"], "a.ts"),
        ("file:///w/a%20b/%E6%96%87.py", ["/w"], "a b/文.py"),
        ("file:///c%3A/w/a.ts", ["C:\\w"], "a.ts"),
        ("file:///C:/other/a.ts", ["c:/w"], "c:/other/a.ts"),
        ("C:\\w\\src\\a.ts", ["c:\\W"], "src/a.ts"),
        ("file://server/share/a.ts", ["/w"], "//server/share/a.ts"),
        ("file://server/share/a.ts", ["\\\\server\\share"], "a.ts"),
        ("untitled:Untitled-1", ["/w"], "untitled:Untitled-1"),
        ("vscode-remote://wsl%2Bubuntu/w/a.ts", ["/w"], "vscode-remote://wsl%2Bubuntu/w/a.ts"),
        ("file:///w/a%0Ab%1B[1m.ts", ["/w"], "a b.ts"),
        ("file:///w/a\\b.ts", ["/w"], "a\\b.ts"),
        ("file:///w", ["/w"], "/w"),
    ],
)
def test_paths_are_relative_to_the_innermost_root(uri, roots, path):
    assert lines(uri=uri, root=None, roots=roots) == [TITLE + f"{path}: no problems"]


def test_related_places_follow_their_entry():
    places = [
        {
            "location": {"uri": f"file:///w/b{i}.ts", "range": {"start": {"line": i, "character": 1}}},
            "message": "here\n",
        }
        for i in range(5)
    ]
    assert lines(at(0, relatedInformation=[{"message": "no place"}, None, *places]), at(1))[1:] == [
        "1:1 error m",
        "    see b0.ts:1:2 here",
        "    see b1.ts:2:2 here",
        "    see b2.ts:3:2 here",
        "2:1 error m",
    ]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (0, " [0]"),
        ("E1", " [E1]"),
        (1.5, " [1.5]"),
        (6133.0, " [6133]"),
        ({"value": "x", "target": "https://e.org/secret"}, " [x]"),
        ({"value": None}, ""),
        ("", ""),
        (None, ""),
        (True, ""),
        ([], ""),
        ("a\nb", " [a b]"),
    ],
)
def test_codes(code, shown):
    assert lines(at(0, code=code))[1] == "1:1 error m" + shown


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"range": None},
        {"range": {"start": {}}},
        {"range": {"start": {"line": "3", "character": None}}},
        {"range": {"start": {"line": -1, "character": -(2**70)}}},
        {"range": {"start": {"line": True, "character": float("nan")}}},
        {"range": [], "severity": [], "source": {}, "code": [], "relatedInformation": 5},
        {"severity": "error", "relatedInformation": [{"location": {"uri": 5}}, {"location": []}]},
        {"severity": 99, "message": 7},
        {"severity": 0, "message": {"kind": "markdown"}},
    ],
)
def test_odd_entries_become_errors_at_the_start(entry):
    assert lines(entry, None, 5, "text", [])[1:] == ["1:1 error (no message)"]


def test_positions_beyond_any_file_are_clamped():
    assert lines(at(2**80, 2**31 - 1))[1].startswith("2147483648:2147483648 ")


def test_lone_surrogates_and_nul_do_not_stop_the_message_from_being_sent():
    found = block(at(0, message="a\ud83d\0b\n\udc00c", source="s\ud800"), uri="file:///w/\ud83d.ts")
    assert found.text.encode().decode() == found.text
    assert "1:1 error a\ufffdb [s\ufffd]\n    \ufffdc" in found.text


def test_markup_messages_are_read():
    assert lines(at(0, message={"kind": "plaintext", "value": "hello"}))[1] == "1:1 error hello"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ("range", "start", "end", "line", "character", "message", "severity", "source", "code", "value", "location",
         "uri", "relatedInformation", "diagnostics", "root", "roots", "text", "version", "positionEncoding", "stale")
    ), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@given(json_values)
def test_whatever_an_editor_sends_there_is_a_block(value):
    for facts in (value, {"uri": "file:///w/a", "diagnostics": value}, {"uri": "file:///w/a", "diagnostics": [value]}):
        found = problems_block(read_facts(facts), "zh-CN")
        assert found.text.startswith("当前文件的问题")
        assert len(found.text.encode()) <= 16 * 1024


def test_a_million_entries_are_counted():
    distinct = [at(i, i % 80) for i in range(997)]
    found = problems_block(ProblemsFacts(uri="/a", diagnostics=[distinct[i % 997] for i in range(1_000_000)]), "en")
    assert "997 problems, 50 listed (997 errors)" in found.text


def test_limits_are_settings():
    assert len(block(*map(at, range(9)), limits=ProblemsLimits(entries=3)).text.split("\n")) == 4
