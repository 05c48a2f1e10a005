"""Fixtures of the tests of the process side: attach, daemon, status, stop."""

import pytest
from house import FakeDaemon, House


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    house.end()


@pytest.fixture
def fake(house):
    daemon = FakeDaemon(house)
    yield daemon
    house.hang_up()  # or they would start a real one
    daemon.close()
