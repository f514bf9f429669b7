"""docs/contracts.md says what every estimator can do: every cell of its table is run, and the page is up to date."""

import pytest

from support import contracts
from support.contracts import CANNOT, CAPABILITIES, COMMAND, ESTIMATORS, PAGE, Capability, No, execute
from support.estimators import public_estimators

# test_estimators.py does them one by one, also in the quick tests.
SLOW = {"check_estimator", "dask"}
CELLS = [
    pytest.param(one, name, id=f"{one.name}-{name}", marks=[pytest.mark.slow] if one.name in SLOW else [])
    for one in CAPABILITIES
    for name in ESTIMATORS
]


@pytest.mark.parametrize(("capability", "name"), CELLS)
def test_every_cell_is_so(capability, name):
    execute(capability, name)


def test_every_public_estimator_has_a_column():
    assert sorted(ESTIMATORS) == sorted(public_estimators())


def test_the_page_is_up_to_date():
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    assert written == contracts.page(), f"docs/contracts.md is out of date: in tests/, {COMMAND} writes it"


def test_what_cannot_be_done_is_about_cells_of_the_table():
    assert {name for name, _ in CANNOT} <= {one.name for one in CAPABILITIES}
    assert {name for _, name in CANNOT} <= set(ESTIMATORS)


def test_a_check_that_fails_is_no_yes():
    def fails(name):
        raise ValueError(name)

    with pytest.raises(ValueError, match="FGARegressor"):
        execute(Capability("new", fails), "FGARegressor")


@pytest.mark.parametrize(
    ("check", "problem"),
    [(lambda _: None, "is said not to do this, and does"), (lambda _: int("x"), "not with 'another reason'")],
)
def test_a_no_needs_the_error_that_was_declared(check, problem, monkeypatch):
    no = No("why", ValueError, "another reason")
    monkeypatch.setattr(contracts, "CANNOT", {("new", "FGARegressor"): no})
    with pytest.raises(AssertionError, match=problem):
        execute(Capability("new", check), "FGARegressor")
