"""Fuzz one target for a while; what fails it is kept under found/, where the tests find it.

    python tests/fuzz/fuzz.py TARGET [--seconds 60] [--corpus FOLDER]

Guided by coverage with `pip install atheris` (CPython on Linux and macOS); without it, by chance.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import sys
import tempfile
import time
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "providers")]

from mutation import LONGEST, mutated  # noqa: E402 - the path is set above

if importlib.util.find_spec("atheris"):
    import atheris

    imported = atheris.instrument_imports(include=["wave_bridge", "targets"])
else:
    atheris, imported = None, contextlib.nullcontext()
with imported:  # whatever is imported before is not seen by the fuzzer
    from seeds import FOUND, TOKENS, seeds
    from targets import TARGETS


def kept(name: str, data: bytes) -> Path:
    """Keep an input that fails."""
    place = FOUND / name / hashlib.sha256(data).hexdigest()[:16]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def by_chance(name: str, seconds: float) -> int:
    target, end = TARGETS[name], time.monotonic() + seconds
    for number, data in enumerate(mutated(seeds(name), TOKENS[name], Random())):
        if time.monotonic() > end:
            sys.stderr.write(f"{name}: {number} inputs, no fault\n")
            break
        try:
            target(data)
        except Exception:
            sys.stderr.write(f"{name}: kept {kept(name, data)}\n")
            raise
    return 0


def by_coverage(name: str, seconds: float, corpus: Path) -> int:
    def target(data: bytes) -> None:
        try:
            TARGETS[name](data)
        except Exception:
            sys.stderr.write(f"{name}: kept {kept(name, data)}\n")
            raise

    corpus.mkdir(parents=True, exist_ok=True)
    words = corpus.parent / f"{name}.words"
    words.write_text("".join(f'"{_escaped(token)}"\n' for token in TOKENS[name]))
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [f"-max_total_time={seconds:.0f}", f"-max_len={LONGEST}", f"-dict={words}", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], str(corpus), *options, f"-artifact_prefix={corpus.parent}/"], target)
    atheris.Fuzz()
    return 0


def _escaped(token: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in token)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=sorted(TOKENS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--corpus", type=Path, help="a folder to go on from, and to keep what covers more")
    options = parser.parse_args()
    if atheris is None:
        return by_chance(options.target, options.seconds)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        return by_coverage(options.target, options.seconds, options.corpus or Path(folder) / options.target)


if __name__ == "__main__":
    sys.exit(main())
