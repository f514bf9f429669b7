"""Conclusions of Sections 5 and 6.1: a part of the constraints, and gamma."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from fgac.experiments.claims.base import SILENT, Conclusion, Evidence, Reading
from fgac.experiments.results.decision_spaces import border_lengths
from fgac.experiments.results.nn_study import VISIBLE, Study, growing
from fgac.experiments.results.statistics import LEAST_ROWS


def about_nn(evidence: Evidence) -> Iterator[Conclusion]:
    """What is lost and what is saved by a part of the constraints."""
    study = evidence.study
    yield Conclusion(
        "nn_difference",
        "5",
        "The fewer constraints, the more the granular approximation differs.",
        "in all panels",
        as_published=_of_study(study, _grows),
        note="Mean over data sets of the absolute difference of memberships, for each loss, similarity and gamma; "
        f"steps below {VISIBLE} do not count.",
    )
    yield Conclusion(
        "nn_gamma",
        "5",
        "The difference grows more rapidly for larger gamma.",
        "in all panels",
        as_published=_of_study(study, _steeper),
        note="At the smallest nn. Only rows nearer than 1 / gamma constrain each other, so that few neighbours suffice "
        "if gamma is large. The same was seen on six data sets with the M nearest of all rows, as the text has it, in "
        "place of the M nearest of other classes, as the published numbers have it. The published script takes 1 / "
        "gamma as its parameter: if the paper's figure is labelled by that, it shows what is seen here.",
    )
    yield Conclusion(
        "nn_loss",
        "5",
        "The difference is larger for the absolute error (MAE) than for the squared error (MSE).",
        "",
        as_published=_of_study(study, _larger_for_mae),
        note=f"For both similarities, at every gamma and nn where one of the two is {VISIBLE} or more.",
    )
    yield Conclusion(
        "nn_time",
        "5",
        "The time falls linearly with nn; nn = 0.02 saves 98 % of it.",
        "98 % at nn = 0.02",
        as_published=_of_study(study, _saves),
        note="Time to choose the constraints and solve, distances given: a matter of the solver. Ours takes about as "
        "long to choose some constraints as to solve with all of them. More than 2 % of the constraints remain because "
        "both rows of a pair can choose it, the pair must be of different classes, and equally far rows are all kept.",
    )


def _of_study(study: Study | None, read: Callable[[Study], Reading]) -> Reading:
    """What a study says; nothing if it has too few data sets to average over."""
    return SILENT if study is None or len(study.datasets) < LEAST_ROWS else read(study)


def _share(said: Sequence[bool], what: str) -> Reading:
    return Reading(f"{sum(said)} of {len(said)} {what}", all(said)) if said else SILENT


def _grows(study: Study) -> Reading:
    return _share([growing(curve) for gammas in study.curves.values() for curve in gammas.values()], "curves")


def _steeper(study: Study) -> Reading:
    steps = [np.diff([gammas[gamma][-1].difference for gamma in sorted(gammas)]) for gammas in study.curves.values()]
    up, down = (sum(bool(np.all(sign * step > 0)) for step in steps) for sign in (1, -1))
    text = f"with every step of gamma it rises in {up} of {len(steps)} panels and falls in {down}"
    return Reading(text, up == len(steps))


def _larger_for_mae(study: Study) -> Reading:
    said = []
    for panel, gammas in study.curves.items():
        other = study.curves.get(panel._replace(loss="mse"))
        if panel.loss != "mae" or other is None:
            continue
        for gamma in gammas.keys() & other.keys():
            pairs = zip(gammas[gamma], other[gamma], strict=False)
            both = [(mae.difference, mse.difference) for mae, mse in pairs]
            said += [mae > mse for mae, mse in both if max(mae, mse) >= VISIBLE]
    return _share(said, "points")


def _saves(study: Study) -> Reading:
    seconds = np.array(study.at(0.02, "seconds"))
    constraints = np.array(study.at(0.02, "constraints"))
    if not len(seconds) or not np.isfinite(seconds).all():
        return SILENT
    text = f"nn = 0.02 takes {seconds.mean():.0%} of the time"
    if np.isfinite(constraints).all():
        text += f" and has {constraints.mean():.0%} of the constraints"
    return Reading(text, bool(seconds.mean() <= 0.05))


def about_gamma() -> Conclusion:
    """What gamma does to the border between decisions."""
    lengths = border_lengths()
    text = ", ".join(f"{length} at gamma = {gamma:g}" for gamma, length in lengths.items())
    return Conclusion(
        "gamma_smooths",
        "6.1",
        "As gamma decreases, the border between the decisions becomes smoother and simpler.",
        "a figure",
        as_published=Reading(f"length {text}", bool(np.all(np.diff(list(lengths.values())) < 0))),
        note="Length of the border on a grid over 100 made-up rows, as in the paper's figure.",
    )
