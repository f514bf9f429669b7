"""Load thousands of changed model files, each in a process that watches time and memory, and tell what became of them.

``python tests/persistence/fuzz_files.py --files 10000 --seed 0`` takes some minutes. Every file is a saved model of
some kind, changed at random or put to the limits of what is declared, and signed again. It must be refused in one line,
or give a model that predicts and explains with finite numbers, within 5 seconds of processor time and 500 MB. Compiled
loops check their indices meanwhile. ``-o FILE`` writes the table, ``--keep FOLDER`` keeps the files that did worse.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "benchmarks")]

SECONDS = 5.0
MEGABYTES = 500


def changed_file(number, seed):
    """Return file number so-and-so, the kind of model that it was, and the names of its changes."""
    import numpy as np

    from support.file_extremes import at_limits
    from support.file_mutations import mutated
    from support.fuzzed_files import seeds

    known = seeds()
    name = sorted(known)[number % len(known)]
    rng = np.random.default_rng([seed, number])
    change = at_limits if number // len(known) % 4 == 3 else mutated
    return (*change(known[name], rng), name)


# ----------------------------------------------------------------------------------------------------
# One process
# ----------------------------------------------------------------------------------------------------


def work(seed):
    """Judge the files whose numbers come in, one a line; a line of JSON goes out for each."""
    from support.fuzzed_files import judged, seeds

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.fgac")
        for data in seeds().values():  # everything is compiled, and imported, before anything is measured
            path.write_bytes(data)
            assert judged(path).outcome == "loaded"
        say("ready")
        for line in sys.stdin:
            data, told, name = changed_file(int(line), seed)
            path.write_bytes(data)
            say(json.dumps({"name": name, "changes": told, **measured(judged, path)}))


def say(line, file=sys.stdout):
    """Write one line, at once."""
    file.write(f"{line}\n")
    file.flush()


def measured(judged, path):
    """Judge one file; a process that takes too long is ended by the system, one that asks for too much gets nothing."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (pages + MEGABYTES * 2**20, resource.RLIM_INFINITY))
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory from here on
    before, start = peak(), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    verdict = judged(path)
    signal.setitimer(signal.ITIMER_PROF, 0)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    seconds, megabytes = time.process_time() - start, max(0, peak() - before)
    return {"outcome": verdict.outcome, "told": verdict.told, "seconds": seconds, "megabytes": megabytes}


def peak():
    """Return the largest resident size of this process in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


# ----------------------------------------------------------------------------------------------------
# All of them
# ----------------------------------------------------------------------------------------------------


def started(seed, cache):
    """Return a process that is ready to judge; loops with checks are compiled into a folder of their own."""
    command = [sys.executable, __file__, "--worker", "--seed", str(seed)]
    settings = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=settings)
    assert process.stdout.readline() == "ready\n", "the files that were not changed must load"
    return process


def judge_all(numbers, seed, cache):
    """Yield (number, result) of every file; a process that ends is replaced."""
    process = None
    for number in numbers:
        process = process or started(seed, cache)
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if line:
            yield number, json.loads(line)
            continue
        hung = process.wait() == -signal.SIGPROF
        outcome = "hung" if hung else "crashed"
        process = None
        yield number, {"name": changed_file(number, seed)[2], "outcome": outcome, "told": "", "changes": []}
    if process:
        process.stdin.close()
        process.wait()


def table(results, files, seed, load):
    """Return what became of all files as a page of Markdown; ``load`` knows what other processes did meanwhile."""
    from report import markdown_table, number, provenance
    from support.fuzzed_files import BAD, GOOD, OUTCOMES

    kinds = sorted({result["name"] for result in results})
    counts = Counter((result["name"], result["outcome"]) for result in results)
    shown = [*GOOD, *BAD]
    rows = [[kind, *(str(counts[kind, outcome]) for outcome in shown)] for kind in kinds]
    sums = Counter(result["outcome"] for result in results)
    rows.append(["**all**", *(f"**{sums[outcome]}**" for outcome in shown)])
    worst = {key: max(result.get(key, 0) for result in results) for key in ("seconds", "megabytes")}
    bad = sum(sums[outcome] for outcome in OUTCOMES if outcome not in GOOD)
    return "\n\n".join(
        [
            "# Model files that were changed and signed again",
            provenance(load),
            f"`python tests/persistence/fuzz_files.py --files {files} --seed {seed}`, compiled loops with "
            "`NUMBA_BOUNDSCHECK=1`. A file that was loaded has predicted, explained, audited and saved again, with "
            "finite numbers and without a warning. *Refused by accident*: by an error that no check foresaw.",
            markdown_table(["model", *shown], rows),
            "## Bars",
            markdown_table(
                ["bar", "measured", ""],
                [
                    [
                        f"{files} files: neither refused in one line nor good models, at most 0",
                        str(bad),
                        met(not bad),
                    ],
                    ["processor time for one file, s, at most 5", number(worst["seconds"]), met(worst["seconds"] < 5)],
                    ["memory for one file, MB, at most 500", number(worst["megabytes"]), met(worst["megabytes"] < 500)],
                ],
            ),
        ]
    )


def met(reached):
    """Return the word for a bar that was reached, or not."""
    return "met" if reached else "NOT met"


def main():
    """Judge all files, and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for files that neither were refused nor gave a good model")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.seed)
        return 0
    from load import OtherLoad
    from report import publish
    from support.fuzzed_files import GOOD

    results, load = [], OtherLoad()
    numbers = range(options.first, options.first + options.files)
    with tempfile.TemporaryDirectory() as cache:
        for number, result in judge_all(numbers, options.seed, cache):
            results.append(result)
            if result["outcome"] not in GOOD:
                say(f"{number} {json.dumps(result)}", sys.stderr)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{number}.fgac").write_bytes(changed_file(number, options.seed)[0])
    publish(table(results, options.files, options.seed, load), options.output)
    return int(any(result["outcome"] not in GOOD for result in results))


if __name__ == "__main__":
    sys.exit(main())
