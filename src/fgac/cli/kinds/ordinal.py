"""Models that predict classes which have an order, from the lowest to the highest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from fgac.cli.audit_tables import AuditTable
from fgac.cli.errors import UsageError, pluralize, warn
from fgac.cli.evaluation_tables import OURS, THEIRS, interval_cells, score_table
from fgac.cli.explanation_tables import ARGUMENT, PREDICTION, Record, class_arguments, fields_of, joined
from fgac.cli.io.writing import json_text
from fgac.cli.kinds.classification import ClassKind, LabelAudit, accuracy_table, recall_table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray
    from rich.console import RenderableType
    from rich.table import Table as RichTable

    from fgac import AtLeast, FGAOrdinalClassifier
    from fgac._typing import Ints
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.options import RankBy
    from fgac.cli.settings import Settings
    from fgac.explanation.audit_ordinal import OrdinalAudit
    from fgac.explanation.ordinal import OrdinalExplanation
    from fgac.selection.scores import Evaluation
    from fgac.solve import Solution


class Ordinal(ClassKind["FGAOrdinalClassifier", "OrdinalExplanation"]):
    """Models that predict classes with an order."""

    audits_beside_explanations = False
    audits_of = "ordered classes"
    separator = " < "

    def is_kind_of(self, model: Any) -> bool:
        """Whether a model predicts classes that have an order."""
        from fgac import FGAOrdinalClassifier

        return isinstance(model, FGAOrdinalClassifier)

    def estimator(self, settings: Settings, table: TrainingTable) -> FGAOrdinalClassifier:
        """A classifier of ordered classes, not yet trained."""
        from fgac import FGAOrdinalClassifier

        parameters = self.parameters(settings, table)
        return FGAOrdinalClassifier(class_order=read_order(settings.order or (), table.y.tolist()), **parameters)

    def describe_score(self, score: float) -> str:
        """By how many classes predictions are off."""
        return f"off by {-score:.3f} classes, all counting the same"

    def direction_effect(self, model: FGAOrdinalClassifier) -> str:
        """Columns with a direction speak for higher classes."""
        return "speak for a higher class"

    def solutions(self, model: FGAOrdinalClassifier) -> tuple[Solution, ...]:
        """The problem of every boundary between classes."""
        return model.solutions_

    def predictions(self, model: FGAOrdinalClassifier, rows: NewRows) -> pl.DataFrame:
        """Predicted classes, how much the rows are of these, and how much they are above every boundary."""
        import numpy as np
        import polars as pl

        from fgac.estimators._base import read_new_rows
        from fgac.estimators._state import state_of
        from fgac.granular.boundaries import memberships_of

        at_least, winners = state_of(model).at_least_and_winners(read_new_rows(model, rows.X)[0])
        memberships = memberships_of(at_least)
        each = np.arange(len(winners))
        degree = memberships.degree[each, winners]
        labels = model.classes_.tolist()
        return pl.DataFrame(
            {
                "id": rows.ids,
                "prediction": pl.Series(labels).gather(winners),
                "degree": degree,
                "lower": memberships.lower[each, winners],
                "upper": memberships.upper[each, winners],
                "margin": 2.0 * degree - 1.0,  # to what lies beyond the closer boundary
                "guess": guesses(at_least, winners),
                **{f"at_least_{label}": at_least.degree[:, c] for c, label in enumerate(labels[1:])},
            }
        )

    def argument_rows(self, explanation: OrdinalExplanation) -> list[Record]:
        """One record per argument at the boundaries below and above the predicted class."""
        sides = (("at least", explanation.at_least), ("at most", explanation.at_most))
        arguments = (
            {"boundary": name} | row for name, part in sides if part is not None for row in class_arguments(part)
        )
        return joined(fields_of(explanation, PREDICTION) | {"boundary": None}, arguments, ARGUMENT)

    def supporting_sides(self, explanation: OrdinalExplanation) -> Iterator[Sequence[Any]]:
        """The arguments for the predicted side of both boundaries."""
        for boundary in explanation.boundaries:
            yield boundary.arguments_for

    def audit(self, model: FGAOrdinalClassifier, n_rows: int, by: RankBy) -> AuditTable[OrdinalAudit]:
        """The rows whose labels are most in doubt at every boundary between classes."""
        from fgac.explainers.audit import audit

        return BoundaryAudits(cast("OrdinalAudit", audit(model, n_rows, by=str(by))))

    def score_tables(self, evaluation: Evaluation) -> list[RichTable]:
        """Balanced accuracy, by how many classes predictions are off, and the recall of every class."""
        scores: tuple[Any, ...] = (evaluation.fgac, evaluation.neighbours)
        rows = [
            (method, *interval_cells(score.classes_off)) for method, score in zip((OURS, THEIRS), scores, strict=True)
        ]
        off = score_table("classes that predictions are off", *rows)
        return [accuracy_table(evaluation), off, recall_table(evaluation)]


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


def guesses(at_least: AtLeast, winners: Ints) -> NDArray[np.bool_]:
    """Which rows no training row puts above or below the boundaries next to their predicted classes."""
    import numpy as np

    from fgac._tolerances import STRENGTH_TOL

    silent = (at_least.lower <= STRENGTH_TOL) & (at_least.upper >= 1.0 - STRENGTH_TOL)
    if not silent.shape[1]:
        return np.zeros(len(silent), dtype=bool)
    beside = np.pad(silent, ((0, 0), (1, 1)), constant_values=True)  # beyond the first and the last class is nothing
    each = np.arange(len(silent))
    both: NDArray[np.bool_] = beside[each, winners] & beside[each, winners + 1]
    return both


class BoundaryAudits(AuditTable["OrdinalAudit"]):
    """Training rows whose labels others contradict, at every boundary between classes."""

    def count(self) -> str:
        """How many rows there are, and how many labels are doubted at all boundaries."""
        n_rows, n_suspects = self.found.n_rows, self.found.n_suspects
        return f"{pluralize(n_rows, 'row')}, {pluralize(n_suspects, 'doubted label')} at all boundaries together"

    def json(self) -> str:
        """The audits of all boundaries as JSON."""
        return json_text(self.found.to_dict())

    def records(self) -> list[Record]:
        """One record per doubted row and boundary."""
        return [{"boundary": each.boundary, **row} for each in self.found for row in LabelAudit(each.audit).records()]

    def show(self) -> list[RenderableType]:
        """What is shown of every boundary, one below the other."""
        parts: list[RenderableType] = []
        for each in self.found:
            parts += [*([""] if parts else []), f"Is it {each.boundary}?", *LabelAudit(each.audit).show()]
        return parts
