"""The options of all commands that train a model, as one typed value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.cli import options as o
from fgac.cli.directions import Directions
from fgac.cli.io.roles import Roles
from fgac.cli.kinds import kind_from_options

if TYPE_CHECKING:
    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.kinds import AnyKind


@dataclass(frozen=True)
class Settings:
    """How to read the columns of a table, and what model to train on them.

    Every field is an option of the commands that train, see :func:`fgac.cli.option_groups.takes_groups`.
    """

    numbers: o.Numbers = False
    order: o.Order = None
    id: o.Id = None
    weight: o.Weight = None
    group: o.Group = None
    nominal: o.Nominal = None
    numeric: o.Numeric = None
    date: o.Date = None
    keep: o.Keep = None
    drop: o.Drop = None
    drop_missing: o.DropMissing = False
    missing: o.Missing = None
    gamma: o.Gamma = None
    loss: o.LossOption = o.Loss.squared_error
    metric: o.MetricOption = o.Metric.learned
    scale: o.ScaleOption = o.Scale.auto
    class_weight: o.ClassWeightOption = None
    increasing: o.Increasing = None
    decreasing: o.Decreasing = None
    learn_weights: o.LearnWeights = False
    n_jobs: o.Jobs = -1

    @property
    def interval(self) -> float | None:
        """The share of values that intervals hold; only a model that is kept has intervals, see FitSettings."""
        return None

    @property
    def kind(self) -> AnyKind:
        """The kind of model that the options ask for."""
        return kind_from_options(numbers=self.numbers, order=bool(self.order))

    @property
    def directions(self) -> Directions:
        """The columns that may speak in one direction only."""
        return Directions(self.increasing or (), self.decreasing or ())

    def roles(self, target: str) -> Roles:
        """What the columns of a table are for."""
        return Roles(
            target=target,
            id=self.id,
            weight=self.weight,
            group=self.group,
            nominal=self.nominal or (),
            numeric=self.numeric or (),
            date=self.date or (),
            keep=self.keep or (),
            drop=self.drop or (),
            drop_missing=self.drop_missing,
            missing=self.missing,
        )

    def check(self) -> None:
        """Refuse options that do not go together.

        This is no part of making the value, because commands look at the output first.
        """
        self.kind.check_settings(self)

    def parameters(self, table: TrainingTable) -> dict[str, Any]:
        """Parameters that the estimators of all kinds have; gamma only if it is given."""
        return {
            **({} if self.gamma is None else {"gamma": self.gamma}),
            "loss": str(self.loss),
            "metric": str(self.metric),
            "scale": None if self.scale == "none" else str(self.scale),
            "categorical_features": table.nominal,
            "monotonic_cst": self.directions.of(table),
            "feature_weights": "learned" if self.learn_weights else None,
            "n_jobs": self.n_jobs,
        }


@dataclass(frozen=True)
class FitSettings(Settings):
    """The settings of a model that is kept: numbers may have an interval."""

    interval: o.Interval = None
