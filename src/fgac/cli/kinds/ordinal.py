"""Models that predict classes which have an order, from the lowest to the highest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fgac._printable import printable_line
from fgac.cli.audit_tables import AuditTable
from fgac.cli.change_options import read_end
from fgac.cli.errors import UsageError, pluralize, warn
from fgac.cli.evaluation_tables import OURS, THEIRS, interval_cells, score_table
from fgac.cli.explanation_tables import ARGUMENT, PREDICTION, Record, class_arguments, fields_of, joined
from fgac.cli.io.writing import json_text
from fgac.cli.kinds.classification import (
    ClassKind,
    LabelAudit,
    accuracy_table,
    answers,
    check_held_out,
    coverage_table,
    recall_table,
)

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl
    from rich.console import RenderableType
    from rich.table import Table as RichTable

    from fgac import FGAOrdinalClassifier
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.options import RankBy
    from fgac.cli.settings import Settings
    from fgac.estimators._state import OrdinalState
    from fgac.explanation.audit_ordinal import OrdinalAudit
    from fgac.explanation.held_out import HeldOut
    from fgac.explanation.ordinal import OrdinalExplanation
    from fgac.selection.scores import Evaluation


class Ordinal(ClassKind["OrdinalState", "OrdinalExplanation"]):
    """Models that predict classes with an order."""

    separator = " < "
    predicts = "ordered classes"

    def estimator(self, settings: Settings, table: TrainingTable) -> FGAOrdinalClassifier:
        """A classifier of ordered classes, not yet trained."""
        from fgac import FGAOrdinalClassifier, FGAOrdinalClassifierCV

        parameters = self.parameters(settings, table)
        kind = FGAOrdinalClassifierCV if settings.gamma is None else FGAOrdinalClassifier
        return kind(class_order=read_order(settings.order or (), table.y.tolist()), **parameters)

    def describe_score(self, selection: HeldOut) -> str:
        """By how many classes predictions are off."""
        return f"off by {selection.score:.3f} classes, all counting the same"

    def direction_effect(self, state: OrdinalState) -> str:
        """Columns with a direction speak for higher classes."""
        return "speak for a higher class"

    def predictions(self, state: OrdinalState, rows: NewRows, min_confidence: float | None = None) -> pl.DataFrame:
        """Predicted classes, how much the rows are of these, and how much they are above every boundary."""
        import numpy as np
        import polars as pl

        from fgac.granular.boundaries import memberships_of

        at_least, winners = state.at_least_and_winners(rows.encoded()[0])
        memberships = memberships_of(at_least)
        each = np.arange(len(winners))
        degree = memberships.degree[each, winners]
        guess = at_least.resembles_nothing(winners)
        labels = state.classes.tolist()
        return pl.DataFrame(
            {
                "id": rows.ids,
                **answers(state, at_least.degree, winners, guess, min_confidence),
                "degree": degree,
                "lower": memberships.lower[each, winners],
                "upper": memberships.upper[each, winners],
                "margin": 2.0 * degree - 1.0,  # to what lies beyond the closer boundary
                "guess": guess,
                **{f"at_least_{label}": at_least.degree[:, c] for c, label in enumerate(labels[1:])},
            }
        )

    def read_goal(self, text: str, state: OrdinalState) -> Any:
        """At least a class, or at most it, as in "<=fair"."""
        from fgac.explainers.changes.question import wanted_class

        is_most, end = read_end(text)
        # A class may be called like a relation.
        if text in [str(label) for label in state.classes]:
            is_most, end = False, text
        wanted_class(end, state.classes)
        return (None, end) if is_most else (end, None)

    def meets(self, prediction: Any, goal: Any, state: OrdinalState) -> bool:
        """Whether the class is at least one, or at most one."""
        place = self.goals(state).index
        least, most = (None if end is None else place(end) for end in goal)
        found = place(str(prediction))
        return (least is None or found >= least) and (most is None or found <= most)

    def explainer(self) -> Callable[..., Any]:
        """The function that explains ordered classes."""
        from fgac.explainers.ordinal import explain

        return explain

    def argument_rows(self, explanation: OrdinalExplanation) -> list[Record]:
        """One record per argument at the boundaries below and above the predicted class."""
        sides = (("at least", explanation.at_least), ("at most", explanation.at_most))
        arguments = (
            {"boundary": name} | row for name, part in sides if part is not None for row in class_arguments(part)
        )
        return joined(fields_of(explanation, PREDICTION) | {"boundary": None}, arguments, ARGUMENT)

    def supporting_sides(self, explanation: OrdinalExplanation) -> Iterator[Sequence[Any]]:
        """The arguments at both boundaries, also against: a training row may be predicted wrongly."""
        for boundary in explanation.boundaries:
            yield from (boundary.arguments_for, boundary.arguments_against)

    def audit(self, state: OrdinalState, n_rows: int, by: RankBy | None) -> AuditTable[OrdinalAudit]:
        """The rows whose labels are most in doubt at every boundary between classes."""
        from fgac.explainers.audit_classification import audit_boundaries

        check_held_out(state, by)
        return BoundaryAudits(audit_boundaries(state, n_rows, by))

    def score_tables(self, evaluation: Evaluation) -> list[RichTable]:
        """Balanced accuracy, by how many classes predictions are off, the recall of every class, and coverage."""
        scores: tuple[Any, ...] = (evaluation.fgac, evaluation.neighbours)
        rows = [
            (method, *interval_cells(score.classes_off)) for method, score in zip((OURS, THEIRS), scores, strict=True)
        ]
        off = score_table("classes that predictions are off", *rows)
        return [accuracy_table(evaluation), off, recall_table(evaluation), coverage_table(evaluation)]


KIND = Ordinal()


def read_order(given: Sequence[str], labels: Sequence[Any]) -> list[Any]:
    """The classes of a table from the lowest to the highest, as the labels are written.

    A single text is cut at its commas; of several, each is a class.

    >>> read_order(["1, 2,10"], [2, 1, 10, 2]), read_order(["so, so", "good"], ["good", "so, so"])
    ([1, 2, 10], ['so, so', 'good'])
    """
    names = [name.strip() for name in (given[0].split(",") if len(given) == 1 else given)]
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise UsageError(f"--order names {twice[0]!r} more than once; expected every class once")
    classes = {str(label): label for label in labels}
    absent = [name for name in classes if name not in names]
    unused = [name for name in names if name not in classes]
    if absent:
        n = sum(str(label) in absent for label in labels)
        strange = f", and {', '.join(map(repr, unused))} is no class" if unused else ""
        raise UsageError(
            f"--order does not name {', '.join(map(repr, absent[:5]))} ({pluralize(n, 'row')}){strange}; name every "
            "class once, from the lowest to the highest"
        )
    if unused:
        warn(f"--order names {', '.join(map(repr, unused))}, which no row has; left out")
    return [classes[name] for name in names if name in classes]


class BoundaryAudits(AuditTable["OrdinalAudit"]):
    """Training rows whose labels others contradict, at every boundary between classes."""

    def count(self) -> str:
        """How many rows there are, and how many labels are doubted at all boundaries."""
        n_rows, n_suspects = self.found.n_rows, self.found.n_suspects
        return f"{pluralize(n_rows, 'row')}, {pluralize(n_suspects, 'doubted label')} at all boundaries together"

    @property
    def n_doubted(self) -> int:
        """How many doubted rows are listed at all boundaries together."""
        return self.found.n_suspects

    def json(self) -> str:
        """The audits of all boundaries as JSON."""
        return json_text(self.found.to_dict())

    def write_html(self, path: Path) -> None:
        """Write a page for the browser."""
        self.found.to_html(path)

    def records(self) -> list[Record]:
        """One record per doubted row and boundary."""
        return [{"boundary": each.boundary, **row} for each in self.found for row in LabelAudit(each.audit).records()]

    def show(self) -> list[RenderableType]:
        """What is shown of every boundary, one below the other."""
        parts: list[RenderableType] = []
        for each in self.found:
            title = printable_line(each.question)
            parts += [*([""] if parts else []), title, *LabelAudit(each.audit).show()]
        return parts
