"""Models that predict classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from fgac.cli.audit_tables import AuditTable, joined_ids, most, short_id, shortened_ids
from fgac.cli.errors import CommandError, UsageError, few, pluralize, warn
from fgac.cli.evaluation_tables import LEAD, OURS, THEIRS, interval_cells, score_table
from fgac.cli.explanation_tables import ARGUMENT, PREDICTION, Record, class_arguments, fields_of, joined
from fgac.cli.kinds.base import ModelKind

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl
    from rich.console import RenderableType
    from rich.table import Table as RichTable

    from fgac import FGAClassifier
    from fgac._typing import Bools, Floats, Ints
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.options import RankBy
    from fgac.cli.settings import Settings
    from fgac.estimators._state import ClassifierState, ClassState, OrdinalState
    from fgac.explanation.audit import Audit
    from fgac.explanation.classification import Explanation
    from fgac.selection.scores import Evaluation


# More classes than this part of the rows is no classification.
MANY_CLASSES = 0.5
# Classes that the summary of a trained model, and the table of recalls, list.
N_CLASSES_SUMMARIZED = 12
N_CLASSES_SHOWN = 30

State = TypeVar("State", bound="ClassState")
Item = TypeVar("Item")

# Classes besides the predicted one of which cards say what speaks for them.
MOST_ALTERNATIVES = 9


class ClassKind(ModelKind[State, Item, "Evaluation"]):
    """What models of classes have in common, whether these have an order or not."""

    separator = ", "

    def read_target(self, series: pl.Series, table: RawTable) -> list[Any]:
        """Class labels, None where they are missing."""
        from fgac.cli.io.column_types import label_values

        return label_values(series, missing=table.missing)

    def check_target(self, values: list[Any], name: str) -> None:
        """Refuse labels that are no classes."""
        from fgac.tables.roles import is_number
        from fgac.tables.validation import MANY_NUMBERS, one_class

        classes = sorted(set(values), key=str)
        if len(classes) < 2:
            raise CommandError(one_class(classes[0], name))
        if len(values) >= 10 and len(classes) > MANY_CLASSES * len(values):
            raise CommandError(
                f"target {name!r} has {len(classes)} different values in {len(values)} rows, such as {classes[0]!r}; "
                "expected classes. Numbers that vary must be made classes first (low, middle, high, say), or be "
                "predicted as numbers (--numbers)"
            )
        if len(classes) > MANY_NUMBERS and all(isinstance(label, int) or is_number(label) for label in classes):
            warn(
                f"target {name!r} holds {len(classes)} different numbers, each of which is taken for a class; use "
                "--numbers to predict them as numbers"
            )

    def parameters(self, settings: Settings, table: TrainingTable) -> dict[str, Any]:
        """Parameters of the estimators of classes."""
        weight = None if settings.class_weight == "none" else "balanced"
        return {**settings.parameters(table), "class_weight": weight}

    def summarize_target(self, state: State, table: TrainingTable) -> dict[str, str]:
        """The classes and how many rows they have."""
        sizes = [f"{label} ({int((table.y == label).sum())})" for label in state.classes]
        shown = self.separator.join(sizes[:N_CLASSES_SUMMARIZED])
        n_more = len(sizes) - N_CLASSES_SUMMARIZED
        return {"predicts": table.target, "classes": f"{shown} and {n_more} more" if n_more > 0 else shown}

    def true_values(self, series: pl.Series, table: RawTable, state: State) -> list[Any]:
        """Labels as the model's classes are written; None where missing."""
        from fgac.cli.io.column_types import label_values, nominal

        if state.classes.dtype.kind in "iu":
            return label_values(series, missing=table.missing)
        return nominal(series, missing=table.missing).values.to_list()

    def check_about(self, about: str | None, state: State) -> dict[str, Any]:
        """The class that a text names."""
        if about is None:
            return {}
        labels = state.classes.tolist()
        found = [label for label in labels if str(label) == about]
        if not found:
            shown = few(self.goals(state), N_CLASSES_SUMMARIZED)
            raise UsageError(f"--about {about}: there is no such class; expected one of {shown}")
        return {"about": found[0]}

    def goals(self, state: State) -> list[str]:
        """The classes."""
        return [str(label) for label in state.classes.tolist()]

    def card_settings(self, about: str | None, state: State) -> dict[str, Any]:
        """What would change the class, and what speaks for the next classes, unless one is asked about."""
        from fgac.explainers.counterfactuals import can_change

        return {"counterfactuals": can_change(state), "alternatives": MOST_ALTERNATIVES if about is None else False}

    def score_tables(self, evaluation: Evaluation) -> list[RichTable]:
        """Balanced accuracy, the recall of every class, and the accuracy of the most confident predictions."""
        return [accuracy_table(evaluation), recall_table(evaluation), coverage_table(evaluation)]


class Classification(ClassKind["ClassifierState", "Explanation"]):
    """Models that predict classes without an order."""

    def estimator(self, settings: Settings, table: TrainingTable) -> FGAClassifier:
        """A classifier, not yet trained."""
        from fgac import FGAClassifier, FGAClassifierCV

        parameters = self.parameters(settings, table)  # first, because names of columns are checked here
        settings.directions.check_two_classes(table.y.tolist())
        return FGAClassifierCV(**parameters) if settings.gamma is None else FGAClassifier(**parameters)

    def direction_effect(self, state: ClassifierState) -> str:
        """Columns with a direction speak for the second class."""
        from fgac.text.target import target_class

        label = state.classes[-1]
        return f"speak for {label if state.target_name is None else target_class(label, state.target_name)}"

    def predictions(self, state: ClassifierState, rows: NewRows, min_confidence: float | None = None) -> pl.DataFrame:
        """Predicted classes and degrees in all of them."""
        import numpy as np
        import polars as pl

        memberships, scores = state.predictor.memberships_and_scores(rows.encoded()[0])
        best = scores.argmax(axis=1)
        each = np.arange(len(best))
        degree = memberships.degree[each, best]
        # The predicted class does not compete with itself; where it shares its degree, the margin is 0.
        others = memberships.degree.copy()
        others[each, best] = -np.inf
        margin = degree - others.max(axis=1) if len(state.classes) > 1 else np.ones(len(best))
        guess = memberships.resembles_nothing()
        labels = state.classes.tolist()
        return pl.DataFrame(
            {
                "id": rows.ids,
                **answers(state, scores, best, guess, min_confidence),
                "degree": degree,
                "lower": memberships.lower[each, best],
                "upper": memberships.upper[each, best],
                "margin": margin,
                "guess": guess,
                **{f"degree_{label}": memberships.degree[:, c] for c, label in enumerate(labels)},
            }
        )

    def read_goal(self, text: str, state: ClassifierState) -> Any:
        """A class."""
        from fgac.explainers.changes.question import wanted_class

        wanted_class(text, state.classes)
        return text

    def meets(self, prediction: Any, goal: Any, state: ClassifierState) -> bool:
        """Whether it is this class."""
        return str(prediction) == goal

    def explainer(self) -> Callable[..., Any]:
        """The function that explains classes."""
        from fgac.explainers.classification import explain

        return explain

    def argument_rows(self, explanation: Explanation) -> list[Record]:
        """One record per argument for and against the predicted class."""
        return joined(fields_of(explanation, PREDICTION), class_arguments(explanation), ARGUMENT)

    def supporting_sides(self, explanation: Explanation) -> Iterator[Sequence[Any]]:
        """The arguments for the predicted class, and against it: a training row may be predicted wrongly."""
        yield from (explanation.arguments_for, explanation.arguments_against)

    def audit(self, state: ClassifierState, n_rows: int, by: RankBy | None) -> AuditTable[Audit]:
        """The rows whose labels are most in doubt."""
        from fgac.explainers.audit_classification import audit_labels

        check_held_out(state, by)
        return LabelAudit(audit_labels(state, n_rows, by))


KIND = Classification()


def check_held_out(state: ClassifierState | OrdinalState, by: RankBy | None) -> None:
    """Refuse to rank labels by what a model does not know."""
    if by == "held_out" and not state.knows_held_out:
        raise CommandError(
            "--by held_out needs what models that had not seen a row say of its label, and this model does not "
            "know that: its gamma was given, it had few rows or chose gamma on a sample of many, or an older fgac "
            "made it. Leave --by out, which is --by rest here, or train on 20 to 5000 rows without --gamma"
        )


def answers(
    state: ClassState, degrees: Floats, best: Ints, guess: Bools, min_confidence: float | None
) -> dict[str, Any]:
    """Columns of the predicted classes, of what the model abstains from, and of calibrated probabilities if there are.

    The degrees are those that tell winners, or of ordered classes those of every boundary.
    """
    import numpy as np
    import polars as pl

    from fgac.granular.confidence import confidence

    columns: dict[str, Any] = {"prediction": pl.Series(state.classes.tolist()).gather(best)}
    n_classes, calibration = len(state.classes), state.calibration
    if min_confidence is not None:
        sure = confidence(degrees, best, guess, n_classes=n_classes, calibration=calibration)
        abstained = pl.Series(sure < min_confidence)
        # The type of the column stays, also where no row of a part has a prediction.
        columns["prediction"] = pl.select(pl.when(~abstained).then(columns["prediction"])).to_series()
        columns["abstained"] = abstained
    if calibration is not None:
        columns["probability"] = calibration.probabilities(degrees)[np.arange(len(best)), best]
    return columns


def accuracy_table(found: Evaluation) -> RichTable:
    """Balanced accuracy of the model and of its baselines."""
    return score_table(
        "balanced accuracy",
        (OURS, *interval_cells(found.fgac.balanced_accuracy)),
        (THEIRS, *interval_cells(found.neighbours.balanced_accuracy)),
        ("always the largest class", f"{found.majority:.3f}", ""),
        (LEAD, *interval_cells(found.lead, "+.3f")),
    )


def recall_table(found: Evaluation) -> RichTable:
    """The recall of every class, and the accuracy."""
    from fgac.cli.console import plain_table

    recalls = plain_table("recall in class", "rows", "FGAC", "5 neighbours", right=("rows", "FGAC", "5 neighbours"))
    both = zip(found.classes, found.class_sizes, found.fgac.recalls, found.neighbours.recalls, strict=True)
    for label, size, ours, theirs in list(both)[:N_CLASSES_SHOWN]:
        recalls.add_row(str(label), str(size), f"{ours:.3f}", f"{theirs:.3f}")
    if len(found.classes) > N_CLASSES_SHOWN:
        recalls.add_row(f"and {len(found.classes) - N_CLASSES_SHOWN} more", "", "", "")
    accuracies = (found.fgac.accuracy.mean, found.neighbours.accuracy.mean)
    recalls.add_row("all (accuracy)", str(found.n_rows), *(f"{value:.3f}" for value in accuracies))
    return recalls


def coverage_table(found: Evaluation) -> RichTable:
    """The accuracy of the most confident predictions, and how confident these are."""
    from fgac.cli.console import plain_table

    headings = ("accuracy", "95 % interval", "confidence")
    table = plain_table("most confident rows", *headings, right=headings)
    for each in found.coverage:
        at_least = f"{each.min_confidence:.3f} or more"
        table.add_row(f"{100 * each.share:.0f} %", *interval_cells(each.accuracy), at_least)
    return table


class LabelAudit(AuditTable["Audit"]):
    """Training rows whose labels others contradict."""

    def count(self) -> str:
        """How many rows there are, and how many labels are doubted."""
        return f"{pluralize(self.found.n_rows, 'row')}, {pluralize(len(self.found), 'doubted label')}"

    def write_html(self, path: Path) -> None:
        """Write a page for the browser."""
        self.found.to_html(path)

    @property
    def _held_out(self) -> tuple[str, ...]:
        """The field of probabilities by models that had not seen a row, if the audit was made with these."""
        return ("held_out",) if len(self.found) and self.found[0].held_out is not None else ()

    def records(self) -> list[Record]:
        """One record per doubted row."""
        return [
            {
                **fields_of(suspect, ("id", "label", "doubt", *self._held_out, "suggestion")),
                "contradicted_by": joined_ids(suspect.contradicted_by),
                "n_contradicting": len(suspect.contradicted_by),
            }
            for suspect in self.found
        ]

    def show(self) -> list[RenderableType]:
        """A table of the doubted rows, then a paragraph about each."""
        from fgac.cli.console import plain_table
        from fgac.text.words import on_one_line

        found = self.found
        if not len(found):
            return [f"No label is contradicted: all {found.n_rows} rows fully belong to their classes."]
        # The name of the target heads its column.
        heading = on_one_line(found[0].target_name or "class")
        numbers = ("doubt", *self._held_out)
        headings = [name.replace("_", " ") for name in numbers]
        table = plain_table("row", heading, *headings, "suggested", "contradicted by", right=headings)
        for suspect in found:
            cells = (short_id(suspect.id), str(suspect.label), *(f"{getattr(suspect, name):.3f}" for name in numbers))
            suggestion = "" if suspect.suggestion is None else str(suspect.suggestion)
            table.add_row(*cells, suggestion, shortened_ids(suspect.contradicted_by))
        paragraphs = [part for suspect in found for part in ("", suspect.text())]
        return [f"Doubted labels: {most(len(found), 'doubted')} of {found.n_rows} rows", "", table, *paragraphs]
