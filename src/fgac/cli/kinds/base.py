"""What a kind of model must supply to be trained, used, explained, audited and evaluated by the commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from fgac.cli.errors import UsageError
from fgac.cli.io.writing import CSV_DECIMALS
from fgac.cli.units import read_units

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl
    from rich.table import Table as RichTable

    from fgac.cli.audit_tables import AuditTable
    from fgac.cli.explanation_tables import Record
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.options import RankBy
    from fgac.cli.settings import Settings
    from fgac.estimators._state import FittedState
    from fgac.explanation.held_out import HeldOut


# Explanations of more rows than this are not searched for what would change them, or for reasons of other classes.
MOST_CARDS = 100
# Training rows that are this similar to each other are one argument, as ``explain`` of the estimators has it.
MERGE_SIMILARITY = 0.95

State = TypeVar("State", bound="FittedState")
Explanation = TypeVar("Explanation")
Evaluation = TypeVar("Evaluation")


class ModelKind(ABC, Generic[State, Explanation, Evaluation]):
    """One kind of model, for every command.

    Attributes
    ----------
    target_holds : what the target column holds, in messages
    predicts : what the models predict: the same, with ordered classes told from others
    audits_of : what an audit is of if it cannot be written as HTML; empty if it can
    gains_by_smaller_gamma : whether an audit may find more with a gamma below the one that predicts best
    csv_decimals : decimals of predictions and arguments in CSV; None for all of them
    least_certain : how rows that ``fgac explain --doubtful`` chooses stand out
    abstains : whether ``fgac predict --min-confidence`` applies
    fewer_folds : why ``fgac evaluate`` may use fewer folds than were asked for
    fewer_groups : the same of whole groups, by a column
    """

    target_holds: ClassVar[str] = "classes"
    predicts: ClassVar[str] = "classes"
    audits_of: ClassVar[str] = ""
    gains_by_smaller_gamma: ClassVar[bool] = True
    csv_decimals: ClassVar[int | None] = CSV_DECIMALS
    least_certain: ClassVar[str] = "the least margin"
    abstains: ClassVar[bool] = True
    fewer_folds: ClassVar[str] = "the smallest class has no more rows"
    fewer_groups: ClassVar[str] = "some class occurs in no more groups by {!r}"

    def check_settings(self, settings: Settings) -> None:
        """Refuse options that are for other kinds."""
        if settings.interval is not None:
            raise UsageError("--interval is for numbers; say with --numbers that the target holds numbers, not classes")

    # Training

    @abstractmethod
    def read_target(self, series: pl.Series, table: RawTable) -> list[Any]:
        """The values of the target column of training data, None where they are missing."""

    @abstractmethod
    def check_target(self, values: list[Any], name: str) -> None:
        """Refuse a target column that this kind of model cannot learn."""

    @abstractmethod
    def estimator(self, settings: Settings, table: TrainingTable) -> Any:
        """The estimator for a table, not yet trained: a search for gamma, or the plain one if gamma is given."""

    def describe_score(self, selection: HeldOut) -> str:
        """The cross-validated score of the chosen gamma, in words."""
        return f"{selection.score_name} {selection.score:.3f}"

    # Summary of a trained model

    @abstractmethod
    def summarize_target(self, state: State, table: TrainingTable) -> dict[str, str]:
        """Lines about the target column, by their headings."""

    def summarize_extras(self, state: State) -> dict[str, str]:
        """Lines about what only this kind of model learns, by their headings."""
        return {}

    @abstractmethod
    def direction_effect(self, state: State) -> str:
        """What the columns of ``--increasing`` and ``--decreasing`` can do, as in "speak for paid"."""

    # Predictions

    @abstractmethod
    def true_values(self, series: pl.Series, table: RawTable, state: State) -> list[Any]:
        """The target column of new rows, written as the model's predictions are; None where values are missing."""

    @abstractmethod
    def predictions(self, state: State, rows: NewRows, min_confidence: float | None = None) -> pl.DataFrame:
        """One row of a frame per row; the types of its columns do not depend on the rows.

        Predictions that are less sure than ``min_confidence`` are left out, which a column tells.
        """

    def check_min_confidence(self, min_confidence: float | None) -> None:
        """Refuse to abstain where predictions have no confidence."""
        if min_confidence is None:
            return
        if not self.abstains:
            raise UsageError(
                f"--min-confidence {min_confidence:g} is for classes, but this model predicts numbers, which have no "
                "confidence; leave it out, and look at the columns 'guess', 'lower' and 'upper' instead"
            )
        if not 0 <= min_confidence <= 1:  # nan, which a range of numbers lets pass
            raise UsageError(f"--min-confidence {min_confidence} must be a number from 0 to 1, such as 0.9")

    def certainty(self, predictions: pl.DataFrame) -> pl.Series:
        """A number for every prediction that is smaller the less certain the prediction is."""
        return predictions["margin"]

    # Explanations

    def read_units(self, given: Sequence[str], names: Sequence[str], target: str | None) -> dict[str, str]:
        """Units of columns, from texts such as ``age=years``; ``names`` are the columns that the model compares."""
        return read_units(given, names)

    def check_about(self, about: str | None, state: State) -> dict[str, Any]:
        """The class that ``--about`` names, as a setting of the explainer; refused where there are none."""
        if about is None:
            return {}
        raise UsageError(
            f"--about {about}: this model predicts numbers, and an explanation of a number is about all there is; "
            "leave it out"
        )

    def card_settings(self, about: str | None, state: State) -> dict[str, Any]:
        """What an explainer is asked besides, where explanations begin with a card."""
        return {}

    @abstractmethod
    def read_goal(self, text: str, state: State) -> Any:
        """What is wanted of predictions, from a text; a ValueError if the model predicts no such thing."""

    @abstractmethod
    def meets(self, prediction: Any, goal: Any, state: State) -> bool:
        """Whether a prediction is as wanted, by what :meth:`read_goal` returned."""

    def goals(self, state: State) -> list[str]:
        """The classes that may be wanted, as texts; none where numbers are predicted."""
        return []

    def explain(
        self,
        state: State,
        rows: NewRows,
        *,
        n_arguments: int,
        units: Mapping[str, str],
        audit: bool,
        about: str | None = None,
        counterfactuals: Mapping[str, Any] | None = None,
        cards: bool = False,
    ) -> Any:
        """Explanations of rows, of a class if one is asked about; with ``audit`` also the most contradicted rows.

        ``counterfactuals`` are settings of changes that are to be told; None for none, but for what ``cards`` tell.
        """
        from fgac.tables.labels import read_ids

        points, values = rows.encoded()
        settings: dict[str, Any] = self.card_settings(about, state) if cards and len(rows) <= MOST_CARDS else {}
        if counterfactuals is not None:
            settings["counterfactuals"] = counterfactuals
        return self.explainer()(
            state,
            points,
            values,
            read_ids(rows.ids, rows.X, len(rows)),
            n_arguments=n_arguments,
            y=rows.truth,
            units=units,
            merge_similarity=MERGE_SIMILARITY,
            audit=audit,
            **self.check_about(about, state),
            **settings,
        )

    @abstractmethod
    def explainer(self) -> Callable[..., Any]:
        """The function that explains rows by a state of this kind."""

    @abstractmethod
    def argument_rows(self, explanation: Explanation) -> list[Record]:
        """An explanation as flat records, one per argument, or one that says that there are none."""

    @abstractmethod
    def supporting_sides(self, explanation: Explanation) -> Iterator[Sequence[Any]]:
        """The sides of the explanation that would begin with the explained row if that is a training row."""

    # Audit

    def check_audit(self, output: Path | None) -> None:
        """Refuse forms of an audit that this kind does not have."""
        if self.audits_of and output is not None and output.suffix.lower() == ".html":
            raise UsageError(
                f"-o {output}: an audit of {self.audits_of} is written as .csv, .json, .parquet or .txt, not as .html"
            )

    @abstractmethod
    def audit(self, state: State, n_rows: int, by: RankBy | None) -> AuditTable[Any]:
        """The training rows that the others contradict most."""

    # Evaluation

    @abstractmethod
    def score_tables(self, evaluation: Evaluation) -> list[RichTable]:
        """The scores of an evaluation, laid out."""
