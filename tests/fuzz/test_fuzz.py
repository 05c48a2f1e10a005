"""Every fuzz target on its seeds, on what was ever found, and for a while on mutations of both.

`python tests/fuzz/fuzz.py TARGET --seconds 1800` does it longer, guided by coverage where atheris is installed.
"""

from __future__ import annotations

import time
from random import Random

import pytest
from mutation import mutated
from seeds import TOKENS, seeds
from targets import TARGETS

SECONDS = 4.0  # a target
AT_LEAST = 20  # inputs behind the seeds, on a machine that is busy with something else


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_promise(name):
    target, beginnings = TARGETS[name], seeds(name)
    end = time.monotonic() + SECONDS
    for number, data in enumerate(mutated(beginnings, TOKENS[name], Random(name))):
        if number > len(beginnings) + AT_LEAST and time.monotonic() > end:
            break
        try:
            target(data)
        except Exception as fault:
            raise AssertionError(f"{name} fails on {data!r}") from fault
