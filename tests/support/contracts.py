"""What every public estimator can do, and what it cannot and why, as a table that is executed and written as a page.

Every answer is declared here: all are yes but for ``CANNOT``, and everything is run before the page is written. In
``tests/``, ``python -m support.contracts`` does that; ``tests/contracts/test_contracts.py`` fails if an answer is not
so, or if the page is out of date.
"""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import fgac
from support import capabilities as can
from support.estimators import REGISTRY, expected_failures, make

PAGE = Path(__file__).parents[2] / "docs" / "contracts.md"
COMMAND = "python -m support.contracts"


@dataclass(frozen=True)
class No:
    """Something that an estimator cannot do: why, and the error that asking for it ends with."""

    why: str
    error: type[Exception] | tuple[type[Exception], ...]
    match: str


@dataclass(frozen=True)
class Capability:
    """A row of the table; its check passes where the answer is yes."""

    name: str
    check: Callable[[str], None]

    @property
    def meaning(self) -> str:
        """What a yes means: the first paragraph of the check's docstring."""
        return " ".join((inspect.getdoc(self.check) or "").split("\n\n")[0].split())


CAPABILITIES = (
    Capability("check_estimator", can.passes_check_estimator),
    Capability("pickle", can.can_be_pickled),
    Capability("clone", can.can_be_cloned),
    Capability("set_output", can.has_set_output),
    Capability("metadata routing", can.routes_metadata),
    Capability("pandas", can.reads_pandas),
    Capability("polars", can.reads_polars),
    Capability("pyarrow", can.reads_pyarrow),
    Capability("missing values", can.takes_missing_values),
    Capability("weights", can.weighs_rows),
    Capability("monotone", can.is_monotone),
    Capability("explain", can.explains),
    Capability("save", can.can_be_saved),
    Capability("path", can.has_a_path),
    Capability("dask", can.fits_on_dask),
)
ESTIMATORS = tuple(name for name in fgac.__all__ if name in REGISTRY)

NO_TRANSFORMER = No(
    "`set_output` is for transformers, which return tables; these return predictions. They take the frames that "
    "transformers with `set_output` return",
    AttributeError,
    "set_output",
)
NEIGHBOURS = "fuzzy rough nearest neighbours are here as the method they are compared with, so they only predict: "
CANNOT: Mapping[tuple[str, str], No] = {
    **{("set_output", name): NO_TRANSFORMER for name in ESTIMATORS},
    ("monotone", "FRNNClassifier"): No(
        f"{NEIGHBOURS}their similarity has no direction", TypeError, "unexpected keyword argument 'monotonic_cst'"
    ),
    ("explain", "FRNNClassifier"): No(
        f"{NEIGHBOURS}degrees are averages over many rows, of which none is the argument", AttributeError, "explain"
    ),
    ("save", "FRNNClassifier"): No(
        f"{NEIGHBOURS}model files hold what was solved; pickle them", TypeError, "got FRNNClassifier"
    ),
    ("path", "FRNNClassifier"): No(
        "nothing is solved, so there is nothing to follow", TypeError, "unexpected keyword argument 'owa'"
    ),
    ("path", "FGAOrdinalClassifier"): No(
        "the path is of one problem, and every boundary between ordered classes is one of its own",
        TypeError,
        "unexpected keyword argument 'class_order'",
    ),
    ("path", "FGAOrdinalClassifierCV"): No(
        "as of `FGAOrdinalClassifier`", ValueError, "gammas='path' must be a list of positive numbers"
    ),
    ("path", "FGARegressor"): No(
        "the path is followed for classes, whose values at infinity are known", ValueError, "Unknown label type"
    ),
    ("path", "FGARegressorCV"): No(
        "as of `FGARegressor`", ValueError, "gammas='path' must be a list of positive numbers"
    ),
}
NOT_ON_DASK = No("this version has no such estimator for Dask", (ModuleNotFoundError, AttributeError), "fgac.dask")


def answer(capability: Capability, name: str) -> No | None:
    """Why an estimator cannot do something; None if it can."""
    if capability.check is can.fits_on_dask:
        return None if can.is_on_dask(name) else NOT_ON_DASK
    return CANNOT.get((capability.name, name))


def execute(capability: Capability, name: str) -> None:
    """Run a cell: the check of a yes passes, that of a no ends with the error that was declared."""
    no = answer(capability, name)
    if no is None:
        capability.check(name)
        return
    try:
        capability.check(name)
    except no.error as error:
        if not re.search(no.match, str(error)):
            raise AssertionError(f"{capability.name} of {name} fails with {error}, not with {no.match!r}") from error
    else:
        raise AssertionError(f"{name} is said not to do this, and does: {capability.meaning}")


# ----------------------------------------------------------------------------------------------------
# The page
# ----------------------------------------------------------------------------------------------------

HEAD = f"""# What every estimator can do

This page is written by a run of the tests (`{COMMAND}`, in `tests/`): every *yes* is a check that passed,
every *no* one that failed as it is said to. The checks behind "yes, but" are at the end.

"""


def cell(capability: Capability, name: str) -> str:
    """A cell of the table."""
    if answer(capability, name):
        return "no"
    return "yes, but" if capability.check is can.passes_check_estimator and exceptions_of(name) else "yes"


def exceptions_of(name: str) -> dict[str, str]:
    """The checks of scikit-learn that an estimator fails in its first setting."""
    return expected_failures(can.first_setting(name))


def page() -> str:
    """The page as it should be."""
    return HEAD + "\n".join([*_table(), "", *_meanings(), "", *_noes(), "", *_failed_checks()]) + "\n"


def _table() -> Iterator[str]:
    """The table itself: capabilities down, estimators across."""
    yield "| | " + " | ".join(f"`{name}`" for name in ESTIMATORS) + " |"
    yield "|---" * (len(ESTIMATORS) + 1) + "|"
    for capability in CAPABILITIES:
        yield f"| {capability.name} | " + " | ".join(cell(capability, name) for name in ESTIMATORS) + " |"


def _meanings() -> Iterator[str]:
    """The meaning of every row."""
    yield "## What a yes means\n"
    yield "| | |"
    yield "|---|---|"
    for capability in CAPABILITIES:
        yield f"| {capability.name} | {capability.meaning} |"


def _noes() -> Iterator[str]:
    """Why estimators cannot do things; the same reason of several is told once."""
    yield "## Why not\n"
    yield "| | of | because | asking for it ends with |"
    yield "|---|---|---|---|"
    for capability in CAPABILITIES:
        whose: dict[No, list[str]] = {}
        for name in ESTIMATORS:
            no = answer(capability, name)
            if no:
                whose.setdefault(no, []).append(name)
        for no, names in whose.items():
            of = "all" if len(names) == len(ESTIMATORS) else ", ".join(f"`{name}`" for name in names)
            yield f"| {capability.name} | {of} | {no.why} | {_errors(no)} |"


def _errors(no: No) -> str:
    """The kinds of error that a no ends with."""
    kinds = no.error if isinstance(no.error, tuple) else (no.error,)
    return " or ".join(f"`{kind.__name__}`" for kind in kinds)


def _failed_checks() -> Iterator[str]:
    """The checks of scikit-learn that do not hold, with the number of settings."""
    yield "## Checks of scikit-learn that do not hold\n"
    yield "In the settings that the tests run. All other checks pass, in all of them.\n"
    yield "| estimator | check | in | because |"
    yield "|---|---|---|---|"
    for name in ESTIMATORS:
        settings = REGISTRY[name].settings
        failed = Counter(found for one in settings for found in expected_failures(make(name, one)).items())
        for (check, why), times in failed.items():
            yield f"| `{name}` | `{check}` | {times} of {len(settings)} settings | {why} |"


def main() -> None:
    """Run every cell, and write the page if all of them are as declared."""
    wrong = []
    for capability in CAPABILITIES:
        for name in ESTIMATORS:
            print(f"{capability.name}: {name}", flush=True)  # noqa: T201
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    execute(capability, name)
            except Exception as error:
                wrong.append(f"{capability.name} of {name}: {type(error).__name__}: {error}")
    if wrong:
        sys.exit("\n".join(["The table in support/contracts.py is not so:", *wrong]))
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")  # noqa: T201


if __name__ == "__main__":
    main()
