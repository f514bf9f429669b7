"""Models that predict numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fgac.cli.audit_tables import AuditTable, joined_ids, most, short_id, shortened_ids
from fgac.cli.change_options import read_end
from fgac.cli.errors import CommandError, UsageError, pluralize
from fgac.cli.evaluation_tables import LEAD, OURS, THEIRS, four_digits, interval_cells, score_table
from fgac.cli.explanation_tables import Record, fields_of, joined
from fgac.cli.kinds.base import ModelKind
from fgac.cli.units import read_units

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType
    from rich.table import Table as RichTable

    from fgac import FGARegressor
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.options import RankBy
    from fgac.cli.settings import Settings
    from fgac.estimators._state import RegressorState
    from fgac.explanation.audit import RegressionAudit
    from fgac.explanation.regression import RegressionExplanation
    from fgac.selection.scores import IntervalEvaluation, RegressionEvaluation


# What every record says about the explained row, and about a bound on its number.
PREDICTION = ("id", "prediction", "truth", "lower", "upper")
BOUND = ("argument", "target", "fitted", "distance", "similarity", "allowance", "says", "strength", "alike")


class Regression(ModelKind["RegressorState", "RegressionExplanation", "RegressionEvaluation"]):
    """Models that predict numbers."""

    target_holds = "numbers"
    predicts = "numbers"
    audits_of = "numbers"
    gains_by_smaller_gamma = False
    abstains = False
    csv_decimals = None  # the unit of the target decides how many decimals matter
    least_certain = "the widest bounds"
    fewer_folds = "every part needs 2 rows"
    fewer_groups = "every part needs whole groups by {!r}, and 2 rows"

    def check_settings(self, settings: Settings) -> None:
        """Refuse options that are for classes."""
        given = {"--order": bool(settings.order), "--class-weight": settings.class_weight is not None}
        for option in (option for option, is_given in given.items() if is_given):
            raise UsageError(f"{option} is for classes, and --numbers says that there are none; choose one")

    def read_target(self, series: pl.Series, table: RawTable) -> list[Any]:
        """Numbers to learn, None where they are missing."""
        return number_values(series, table, otherwise="leave --numbers out to predict classes")

    def check_target(self, values: list[Any], name: str) -> None:
        """Refuse a target that is the same number in every row."""
        if len(set(values)) < 2:
            raise CommandError(f"target {name!r} is {values[0]:g} in every row; expected numbers that vary")

    def estimator(self, settings: Settings, table: TrainingTable) -> FGARegressor:
        """A regressor, not yet trained."""
        from fgac import FGARegressor, FGARegressorCV

        parameters = {"interval": settings.interval, **settings.parameters(table)}
        if settings.interval is None and settings.gamma is not None:
            return FGARegressor(target_scale="robust", **parameters)  # that of the search, so that gamma is its gamma
        # If gamma is given there is nothing to choose, but the width of an interval is found on rows held out.
        gamma = parameters.pop("gamma", None)
        return FGARegressorCV(gammas=None if gamma is None else [gamma], **parameters)

    def summarize_target(self, state: RegressorState, table: TrainingTable) -> dict[str, str]:
        """The range of the numbers."""
        from fgac.text.words import format_number

        least, most = (format_number(end) for end in (float(table.y.min()), float(table.y.max())))
        return {"predicts": table.target, "numbers": f"{least} to {most}"}

    def summarize_extras(self, state: RegressorState) -> dict[str, str]:
        """The share of new values that the interval is to hold, and how far predictions of rows held out were off."""
        from fgac.text.words import format_number

        if state.spread is None:
            return {}
        share, off = f"{100 * state.params['interval']:g} %", state.spread.state.targets
        mean, most = format_number(float(off.mean())), format_number(float(off.max()))
        typical = f"predictions were off by {mean} in the mean, {most} at most"
        return {"interval": f"meant to hold {share} of new values; of rows held out, {typical}"}

    def direction_effect(self, state: RegressorState) -> str:
        """Columns with a direction raise the number."""
        from fgac.text.target import target_word

        return f"raise {target_word(state.target_name, 'the prediction')}"

    def true_values(self, series: pl.Series, table: RawTable, state: RegressorState) -> list[Any]:
        """Numbers, None where they are missing."""
        return number_values(series, table, otherwise="leave the column out")

    def predictions(self, state: RegressorState, rows: NewRows, min_confidence: float | None = None) -> pl.DataFrame:
        """Predicted numbers, what the training rows leave room for, and the interval if there is one."""
        import polars as pl

        points, values = rows.encoded()
        bounds, guess = state.bounds_and_guesses(points)
        columns = {"id": rows.ids, "prediction": bounds.prediction, "lower": bounds.lower, "upper": bounds.upper}
        if state.has_interval:
            columns["interval_lower"], columns["interval_upper"] = state.prediction_interval(points, values)
        return pl.DataFrame({**columns, "guess": guess})

    def certainty(self, predictions: pl.DataFrame) -> pl.Series:
        """The wider the bounds, the less certain is the number."""
        return predictions["lower"] - predictions["upper"]

    def read_units(self, given: Sequence[str], names: Sequence[str], target: str | None) -> dict[str, str]:
        """Units of columns and of the target; ``explain`` has a name of its own for the unit of the target."""
        from fgac.explainers.regression import TARGET

        if target is None or target in names:
            return read_units(given, names)
        units = read_units(given, [*names, target])
        if target in units and TARGET in names:
            raise UsageError(
                f"--unit {target}={units[target]}: the target has no unit of its own if a column is {TARGET!r}"
            )
        return {TARGET if name == target else name: unit for name, unit in units.items()}

    def read_goal(self, text: str, state: RegressorState) -> Any:
        """At least a number, or at most it, as in "<=300"."""
        is_most, end = read_end(text)
        try:
            number = float(end)
        except ValueError:
            raise ValueError("expected a number, as in 300, or '<=300'") from None
        return (None, number) if is_most else (number, None)

    def meets(self, prediction: Any, goal: Any, state: RegressorState) -> bool:
        """Whether the number is at least one, or at most one."""
        least, most = goal
        return (least is None or prediction >= least) and (most is None or prediction <= most)

    def explainer(self) -> Callable[..., Any]:
        """The function that explains numbers."""
        from fgac.explainers.regression import explain

        return explain

    def argument_rows(self, explanation: RegressionExplanation) -> list[Record]:
        """One record per training row that bounds the number from below or from above."""
        interval = explanation.interval
        ends = (None, None) if interval is None else (interval.lower, interval.upper)
        about = fields_of(explanation, PREDICTION) | dict(zip(("interval_lower", "interval_upper"), ends, strict=True))
        return joined(about, _bounds(explanation), BOUND)

    def supporting_sides(self, explanation: RegressionExplanation) -> Iterator[Sequence[Any]]:
        """The bounds from below."""
        yield explanation.at_least

    def audit(self, state: RegressorState, n_rows: int, by: RankBy | None) -> AuditTable[RegressionAudit]:
        """The rows whose numbers others contradict most."""
        from fgac.explainers.audit_regression import audit_targets

        if by == "held_out" and state.held_out is None:
            raise CommandError(
                "--by held_out needs what models that had not seen a row predicted of it, and this model does not know "
                "that: its gamma was given or chosen on a sample of many rows, or an older fgac made it. Leave --by "
                "out, which is --by rest here, or train on up to 5000 rows without --gamma"
            )
        return NumberAudit(audit_targets(state, n_rows, by))

    def score_tables(self, evaluation: RegressionEvaluation) -> list[RichTable]:
        """R2, and the mean absolute error in the unit of the target."""
        found, tables = evaluation, []
        size = four_digits(found.mean.absolute_error.mean)
        for heading, name, form in (("R2", "r2", ".3f"), ("mean absolute error", "absolute_error", size)):
            ours, theirs, mean, lead = (
                getattr(part, name) for part in (found.fgac, found.neighbours, found.mean, found.lead)
            )
            rows = (
                (OURS, *interval_cells(ours, form)),
                (THEIRS, *interval_cells(theirs, form)),
                ("always the mean", *interval_cells(mean, form)),
                (LEAD, *interval_cells(lead, f"+{form}")),
            )
            tables.append(score_table(heading, *rows))
        return tables if found.intervals is None else [*tables, *interval_tables(found.intervals, size)]


def interval_tables(found: IntervalEvaluation, size: str) -> list[RichTable]:
    """How many values intervals hold, how wide they are, and what of them hold their values where."""
    from fgac.cli.console import plain_table

    names = (OURS, "boosted trees, conformalised")
    methods = list(zip(names, (found.fgac, found.boosting), strict=True))
    share = f"{100 * found.share:g} %"
    tables = [
        score_table(heading, *((name, *interval_cells(getattr(scores, field), form)) for name, scores in methods))
        for heading, field, form in (
            (f"intervals for {share}: held", "coverage", ".3f"),
            ("width", "width", size),
            ("interval score (less is better)", "score", size),
        )
    ]
    parts = ("widest fifth", "smallest tenth", "largest tenth")
    where = plain_table("held, by rows", *parts, right=parts)
    for name, scores in methods:
        shown = (scores.coverage_of_widest, scores.coverage_of_smallest, scores.coverage_of_largest)
        where.add_row(name, *(f"{number:.3f}" for number in shown))
    return [*tables, where]


KIND = Regression()


def number_values(series: pl.Series, table: RawTable, *, otherwise: str) -> list[Any]:
    """The numbers of a target column, None where they are missing; ``otherwise`` is advice for when they are none."""
    from fgac.cli.io.column_types import numeric

    values = numeric(
        series,
        decimal_comma=table.decimal_comma,
        missing=table.missing,
        first_row=table.first_row,
        otherwise=otherwise,
    ).values
    if bool(values.is_infinite().any()):
        raise CommandError(f"target {series.name!r} holds infinite numbers; correct them")
    return values.to_list()


def _bounds(explanation: RegressionExplanation) -> Iterator[Record]:
    for side, part in (("at least", explanation.at_least), ("at most", explanation.at_most)):
        for bound in part:
            yield {"side": side, "argument": bound.id, **fields_of(bound, BOUND[1:-1]), "alike": len(bound.alike)}


class NumberAudit(AuditTable["RegressionAudit"]):
    """Training rows whose numbers others contradict."""

    csv_decimals = None

    def count(self) -> str:
        """How many rows there are, and how many numbers are doubted."""
        return f"{pluralize(self.found.n_rows, 'row')}, {pluralize(len(self.found), 'doubted number')}"

    @property
    def _ranked_by(self) -> tuple[str, ...]:
        """The fields that the audit was made with, beside the difference from the fitted value."""
        first = self.found[0] if len(self.found) else None
        return tuple(name for name in ("held_out", "usual", "doubt") if getattr(first, name, None) is not None)

    def records(self) -> list[Record]:
        """One record per contradicted row."""
        return [
            {
                **fields_of(suspect, ("id", "target", "fitted", "size", *self._ranked_by)),
                "contradicted_by": joined_ids(suspect.contradicted_by),
                "n_contradicting": len(suspect.contradicted_by),
            }
            for suspect in self.found
        ]

    def show(self) -> list[RenderableType]:
        """A table of the contradicted rows, then a paragraph about each."""
        from fgac.cli.console import plain_table
        from fgac.text.words import on_one_line

        found = self.found
        if not len(found):
            return [f"No number is contradicted: all {found.n_rows} rows have the values that were observed."]
        columns = [(on_one_line(found[0].target_name or "observed"), "target", ".6g"), ("taken as", "fitted", ".6g")]
        columns += [("held out", "held_out", ".6g")] if "held_out" in self._ranked_by else []
        columns += [("doubt", "doubt", ".2f") if "usual" in self._ranked_by else ("share of range", "size", ".3f")]
        headings = [heading for heading, _, _ in columns]
        table = plain_table("row", *headings, "contradicted by", right=headings)
        for suspect in found:
            cells = [format(getattr(suspect, name), form) for _, name, form in columns]
            table.add_row(short_id(suspect.id), *cells, shortened_ids(suspect.contradicted_by))
        paragraphs = [part for suspect in found for part in ("", suspect.text())]
        return [f"Doubted numbers: {most(len(found), 'doubted')} of {found.n_rows} rows", "", table, *paragraphs]
