"""Where sessions are stored: the CLI's own directory names on three platforms, and ids that can't leave the folder."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.errors import InvalidParams
from wave_bridge.store import paths

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "path-vectors.json").read_text("utf-8"))
ID = "9c3ced03-43e6-4a12-bdba-35d23916b032"


@pytest.mark.req("S1.1", "S1.2", "SB4")
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_encodes_as_the_cli_does(platform):
    assert len(VECTORS) == 352
    assert [paths.encode(each["path"], platform) for each in VECTORS] == [each[platform] for each in VECTORS]


@pytest.mark.req("S1.2")
def test_half_a_surrogate_pair_is_replaced_on_disk(tmp_path):
    assert paths.project_dir(tmp_path, "/" + "😀" * 101).name == "😀" * 95 + "\ufffd-ade3585d"


@pytest.mark.req("S6.2", "S6.5")
def test_decodes_for_display_as_the_cli_does():
    for each in VECTORS:
        assert paths.decode(each["linux"]) == each["decoded_from_linux"]


@pytest.mark.req("S1.2")
@given(st.text(), st.sampled_from(["linux", "darwin", "win32"]))
def test_a_name_is_always_one_safe_component(path, platform):
    name = paths.encode(path, platform)
    assert len(name.encode("utf-16-le", "surrogatepass")) <= 2 * 200
    assert not set("/\\") & set(name)
    assert paths.encode(path, platform) == name


@pytest.mark.req("S1.1")
def test_normalises_to_the_real_directory(tmp_path):
    real, link = tmp_path / "real dir", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    home, cwd = str(tmp_path), str(real)

    def known(path):
        return paths.normalise(path, cwd, home)

    assert known(f"{link}/") == str(real)
    assert known(".") == known("") == str(real)
    assert known("~") == home
    assert known("~/link") == str(real)
    assert known("~user/x") == f"{real}/~user/x"
    assert known("../real dir/.//") == str(real)
    assert known(f"{link}/missing") == f"{link}/missing", "what is missing keeps its links"
    assert known("//") == "/"
    assert known("//missing/x") == "/missing/x"
    assert known("/\0") == "/\0"


def test_the_root_directory_has_no_folder_of_its_own(tmp_path):
    assert paths.project_dir(tmp_path, "/") == tmp_path / "projects"
    assert paths.session_file(tmp_path, "/a b", ID) == tmp_path / "projects" / "a_b" / f"{ID}.jsonl"


@pytest.mark.req("S4.1")
def test_a_subagent_file_is_told_by_its_name(tmp_path):
    file = paths.subagent_file(tmp_path, "/a", ID)
    assert file.name == f"subagent-{ID}.jsonl"
    assert paths.session_id_of(file) == ID


@pytest.mark.parametrize(
    "bad",
    ["", "../x", "/etc/passwd", ID.upper(), ID + "\0", ID + "\n", "a" * 300, f"{ID}/..", ID[:-1], f"..{os.sep}{ID}"],
)
def test_what_is_no_id_reaches_no_path(bad, tmp_path):
    assert not paths.is_session_id(bad)
    for make in (paths.session_file, paths.subagent_file):
        with pytest.raises(InvalidParams):
            make(tmp_path, "/a", bad)
