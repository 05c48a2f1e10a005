"""How long a session list takes: cold process and warm cache, against the plain rule in Node and against `stat`.

    python benchmarks/listing.py [--rounds N] [--quick]

Lists 100, 1,000 and 5,000 sessions of about 50 KB and 100 of about 5 MB (files in the page cache). Wanted: cold at
least 8 times faster than the Node rule at 1,000; warm at most 3 times `stat` of every file. Exits with 1 when a wanted
figure is missed. Without Node the comparison with it is left out.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from plots import plot
from rows import OURS, Result, Row, Wish, progress, ratio, run_alone

from wave_bridge.store import folders, listing, paths

SHAPES = ((100, 50_000), (1_000, 50_000), (5_000, 50_000), (100, 5_000_000))
JUDGED = (1_000, 50_000)
WANTED_COLD = 8.0
WANTED_WARM = 3.0
SECTION = "Listing sessions"
WARM, STAT, RULE = "wave-bridge, warm", "`stat` of every file", "the CLI's plain rule in Node"
BASELINE = Path(__file__).with_name("listing_baseline.mjs")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
PAGE = listing.Wanted(limit=20)
COLD = """
import json, resource, sys, time
began = time.perf_counter()
from datetime import UTC, datetime
from pathlib import Path
from wave_bridge.store import listing
imported = time.perf_counter()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
page = listing.list_workdirs(Path(sys.argv[1]), ["/w"], datetime.now(UTC))
done = time.perf_counter()
kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
times = {"ms": (done - imported) * 1e3, "import": (imported - began) * 1e3}
print(json.dumps({"count": len(page.sessions), "kib": kib, **times}))
"""


def line(value):
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def message(number, role, text, **more):
    time = (NOW - timedelta(minutes=number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    blocks = [{"type": "text", "content": text, "stage": "end"}]
    return line({"timestamp": time, "id": f"msg-{uuid.UUID(int=number)}", "role": role, "blocks": blocks, **more})


def make(base, count, size):
    """Write `count` sessions of about `size` bytes: a header, questions, answers of about 1 KB with their usage."""
    folder = paths.project_dir(base, "/w")
    folder.mkdir(parents=True)
    usage = {"prompt_tokens": 9000, "completion_tokens": 200, "total_tokens": 9200, "model": "m"}
    turn = message(7, "user", "and then? " * 4) + message(
        8, "assistant", "An answer of some length. " * 36, usage=usage
    )
    middle = turn * (size // len(turn))
    for number in range(count):
        head = line({"type": "metadata", "workdir": "/w", "createdAt": "2026-01-01T00:00:00.000Z", "gitBranch": "main"})
        first = message(number + 5, "user", f"Question number {number}, please look into it")
        last = message(number, "assistant", "Done. " * 50, usage=usage)
        path = folder / f"{uuid.UUID(int=2**100 + number)}.jsonl"
        path.write_bytes(head + first + middle + last)
        written = (NOW - timedelta(minutes=number)).timestamp()
        os.utime(path, (written, written))
    return folder


def run(command):
    """Give the wall time of a process in ms and what it printed."""
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)
    return (time.perf_counter() - began) * 1e3, json.loads(done.stdout)


def runs(command, count, rounds):
    """Give the wall times of several runs, and what each printed."""
    done = [run(command) for _ in range(rounds)]
    assert all(printed["count"] == count for _wall, printed in done)
    return [wall for wall, _printed in done], [printed for _wall, printed in done]


def timed(act):
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1e3


def stat_all(folder):
    for name in os.listdir(folder):  # noqa: PTH208  the cheapest way there is, on purpose
        os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118  likewise


def figures(count, size, rounds):
    """Give the milliseconds, a list for each thing that is measured."""
    base = Path(tempfile.mkdtemp(prefix="listing-"))
    try:
        folder = make(base, count, size)
        cold_wall, cold = runs([sys.executable, "-c", COLD, str(base)], count, rounds)
        cache = folders.Cache()
        listing.list_workdirs(base, ["/w"], NOW, cache)
        listed = {
            "wave-bridge": [printed["ms"] for printed in cold],
            "wave-bridge, a process of its own": cold_wall,
            "wave-bridge, the first 20": repeated(lambda: listing.list_workdirs(base, ["/w"], NOW, None, PAGE), rounds),
            WARM: repeated(lambda: listing.list_workdirs(base, ["/w"], NOW, cache), 3 * rounds),
            STAT: repeated(lambda: stat_all(folder), 3 * rounds),
        }
        if node := shutil.which("node"):
            node_wall, printed = runs([node, str(BASELINE), str(folder)], count, rounds)
            listed |= {RULE: [each["ms"] for each in printed], "the rule, a process of its own": node_wall}
        return listed
    finally:
        shutil.rmtree(base)


def repeated(act, times):
    return [timed(act) for _ in range(times)]


def measure(rounds: int, quick: bool) -> Result:
    result, growth = Result(), []
    for count, size in SHAPES[:2] if quick else SHAPES:
        progress(f"listing: {count} sessions of {size // 1000} KB")
        listed = figures(count, size, rounds)
        column = f"{count:,} of {size // 1000:,} KB"
        result.rows += [Row(SECTION, name, column, "ms", values) for name, values in listed.items()]
        if size == JUDGED[1]:
            growth.append((float(count), result.rows[-len(listed)].median))
        if (count, size) == JUDGED:
            rows = {row.name: row for row in result.rows if row.measure == column}
            result.wishes += [
                ratio(
                    "Listing 1,000 sessions, nothing cached, of the CLI's plain rule in Node",
                    rows[OURS],
                    rows.get(RULE),
                    1 / WANTED_COLD,
                ),
                at_most_times(
                    "Listing them from a warm cache, of a `stat` of each", rows[WARM], rows[STAT], WANTED_WARM
                ),
            ]
    result.plots["listing"] = plot("Listing, nothing cached", "sessions", "ms", {"": growth}, log=True)
    return result


def at_most_times(what, ours, theirs, most):
    times = ours.median / theirs.median
    return Wish(what, f"≤ {most:g}×", f"{times:.1f}×", times <= most)


if __name__ == "__main__":
    raise SystemExit(run_alone(measure, __doc__))
