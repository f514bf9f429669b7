"""The package of explanation values: its names, old and new, and which fields its values have, in which order."""

import dataclasses
import subprocess
import sys

import pytest

import fgac.explanation
from fgac.explanation import arguments, audit, classification, regression

# The order of the fields is that of the keys in JSON, of the columns in frames and of the constructor's arguments.
FIELDS = {
    classification.Argument: (
        "index id label distance similarity membership degree strength weight attributes alike unknown_cost"
    ),
    regression.RegressionArgument: (
        "index id target fitted distance similarity allowance says strength attributes alike unknown_cost"
    ),
    audit.Suspect: "index id label membership doubt suggestion contradicted_by alike support threshold target_name "
    "held_out",
    audit.Opponent: "index id label distance similarity membership multiplier share alike",
    audit.RegressionSuspect: "index id target fitted size contradicted_by alike target_name doubt usual held_out",
    audit.RegressionOpponent: "index id target fitted distance share alike",
}

OLD_NAMES = {
    "Bound": "RegressionArgument",
    "Comparison": "FeatureComparison",
    "Contradiction": "RegressionSuspect",
    "Contradictions": "RegressionAudit",
    "Contradictor": "RegressionOpponent",
    "Effect": "FeatureEffect",
    "Reading": "FeatureValue",
}


@pytest.mark.parametrize("name", fgac.explanation.__all__)
def test_every_name_is_there(name):
    assert name in dir(fgac.explanation)
    assert getattr(fgac.explanation, name) is not None


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_old_names_still_work_and_warn(old, new):
    with pytest.warns(FutureWarning, match=rf"{old} is now called fgac\.explanation\.{new}") as caught:
        assert getattr(fgac.explanation, old) is getattr(fgac.explanation, new)
    assert caught[0].filename == __file__


def test_other_names_are_refused():
    with pytest.raises(AttributeError, match=r"module 'fgac\.explanation' has no attribute 'Witness'"):
        _ = fgac.explanation.Witness


def test_values_load_nothing_heavy():
    heavy = ("numba", "pandas", "sklearn", "scipy", "fgac.text", "fgac.report", "fgac.explainers")
    code = (
        f"import sys; from fgac.explanation import Explanation, Audit; print([m for m in {heavy} if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_the_order_of_fields_stays(kind):
    assert [field.name for field in dataclasses.fields(kind)] == FIELDS[kind].split()


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_values_have_what_their_base_promises(kind):
    promised = {name for base in kind.__mro__[1:-1] for name in base.__annotations__}
    assert {"index", "id", "alike"} <= promised <= set(FIELDS[kind].split())
    assert issubclass(kind, arguments.RowReference)
