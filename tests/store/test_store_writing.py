"""Writing sessions: made late, appended whole, titled at the end, rewound, and failing without harm."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import session_maker as make
import session_reader as reader

from wave_bridge.errors import BridgeError, Conflict, InvalidParams, SessionNotFound, SessionUnreadable
from wave_bridge.store import files, listing, titles, transcript, writing
from wave_bridge.store.limits import TAIL_WINDOW

HEAD = make.header("/w", branch="main")
LARGE = "x" * (TAIL_WINDOW + 10_000)


def ids(path):
    return [each.removeprefix("msg-") for each in reader.thread_ids(path.read_bytes())]


def listed(base, workdir="/w"):
    return listing.list_workdirs(base, [workdir], make.NOW).sessions


@pytest.mark.req("S3.1", "S3.4", "S3.5", "SB10")
def test_meta_messages_alone_make_no_file(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("hook", isMeta=True))
    session.reappend_title()
    assert not session.exists
    assert list(tmp_path.iterdir()) == []
    assert listed(tmp_path) == []


@pytest.mark.req("S3.2", "S11.1")
def test_the_first_real_message_brings_header_and_meta_messages_in_order(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("hook", isMeta=True))
    session.append(make.body("hook2", isMeta=True))
    session.append(make.body("a"))
    data = session.path.read_bytes()
    reader.check(data)
    assert data.startswith(HEAD)
    assert ids(session.path) == ["hook", "hook2", "a"]


@pytest.mark.req("S3.3")
def test_meta_messages_of_a_session_with_a_file_are_appended(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + make.message("a"))
    session, _loaded = writing.restore(path)
    session.append(make.body("hook", isMeta=True))
    assert ids(path) == ["a", "hook"]
    reader.check(path.read_bytes())


@pytest.mark.req("S9.9", "SB9")
def test_a_restored_session_goes_on_in_its_own_file(tmp_path):
    path = make.put(tmp_path, "/elsewhere", 1, make.header("/elsewhere") + make.message("a"))
    session, loaded = writing.restore(path)
    session.append(make.body("b"))
    assert loaded.header.workdir == "/elsewhere"
    assert ids(path) == ["a", "b"]
    assert list(tmp_path.rglob("*.jsonl")) == [path]


@pytest.mark.req("SB11")
def test_a_session_without_metadata_is_an_empty_file(tmp_path):
    path = make.begin(tmp_path).path
    writing.create_empty(path)
    assert path.read_bytes() == b""
    assert [each.id for each in listed(tmp_path)] == [make.session_id(1)]
    with pytest.raises(Conflict):
        writing.create_empty(path)


def test_an_emptied_file_gets_its_header_again(tmp_path):
    """The real CLI empties a file when it rewinds to the first message; the next message brings a fresh header."""
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.path.write_bytes(b"")
    session.append(make.body("b"))
    assert session.path.read_bytes() == HEAD + make.message("b")


def test_two_owners_of_a_session_without_a_file_make_one_file_with_one_header(tmp_path):
    one, two = make.begin(tmp_path), make.begin(tmp_path)
    one.append(make.body("a"))
    two.append(make.body("b"))
    assert one.path.read_bytes() == HEAD + make.message("a") + make.message("b")


def test_what_we_create_is_private(tmp_path):
    old = os.umask(0)
    try:
        session = make.begin(tmp_path / "home" / ".wave")
        session.append(make.body("a"))
        session.rename("t")
        session.rewind("msg-a")
    finally:
        os.umask(old)
    for path in (tmp_path / "home").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.req("S12.1", "SB17")
def test_renaming_appends_one_line_and_touches_nothing_else(tmp_path):
    before = HEAD + make.message("a", minutes=1)
    path = make.put(tmp_path, "/w", 1, before)
    (was,) = listed(tmp_path)
    assert writing.rename(path, "  Mein Titel 你好 ") == "Mein Titel 你好"
    assert path.read_bytes() == before + make.title("Mein Titel 你好")
    assert [each.name for each in path.parent.iterdir() if each.suffix != ".lock" and each.name != ".lock"] == [
        path.name
    ]
    (row,) = listed(tmp_path)
    assert row.custom_title == "Mein Titel 你好"
    for member in ("id", "workdir", "created_at", "last_active_at", "latest_total_tokens", "first_message", "branch"):
        assert getattr(row, member) == getattr(was, member)


@pytest.mark.req("S12.6")
def test_renaming_a_session_without_a_file_makes_it(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("hook", isMeta=True))
    session.rename("t")
    assert session.path.read_bytes() == HEAD + make.message("hook", isMeta=True) + make.title("t")
    session.append(make.body("a"))
    assert ids(session.path) == ["hook", "a"]


@pytest.mark.req("S12.7")
@pytest.mark.parametrize("blank", ["", "   ", "\t\n", "\u3000", "\ufeff"])
def test_a_blank_title_changes_nothing(tmp_path, blank):
    session = make.begin(tmp_path)
    assert session.rename(blank) is None
    assert not session.path.exists()
    session.rename("t")
    before = session.path.read_bytes()
    assert session.rename(blank) is None
    assert session.path.read_bytes() == before
    assert session.title == "t"


@pytest.mark.req("SB16")
def test_a_title_is_cut_to_200_characters(tmp_path):
    session = make.begin(tmp_path)
    assert session.rename("长" * 201) == "长" * 200
    assert session.rename("x" * 200) == "x" * 200


def test_an_odd_title_is_stored_as_it_is_and_shown_harmlessly(tmp_path):
    odd = "a\nb\x1b[31m\u202ec\x00d\u2028e"
    session = make.begin(tmp_path)
    session.rename(odd)
    assert transcript.load(session.path).title == odd
    assert listed(tmp_path)[0].custom_title == odd
    assert titles.harmless(odd) == "a b[31mcd e"


@pytest.mark.req("S12.3", "SB5")
def test_what_is_shown_for_a_session():
    assert titles.label("own", "first") == "own"
    assert titles.label(None, "f" * 40) == "f" * 30
    assert titles.label(" ", None) == "新对话"
    assert titles.label(None, " \n", "en") == "New chat"


def write_much(session):
    session.append(make.body("large", LARGE))


@pytest.mark.req("S12.5", "SB14")
def test_the_title_comes_back_to_the_end_at_exit_and_compaction(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("a", "first"))
    session.rename("t")
    write_much(session)
    assert listed(tmp_path)[0].custom_title is None, "slid out of the tail window: falls back (SB14)"
    session.reappend_title()
    assert listed(tmp_path)[0].custom_title == "t"
    assert session.path.read_bytes().endswith(make.title("t"))
    session.append(make.compaction("s"), make.body("large", LARGE))
    session.reappend_title()
    assert session.path.read_bytes().endswith(make.title("t"))


@pytest.mark.req("S12.5", "SB15")
def test_restoring_brings_the_title_back_at_once(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + make.title("t") + make.message("large", LARGE))
    session, loaded = writing.restore(path)
    assert session.title == loaded.title == "t"
    assert listed(tmp_path)[0].custom_title == "t"
    size = path.stat().st_size
    writing.restore(path)
    assert path.stat().st_size == size, "a title that is last already is not written again"


@pytest.mark.req("S12.5", "S13.12")
@pytest.mark.parametrize("much", [False, True])
def test_a_newer_title_of_another_process_wins(tmp_path, much):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.rename("mine")
    session.reappend_title()
    writing.rename(session.path, "theirs")
    if much:
        write_much(session)
    session.reappend_title()
    assert session.title == "theirs"
    assert session.path.read_bytes().endswith(make.title("theirs"))


@pytest.mark.req("S12.5", "SB12")
def test_rewinding_keeps_header_and_title_and_brings_the_title_back(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.rename("t")
    session.append(make.body("b"), make.body("c"))
    dropped = session.rewind("msg-b")
    assert [each["id"] for each in dropped] == ["msg-b", "msg-c"]
    assert session.path.read_bytes() == HEAD + make.message("a") + make.title("t")
    session.append(make.body("d"))
    session.rewind("msg-a")
    data = session.path.read_bytes()
    assert data == HEAD + make.title("t")
    session.append(make.body("e"))
    assert session.path.read_bytes() == data + make.message("e")
    with pytest.raises(InvalidParams):
        session.rewind("msg-x")


@pytest.mark.req("S12.5")
def test_rewinding_brings_a_title_from_far_back_to_the_end(tmp_path):
    session = make.begin(tmp_path)
    session.rename("t")
    session.append(make.body("large", LARGE), make.body("b"))
    session.rewind("msg-b")
    assert session.path.read_bytes().endswith(make.title("t"))
    assert listed(tmp_path)[0].custom_title == "t"


@pytest.mark.req("S12.5")
def test_a_newer_title_is_found_wherever_another_process_left_it(tmp_path):
    """It rewound the file, gave a title and wrote more than the window that we look at first."""
    session, other = make.begin(tmp_path), make.begin(tmp_path)
    session.append(make.body("a", LARGE), make.body("b", LARGE))
    session.rename("mine")
    session.reappend_title()
    other.rewind("msg-a")
    other.rename("theirs")
    for each in range(30):
        other.append(make.body(str(each), LARGE))
    session.reappend_title()
    assert session.title == "theirs"


def test_a_title_that_lies_across_the_steps_of_the_search_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "TITLE_SCAN", 1000)
    for room in range(0, 1200, 7):
        data = make.title("t") + make.message("a", "x" * room)
        path = make.put(tmp_path, "/w", 1, HEAD + data)
        session = writing.Transcript(path, None, exists=True)
        session.reappend_title()
        assert path.read_bytes() == HEAD + data + make.title("t")


def test_a_rewind_gives_way_to_a_writer_without_lock(tmp_path, monkeypatch):
    session = make.begin(tmp_path)
    session.append(make.body("a"), make.body("b"))
    rewound = transcript.rewound
    extra = iter("cd")

    def meddled(data, message_id):
        for name in extra:
            with session.path.open("ab") as file:
                file.write(make.message(name))
            break
        return rewound(data, message_id)

    monkeypatch.setattr(transcript, "rewound", meddled)
    assert [each["id"] for each in session.rewind("msg-b")] == ["msg-b", "msg-c", "msg-d"]
    assert ids(session.path) == ["a"]


def test_a_rewind_of_a_file_that_never_rests_is_a_conflict(tmp_path, monkeypatch):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    rewound = transcript.rewound

    def meddled(data, message_id):
        with session.path.open("ab") as file:
            file.write(make.message("z"))
        return rewound(data, message_id)

    monkeypatch.setattr(transcript, "rewound", meddled)
    with pytest.raises(Conflict):
        session.rewind("msg-a")
    assert ids(session.path)[0] == "a"


@pytest.mark.req("S12.10", "S12.8")
def test_what_is_gone_or_damaged_is_told(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.path.unlink()
    for act in (lambda: session.append(make.body("b")), lambda: session.rename("t"), lambda: session.rewind("msg-a")):
        with pytest.raises(SessionNotFound):
            act()
    session.path.parent.joinpath(files.LOCK).unlink()
    session.path.parent.rmdir()
    with pytest.raises(SessionNotFound):
        session.append(make.body("c"))
    assert not session.path.parent.exists(), "a folder that vanished is not made again behind the user's back"
    assert session.title is None

    damaged = make.put(tmp_path, "/w", 2, HEAD + make.message("a")[:-9])
    with pytest.raises(SessionUnreadable):
        writing.restore(damaged)
    assert writing.rename(damaged, "t") == "t", "half-damaged files take a title"
    assert listed(tmp_path)[0].custom_title == "t"


def test_a_torn_last_line_is_ended_before_the_next(tmp_path):
    torn = HEAD + make.message("a") + make.message("b")[:-9]
    path = make.put(tmp_path, "/w", 1, torn)
    writing.Transcript(path, None, exists=True).append(make.body("c"))
    assert path.read_bytes() == torn + b"\n" + make.message("c")


def test_what_could_not_be_written_is_written_by_the_next(tmp_path, monkeypatch):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    aside = session.path.with_suffix(".aside")
    session.path.rename(aside)
    with pytest.raises(SessionNotFound):
        session.append(make.body("b"))
    aside.rename(session.path)
    session.append(make.body("c"))
    assert ids(session.path) == ["a", "b", "c"]


def test_nothing_invalid_stays_behind_in_what_waits(tmp_path):
    session = make.begin(tmp_path)
    with pytest.raises(InvalidParams):
        session.append(make.body("a"), {"role": "user"})
    session.append(make.body("b"))
    assert ids(session.path) == ["b"]


def test_a_writer_that_holds_the_lock_too_long_is_a_conflict(tmp_path, monkeypatch):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    monkeypatch.setattr(files, "LOCK_TIMEOUT", 0.05)
    with files.locked(session.path), pytest.raises(Conflict):
        writing.rename(session.path, "t")
    assert writing.rename(session.path, "t") == "t"


def run_limited(script: str, *arguments: str) -> str:
    """Run a script in a process of its own that may be limited for good, and give what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=Path(__file__).parent,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


PRELUDE = """
import os, sys, pathlib, resource, signal
import session_maker as make
from wave_bridge.errors import BridgeError
from wave_bridge.store import files, writing
base = pathlib.Path(sys.argv[1])
def tell(act):
    try:
        act()
    except BridgeError as error:
        print(error.kind)
    else:
        print("done")
"""


@pytest.mark.req("S12.8", "SB1")
def test_a_full_disk_is_told_and_leaves_nothing_half_written(tmp_path):
    """The limit on a file's size stands in for the disk: the write is taken in part, then refused."""
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    before = session.path.read_bytes()
    kinds = run_limited(
        """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
path = make.begin(base).path
tell(lambda: writing.Transcript(path, None, exists=True).append(make.body("large", "x" * 5000)))
tell(lambda: writing.rename(path, "t" * 190) and writing.rename(path, "u" * 190))
tell(lambda: make.begin(base, 2).append(make.body("large", "x" * 5000)))
""",
        str(tmp_path),
    )
    assert kinds.split() == ["sessionUnwritable"] * 3
    assert session.path.read_bytes() == before + make.title("t" * 190)
    assert not make.begin(tmp_path, 2).path.exists()


@pytest.fixture
def open_base():
    """Give a folder that another user may enter, for a process that gives up being root."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o755)
        yield base
        for path in base.rglob("*"):
            path.chmod(0o700)


@pytest.mark.req("S12.8", "SB1")
def test_a_read_only_folder_is_told(open_base):
    session = make.begin(open_base)
    session.append(make.body("a"))
    before = session.path.read_bytes()
    session.path.chmod(0o444)
    session.path.parent.joinpath(files.LOCK).chmod(0o444)
    for folder in (open_base / "projects", session.path.parent):
        folder.chmod(0o555)
    told = run_limited(
        """
import tempfile
with tempfile.TemporaryDirectory() as warm:
    make.begin(pathlib.Path(warm)).append(make.body())
if os.geteuid() == 0:
    os.setuid(65534)
path = make.begin(base).path
tell(lambda: writing.Transcript(path, None, exists=True).append(make.body("b")))
tell(lambda: writing.rename(path, "t"))
tell(lambda: make.begin(base, 2).append(make.body("c")))
tell(lambda: make.begin(base, 3, "/new").append(make.body("c")))
session, loaded = writing.restore(path)
print(session.title, len(loaded.thread))
""",
        str(open_base),
    )
    assert told.split() == ["sessionUnwritable"] * 4 + ["None", "1"]
    assert session.path.read_bytes() == before


@pytest.mark.req("SB1")
def test_a_name_that_the_disk_does_not_take_is_told(tmp_path):
    """200 units of non-ASCII are more than 255 bytes, which is what the real CLI meets too."""
    session = make.begin(tmp_path, workdir="/" + "é" * 201)
    with pytest.raises(BridgeError) as caught:
        session.append(make.body("a"))
    assert caught.value.kind == "sessionUnwritable"
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno == errno.ENAMETOOLONG


WRITER = """
import time
number = int(sys.argv[2])
session = make.begin(base)
session.rename(f"t{number}")
while not (base / "go").exists():
    time.sleep(0.001)
for each in range(60):
    session.append(make.body(f"{number}-{each}", "x" * (each * 97), isMeta=False))
    if each % 7 == 0:
        session.rename(f"t{number}-{each}")
    if each % 11 == 0:
        session.append(make.body(f"drop-{number}-{each}"), make.body(f"drop2-{number}-{each}"))
session.reappend_title()
print("done", session.title)
"""


def test_two_processes_lose_nothing_of_each_other(tmp_path):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PRELUDE + WRITER, str(tmp_path), str(number)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent,
        )
        for number in (1, 2)
    ]
    (tmp_path / "go").touch()
    for process in processes:
        with process:
            assert process.wait(60) == 0
            assert process.stdout.read().startswith("done")
    data = make.begin(tmp_path).path.read_bytes()
    reader.check(data)
    for number in (1, 2):
        mine = [each for each in reader.thread_ids(data) if each.startswith(f"msg-{number}-")]
        assert mine == [f"msg-{number}-{each}" for each in range(60)]
    assert transcript.read(data).title == reader.title(data) in {"t1-56", "t2-56"}


def test_a_process_that_is_killed_while_writing_loses_nothing_that_was_acknowledged(tmp_path):
    script = (
        PRELUDE
        + """
session = make.begin(base)
for each in range(100_000):
    session.append(make.body(str(each), "x" * 3000))
    print(each, flush=True)
"""
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent
    ) as process:
        acknowledged = [process.stdout.readline().strip() for _ in range(50)]
        process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.read().split("\n")[:-1]
    assert process.returncode == -signal.SIGKILL
    path = make.begin(tmp_path).path
    kept = ids(path)
    assert kept[: len(acknowledged)] == acknowledged
    assert writing.rename(path, "t") == "t", "the lock of a dead process holds nobody up"
