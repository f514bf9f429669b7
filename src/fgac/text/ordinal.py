"""A prediction of ordered classes in words: why at least this class, why at most, how sure it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fgac.explanation.classification import Explanation
from fgac.text.arguments import sides
from fgac.text.certainty import alone, draw, lead, lone_class, reach, weakness
from fgac.text.classification import argued, guess
from fgac.text.feature_weights import weighing
from fgac.text.words import at_least, at_most, called, named, number, paragraph

if TYPE_CHECKING:
    from fgac.explanation.ordinal import OrdinalExplanation


def tell_ordinal(e: OrdinalExplanation) -> str:
    """Say an explanation in plain English: verdict, why not lower, why not higher, how sure.

    >>> from fgac import FGAOrdinalClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["poor", "poor", "fair", "good", "good"]
    >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=4.0, monotonic_cst=[1]).fit(X, y)
    >>> print(tell_ordinal(clf.explain([[1.9]])[0]))  # doctest: +NORMALIZE_WHITESPACE
    Prediction for row 0: 'poor'.
    At most 'poor': the row belongs to 'poor' to a degree of 1.00 out of 1 (at least 1.00, at most 1.00). 'poor' is
    clearly ahead of 'fair or above' (1.00 against 0.00).
    The strongest argument for it: training row 1 fully belongs to 'poor' (1.00), and this row fully matches or stays
    below it (1.00), so this row belongs to 'poor' to at least 1.00. This row is at least as low in 'x0' (1.9 here, 2
    there). Training row 0 (0.10) also speaks for it.
    Nothing speaks against it.
    The prediction stays as long as the row moves by less than 0.12 in the model's distance. For example, it stays if
    'x0' alone rises by less than 0.5. It stays however much 'x0' falls.
    """
    why_not_lower, why_not_higher = (
        [] if part is None else boundary(part, f"{word} {named(e.prediction)}")
        for part, word in ((e.at_least, "at least"), (e.at_most, "at most"))
    )
    weights = weighing(part.attributes) if (part := e.at_least or e.at_most) else ""
    return "\n".join(filter(None, [verdict(e), *why_not_lower, *why_not_higher, sureness(e), weights]))


def verdict(e: OrdinalExplanation) -> str:
    """The predicted class, and whether it is right."""
    known = "" if e.truth is None else f"the row is in fact labelled {named(e.truth)}, so the prediction is "
    outcome = "right" if e.truth == e.prediction else "wrong"
    return paragraph(f"prediction for row {called(e.id)}: {named(e.prediction)}", known and known + outcome)


def boundary(e: Explanation, heading: str) -> list[str]:
    """Why a row is on one side of a boundary, and how clearly."""
    if e.resembles_nothing:
        return [paragraph(f"{heading}: only as a guess"), guess(e)]
    bounds = f"{at_least(e.lower)}, {at_most(e.upper)}"
    belongs = f"the row belongs to {named(e.prediction)} to a degree of {number(e.degree)} out of 1 ({bounds})"
    clarity = draw(e) if e.tied else lead(e)
    return [paragraph(f"{heading}: {belongs}", clarity, weakness(e)), *(argued(e, side) for side in sides(e))]


def sureness(e: OrdinalExplanation) -> str:
    """How far the row is from another class."""
    closest = e.closest
    if closest is None:
        return paragraph(lone_class())
    whole = replace(closest, attributes=e.attributes, certified_radius=e.certified_radius)
    return paragraph(reach(whole), *alone(whole))
