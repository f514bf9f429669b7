"""The part of a report in which a reader changes values of a row and sees what the model makes of them.

A page computes that by itself: it holds the model as :func:`fgac.explainers.portable.portable` gives it, and a script
of ours that says of a row what the model says. So it holds all training rows, as a model file does, and is left out
where it would make the page large, or where a page could not be exact.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fgac.explainers.portable import least_size, not_portable, portable, portable_row, state_for
from fgac.explanation.base import ExplanationList
from fgac.report.filters import format_label
from fgac.report.page import asset
from fgac.tables.value_kinds import DATES, LARGEST_WHOLE
from fgac.text.target import target_word
from fgac.text.words import format_value, on_one_line

# The part is left out, unless asked for, if it is larger: pages are sent by mail.
MOST_BYTES = 2_000_000
# Scripts in the order in which they build on each other; a page has them as one.
SCRIPTS = ("what_if.js", "what_if_answer.js", "what_if_form.js")
# Inputs that stand side by side; those of further columns are folded away.
MOST_FIELDS = 24


@dataclass(frozen=True)
class Field:
    """One input: a column that a reader may change.

    Attributes
    ----------
    place : the number of the column
    name, unit : what it is called, and counted in
    kind : "number", "whole", "date", "datetime" or "choice"
    choices : of a choice, the categories by their numbers
    counts : whether any change of it can change a prediction
    """

    place: int
    name: str
    unit: str
    kind: str
    choices: tuple[str, ...]
    counts: bool


@dataclass(frozen=True)
class WhatIf:
    """What the page needs to answer "what if": inputs, rows to begin with, and the model.

    Attributes
    ----------
    fields : inputs of the columns
    starts : what the explained rows are called, from which a reader may begin
    notice : why the part is not there; empty if it is. The other fields are then empty
    data : what the script is given
    names, rows : the columns, and the values of the rows in them, as :func:`fgac.explainers.portable.portable_row` has
        them
    """

    fields: tuple[Field, ...] = ()
    starts: tuple[str, ...] = ()
    notice: str = ""
    data: ScriptData | str = ""
    names: tuple[str, ...] = ()
    rows: tuple[tuple[float | int | None, ...], ...] = ()

    @property
    def size(self) -> int:
        """Characters that it adds to a page, which are as many bytes."""
        return len(self.data)

    @cached_property
    def shown(self) -> tuple[Field, ...]:
        """Inputs that stand side by side."""
        return tuple(field for field in self.fields if field.counts)[:MOST_FIELDS]

    @cached_property
    def folded(self) -> tuple[Field, ...]:
        """Inputs that are folded away: of columns that do not count, or of too many."""
        return tuple(field for field in self.fields if field not in self.shown)


def what_if_part(explanations: ExplanationList[Any], model: Any, wanted: bool | WhatIf | None) -> WhatIf | None:
    """The part of a page for some explanations; None if it is not wanted, or there is no model or no row.

    Parameters
    ----------
    explanations : Explanations, OrdinalExplanations or RegressionExplanations
    model : fitted estimator or its state, or None
        The model that made the explanations.
    wanted : bool or WhatIf, or None
        True puts the part into the page whatever its size, or fails; None does so if it is small enough, and says why
        it is not there otherwise. A part that was made before is taken as it is.

    Returns
    -------
    WhatIf or None

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> part = what_if_part(clf.explain([[0.2]]), clf, None)
    >>> part.fields[0].name, part.fields[0].kind, part.starts
    ('x0', 'number', ('0',))
    """
    if isinstance(wanted, WhatIf):
        return wanted
    if wanted is True and model is None:
        raise ValueError(
            "what_if=True needs the model, of which explanations keep only what they say: give it as model=, the "
            "fitted estimator that made these explanations"
        )
    if wanted is False or model is None or not len(explanations):
        return None
    reason = _missing(model) or _too_large(model, wanted)
    if not reason:
        part = _made(explanations, state_for(model))
        if wanted or part.size <= MOST_BYTES:
            return part
        reason = _large(part.size)
    elif wanted:
        raise ValueError(f"nobody can change values in this page: {reason}; leave what_if out, or set it to False")
    return WhatIf(notice=f"Values cannot be changed in this page: {reason}")


def _missing(model: Any) -> str:
    """Why a page cannot compute what a model says; empty if it can."""
    if hasattr(model, "steps"):
        return (
            "steps of a pipeline come before the model, and a page cannot run them (the model alone, with rows as its "
            "last step gets them, can be asked)"
        )
    return not_portable(state_for(model)) or ""


def _too_large(model: Any, wanted: bool | None) -> str:
    """Why a part need not even be made."""
    size = 0 if wanted else least_size(state_for(model))
    return _large(size) if size > MOST_BYTES else ""


def _large(size: int) -> str:
    return (
        f"the training rows that it needs would add {size / 1e6:.1f} MB to this page (ask for it with what_if=True, or "
        "--what-if)"
    )


def _made(explanations: ExplanationList[Any], state: Any) -> WhatIf:
    """The part of a page, whatever its size."""
    _check_same_model(explanations, state)
    assert state.table is not None
    plain = portable(state)
    first = explanations[0]
    units = {feature.name: feature.unit for feature in first.attributes}
    # An explanation of the only class there is has no features.
    unknown = [None] * len(state.table.columns)
    rows = [portable_row(state.table, item.attributes) if item.attributes else unknown for item in explanations]
    names = tuple(format_value(item.id) for item in explanations)
    data = {
        "model": {**plain, "ids": [_short(name) for name in plain["ids"]]},
        "names": [on_one_line(name) for name in state.column_names],
        "labels": [format_label(label, state.target_name) for label in plain.get("classes", ())],
        **_boundary_labels(plain, state.target_name),
        **_number_words(first, plain),
        "rows": rows,
        "starts": names,
    }
    values = tuple(map(tuple, rows))
    return WhatIf(_fields(plain, units), names, "", as_script_data(data), state.column_names, values)


def _check_same_model(explanations: ExplanationList[Any], state: Any) -> None:
    """Refuse a model that cannot have made the explanations."""
    names = [feature.name for feature in explanations[0].attributes]
    made_by: Any = explanations.model  # type: ignore[attr-defined]
    if names not in ([], list(state.column_names)) or made_by.gamma != state.gamma:
        raise ValueError(
            f"these explanations are of another model: they have gamma {made_by.gamma:g} and columns {names}, the "
            f"model has gamma {state.gamma:g} and columns {list(state.column_names)}; give the model that made them"
        )


def _short(name: Any) -> Any:
    """The id of a training row as it is shown; numbers take less room as they are, if a script can hold them."""
    is_plain = isinstance(name, int) and not isinstance(name, bool) and abs(name) < LARGEST_WHOLE
    return name if is_plain else format_value(name)


def _boundary_labels(plain: Mapping[str, Any], target: str | None) -> dict[str, Any]:
    """Of ordered classes, what the sides of every boundary are called."""
    if plain["kind"] != "ordered":
        return {}
    return {"sides": [[format_label(label, target) for label in part["classes"]] for part in plain["parts"]]}


def _number_words(first: Any, plain: Mapping[str, Any]) -> dict[str, Any]:
    """Of numbers, the name and the unit of the target, and between which numbers targets usually lie."""
    if plain["kind"] != "numbers":
        return {}
    name = target_word(plain["target"], "")
    return {
        "before": f"{name} = " if name else "",
        "after": f" {on_one_line(first.unit)}" if first.unit else "",
        "ends": plain["usual"] or [first.least, first.most],
    }


def _fields(plain: Mapping[str, Any], units: Mapping[str, str]) -> tuple[Field, ...]:
    """One input for every column of which something was known in training."""
    if plain["space"] is None:  # of a single ordered class, nothing can change
        return ()
    columns: Sequence[Mapping[str, Any]] = plain["space"]["columns"]
    return tuple(
        Field(
            place=j,
            name=format_value(name),
            unit=_unit(column, units.get(name, "")),
            kind=_kind(column),
            choices=tuple(format_value(choice) for choice in column["categories"] or ()),
            counts=column["counts"],
        )
        for j, (name, column) in enumerate(zip(plain["names"], columns, strict=True))
        if column["categories"] != []
    )


def _unit(column: Mapping[str, Any], unit: str) -> str:
    """The unit of a column; dates are shown as dates, and not as the days they are counted in."""
    if column["kind"] in DATES:
        return "UTC" if column["kind"] == "moment" else ""
    return on_one_line(unit) if unit else ""


def _kind(column: Mapping[str, Any]) -> str:
    if column["categories"] is not None:
        return "choice"
    kinds = {"date": "date", "datetime": "datetime", "moment": "datetime", "whole": "whole", "binary": "whole"}
    return kinds.get(column["kind"], "number")


class ScriptData(str):
    """JSON that can stand within a script element as it is, and so is not escaped by templates."""

    def __html__(self) -> str:
        return str(self)


def as_script_data(data: Any) -> ScriptData:
    r"""A value as JSON that can stand within a script element, whatever its texts hold.

    >>> as_script_data({"a": "</script>&"})
    '{"a":"\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return ScriptData(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def what_if_script() -> str:
    """The script of the part: the model, its answers, and the form."""
    return "\n".join(asset(name) for name in SCRIPTS)
