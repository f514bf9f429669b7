"""Training rows that other training rows contradict: one door for all kinds of models."""

from __future__ import annotations

from typing import overload

from sklearn.utils.validation import check_is_fitted

from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.explainers.audit_classification import BY, audit_labels
from fgac.explainers.audit_regression import audit_targets
from fgac.explanation.audit import Audit, BoundaryAudit, OrdinalAudit, RegressionAudit
from fgac.tables.validation import check_option


@overload
def audit(model: FGAClassifier, n_rows: int | None = None, *, by: str = "membership") -> Audit: ...
@overload
def audit(model: FGAOrdinalClassifier, n_rows: int | None = None, *, by: str = "membership") -> OrdinalAudit: ...
@overload
def audit(model: FGARegressor, n_rows: int | None = None, *, by: str = "membership") -> RegressionAudit: ...
def audit(
    model: FGAClassifier | FGAOrdinalClassifier | FGARegressor, n_rows: int | None = None, *, by: str = "membership"
) -> Audit | OrdinalAudit | RegressionAudit:
    """Rank training rows by how much others contradict their label or target, and name the rows that do.

    A label may be wrong, or the row an exception: the audit shows where to look. It works with every setting of an
    estimator. If gamma is so large that many rows have no opponent at all, a smaller one makes the better audit; and
    ``class_weight="balanced"`` trusts the rows of small classes more, where stray labels weigh most.

    Parameters
    ----------
    model : FGAClassifier, FGAOrdinalClassifier or FGARegressor
        A fitted one, or a fitted one that has chosen gamma itself. Of ordered classes every boundary is audited.
    n_rows : int, optional
        The largest number of suspects, at every boundary of ordered classes; all by default. Rows that nothing
        contradicts are never suspects, and rows that are equal, label or target included, are one suspect.
    by : {"membership", "rest"}, default="membership"
        The number by which labels are ranked, see :func:`fgac.explainers.audit_classification.doubts`. Targets are
        always ranked by how far the fitted value is from them.

    Returns
    -------
    Audit, OrdinalAudit or RegressionAudit
        A sequence of :class:`~fgac.explanation.Suspect`, of one audit per boundary, or of
        :class:`~fgac.explanation.RegressionSuspect`. Print it, or use ``to_frame()`` and ``to_json()``.

    Examples
    --------
    The row at 0.2 has a label that its neighbours contradict:

    >>> from fgac import FGAClassifier, FGARegressor, audit
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.9], [1.0]]
    >>> clf = FGAClassifier(gamma=2.0).fit(X, ["low", "low", "high", "low", "high", "high"])
    >>> found = audit(clf, n_rows=1)
    >>> suspect = found[0]
    >>> suspect.id, suspect.label, round(suspect.doubt, 3), suspect.suggestion
    (2, 'high', 0.55, 'low')
    >>> [(row.id, round(row.multiplier, 3)) for row in suspect.contradicted_by]
    [(1, 0.25), (3, 0.25), (0, 0.05)]

    The two rows in the middle of a steep rise contradict each other:

    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> [(row.id, row.target, row.fitted) for row in audit(model)]
    [(1, 20.0, 25.0), (2, 40.0, 35.0)]
    """
    if not isinstance(model, FGAClassifier | FGAOrdinalClassifier | FGARegressor):
        raise TypeError(
            f"an audit reads a fitted FGAClassifier, FGAOrdinalClassifier or FGARegressor, got {type(model).__name__}; "
            "of a pipeline or search, give its last step or best_estimator_"
        )
    check_is_fitted(model)
    check_option("by", by, BY)
    if isinstance(model, FGARegressor):
        if by != "membership":
            raise ValueError(f"by={by!r} is for classes; targets are ranked by how far the fitted value is from them")
        return audit_targets(model, n_rows)
    if isinstance(model, FGAClassifier):
        return audit_labels(model, n_rows, by)
    # A row can be on the wrong side of several boundaries, and have other opponents at each of them.
    boundaries = ((str(each.classes_[1]), audit_labels(each, n_rows, by)) for each in model.boundaries_)
    return OrdinalAudit(tuple(BoundaryAudit(*boundary) for boundary in boundaries))
