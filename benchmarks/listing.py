"""How long a session list takes: cold process and warm cache, against the plain rule in Node and against `stat`.

    python benchmarks/listing.py [--out results.json]

Lists 100, 1,000 and 5,000 sessions of about 50 KB and 100 of about 5 MB (files in the page cache, best of several
runs). Wanted: cold at least 8 times faster than the Node rule at 1,000; warm at most 3 times `stat` of every file.
Exits with 1 when a wanted figure is missed. Without Node the comparison with it is left out.
"""

import argparse
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

from wave_bridge.store import folders, listing, paths

SHAPES = ((100, 50_000), (1_000, 50_000), (5_000, 50_000), (100, 5_000_000))
JUDGED = (1_000, 50_000)
WANTED_COLD = 8.0
WANTED_WARM = 3.0
RUNS = 5
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


def best(measure):
    return min(measure() for _ in range(3 * RUNS))


def run(command):
    """Give the wall time of a process in ms and what it printed."""
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)
    return (time.perf_counter() - began) * 1e3, json.loads(done.stdout)


def fastest(command, count):
    runs = [run(command) for _ in range(RUNS)]
    assert all(printed["count"] == count for _wall, printed in runs)
    return min(wall for wall, _printed in runs), min((printed for _wall, printed in runs), key=lambda each: each["ms"])


def timed(act):
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1e3


def stat_all(folder):
    for name in os.listdir(folder):  # noqa: PTH208  the cheapest way there is, on purpose
        os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118  likewise


def measure(count, size):
    base = Path(tempfile.mkdtemp(prefix="listing-"))
    try:
        folder = make(base, count, size)
        cold_wall, cold = fastest([sys.executable, "-c", COLD, str(base)], count)
        cache = folders.Cache()
        listing.list_workdirs(base, ["/w"], NOW, cache)
        result = {
            "count": count,
            "size": size,
            "cold_ms": cold["ms"],
            "cold_process_ms": cold_wall,
            "import_ms": cold["import"],
            "grown_kib": cold["kib"],
            "first_page_ms": best(lambda: timed(lambda: listing.list_workdirs(base, ["/w"], NOW, None, PAGE))),
            "warm_ms": best(lambda: timed(lambda: listing.list_workdirs(base, ["/w"], NOW, cache))),
            "stat_ms": best(lambda: timed(lambda: stat_all(folder))),
        }
        if node := shutil.which("node"):
            node_wall, printed = fastest([node, str(BASELINE), str(folder)], count)
            result |= {"node_ms": printed["ms"], "node_process_ms": node_wall}
            result["cold_factor"] = result["node_ms"] / result["cold_ms"]
            result["process_factor"] = node_wall / cold_wall
        return result | {"warm_factor": result["warm_ms"] / result["stat_ms"]}
    finally:
        shutil.rmtree(base)


def row(r):
    return (
        f"{r['count']:8} {r['size'] // 1000:8} |"
        f"{r['cold_ms']:5.0f} {r['cold_process_ms']:8.0f} {r['node_ms']:5.0f} {r['node_process_ms']:8.0f} |"
        f"{r['cold_factor']:7.1f} {r['process_factor']:8.1f} |{r['first_page_ms']:9.1f} |"
        f"{r['warm_ms']:5.1f} {r['stat_ms']:5.1f} {r['warm_factor']:7.1f} |{r['grown_kib'] / 1024:5.1f} MB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    out = parser.parse_args().out
    results = []
    nan = float("nan")
    print("sessions  KB each | cold  process  node  process | factor  process | first 20 | warm  stat  factor | memory")
    for count, size in SHAPES:
        r = measure(count, size)
        results.append(r)
        print(row({"node_ms": nan, "node_process_ms": nan, "cold_factor": nan, "process_factor": nan} | r))
    if out:
        out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    judged = next(each for each in results if (each["count"], each["size"]) == JUDGED)
    missed = judged.get("cold_factor", WANTED_COLD) < WANTED_COLD or judged["warm_factor"] > WANTED_WARM
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
