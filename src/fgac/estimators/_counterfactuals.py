"""What would change a prediction: the method that models of classes, ordered classes and numbers have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fgac._typing import Label
from fgac.estimators._state import state_of
from fgac.tables.labels import read_ids

if TYPE_CHECKING:
    from fgac.explanation.counterfactual import Counterfactuals


class CounterfactualMixin:
    """What explains rows by training rows can also say what would change a prediction."""

    def counterfactuals(
        self,
        X: Any,
        target: Label | tuple[Label | None, Label | None] | None = None,
        *,
        fixed: Any = (),
        directions: Any = None,
        steps: Any = None,
        max_features: int = 3,
        n: int = 3,
        ids: Any = None,
        units: Any = None,
    ) -> Counterfactuals:
        """Small changes of rows that change what is predicted of them: fewest columns first, then the shortest way.

        Every change is valid: the changed row was predicted anew. Numbers stay between the smallest and the largest
        that training saw, whole numbers stay whole, categories are such that training saw, and an unknown value stays
        unknown or becomes known. A change of one column is the smallest that there is. Of several columns smaller
        changes may exist, but none below the ``lower_bound``.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        target : label, number, pair or None, default=None
            What is wanted: a class; of ordered classes and numbers, at least this one. For these, a pair is from the
            one to the other, with None where there is no such end: ``(None, 300.0)`` is at most 300. None is any class
            but that of the row; a model of numbers has to be told a number.
        fixed : list, default=()
            Columns that must not change, by name or position.
        directions : dict, optional
            Columns that may only rise (1 or ``"up"``) or only fall (-1 or ``"down"``), as in ``{"age": "up"}``.
        steps : dict, optional
            In which steps numbers change, as in ``{"income": 100}``. Otherwise whole numbers change by 1, dates by a
            day, dates with a time by a second, numbers that training rows have with a few decimals by the last of
            these, and all others by a millionth of the range of their column or less.
        max_features : int, default=3
            How many columns may change at most, where so few can do it. Where they cannot, the one change that is
            found has as many columns as it takes.
        n : int, default=3
            The largest number of changes per row. No two change the same columns, and none changes more than those of
            another one.
        ids : array of shape (n_samples,), optional
            What these rows are called; by default the index of a pandas frame, or their positions.
        units : dict, optional
            Units of columns, as in ``{"age": "years"}``; that of a predicted number goes by the name ``"y"``.

        Returns
        -------
        Counterfactuals
            For every row a tuple of :class:`~fgac.explanation.Counterfactual`, the best one first; an empty one if the
            row is predicted as wanted already, or if no change was found. If no column is fixed and none has directions
            or steps, one is found wherever a training row of a wanted class has a membership above one half, or the
            fitted value of a training row is as wanted. Print it, or use ``to_frame()`` and ``to_json()``.

        Examples
        --------
        >>> from fgac import FGAClassifier, FGARegressor
        >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
        >>> change = clf.counterfactuals([[0.2]], "high")[0][0]
        >>> change.changes[0].column, change.changes[0].after, round(change.distance, 2), change.toward.id
        ('x0', 0.500001, 0.3, 2)
        >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
        >>> change = model.counterfactuals([[2.0]], 30.0)[0][0]
        >>> change.changes[0].after, change.prediction, change.lower_bound
        (3.5, 30.0, 0.09375)
        """
        from fgac.estimators._base import read_new_rows
        from fgac.explainers.counterfactuals import counterfactuals

        state = state_of(self)
        rows, values = read_new_rows(self, X)  # type: ignore[arg-type]
        return counterfactuals(
            state,
            values,
            read_ids(ids, X, len(rows)),
            target=target,
            units=units,
            fixed=fixed,
            directions=directions,
            steps=steps,
            max_features=max_features,
            n=n,
        )
