"""The explanation of a predicted class among ordered ones in words: why not a lower class, why not a higher one.

Between every two neighbouring classes lies a boundary, and each boundary is a question with two classes; so most
sentences are those of :mod:`fgac.text.classification`.
"""

from __future__ import annotations

from dataclasses import replace

from fgac.explanation.classification import Explanation
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.text import contrast, counterfactual, feature_weights, scores
from fgac.text.certainty import ONLY_CLASS, lead, reliability_sentence, safe_changes, tie, weakness
from fgac.text.classification import degree_with_bounds, guess_paragraph, side_paragraph, truth_sentence, why_not
from fgac.text.sides import sides
from fgac.text.target import target_class
from fgac.text.unknown import doubtful_values
from fgac.text.words import class_name, lines, paragraph, row_name


def describe(e: OrdinalExplanation) -> str:
    """An explanation in plain English: prediction, why not lower, why not higher, what keeps the class as it is.

    >>> from fgac import FGAOrdinalClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["poor", "poor", "fair", "good", "good"]
    >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=4.0, monotonic_cst=[1]).fit(X, y)
    >>> print(describe(clf.explain([[1.9]])[0]))  # doctest: +NORMALIZE_WHITESPACE
    Prediction for row 0: 'poor'.
    At most 'poor': the row belongs to 'poor' to a degree of 1.00 out of 1 (at least 1.00, at most 1.00). 'poor' is
    clearly ahead of 'fair or above' (1.00 against 0.00).
    The strongest argument for it: training row 1 fully belongs to 'poor' (1.00), and this row fully matches or stays
    below it (1.00), so this row belongs to 'poor' to at least 1.00. This row is at least as low in 'x0' (1.9 here, 2
    there). Training row 0 (0.10) also speaks for it.
    Nothing speaks against it.
    What decides between 'poor' and 'fair or above': training row 1 speaks for 'poor' (1.00), none for 'fair or above',
    to which training row 2 comes nearest. 'x0' (1.9 here, 2 and 3 there) brings this row nearer to training row 1.
    The prediction stays as long as the row moves by less than 0.12 in the model's distance. For example, it stays if
    'x0' alone rises by less than 0.5. It stays however much 'x0' falls.
    """
    predicted = f"prediction for row {row_name(e.id)}: {target_class(e.prediction, e.target)}"
    boundaries = [
        line
        for part, word in ((e.at_least, "at least"), (e.at_most, "at most"))
        if part is not None
        # What is unknown or beyond training rows is said once, of the row.
        for line in boundary_lines(replace(part, unknown=(), beyond=()), boundary_heading(e, part, word))
    ]
    # All boundaries measure distances by the same weights.
    first = e.boundaries[0] if e.boundaries else None
    weights = "" if first is None else feature_weights.describe(first.attributes)
    score = "" if first is None else scores.describe(first.attributes, first.arguments_for)
    truth = truth_sentence(e.truth, e.prediction, target=e.target)
    sure = reliability_sentence(e.reliability)
    if e.about is not None:
        predicted = f"the prediction is {target_class(e.prediction, e.target)}"
    about = paragraph(predicted, sure, truth, *doubtful_values(e))
    about = about if e.about is None else f"{why_not(e)} {about}"
    changes = counterfactual.paragraph_of(e.counterfactuals, e.target)
    return lines(about, *boundaries, contrast_paragraph(e), safe_change_paragraph(e), changes, weights, score)


def boundary_heading(e: OrdinalExplanation, part: Explanation, word: str) -> str:
    """What is asked at a boundary: "at least 'fair'", or "why rating >= fair" where the target has a name."""
    if e.target is None:
        return f"{'' if part.about is None else 'not '}{word} {class_name(e.subject)}"
    return f"why {'' if part.about is None else 'not '}{target_class(part.subject, e.target)}"


def boundary_lines(e: Explanation, heading: str) -> list[str]:
    """Why a row is on one side of a boundary, and how clearly, one paragraph a line."""
    if e.resembles_nothing:
        return [paragraph(f"{heading}: only as a guess"), guess_paragraph(e)]
    degree = degree_with_bounds(e, target_class(e.subject, e.target))
    clarity = tie(e) if e.tied else lead(e)
    return [paragraph(f"{heading}: {degree}", clarity, weakness(e)), *(side_paragraph(e, side) for side in sides(e))]


def contrast_paragraph(e: OrdinalExplanation) -> str:
    """What decides at the boundary that decides the class by least, or keeps the row from the one asked about."""
    parts = [part for part in e.boundaries if e.about is None or part.about is not None]
    closest = min(parts, key=lambda part: part.margin, default=None)
    if closest is None or closest.resembles_nothing:
        return ""
    return contrast.describe(closest.contrast, closest.attributes, closest.target)


def safe_change_paragraph(e: OrdinalExplanation) -> str:
    """How far the row, or a single feature of it, may change before it crosses one of the two boundaries."""
    if e.closest is None:
        return paragraph(ONLY_CLASS)
    # The features are ordered by the closer boundary; the radii are those of the class, which both boundaries limit.
    both = replace(e.closest, attributes=e.attributes, certified_radius=e.certified_radius)
    return paragraph(*safe_changes(both))
