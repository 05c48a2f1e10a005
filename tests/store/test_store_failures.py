"""Writing that fails or meets another writer: the caller learns of it, nothing is half-written, nothing is lost."""

import errno
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import session_maker as make
import session_reader as reader

from wave_bridge.errors import BridgeError, Conflict, SessionNotFound, SessionUnreadable
from wave_bridge.store import files, listing, transcript, writing

HEAD = make.header("/w", branch="main")


def ids(path):
    return [each.removeprefix("msg-") for each in reader.thread_ids(path.read_bytes())]


def listed(base, workdir="/w"):
    return listing.list_workdirs(base, [workdir], make.NOW).sessions


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
