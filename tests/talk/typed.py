"""What the tests of the chat type, wait for and look up on disk."""

import json

import session_maker as make

from wave_bridge.store import paths

CTRL_A, CTRL_C, CTRL_D, CTRL_W, DOWN, ENTER, ESC = "\x01", "\x03", "\x04", "\x17", "\x1b[B", "\r", "\x1b"
SLOW = {"text": "one\ntwo\nthree\n" * 40, "chunks": 120, "delay": 0.1}


def say(*directives, text="hello"):
    return f"{text} " + "".join(f"[[{json.dumps(each)}]]" for each in directives) + ENTER


def start(desk, *arguments, **options):
    terminal = desk.terminal("chat", *arguments, **{"size": (160, 40)} | options)
    terminal.wait("/help lists the commands")
    return terminal


def ask(terminal, answer):
    """Send a message whose answer is one line, and wait until it has come and the next may be typed."""
    terminal.type(say({"text": answer}))
    terminal.wait(lambda _: answer in terminal.screen and terminal.screen[terminal.cursor.y] == ">", answer)


def files(desk, folder=None):
    where = paths.project_dir(desk.base, str(folder)) if folder else desk.base / "projects"
    return sorted(where.rglob("*.jsonl"))


def lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines() if line != b"{broken"]


def texts(path):
    """Give what was said in a session, as far as its lines can be read."""
    return [block["content"] for line in lines(path) for block in line.get("blocks", []) if block.get("content")]


def store(desk, folder, number, *said, title=None):
    made = [make.message(str(at), text, at, role="assistant" if at % 2 else "user") for at, text in enumerate(said)]
    data = make.header(str(folder)) + b"".join(made) + (make.title(title, number) if title else b"")
    return make.put(desk.base, str(folder), number, data)


def hooks(desk, folder):
    """Let each SessionStart and SessionEnd hook write down what it was told."""
    log = desk.home / "hooks"
    hook = {"type": "command", "command": f'cat >>"{log}"; echo >>"{log}"'}
    settings = {"hooks": {moment: [{"hooks": [hook]}] for moment in ("SessionStart", "SessionEnd")}}
    (folder / ".wave").mkdir()
    (folder / ".wave" / "settings.json").write_text(json.dumps(settings), "utf-8")
    return log


def told(log):
    heard = [json.loads(line) for line in log.read_text("utf-8").splitlines() if line]
    return [(each["hook_event_name"], each.get("source") or each.get("reason"), each["session_id"]) for each in heard]


def choose(terminal, *keys, shown):
    """Open the picker, wait for a text in it, and type keys."""
    terminal.type("/resume" + ENTER)
    terminal.wait("Esc close")
    terminal.wait(shown)
    for key in keys:
        terminal.type(key)
