"""Small changes to an input, the same for the same seed: what a fuzzer does that is told nothing about coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

LONGEST = 8192  # bytes of an input


def mutated(beginnings: Sequence[bytes], tokens: Sequence[bytes], random: Random) -> Iterator[bytes]:
    """Give the beginnings as they are, then changed ones without end."""
    yield b""
    yield from beginnings
    while True:
        data = bytearray(random.choice(beginnings))
        for _ in range(random.randint(1, 8)):
            _change(data, beginnings, tokens, random)
        yield bytes(data[:LONGEST])


def _change(data: bytearray, beginnings: Sequence[bytes], tokens: Sequence[bytes], random: Random) -> None:
    at = random.randint(0, len(data))
    to = min(len(data), at + random.randint(1, 1 << random.randint(0, 8)))
    match random.randrange(7):
        case 0:
            data[at:at] = random.choice(tokens)
        case 1:
            data[at:to] = random.choice(tokens)
        case 2:
            del data[at:to]
        case 3:
            data[at:at] = data[at:to] * random.randint(1, 4)
        case 4:
            data[at:to] = random.randbytes(random.randint(0, 4))
        case 5:
            other = random.choice(beginnings)
            start = random.randint(0, len(other))
            data[at:at] = other[start : start + random.randint(1, 200)]
        case _:
            if at < len(data):
                data[at] ^= 1 << random.randrange(8)
