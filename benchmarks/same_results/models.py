"""What a model says of new rows, of its training rows and of itself."""

from __future__ import annotations

import inspect
import re
import warnings
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fgac import (
    FGAClassifier,
    FGAOrdinalClassifier,
    audit,
    save_model,
)
from same_results.constants import DOUBTED, Plain
from same_results.data import Case
from same_results.plain_values import fitted, hidden, outcome, page, plain
from same_results.settings import Setting


def answers(model: Any, new: Any) -> Plain:
    """Everything that a model says of new rows in numbers and labels."""
    questions = ("predict", "predict_proba", "decision_function", "memberships", "at_least", "envelope")
    asked = [name for name in (*questions, "predict_interval") if hasattr(model, name)]
    found = {name: plain(getattr(model, name)(new)) for name in asked}
    if hasattr(model, "arguments"):
        found["arguments"] = plain(model.arguments(new, 4))
    if hasattr(model, "predict_batches"):
        found["batches"] = plain(list(model.predict_batches([new[:3], new[3:]], method="memberships")))
    return found


def reasons(model: Any, case: Case) -> Plain:
    """Explanations of the first new rows, as values, text and frame."""
    if not hasattr(model, "explain"):
        return None
    found = model.explain(case.new[:6], **case.explain)
    short = model.explain(case.new[3:5], 1, alike=1.0, ids=["this", "that"])
    return {
        "values": hidden(plain(less_doubted(found.to_dict()))),
        "text": found.text(),
        "frame": plain(found.to_frame()),
        "read_again": type(found).from_json(found.to_json()) == found,
        "short": short.text(),
        "one": plain(found[0].to_dict()),
    }


def less_doubted(explained: dict[str, Any]) -> dict[str, Any]:
    """Explanations less what they say of training rows, which may be there or not."""
    return {key: part for key, part in explained.items() if key not in DOUBTED}


def doubted(model: Any, most: int | None = None) -> Plain:
    """Training rows that others contradict, as values, text and frame."""
    if isinstance(model, FGAOrdinalClassifier):
        return [doubted(boundary, most) for boundary in model.boundaries_]
    if isinstance(model, FGAClassifier):
        found = {by: audit(model, most, by=by) for by in ("membership", "rest")} | {"two": audit(model, 2)}
    elif hasattr(model, "contradictions"):
        found = {"numbers": model.contradictions(most), "two": model.contradictions(2)}
    else:
        return None
    return {
        name: {"values": plain(rows.to_dict()), "text": rows.text(), "frame": plain(rows.to_frame())}
        for name, rows in found.items()
    }


def pages(model: Any, case: Case) -> Plain:
    """Check sums of what a browser or a notebook shows."""
    if not hasattr(model, "explain"):
        return None
    asked = {"audit": True} if "audit" in inspect.signature(model.explain).parameters else {}
    explained = model.explain(case.new[:6], **case.explain, **asked)
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        explained.to_html(path, title="Explained", note="six rows")
        found = {"report": page(path.read_text("utf-8")), "notebook": page(explained._repr_html_())}
        if isinstance(model, FGAClassifier):
            audit(model, 5).to_html(path)
            found |= {"audit": page(path.read_text("utf-8")), "audit_notebook": page(audit(model, 5)._repr_html_())}
    return found


def said(model: Any, setting: Setting) -> Plain:
    """All that is asked of a model, whether it was just fitted or read from a file."""
    most = 20 if setting.large else None
    parts = {"answers": answers(model, setting.case.new), "explain": reasons(model, setting.case)}
    return {**parts, "doubted": doubted(model, most)}


def record_setting(setting: Setting, path: Path, *, with_pages: bool) -> Plain:
    """Fit, ask, and write the model file; or the error that says why there is none."""
    case = setting.case
    with warnings.catch_warnings(record=True) as in_fit:
        warnings.simplefilter("always")
        model = setting.learn(case)
    with warnings.catch_warnings(record=True) as later:
        warnings.simplefilter("always")
        found = {"fitted": fitted(model), **said(model, setting), "score": plain(model.score(case.X, case.y))}
        found["file"] = outcome(partial(save_model, model, path), path.parent)
        if with_pages:
            found["pages"] = pages(model, case)
    told = {"in_fit": in_fit, "later": later}
    return {
        "warnings": {
            name: [told_warning(part) for part in caught if not is_renaming(part)] for name, caught in told.items()
        },
        **found,
    }


def is_renaming(warning: warnings.WarningMessage) -> bool:
    """Whether a warning says that something has a better name."""
    return "is now called" in str(warning.message)


def told_warning(warning: warnings.WarningMessage) -> Plain:
    """A warning less residuals and counts of steps, and whether it points at the line of the caller."""
    here = Path(warning.filename).parent == Path(__file__).parent
    text = re.sub(r"\d+ (rounds|pivots)", r"N \1", re.sub(r"\d(\.\d+)?e-\d+", "TINY", str(warning.message)))
    return {"kind": warning.category.__name__, "message": text, "points_here": here}
