"""The options of all commands that train a model, as one typed value."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, get_type_hints

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

    Every field is an option of the commands that have a parameter ``settings``, see :func:`takes_settings`.
    """

    numbers: o.Numbers = False
    order: o.Order = None
    id: o.Id = None
    weight: o.Weight = None
    nominal: o.Nominal = None
    numeric: o.Numeric = None
    drop: o.Drop = None
    drop_missing: o.DropMissing = False
    missing: o.Missing = None
    gamma: o.Gamma = None
    loss: o.LossOption = o.Loss.squared_error
    metric: o.MetricOption = o.Metric.euclidean
    scale: o.ScaleOption = o.Scale.range
    class_weight: o.ClassWeightOption = o.ClassWeight.none
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
            nominal=self.nominal or (),
            numeric=self.numeric or (),
            drop=self.drop or (),
            drop_missing=self.drop_missing,
            missing=self.missing,
        )

    def check(self) -> None:
        """Refuse options that do not go together."""
        self.kind.check_settings(self)

    def parameters(self, table: TrainingTable) -> dict[str, Any]:
        """Parameters that the estimators of all kinds have."""
        return {
            "gamma": self.gamma or 1.0,
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


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter ``settings`` is written on the command line as one option per field of its type.

    typer makes options from the parameters of a function. The function that is returned has the fields of the
    settings as parameters, in the place of ``settings``, and puts them together by name.
    """
    hints = get_type_hints(command, include_extras=True)
    group: type[Settings] = hints["settings"]
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name == "settings":
            parameters += _options_of(group)
        else:
            parameters.append(_option(parameter.name, parameter.default, hints[parameter.name]))
    names = [field.name for field in fields(group)]

    @functools.wraps(command)
    def expanded(**given: Any) -> None:
        settings = group(**{name: given.pop(name) for name in names})
        command(**given, settings=settings)

    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return expanded


def _options_of(group: type[Settings]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [_option(field.name, field.default, hints[field.name]) for field in fields(group)]


def _option(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
