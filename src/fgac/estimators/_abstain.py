"""Classifiers that say how sure they are, and nothing where they are not sure enough."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from fgac._typing import Bools, Floats
from fgac.estimators._base import RowClassifier
from fgac.granular.judged import Judged
from fgac.tables.validation import check_probability


class CautiousPredictions(NamedTuple):
    """Predictions, and which of them a model stands by.

    Attributes
    ----------
    predictions : array of shape (rows,)
        The predicted class of every row, also of those that are better left unsaid.
    confident : array of shape (rows,)
        Whether the model is sure enough to say it: a mask for ``predictions`` and for what they are compared with.
    """

    predictions: NDArray[Any]
    confident: Bools


class AbstainingClassifier(RowClassifier):
    """A classifier whose state tells predictions from guesses, and can therefore abstain."""

    def confidence(self, X: Any) -> Floats:
        """How sure each prediction is: the probability of the predicted class, and 0 of a guess.

        Probabilities are those of ``predict_proba``: calibrated on rows held out by the searches over gamma, else
        degrees that sum to 1. A guess is a prediction that no training row argues for.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
        """
        return self._judged_and_confidence(X)[1]

    def predict_or_abstain(self, X: Any, *, min_confidence: float) -> CautiousPredictions:
        """Predict classes, and say which predictions are sure enough to be used.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        min_confidence : float from 0 to 1
            The least ``confidence`` of a prediction to be used. With 0 all are; with anything more, no guess is.

        Returns
        -------
        CautiousPredictions
            Named tuple ``(predictions, confident)``: all predictions, and a mask of those to be used. It serves the
            metrics of scikit-learn: ``accuracy_score(y[confident], predictions[confident])``.

        Examples
        --------
        >>> from fgac import FGAClassifier
        >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
        >>> predictions, confident = clf.predict_or_abstain([[0.05], [0.5], [9.0]], min_confidence=0.8)
        >>> predictions[confident], confident
        (array(['low'], dtype='<U4'), array([ True, False, False]))
        """
        check_probability("min_confidence", min_confidence)
        judged, confidence = self._judged_and_confidence(X)
        return CautiousPredictions(judged.predicted, confidence >= min_confidence)

    def _judged_and_confidence(self, X: Any) -> tuple[Judged, Floats]:
        rows = self._read_rows(X)  # before the state: it says kindly that there is none
        judged = self._state.judged(rows)
        return judged, self._state.confidence(judged)
