"""The @terminal block: from what an editor gives to what the agent reads."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.providers import problems
from wave_bridge.providers.marks import find_runs
from wave_bridge.providers.screen import ScreenText, render
from wave_bridge.providers.shaping import TerminalLimits
from wave_bridge.providers.terminal import LastCommand, last_of, output_of, read_facts, shown_block, terminal_block

DATA = Path(__file__).parents[1] / "data/providers"
REPORTED = [json.loads(line) for line in (DATA / "sessions-reported.jsonl").read_text("utf-8").splitlines()]
GOLDEN = json.loads((DATA / "facts.json").read_text("utf-8"))
RECORDED = json.loads((DATA / "sessions.json").read_text("utf-8"))


def block(locale="en", limits=None, **facts):
    return terminal_block(read_facts(facts), locale, limits)


def command(output="", locale="en", limits=None, **facts):
    return block(locale, limits, source="command", output=output, **facts)


def lines(*texts):
    return "".join(f"{text}\r\n" for text in texts)


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_the_forms_in_which_editors_answer(case, locale):
    """The file is what the shims' own suites are held to: one example of each form of a `wave/context/read` answer."""
    if case["kind"] == "terminal":
        found = terminal_block(read_facts(case["facts"]), locale)
    else:
        found = problems.problems_block(problems.read_facts(case["facts"]), locale)
    assert found.text == case["block"][locale]
    assert found.kind == case["kind"]


@pytest.mark.req("M1.1")
@pytest.mark.parametrize("case", REPORTED, ids=lambda case: case["id"])
def test_what_was_reported_elsewhere_is_right_here(case):
    given_, right = case["input"], case["right"]
    stream = {"outputBytes": given_["raw_b64"], "cols": given_["cols"], "rows": given_["rows"]}
    last = last_of(read_facts({"source": "stream", **stream}))
    shown = render(last.output, given_["cols"], given_["rows"])
    assert (last.line, shown, last.exit_code) == (right["command"], right["output"], right["exit"]), case["reason"]
    assert last.unbounded == (right["command"] is None)
    assert block(source="stream", **stream).text.endswith(right.get("text", ""))


@pytest.mark.req("M1.1")
@pytest.mark.parametrize("session", [s for s in RECORDED if s["stream"]], ids=lambda session: session["case"])
def test_every_command_of_recorded_shells_is_found(session):
    """Cut the recording behind each command: that one is then the last, unless Enter was pressed on an empty line."""
    data = base64.b64decode(session["stream"])
    runs = find_runs(data)
    assert len(runs) == len(session["commands"])
    for run, right in zip(runs, session["commands"], strict=True):
        upto = data[: run.late[1] if run.late else run.output[1]]
        stream = {"source": "stream", "outputBytes": base64.b64encode(upto).decode(), "cols": 80}
        last = last_of(read_facts(stream))
        assert last.line == right["command"]
        assert render(last.output, 80) == right["output_rule"]
        assert last.exit_code == right["exit"]
        assert last.running == bool(right["running"])


@pytest.mark.req("M1.3")
@pytest.mark.parametrize("cols", [80, None])
def test_every_recorded_output_is_cleaned_alike_without_its_session(cols):
    for right in (command for session in RECORDED for command in session["commands"]):
        data = b"\x1b]633;C\x07" + right["raw_c_d"].encode() + b"\x1b]633;D;%d\x07" % (right["exit"] or 0)
        (run,) = find_runs(data)
        assert render(output_of(data, run, cols), cols) == right["output_rule"]


@pytest.mark.req("M1.3")
def test_colours_and_redraws_become_what_is_seen():
    found = command("\x1b]0;title\x07\x1b[32mgo\x1b[0m\r\n 10%\r 20%\r\x1b[Kdone\r\n", command="make")
    assert found.text == "Terminal output\n$ make\ngo\ndone"


@pytest.mark.req("M1.4")
def test_over_the_limit_the_tail_is_kept_and_the_first_line_says_so():
    """The input of a public report: a flood of output froze a panel."""
    output = "".join(f"This is line number {i}\r\n" for i in range(100_000))
    begin = time.process_time()
    found = command(output, command="gen", cols=80)
    assert time.process_time() - begin < 1.0
    shown = found.text.split("\n")
    assert shown[0].startswith("Terminal output [last 500 of 100000 lines, ")
    assert shown[1] == "$ gen"
    assert shown[-1] == "This is line number 99999"
    assert len(shown) == 502
    assert found.truncated
    assert found.counts == (500, 100_000)


@pytest.mark.req("M1.4")
def test_bytes_are_a_limit_too_and_count_every_character():
    found = command(lines(*(f"{i:03} " + "界" * 200 for i in range(100))), command="x")
    total = 100 * (4 + 600 + 1)
    kept = 32 * 1024 // 605
    assert found.text.split("\n")[0] == f"Terminal output [last {kept} of 100 lines, {kept * 605} of {total} bytes]"
    assert found.text.count("\n") == kept + 1


@pytest.mark.req("M1.4")
def test_in_chinese_the_first_line_says_that_it_is_cut():
    found = command(lines(*map(str, range(501))), "zh-CN", command="seq")
    assert found.text.startswith("终端输出 [已截断：只保留最后 500 行（共 501 行），1892/1894 字节]\n$ seq\n1\n")


def test_one_line_over_every_limit_keeps_its_end_whole_characters():
    limits = TerminalLimits(bytes=20, line_characters=10_000)
    found = command("界" * 50 + "!", limits=limits, command="x")
    assert found.text == "Terminal output [last 1 of 1 lines, 20 of 152 bytes]\n$ x\n界界界界界界!"
    assert found.truncated


def test_a_huge_line_is_cut_where_it_stands():
    """The input of a public report: one minified line filled the whole block."""
    found = command("needle " + "x" * 120_000, command="cat min.js")
    assert found.text == ("Terminal output [1 long line cut]\n$ cat min.js\nneedle " + "x" * 1993 + "…[+118007 chars]")
    assert found.truncated
    assert "…[+118007 个字符]" in command("needle " + "x" * 120_000, "zh-CN", command="cat min.js").text


@pytest.mark.parametrize("dots", ["…", "..."])
def test_what_the_screen_has_cut_and_dropped_already_is_counted_once(dots):
    kept = ("x" * 2000 + f"{dots}[+5 chars]", "end")
    shown = ScreenText(kept, total_lines=9, total_bytes=5000, alternate_active=False)
    found = shown_block(LastCommand("x", b""), shown, "zh-CN", TerminalLimits())
    title, _, line, end = found.text.split("\n")
    assert (line, end) == ("x" * 2000 + "…[+5 个字符]", "end")
    assert title.startswith("终端输出 [已截断：只保留最后 2 行（共 9 行），")
    assert title.endswith("；已截断：1 个长行]")
    assert found.counts == (2, 9)


def test_repeats_are_folded_and_blank_lines_thinned():
    output = lines("a", *["same"] * 4, "b", "b", "b", *[""] * 5, "c", *[""] * 3)
    folded = "a\nsame\n[previous line repeated 3 times]\nb\nb\nb\n\n\nc"
    assert command(output, command="x").text == "Terminal output\n$ x\n" + folded
    as_it_is = command(output, limits=TerminalLimits(fold_repeats=False), command="x").text
    assert as_it_is == "Terminal output\n$ x\na\n" + "same\n" * 4 + "b\n" * 3 + "\n" * 5 + "c"


def test_folding_makes_room_and_counts_stay_those_of_real_lines():
    found = command(lines(*["same"] * 2000, *map(str, range(490))), command="x")
    assert found.text.startswith("Terminal output\n$ x\nsame\n[previous line repeated 1999 times]\n0\n")
    assert not found.truncated
    found = command(lines(*["same"] * 2000, *map(str, range(499))), command="x")
    assert found.text.startswith("Terminal output [last 499 of 2499 lines, ")


def test_all_notices_stand_on_the_first_line():
    output = lines(*map(str, range(600))) + "\x1b[?1049hvim"
    facts = {"command": "x", "running": True, "omittedBytes": 7}
    assert command(output, **facts).text.split("\n")[0] == (
        "Terminal output [last 500 of 600 lines, 2000 of 2290 bytes; the editor did not keep the first 7 bytes; "
        "still running; full-screen program running]"
    )
    assert "仍在运行；全屏程序正在运行]" in command(output, "zh-CN", **facts).text.split("\n")[0]


@pytest.mark.parametrize(
    ("facts", "body"),
    [
        ({"command": "false", "exitCode": 1}, "$ false\n[no output]\n[exit code 1]"),
        ({"command": "true", "exitCode": 0}, "$ true\n[no output]"),
        ({"command": "x", "output": "a\r\n", "exitCode": -1073741510}, "$ x\na\n[exit code -1073741510]"),
        ({"command": "sleep 9", "running": True}, "$ sleep 9\n[no output]"),
        ({"command": "  ls \n", "output": "a"}, "$ ls\na"),
        ({"command": "for i in 1\ndo :\ndone", "output": "a"}, "$ for i in 1\ndo :\ndone\na"),
        ({"command": "\n".join("abcdefghijklmnopqrstuvwxy"), "output": "a"}, "t\n[5 more lines]\na"),
        ({"command": "x" * 5000, "output": "a"}, "$ " + "x" * 2000 + "…[+3000 chars]\na"),
        ({"output": "a"}, "Terminal output\na"),
        ({"command": "\x1b[1mls\0", "output": "a"}, "$ ls\na"),
    ],
)
def test_what_was_run_and_how_it_ended(facts, body):
    assert block(source="command", **facts).text.endswith(body)


def test_a_long_command_line_is_never_cut_away_with_the_output():
    found = command(lines(*map(str, range(9999))), command="make " + "x" * 100, limits=TerminalLimits(lines=1, bytes=1))
    assert found.text.split("\n")[1:] == ["$ make " + "x" * 100, "8"]


@pytest.mark.req("M1.5")
@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"source": "unavailable", "reason": "noTerminal"}, "终端输出：不可用 [没有打开的终端]"),
        ({"source": "unavailable", "reason": "notShell"}, "终端输出：不可用 [活动终端不是 Shell 终端]"),
        ({"source": "unavailable", "reason": "timeout"}, "终端输出：不可用 [读取超时]"),
        ({"source": "unavailable", "reason": ""}, "终端输出：不可用 [编辑器未说明原因]"),
        ({"source": "unavailable", "reason": "a\nb{x}\x1b[1m"}, "终端输出：不可用 [a b{x}]"),
        ({"source": "stream"}, "终端输出：不可用 [终端没有任何输出]"),
        ({"source": "stream", "output": "\x1b[2J\r\n\r\n"}, "终端输出：不可用 [终端没有任何输出]"),
        ({"source": "screen", "text": " \n\n"}, "终端输出：不可用 [终端没有任何输出]"),
        ({"source": "command"}, "终端输出：不可用 [终端没有任何输出]"),
    ],
)
def test_without_content_one_line_says_why(facts, line):
    found = block("zh-CN", **facts)
    assert found.text == line
    assert found.unavailable


@pytest.mark.req("M1.5")
@pytest.mark.parametrize(
    "facts",
    [None, {}, [], "x", {"source": "clipboard"}, {"source": "command", "output": 5}, {"source": "screen", "text": []}],
)
def test_facts_of_another_form_are_unavailable_and_say_why(facts):
    found = terminal_block(read_facts(facts), "en")
    assert found.unavailable
    assert found.text.startswith("Terminal output: unavailable [")
    assert "\n" not in found.text


@pytest.mark.req("MB4")
def test_visible_text_is_labelled_and_never_taken_for_a_command():
    found = block(source="screen", text="$ make\nerror 1%\n$ \n\n")
    assert found.text == (
        "Terminal output [no shell integration, this is the text on the terminal]\n$ make\nerror 1%\n$"
    )


def test_rendered_output_is_taken_as_lines_whatever_ends_them():
    found = command("a\nb\r\n\tc\x1b[1m\n", rendered=True, command="x", cols=3)
    assert found.text == "Terminal output\n$ x\na\nb\n        c"


def test_raw_bytes_win_over_text():
    assert command("text", outputBytes=base64.b64encode(b"\xffok").decode()).text == ("Terminal output\n\ufffdok")


@pytest.mark.req("MB7")
def test_nothing_but_what_the_terminal_printed_is_in_the_block():
    """Hidden payloads stay hidden, what is on the screen is not masked."""
    found = command(
        "\x1b]52;c;c2VjcmV0\x07\x1b]8;;http://x/?token=1\x07link\x1b]8;;\x07 API_KEY=abc\x1bPq~\x1b\\", command="env"
    )
    assert found.text == "Terminal output\n$ env\nlink API_KEY=abc"


@pytest.mark.parametrize("cols", [0, -5, 1, 10_000, 10**9, "80", 80.0])
@pytest.mark.parametrize("rows", [0, -1, 10**9])
def test_odd_sizes_of_a_terminal_are_no_error(cols, rows):
    assert command("a\r\nb", cols=cols, rows=rows, command="x").text == "Terminal output\n$ x\na\nb"


def test_lone_surrogates_and_nul_do_not_stop_the_message_from_being_sent():
    found = command("a\ud83d\0b \ud83d\ude00", command="echo \udc00")
    assert found.text == "Terminal output\n$ echo \ufffd\na\ufffdb \U0001f600"
    assert "\ufffd" in block(source="screen", text="\ud800x").text


def test_an_unfinished_sequence_is_no_text():
    assert command("a\x1b]52;c;" + "x" * 100_000, command="x").text == "Terminal output\n$ x\na"


pieces = st.sampled_from(
    ("\x1b]633;A\x07", "\x1b]633;B\x07", "\x1b]633;C\x07", "\x1b]633;D;1\x07", "\x1b]633;D\x07", "\x1b]633;E;ls;x\x07",
     "\x1b]133;A;k=s\x07", "\x1b]133;C;cmdline_url=a%20b\x1b\\", "\x1b]633;F\x07", "\x1b]633;G\x07", "\x1b]633;H\x07",
     "\x1b]633;I\x07", "\x1b[7m%\x1b[27m" + " " * 79 + "\r \r", "$ ", "ls", "\r\n", "\x1b[A", "\x1b[?1049h",
     "\x1b]633;E")
)  # fmt: skip


@given(st.lists(pieces | st.text(max_size=6), max_size=25).map("".join), st.integers(-1, 90), st.booleans())
def test_whatever_a_terminal_sent_there_is_a_block(output, cols, running):
    for facts in ({"source": "stream"}, {"source": "command", "command": "x", "running": running}):
        found = block(**facts, output=output, cols=cols)
        assert found.text.startswith("Terminal output")
        assert len(found.text.split("\n")) > 1 or found.unavailable
        assert "\x1b" not in found.text
