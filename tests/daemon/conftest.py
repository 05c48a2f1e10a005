"""Fixtures of the tests of the process side: attach, daemon, status, stop."""

import shutil
from pathlib import Path

import pytest
from house import House
from players import FakeDaemon

import wave_bridge


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(Path(wave_bridge.__file__).parent, site / "wave_bridge")
    return site


@pytest.fixture
def house(tmp_path, site):
    house = House(tmp_path, site)
    yield house
    house.end()


@pytest.fixture
def fake(house):
    daemon = FakeDaemon(house)
    yield daemon
    house.hang_up()
    daemon.hang_up()
    house.wait_for_editors()  # while there is a listener, or they would start a real one
    daemon.close()
