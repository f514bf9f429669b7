"""The explanation of a predicted class in words: prediction, arguments for it, arguments against it, certainty."""

from __future__ import annotations

from fgac._tolerances import TEXT_TOL
from fgac._typing import Label
from fgac.explanation.classification import Argument, Explanation
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.text import contrast, counterfactual, feature_weights, scores
from fgac.text.arguments import comparison_sentences, near_duplicates, rows_with_notes
from fgac.text.certainty import ONLY_CLASS, certainty, reliability_sentence
from fgac.text.one_sided import is_one_sided, match_clause
from fgac.text.sides import (
    Side,
    bound_share,
    degree_clause,
    has_bound_shares,
    is_averaged,
    note_with_class,
    premise,
    sides,
    similarity_with_degree,
)
from fgac.text.target import target_class
from fgac.text.unknown import LEAST_COST, cost_sentence, doubtful_values
from fgac.text.words import at_least, at_most, format_degree, lines, paragraph, row_name


def describe(e: Explanation) -> str:
    r"""An explanation in plain English, one line for each: prediction, arguments for, arguments against, certainty.

    >>> from fgac.explanation.classification import Argument, Explanation, Membership
    >>> row = Argument(203, 203, "malignant", 0.05, 0.85, 0.95, 0.95, 0.8, 1.0, attributes=(), alike=(204,))
    >>> degrees = Membership("benign", 0.0, 0.2, 0.1), Membership("malignant", 0.8, 1.0, 0.9)
    >>> print(describe(Explanation(
    ...     index=0, id=12, prediction="malignant", truth=None, lower=0.8, upper=1.0, degree=0.9, margin=0.8,
    ...     runner_up="benign", certified_radius=0.13, memberships=degrees, arguments_for=(row,),
    ...     arguments_against=(), rest_for=0.0, rest_against=0.0, tied=(), resembles_nothing=False, nearest=None,
    ...     attributes=())))  # doctest: +NORMALIZE_WHITESPACE
    Prediction for row 12: 'malignant'. The row belongs to this class to a degree of 0.90 out of 1 (at least 0.80, at
    most 1.00).
    The strongest argument for it: training row 203 is similar to this row (0.85) and belongs to 'malignant' (0.95),
    so this row belongs to 'malignant' to at least 0.80. Another row like training row 203 says the same.
    Nothing speaks against it.
    'malignant' is clearly ahead of 'benign' (0.90 against 0.10). The prediction stays as long as the row moves by less
    than 0.13 in the model's distance.
    """
    distance = feature_weights.describe(e.attributes), scores.describe(e.attributes, e.arguments_for)
    changes = counterfactual.paragraph_of(e.counterfactuals, e.target)
    if e.resembles_nothing:
        return lines(prediction_paragraph(e), guess_paragraph(e), changes, *distance)
    arguments = [side_paragraph(e, side) for side in sides(e)]
    decides = contrast.describe(e.contrast, e.attributes, e.target)
    return lines(prediction_paragraph(e), *arguments, decides, certainty(e), changes, *distance)


def prediction_paragraph(e: Explanation) -> str:
    """The predicted class, its degree and bounds, and whether it is right."""
    if e.about is not None:
        return why_not_paragraph(e)
    predicted = f"prediction for row {row_name(e.id)}: {target_class(e.prediction, e.target)}"
    doubtful = doubtful_values(e)
    if e.resembles_nothing:
        truth = truth_sentence(e.truth, e.prediction, "guess", e.target)
        return paragraph(f"{predicted}, but only as a guess", truth, *doubtful)
    truth = truth_sentence(e.truth, e.prediction, target=e.target)
    sure = reliability_sentence(e.reliability)
    return paragraph(predicted, degree_with_bounds(e, "this class"), sure, truth, *doubtful)


def why_not(e: Explanation | OrdinalExplanation) -> str:
    """What is asked about a class that is not the predicted one: "Why is row 12 not 'snow'?"."""
    return f"Why is row {row_name(e.id)} not {target_class(e.subject, e.target)}?"


def why_not_paragraph(e: Explanation) -> str:
    """The question about another class, what is predicted instead, and the degree and bounds of the other class."""
    predicted = f"the prediction is {target_class(e.prediction, e.target)}"
    doubtful = doubtful_values(e)
    if e.resembles_nothing:
        truth = truth_sentence(e.truth, e.prediction, "guess", e.target)
        return f"{why_not(e)} {paragraph(f'{predicted}, but only as a guess', truth, *doubtful)}"
    truth = truth_sentence(e.truth, e.prediction, target=e.target)
    degree = degree_with_bounds(e, target_class(e.subject, e.target))
    sure = reliability_sentence(e.reliability)
    return f"{why_not(e)} {paragraph(predicted, sure, truth, degree, *doubtful)}"


def degree_with_bounds(e: Explanation, class_words: str) -> str:
    """The degree of the class that is explained, with its bounds in brackets."""
    bounds = f"{at_least(e.lower)}, {at_most(e.upper)}"
    return f"the row belongs to {class_words} to a degree of {format_degree(e.degree)} out of 1 ({bounds})"


def truth_sentence(truth: Label | None, prediction: Label, what: str = "prediction", target: str | None = None) -> str:
    """Whether a prediction (or guess) is right, if the true class is known.

    >>> truth_sentence("bad", "good")
    "the row is in fact labelled 'bad', so the prediction is wrong"
    """
    if truth is None:
        return ""
    outcome = "right" if truth == prediction else "wrong"
    return f"the row is in fact labelled {target_class(truth, target)}, so the {what} is {outcome}"


def side_paragraph(e: Explanation, side: Side) -> str:
    """All arguments of one side: the strongest at length, the others by name."""
    if not side.arguments:
        return paragraph(no_argument(e, side))
    first, *others = side.arguments
    average, has_shares = is_averaged(e), has_bound_shares(e, side)
    if not average:
        conclusion = f", so {bound_clause(e, side)}"
    else:
        conclusion = f", which {bound_change(side, bound_share(first))}" if has_shares else ""
    return paragraph(
        f"on average over many training rows, {bound_clause(e, side)}" if average else "",
        f"the strongest argument {side.word} {topic(e)}: {premise(first, e, side)}{conclusion}",
        near_duplicates(first),
        unknown_cost(e, first),
        *comparison_sentences(first, e.attributes, side.rivals[0] if side.rivals else None),
        further_arguments(e, side, others, has_shares),
        rest_sentence(side) if has_shares else "",
    )


def bound_clause(e: Explanation, side: Side) -> str:
    """The bound that follows from one side: "this row belongs to 'malignant' to at least 0.80"."""
    return f"this row belongs to {target_class(e.subject, e.target)} to {side.bound}"


def unknown_cost(e: Explanation, argument: Argument) -> str:
    """How much weaker an argument is because values are unknown."""
    if argument.unknown_cost < LEAST_COST:
        return ""
    return cost_sentence(
        argument, e.attributes, f"weakens this argument by up to {format_degree(argument.unknown_cost)}"
    )


def topic(e: Explanation) -> str:
    """What arguments are for and against: "it", or the class that was asked about."""
    return "it" if e.about is None else target_class(e.about, e.target)


def no_argument(e: Explanation, side: Side) -> str:
    """The sentence in place of the arguments of a side that has none."""
    if side.word == "against":
        return f"nothing speaks against {topic(e)}"
    if e.about is not None:
        return f"no training row is similar enough to speak for {topic(e)}"
    return "no training row is similar enough to speak for it; it is predicted because no other class fits better"


def further_arguments(e: Explanation, side: Side, others: list[Argument], has_shares: bool) -> str:
    """The arguments after the strongest, with their strengths, or with what they change in an average."""
    if not others:
        return ""
    notes = [bound_change(side, bound_share(a)) if has_shares else format_degree(a.strength) for a in others]
    rows = rows_with_notes(others, [note_with_class(a, e, note) for a, note in zip(others, notes, strict=True)])
    return f"{rows} also speak{'s' * (len(others) == 1)} {side.word} it"


def rest_sentence(side: Side) -> str:
    """What all rows that are no argument here change in a bound that is an average."""
    if side.rest <= TEXT_TOL:
        return ""
    return f"all other rows together {bound_change(side, side.rest, plural=True)}"


def bound_change(side: Side, x: float, plural: bool = False) -> str:
    """What one row, or several, change in a bound that is an average: "adds 0.24", "takes 0.24 away"."""
    verb, after = ("add", "") if side.word == "for" else ("take", " away")
    return f"{verb}{'s' * (not plural)} {format_degree(x)}{after}"


def guess_paragraph(e: Explanation) -> str:
    """In place of arguments, where no case is comparable: the nearest training row, and what the guess goes by."""
    nothing = "there is no comparable case among the training rows"
    return paragraph(f"{nothing}, so every degree from 0 to 1 is possible", *nearest_row(e), guess_reason(e))


def nearest_row(e: Explanation) -> tuple[str, ...]:
    """The training row that comes nearest to being an argument, and how it compares with the explained row."""
    row = e.nearest
    if row is None:
        return ()
    # A row that is not similar at all is no argument whatever it belongs to; that it belongs is then beside the point.
    membership = ""
    if row.similarity > TEXT_TOL:
        membership = degree_clause(row.membership, row.label, threshold=e.threshold, target=e.target)
    if is_one_sided(row):
        far = match_clause(row, is_higher=row.label == e.memberships[-1].label, threshold=e.threshold)
        far += f", and it {membership}" if membership else ""
    else:
        far = similarity_with_degree(row, e.threshold) + (f" and {membership}" if membership else "")
    labelled = f"training row {row_name(row.id)}, labelled {target_class(row.label, e.target)},"
    return f"{labelled} comes nearest, but {far}", *comparison_sentences(row, e.attributes)


def guess_reason(e: Explanation) -> str:
    """By what a class is predicted although there is no comparable case."""
    if len(e.memberships) < 2:
        return ONLY_CLASS
    if e.nearest is not None and e.nearest.label == e.prediction:
        return f"the prediction merely follows training row {row_name(e.nearest.id)}"
    return f"only the rule for ties makes {target_class(e.prediction, e.target)} the prediction"
