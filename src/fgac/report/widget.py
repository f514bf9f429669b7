"""What-if in a notebook: the form and the script of the report as a widget."""

from __future__ import annotations

from functools import cache
from typing import Any

from fgac._warnings import warn_caller
from fgac.explainers.portable import not_portable, state_for
from fgac.report.page import asset, render
from fgac.report.what_if import what_if_part, what_if_script

# Rows from which a reader may begin.
MOST_ROWS = 200

RENDER = """
export default {
  render({ model, el }) {
    el.innerHTML = model.get("_html");
    new fgacWhatIf.Bench(el.querySelector(".what-if"), (values, answer, parts) => {
      model.set("values", Object.fromEntries(values.map((value, j) => [model.get("_names")[j], value])));
      model.set("said", parts);
      model.save_changes();
    });
  },
};
"""


def what_if(model: Any, X: Any, *, ids: Any = None, units: Any = None) -> Any:
    """A widget for notebooks in which values of a row are changed, and the model says at once what it makes of them.

    It computes as the model does, in the browser and without a kernel: degrees, bounds, and the training rows that
    argue for and against. It needs anywidget: ``pip install 'fgac[widget]'``. A notebook that is saved with its
    widgets holds the training rows of the model.

    Parameters
    ----------
    model : FGAClassifier, FGAOrdinalClassifier, FGARegressor, or one of these with CV
        Fitted.
    X : frame or array of shape (n_samples, n_features)
        Rows to begin with.
    ids : array of shape (n_samples,), optional
        What they are called.
    units : dict, optional
        Units of columns, as ``explain`` takes them.

    Returns
    -------
    anywidget.AnyWidget
        With the traits ``values``, the row as it is now by the names of the columns (numbers of categories, days since
        1970 for dates, None where unknown), and ``said``, the answer in words.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> model = FGAClassifier(gamma=2.0).fit([[20.0], [60.0]], ["no", "yes"])
    >>> widget = what_if(model, [[30.0]])
    >>> widget.values
    {'x0': 30.0}
    """
    kind = _widget_class()
    if not hasattr(model, "explain"):
        raise TypeError(
            f"what_if takes a fitted model of fgac that explains its predictions, got {type(model).__name__}; of a "
            "Pipeline, give the last step, and rows as that step gets them"
        )
    reason = not_portable(state_for(model))
    if reason is not None:
        raise ValueError(f"a widget cannot compute what this model says: {reason}")
    explanations = model.explain(X, ids=ids, units=units)
    if len(explanations) > MOST_ROWS:
        warn_caller(f"X has {len(explanations)} rows; the widget begins with one of the first {MOST_ROWS}")
        explanations = explanations[:MOST_ROWS]
    part = what_if_part(explanations, model, True)
    assert part is not None  # it was asked for, of a model and some rows
    return kind(
        _html=render("what_if_widget.html.jinja", what_if=part, is_widget=True),
        _names=list(part.names),
        values=dict(zip(part.names, part.rows[0], strict=True)),
    )


@cache
def _widget_class() -> Any:
    """The widget, a class of anywidget's; made once."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError("what_if in a notebook needs anywidget: pip install 'fgac[widget]'") from error

    class WhatIfWidget(anywidget.AnyWidget):
        """The form, the answer, and what both say."""

        _esm = what_if_script() + RENDER
        _css = "\n".join([asset("explanation.css"), asset("what_if.css")])
        _html = traitlets.Unicode().tag(sync=True)
        _names: Any = traitlets.List().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)
        said = traitlets.Dict().tag(sync=True)

    return WhatIfWidget
