"""The one classifier: the same session means the same thing, whichever list it was chosen from."""

import shutil
import subprocess

import pytest
import session_maker as make

from wave_bridge.errors import InvalidParams
from wave_bridge.store import paths, resume
from wave_bridge.store.resume import FolderGone, InPlace, OtherProject, OtherWorktree, RecordDamaged, RecordMissing

A = make.message("a")
ONE = make.session_id(1)


@pytest.fixture
def place(tmp_path):
    """Give a base, and folders `here`, `tree` (a worktree) and `far`, each with a session: 1, 2 and 3."""
    folders = {}
    for number, name in enumerate(("here", "tree", "far"), 1):
        folder = tmp_path / name
        folder.mkdir()
        folders[name] = str(folder)
        make.put(tmp_path / "base", str(folder), number, make.header(str(folder)) + A)
    return tmp_path / "base", folders


def classify(place, number, here="here", trees=("here", "tree"), **more):
    base, folders = place
    session = make.session_id(number)
    return resume.classify(base, session, folders[here], [folders[each] for each in trees], **more)


@pytest.mark.req("S8.1", "S9.3", "SB8")
def test_here(place):
    base, folders = place
    assert classify(place, 1) == InPlace(paths.session_file(base, folders["here"], ONE), folders["here"])
    assert isinstance(classify(place, 1, trees=()), InPlace)


@pytest.mark.req("S8.2", "S9.4", "S9.5", "SB8")
def test_another_worktree_in_any_direction(place):
    base, folders = place
    found = classify(place, 2)
    assert found == OtherWorktree(paths.session_file(base, folders["tree"], make.session_id(2)), folders["tree"])
    assert isinstance(classify(place, 1, here="tree"), OtherWorktree), "and back"
    assert isinstance(classify(place, 2, here="tree"), InPlace)


@pytest.mark.req("S8.3", "S9.6", "SB8")
def test_another_project_gets_a_command(place):
    _base, folders = place
    found = classify(place, 3)
    assert isinstance(found, OtherProject)
    assert found.command == f"cd {folders['far']} && wave --restore {make.session_id(3)}"
    assert isinstance(classify(place, 2, trees=("here",)), OtherProject), "no worktree of this repository"


@pytest.mark.req("S8.4", "S9.7", "S10.6", "SB8")
def test_a_folder_that_is_gone(place):
    _base, folders = place
    shutil.rmtree(folders["tree"])
    assert classify(place, 2) == classify(place, 2, trees=("here",))
    assert isinstance(classify(place, 2), FolderGone)
    assert classify(place, 2).command == f"cd {folders['tree']} && wave --restore {make.session_id(2)}"
    shutil.rmtree(folders["here"])
    assert isinstance(classify(place, 1), FolderGone)


@pytest.mark.req("S8.5", "S9.11", "S10.7")
def test_a_record_that_is_missing_or_damaged(place):
    base, folders = place
    assert classify(place, 9) == RecordMissing(make.session_id(9))
    make.put(base, folders["here"], 9, make.header(folders["here"]) + A + A[:-9])
    found = classify(place, 9)
    assert isinstance(found, RecordDamaged)
    assert "line 3" in found.reason
    path = make.put(base, folders["here"], 8, A)
    path.unlink()
    path.symlink_to(paths.session_file(base, folders["far"], make.session_id(3)))
    assert isinstance(classify(place, 8), RecordDamaged), "a link is not followed"


@pytest.mark.req("S8.5")
def test_a_session_is_found_in_any_project_the_own_one_first(place):
    base, folders = place
    twin = make.put(base, folders["far"], 1, make.header(folders["far"]) + A, mtime=make.at(10**6))
    own = paths.session_file(base, folders["here"], ONE)
    assert resume.find(base, ONE, folders["here"]) == own
    assert resume.find(base, ONE, folders["tree"]) == twin, "elsewhere the one that was written last"
    assert resume.find(base, ONE, folders["here"], project=twin.parent.name) == twin
    assert resume.find(base, ONE, folders["here"], project="../" + twin.parent.name) is None
    assert resume.find(base, make.session_id(77), folders["here"]) is None
    root = make.put(base, "/", 5, make.header("/") + A)
    assert resume.find(base, make.session_id(5), folders["here"]) == root


@pytest.mark.req("SB4", "SB8")
def test_another_directory_with_the_same_folder_name_is_another_project(tmp_path):
    one, two = tmp_path / "b-c", tmp_path / "b" / "c"
    one.mkdir()
    two.mkdir(parents=True)
    base = tmp_path / "base"
    make.put(base, str(two), 1, make.header(str(two)) + A)
    found = resume.classify(base, ONE, str(one), [])
    assert isinstance(found, OtherProject)
    assert found.workdir == str(two)
    two.rmdir()
    assert isinstance(resume.classify(base, ONE, str(one), []), InPlace), "it was moved here"


def test_old_files_without_a_header_are_placed_by_their_folder(tmp_path):
    make.put(tmp_path / "base", "/some where", 1, A)
    found = resume.classify(tmp_path / "base", ONE, str(tmp_path), [])
    assert isinstance(found, OtherProject)
    assert found.workdir == "/some where"
    assert isinstance(resume.classify(tmp_path / "base", ONE, "/some where", []), FolderGone)


@pytest.mark.parametrize("bad", ["../x", "/etc/passwd", "\0", ONE.replace("0", "A"), "x" * 300, ""])
def test_what_is_no_session_id_is_refused(tmp_path, bad):
    with pytest.raises(InvalidParams):
        resume.classify(tmp_path, bad, "/w", [])


@pytest.mark.req("S8.3")
def test_the_command_survives_a_shell(tmp_path):
    folder = tmp_path / 'it\'s $HOME; `x` "and"\nmore'
    folder.mkdir()
    shown = resume.command(str(folder), ONE, "echo", "linux")
    script = shown.replace("&& echo", "&& pwd && echo")
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{folder}\n--restore {ONE}\n"
    assert resume.command("/w", ONE) == f"cd /w && wave --restore {ONE}"
    assert resume.command("C:\\a b", ONE, "wave", "win32") == f'cd "C:\\a b" && wave --restore {ONE}'
    assert resume.command("/w", ONE, "wave-bridge chat") == f"cd /w && wave-bridge chat --restore {ONE}"
