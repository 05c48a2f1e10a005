"""Where a command begins and ends, and which line it has: the traps that real shells set."""

from __future__ import annotations

import base64
import time

import pytest

from wave_bridge.providers.screen import render
from wave_bridge.providers.terminal import last_of, read_facts

UUID = "0a1b2c3d-1111-2222-3333-444455556666"
OTHER = "ffffffff-1111-2222-3333-444455556666"
ZSH = "\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m" + " " * 79 + "\r \r"
FISH = "\x1b[2m⏎\x1b(B\x1b[m" + " " * 79 + "\r⏎ \r\x1b[K"
PROMPT = "\x1b]0;~\x07\x1b[32mme\x1b[0m$ "


def m(mark, family=633):
    return f"\x1b]{family};{mark}\x07"


def typing(line, family=633):
    return f"{m('A', family)}{PROMPT}{m('B', family)}{line}\r\n"


def last(stream, cols=80, **facts):
    """Give the line, the cleaned output, the exit code and whether it runs."""
    encoded = base64.b64encode(stream.encode() if isinstance(stream, str) else stream).decode()
    found = last_of(read_facts({"source": "stream", "outputBytes": encoded, "cols": cols, **facts}))
    if found.unbounded:
        return "unbounded"
    return found.line, render(found.output, cols), found.exit_code, found.running


def ran(typed, announced=None, output="out\r\n", end="D;0"):
    told = m(f"E;{announced};{UUID}") if announced is not None else ""
    return typing(typed) + told + m("C") + output + m(end)


@pytest.mark.parametrize(
    ("stream", "right"),
    [
        (ran("ls", "ls"), ("ls", "out", 0, False)),
        (ran("ls", "ls", end="D"), ("ls", "out", None, False)),
        (ran("ls", "ls", end="D;"), ("ls", "out", None, False)),
        (ran("ls", "ls", end="D;130;aid=7"), ("ls", "out", 130, False)),
        (ran("ls", "ls", end="D;-1073741510"), ("ls", "out", -1073741510, False)),
        (ran("a", "a") + typing("") + m(f"E;;{UUID}") + m("C") + m("D"), ("a", "out", 0, False)),
        (ran("a", "a") + typing("") + m("C") + m("D"), ("a", "out", 0, False)),
        (ran("a", "a") + typing("half a li"), ("a", "out", 0, False)),
        (ran("a", "a") + typing("^C") + m("D") + typing(""), ("a", "out", 0, False)),
        (ran("a", "a") + typing("b") + m("C") + "so far", ("b", "so far", None, True)),
        (typing("") + m("C") + m("D") + typing(""), "unbounded"),
        (m("A") + PROMPT + m("B"), "unbounded"),
        ("$ ls\r\nout\r\n$ ", "unbounded"),
    ],
)
def test_the_last_command_that_is_not_an_empty_line(stream, right):
    assert last(stream) == right


@pytest.mark.parametrize(
    ("stream", "right"),
    [
        # D is missing: the next prompt ends the command.
        (typing("x") + m("C") + "out\r\n" + typing(""), ("x", "out", None, False)),
        # D came before the output, as in PowerShell; fish's end-of-line mark behind D is no output.
        (typing("x") + m("C") + m("D;1") + "late\r\n" + typing(""), ("x", "late", 1, False)),
        (typing("x") + m("C") + "out\r\n" + m("D;0") + FISH + typing(""), ("x", "out", 0, False)),
        (typing("x") + m("C") + m("D;0") + FISH + m("P;Cwd=/") + "\x1b[?2004h" + typing(""), ("x", "", 0, False)),
        (typing("x") + m("C") + "\x1b[?2004l\r" + m("D;0") + ZSH + "\r\x1b[0m\x1b[J" + typing(""), ("x", "", 0, False)),
        (typing("x") + m("C") + m("D;1") + "late\r\n", ("x", "late", 1, False)),
        # Of a shell that does not mark its prompts, text after D is the next prompt.
        (m("E;x") + m("C") + m("D;0") + "> ", ("x", "", 0, False)),
        # Older PowerShell tells the line right before D.
        (m("C") + "out\r\n" + m("E;dir") + m("D;0"), ("dir", "out", 0, False)),
        # … and a program that prints such a mark is no shell.
        (m("C") + m("E;rm -rf /;wrong") + "fake\r\n" + m("D;0"), (None, "fake", 0, False)),
    ],
)
def test_ends_that_are_missing_or_early(stream, right):
    assert last(stream) == right


@pytest.mark.parametrize(
    "stream",
    [
        typing("x") + m("E;x") + m("C") + m("C") + "out\r\n" + m("D;3") + m("D;3"),
        typing("x") + m("E;x") + m("C") + m("C", 133) + "out\r\n" + m("D;9", 133) + m("D;3"),
        m("A") + m("A") + PROMPT + m("B") + "x\r\n" + m("C") + "out\r\n" + m("D") + m("D;3"),
        typing("x", 133) + m("C", 133) + "out\r\n" + m("D;3", 133) + m("P;Cwd=/") + m("A"),
    ],
)
def test_doubled_marks_are_harmless_and_633_wins(stream):
    assert last(stream) == ("x", "out", 3, False)


@pytest.mark.parametrize("end", [m("D;0"), "\r\x1b[0m\x1b[27m\x1b[24m\x1b[J" + m("A")])
@pytest.mark.parametrize("cols", [80, 40, None])
@pytest.mark.parametrize("output", ["no eol", "eol\r\n", "", "100%", "100%\r\n", "\x1b[7mx\x1b[27m"])
def test_the_end_of_line_mark_of_zsh_is_no_output_and_a_real_percent_sign_is(end, cols, output):
    """Its width is that of the terminal then, which an editor may not know now."""
    stream = typing("x") + m("C") + output + ZSH + end
    assert last(stream, cols)[1] == render(output.encode())
    assert last(typing("x") + m("C") + output + ZSH.replace("%", "#") + end, cols)[1] == render(output.encode())


@pytest.mark.parametrize("output", ["50%", "$ ", "> ", "\x1b[7m%\x1b[27m", "\x1b[7m%\x1b[27m     done", "% \r \r"])
def test_what_looks_like_a_prompt_or_a_mark_is_output(output):
    assert last(ran("x", "x", output=output))[1] == render(output.encode())


@pytest.mark.parametrize(
    ("typed", "announced", "line"),
    [
        # bash with HISTCONTROL=ignoreboth announces the first simple command only.
        ("for i in 1 2 3; do echo $i; done", "for i in 1 2 3", "for i in 1 2 3; do echo $i; done"),
        ("echo start; sleep 30", "echo start", "echo start; sleep 30"),
        ("make && ./a.out", "make", "make && ./a.out"),
        ("(cd x; ls)", "cd x", "(cd x; ls)"),
        ("if true; then ls; fi", "true", "if true; then ls; fi"),
        ("time -p ls", "ls", "time -p ls"),
        ("case $x in a) ls;; esac", "case $x in", "case $x in a) ls;; esac"),
        ("echo   a   b; ls", "echo a b", "echo   a   b; ls"),
        # What else stands on the line is not of the command.
        ("ls" + " " * 40 + "12:30", "ls", "ls"),
        ("12:30 ls", "ls", "ls"),
        ("!!", "git status", "git status"),
        ("ls", "ls", "ls"),
        ("ls -la", "ls", "ls"),
    ],
)
def test_the_screen_corrects_a_line_that_was_cut_short(typed, announced, line):
    assert last(ran(typed, announced.replace(";", "\\x3b")))[0] == line


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (f"a\\x3bb\\\\c;{UUID}", "a;b\\c"),
        (f"a\\\\x3bb;{UUID}", "a\\x3bb"),
        ("echo \\xe5\\xad\\x97", "echo 字"),
        ("echo \\xff", "echo \ufffd"),
        ("for i in 1 2;echo $i;end", "for i in 1 2\necho $i\nend"),
        (f"for i in 1 2\\x0aecho $i\\x0aend;{UUID}", "for i in 1 2\necho $i\nend"),
        ("cd x;python --version", "cd x\npython --version"),
        ("make;n0nce", "make"),
        (f"echo {UUID}", f"echo {UUID}"),
    ],
)
def test_the_announced_line_is_decoded(fields, line):
    assert last(m(f"E;{fields}") + m("C") + m("D;0"))[0] == line


def test_fish_s_last_line_is_told_from_a_nonce_by_the_screen():
    """fish sends no nonce and splits lines: what stands on the screen was typed."""
    typed = "if true\r\n      python3"
    assert last(typing(typed) + m("E;if true;python3") + m("C"))[0] == "if true\npython3"
    assert last(typing("make") + m("E;make;secret") + m("C"))[0] == "make"


@pytest.mark.parametrize(
    ("fields", "line"), [(f"ls;{UUID}", "ls"), (f"rm -rf /;{OTHER}", "typed"), ("ls", "ls"), ("rm;wrong", "typed")]
)
def test_a_line_with_another_nonce_than_the_editors_is_not_believed(fields, line):
    assert last(typing("typed") + m(f"E;{fields}") + m("C") + m("D;0"), nonce=UUID)[0] == line


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("ls -la", "ls -la"),
        ("l\x08ls -lx\x08\x1b[Ka", "ls -la"),
        ("\x1b[K\x1b[44C" + m("H") + "\x1b[33m[rp]\x1b[39m" + m("I") + "\x1b[48Dls", "ls"),
        ("\x1b[K\x1b[40C" + m("H") + "[界界]" + m("I") + "\x1b[46Dls", "ls"),
        ('echo "a\r\n' + m("F") + "> " + m("G") + ' b"', 'echo "a\n b"'),
        ('echo "a\r\n' + m("F") + "\x1b]0;t\x07\x1b[1m> \x1b[0m" + m("G") + 'b"', 'echo "a\nb"'),
        ("x" * 200, "x" * 200),
        ("  ls  ", "ls"),
        ("a" * 70_000, None),
    ],
)
def test_the_typed_line_is_what_the_screen_shows_without_prompts(typed, line):
    assert last(typing(typed) + m("C") + m("D;0"))[0] == line


def test_a_prompt_of_several_lines_and_wide_characters_is_left_out():
    prompt = "╭─ 界 ~/x\r\n╰─❯ "
    stream = m("A", 133) + prompt + m("B", 133) + "\x1b[5Gls -l\r\n" + m("C", 133) + "x\r\n" + m("D;0", 133)
    assert last(stream) == ("ls -l", "x", 0, False)


def test_continuation_prompts_in_kittys_words():
    stream = typing("for i in 1\r\n" + m("A;k=s", 133) + "> " + m("B", 133) + "do :; done", 133) + m("C", 133)
    assert last(stream)[0] == "for i in 1\ndo :; done"


@pytest.mark.parametrize(
    ("typed", "line"), [("", "echo a  b"), ("echo a b", "echo a  b"), ("echo 'see screen'", "echo 'see screen'")]
)
def test_the_line_that_c_may_carry(typed, line):
    assert last((typing(typed, 133) if typed else "") + m("C;cmdline_url=echo%20a%20%20b", 133))[0] == line


def test_a_nested_shell_is_the_last_command():
    inner = typing("ls") + m("E;ls") + m("C") + "x\r\n" + m("D;0")
    assert last(typing("bash") + m("E;bash") + m("C") + inner + typing("")) == ("ls", "x", 0, False)


def test_terminators_and_cut_off_marks():
    assert last("\x1b]633;E;ls\x1b\\\x1b]633;C\x1b\\x\x1b]633;D;0\x1b\\") == ("ls", "x", 0, False)
    assert last(m("E;ls") + m("C") + "x\r\n\x1b]633;D;0") == ("ls", "x", None, True)
    assert last(m("E;ls") + m("C") + "x\r\n\x1b]633;D;0\x18y") == ("ls", "x\ny", None, True)
    assert last(m("E;ls\xa0".encode("latin-1").decode("latin-1")) + m("C"))[0] == "ls"


def test_marks_are_found_in_much_output_quickly():
    stream = (typing("x") + m("E;x") + m("C") + "\x1b[31mline\x1b[0m\r\n" * 20 + m("D;0")) * 2000
    assert last(stream) == ("x", "\n".join(["line"] * 20), 0, False)


@pytest.mark.parametrize("flood", [m("F"), m("B") + m("F"), m("C") + m("D"), typing("") + m("C") + m("D"), m("E;x")])
def test_a_flood_of_marks_takes_no_long_time(flood):
    stream = m("A") + m("B") + flood * 50_000
    begin = time.process_time()
    last(stream)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "output",
    [
        m("C") + "out\r\n" + m("D;0"),
        "\x1b[?2004l\r" + m("E;x") + m("C") + "out\r\n",
        "out\r\n" + m("D;0") + m("P;Cwd=/") + "\r\n",
        m("C") + "out" + ZSH,
        m("C") + "out" + ZSH + m("D;0"),
    ],
)
def test_marks_around_one_command_s_output_are_taken_off(output):
    found = last_of(read_facts({"source": "command", "command": "x", "output": output}))
    assert render(found.output) == "out"


def test_marks_of_a_shell_inside_one_command_s_output_bound_nothing():
    output = m("C") + "welcome\r\n" + typing("ls") + m("C") + "x\r\n" + m("D;0") + typing("logout")
    found = last_of(read_facts({"source": "command", "command": "ssh host", "output": output}))
    assert render(found.output) == "welcome\nme$ ls\nx\nme$ logout"
