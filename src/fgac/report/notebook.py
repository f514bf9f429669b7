"""What notebooks show of models, solutions, paths, evaluations, changes and audits of numbers: small pieces of HTML.

Every piece is for itself: its styles are inside and are for its own class only, there are no ids, no script and
nothing from a network, so the same cell can be shown twice. All text of the user's is escaped. Explanations and audits
of labels have larger pieces of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from fgac.report.page import asset, render
from fgac.text.words import format_number, format_value, on_one_line

if TYPE_CHECKING:
    from fgac.explanation.audit import RegressionAudit
    from fgac.explanation.counterfactual import Counterfactual, Counterfactuals
    from fgac.explanation.model_facts import ModelFacts
    from fgac.selection.gamma_path import GammaPath
    from fgac.selection.scores import Comparison, Evaluation, RegressionEvaluation, ScoreInterval
    from fgac.solve import Solution

# Rows of a table; of more, the first are shown and the others counted.
MOST_COLUMNS, MOST_ROWS = 8, 20
PROVED, NOT_PROVED = "proved optimal", "NOT proved optimal"


@dataclass(frozen=True)
class SummaryTable:
    """A small table; ``right`` are the numbers of the columns that are aligned to the right."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A value in a few lines: a heading with a verdict, names and what is said about them, tables, and notes."""

    title: str
    lines: Sequence[tuple[str, str]] = ()
    tables: Sequence[SummaryTable] = ()
    notes: Sequence[str] = ()
    verdict: str = ""
    is_good: bool = True

    def html(self) -> str:
        """The summary as a piece of HTML."""
        from markupsafe import Markup  # it comes with jinja2, which need not be there

        return render("summary.html.jinja", summary=self, summary_style=Markup(asset("summary.css")))


def or_none(summarise: Any, value: Any) -> str | None:
    """The summary that a function makes of a value; None without jinja2, and then notebooks show the repr.

    >>> def missing(value):
    ...     raise ImportError("jinja2")
    >>> or_none(missing, 1)
    """
    try:
        return str(summarise(value).html())
    except ImportError:
        return None


def of_model(state: Any) -> Summary:
    """What was chosen and proved in a fit, and the columns that count most."""
    from fgac.explainers.model_facts import model_facts

    return of_facts(model_facts(state))


def of_path(path: GammaPath) -> Summary:
    """The gammas of a path, and what is known of its models."""
    from fgac.explainers.model_facts import path_facts

    return of_facts(path_facts(path))


def of_facts(facts: ModelFacts) -> Summary:
    """What is known of a model by itself."""
    from fgac.text.model_facts import column_cells, column_headings, lines

    headings, asked = column_headings(facts.columns)
    shown = facts.columns[:MOST_COLUMNS]
    caption = "Columns" if len(shown) == len(facts.columns) else f"The {len(shown)} of {len(facts.columns)} columns"
    table = SummaryTable(
        f"{caption} that count most" if len(shown) > 1 else caption,
        headings,
        [column_cells(column, **asked) for column in shown],
        right=(2, 3) if asked["score"] else (2,),
    )
    return Summary(
        f"{facts.estimator}, fitted",
        list(lines(facts)),
        [table] if shown else [],
        verdict=PROVED if facts.proof.is_optimal else NOT_PROVED,
        is_good=facts.proof.is_optimal,
    )


def of_solution(solution: Solution) -> Summary:
    """The proof of a solution, and the work that finding it took."""
    from fgac.text.model_facts import at_most

    proof = (
        ("largest violation", at_most(solution.largest_violation)),
        ("dual residual", at_most(solution.dual_residual)),
        ("duality gap", at_most(solution.duality_gap)),
        ("rounding", at_most(solution.rounding)),
        ("objective", format_number(float(solution.objective))),
        ("nodes", f"{len(solution.values)}"),
        ("constraints", f"{solution.n_constraints} generated, {solution.n_active} active"),
        ("work", f"{solution.n_rounds} rounds, {solution.n_pivots} pivots"),
    )
    is_good = solution.is_optimal()
    return Summary("Solution", proof, verdict=PROVED if is_good else NOT_PROVED, is_good=is_good)


def of_evaluation(found: Evaluation | RegressionEvaluation) -> Summary:
    """Scores beside baselines, with their intervals."""
    from fgac.selection.scores import Evaluation

    tables = _class_tables(found) if isinstance(found, Evaluation) else _number_tables(found)
    groups = "" if found.n_groups is None else f" in {found.n_groups} groups"
    times = f", {found.n_repeats} times" if found.n_repeats > 1 else ""
    lines = [("held out", f"{found.n_rows} rows{groups}, {found.n_folds} folds{times}")]
    if found.argued_share is not None:
        lines.append(("argued", f"{100 * found.argued_share:.1f} % of the predictions have an argument"))
    if found.against is not None:
        tables.append(_comparison_table(found.against))
    notes = ["Intervals of 95 %, corrected because training parts overlap (Nadeau and Bengio)."]
    return Summary("Cross-validated scores", lines, tables, notes)


def of_comparison(found: Comparison) -> Summary:
    """Two models on the same parts."""
    return Summary("Two models on the same rows held out", (), [_comparison_table(found)], [found.text()])


def of_changes(found: Counterfactuals) -> Summary:
    """What would change predictions, row by row."""
    records = (
        (name, k, record)
        for name, changes in zip(found.ids, found.items, strict=True)
        for k, each in enumerate(changes, start=1)
        for record in each.frame_rows()
    )
    rows = [[format_value(name), str(k), *_change_cells(record)] for name, k, record in islice(records, MOST_ROWS + 1)]
    more = ["Only the first changes are shown: to_frame() has all of them."] if len(rows) > MOST_ROWS else []
    without = sum(not changes for changes in found.items)
    told = f"{len(found.items) - without} of {len(found.items)} rows"
    rest = [f"Of {without} no change is needed, or none was found."] if without else []
    headings = ("row", "change", *CHANGE_HEADINGS)
    tables = [SummaryTable("Changes", headings, rows[:MOST_ROWS], right=(1, 6))] if rows else []
    title = "What would change predictions" + (f" of {on_one_line(found.target)}" if found.target else "")
    return Summary(title, [("told of", told)], tables, [*more, *rest])


def of_change(found: Counterfactual) -> Summary:
    """What would change one prediction."""
    rows = [_change_cells(record) for record in found.frame_rows()]
    return Summary("What would change a prediction", (), [SummaryTable("Changes", CHANGE_HEADINGS, rows, right=(4,))])


CHANGE_HEADINGS = ("column", "from", "to", "then", "distance", "toward row")


def _change_cells(record: dict[str, Any]) -> list[str]:
    unit, before, after = record["unit"], record["before"], record["after"]
    # What a number changes to is told in full: a rounded one might not do it.
    full = f"{after:.12g}" if isinstance(after, float) else format_value(after)
    return [
        on_one_line(record["column"]),
        "unknown" if before is None else format_value(before, unit),
        f"{full} {on_one_line(unit)}" if unit else full,
        format_value(record["prediction"]),
        format_number(float(record["distance"])),
        format_value(record["toward"]),
    ]


def of_audit(found: RegressionAudit) -> Summary:
    """Training rows whose numbers others contradict."""
    items = found.items[:MOST_ROWS]
    if not items:
        return Summary("Audit", notes=[f"No number is contradicted: all {found.n_rows} rows have what was observed."])
    heading = on_one_line(items[0].target_name or "observed")
    rows = [
        [
            format_value(item.id),
            format_number(item.target),
            format_number(item.fitted),
            "" if item.doubt is None else f"{item.doubt:.2f}",
            ", ".join(format_value(each.id) for each in item.contradicted_by[:3])
            + (f" and {len(item.contradicted_by) - 3} more" if len(item.contradicted_by) > 3 else ""),
        ]
        for item in items
    ]
    headings = ("row", heading, "taken as", "doubt", "contradicted by")
    caption = f"The {len(items)} of {found.n_rows} training rows that others contradict most"
    return Summary("Audit", tables=[SummaryTable(caption, headings, rows, right=(1, 2, 3))])


def _class_tables(found: Evaluation) -> list[SummaryTable]:
    scores = [
        ["fuzzy granular approximation", *_cells(found.fgac.balanced_accuracy)],
        ["5 nearest neighbours", *_cells(found.neighbours.balanced_accuracy)],
        ["always the largest class", f"{found.majority:.3f}", ""],
        ["difference to neighbours", *_cells(found.lead, "+.3f")],
    ]
    both = zip(found.classes, found.class_sizes, found.fgac.recalls, found.neighbours.recalls, strict=True)
    recalls = [[format_value(label), str(size), f"{a:.3f}", f"{b:.3f}"] for label, size, a, b in both]
    headings = ("class", "rows", "recall", "of neighbours")
    return [
        SummaryTable("Balanced accuracy", ("", "mean", "95 % interval"), scores, right=(1, 2)),
        SummaryTable("Recall by class", headings, recalls[:MOST_ROWS], right=(1, 2, 3)),
    ]


def _number_tables(found: RegressionEvaluation) -> list[SummaryTable]:
    tables = []
    for caption, name, form in (("R2", "r2", ".3f"), ("Mean absolute error", "absolute_error", ".4g")):
        parts = (found.fgac, found.neighbours, found.mean, found.lead)
        titles = ("fuzzy granular approximation", "5 nearest neighbours", "always the mean", "difference to neighbours")
        rows = [[title, *_cells(getattr(part, name), form)] for title, part in zip(titles, parts, strict=True)]
        tables.append(SummaryTable(caption, ("", "mean", "95 % interval"), rows, right=(1, 2)))
    return tables


def _comparison_table(found: Comparison) -> SummaryTable:
    rows = [
        [each.score, f"{each.model.mean:.4g}", f"{each.other.mean:.4g}", *_cells(each.lead, "+.4g"), each.verdict]
        for each in found.differences
    ]
    headings = ("score", "the model", "the other", "better by", "95 % interval", "verdict")
    return SummaryTable("Beside another model", headings, rows, right=(1, 2, 3, 4))


def _cells(interval: ScoreInterval, form: str = ".3f") -> tuple[str, str]:
    """The mean and the interval."""
    return f"{interval.mean:{form}}", f"{interval.low:{form}} to {interval.high:{form}}"
