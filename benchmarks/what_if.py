"""Changing values in a page: does it say what Python says, and how long does a change take?

    python benchmarks/what_if.py

Pages are opened in Chromium. Of small models of every kind, many random changes of single cells are answered by the
script of the page and by ``explain``: labels, bounds, degrees, arguments, radii and intervals must agree to 1e-9. Of
models of 5000 rows and 20 columns, the time of a change is measured, drawing and layout included.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import make_classification

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.report.what_if import MOST_BYTES, what_if_part, what_if_script
from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

# The browser and the random changes are those of the tests.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.browser import Browser, find_browser
from support.what_if import NAMES, case, differences, labels_of

N_ROWS, N_COLUMNS = 5000, 20
# The best of so many rounds counts: in others the browser may have waited for a core.
N_ROUNDS = 5
# A page that is drawn 60 times a second has so many milliseconds.
FRAME = 16.0
ANSWER = "const model = fgacAnswer.load(arguments[0]); return arguments[1].map((row) => fgacAnswer.answer(model, row))"
CHANGE = """
const inputs = [...document.querySelectorAll(".field input")], times = [], alone = [];
const bench = fgacWhatIf.benches[0];
for (let i = 0; i < arguments[0]; i++) {
    const input = inputs[i % inputs.length];
    input.value = String(Number(input.value) + Math.sin(i));
    const start = performance.now();
    fgacAnswer.answer(bench.model, bench.values);
    const middle = performance.now();
    input.dispatchEvent(new Event("input", {bubbles: true}));
    document.body.getBoundingClientRect();
    times.push(performance.now() - middle);
    alone.push(middle - start);
}
return [times, alone];
"""


class Speed(NamedTuple):
    """What a change takes with a model, in milliseconds, and how large the model is in a page."""

    name: str
    megabytes: float
    answer: float
    median: float
    slow: float


def models() -> dict[str, Callable[[], tuple[Any, Any]]]:
    """Return models with their training rows, by name; each is fitted when it is asked for."""

    def made(model: Any, n_classes: int, *, is_number: bool = False) -> Callable[[], tuple[Any, Any]]:
        X, y = make_classification(
            N_ROWS, N_COLUMNS, n_informative=10, n_redundant=0, n_classes=n_classes, flip_y=0.1, random_state=0
        )
        X = X.round(6)
        return lambda: (model.fit(X, X[:, 0] + np.abs(X[:, 1]) if is_number else y), X)

    return {
        "2 classes, Euclidean": made(FGAClassifier(gamma=2.0), 2),
        "2 classes, learned": made(FGAClassifier(metric="learned", gamma=3.0), 2),
        "2 classes, angles": made(FGAClassifier(metric="angular", gamma=2.0), 2),
        "10 classes, learned": made(FGAClassifier(metric="learned", gamma=3.0), 10),
        "5 ordered classes, learned": made(FGAOrdinalClassifier(metric="learned", gamma=3.0), 5),
        "numbers, learned, interval": made(FGARegressor(metric="learned", gamma=2.0, interval=0.8), 2, is_number=True),
    }


def speed(browser: Browser, folder: Path, name: str, make: Callable[[], tuple[Any, Any]], n_edits: int) -> Speed:
    """Measure changes in the page of one model."""
    model, X = make()
    explanations = model.explain(X[:1] + 0.1)
    explanations.to_html(folder / "page.html", model=model, what_if=True)
    browser.open(folder / "page.html")
    browser.run(CHANGE, 40)  # until the browser has compiled it
    rounds = [browser.run(CHANGE, n_edits // N_ROUNDS) for _ in range(N_ROUNDS)]
    times, alone = min(rounds, key=lambda parts: np.median(parts[0]))
    part = what_if_part(explanations, model, True)
    progress(f"{name}: {np.median(times):.1f} ms")
    slow = float(np.percentile(times, 95))
    return Speed(name, part.size / 1e6, float(np.median(alone)), float(np.median(times)), slow)


def disagreements(browser: Browser, folder: Path, n_edits: int) -> dict[str, tuple[int, int]]:
    """Count changes, and those whose answers differ from those of Python, by model."""
    (folder / "empty.html").write_text(f"<!doctype html><script>{what_if_script()}</script>", encoding="utf-8")
    browser.open(folder / "empty.html")
    found = {}
    for seed, name in enumerate(NAMES):
        made, n = case(name), -(-n_edits // len(NAMES))
        explanations, rows = made.rows(made.edits(n, seed=1000 + seed))
        answers = browser.run(ANSWER, made.plain(), rows)
        wrong = [
            d for e, a in zip(explanations, answers, strict=True) if (d := differences(e, a, labels_of(made.model)))
        ]
        found[name] = n, len(wrong)
        progress(f"{name}: {n} changes, {len(wrong)} differ")
    return found


def text(speeds: list[Speed], found: dict[str, tuple[int, int]], load: OtherLoad) -> str:
    """Return the page of results."""
    size, most = f"{N_ROWS} x {N_COLUMNS}", MOST_BYTES / 1e6
    total, wrong = (sum(counts) for counts in zip(*found.values(), strict=True))
    slowest, default = max(one.median for one in speeds), max(one.megabytes for one in speeds if "Euclid" in one.name)
    bars = [
        Bar(f"{size}: ms per change, drawing included, slowest model, at most 16", number(slowest), slowest <= FRAME),
        Bar(f"{size}, two classes, as they are: MB in the page, at most {most:g}", number(default), default <= most),
        Bar(
            "random changes whose answers differ from Python's by more than 1e-9, of 10 000, at most 0",
            f"{wrong} of {total}",
            wrong == 0 if total >= 10_000 else None,
        ),
    ]
    speeds_table = markdown_table(
        ["model", "MB in the page", "answer ms", "change ms", "19 of 20 changes ms"],
        [[one.name, *(number(value) for value in one[1:])] for one in speeds],
    )
    found_table = markdown_table(
        ["model", "changes", "differ"], [[name, str(n), str(bad)] for name, (n, bad) in found.items()]
    )
    return "\n\n".join(
        [
            "# Changing values in a page",
            provenance(load),
            speeds_table,
            f"{N_ROWS} rows and {N_COLUMNS} columns of `make_classification`. The answer is what the script computes "
            "(distances, bounds, label, arguments), medians; a change is an input event with all that is computed, "
            f"drawn and laid out after it. The best of {N_ROUNDS} rounds.",
            "## Agreement with Python",
            found_table,
            "Random changes of single cells (new numbers, numbers of training rows and far off, categories, unseen "
            "ones, dates, unknown values) in Chromium. Compared with `explain`: label, bounds, degrees, margin, "
            "runner-up, ties, certified radius, reliability, intervals, and every argument with its rows, strength, "
            "similarity and distance.",
            "## Bars",
            bars_table(bars),
        ]
    )


def main() -> None:
    """Measure, print the result and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=10_000, help="random changes that are compared with Python")
    parser.add_argument("--timed", type=int, default=200, help="changes that are timed, per model")
    parser.add_argument("--output", type=Path, default=RESULTS / "what_if.md")
    options = parser.parse_args()
    installed = find_browser()
    if installed is None:
        sys.exit("chromium and chromedriver are needed, and not installed")
    warnings.simplefilter("ignore")
    load = OtherLoad()
    with Browser(*installed) as browser, TemporaryDirectory() as folder:
        speeds = [speed(browser, Path(folder), name, make, options.timed) for name, make in models().items()]
        found = disagreements(browser, Path(folder), options.edits)
    publish(text(speeds, found, load), options.output)


if __name__ == "__main__":
    main()
