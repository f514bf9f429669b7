"""Generalised learning vector quantisation, the prototype method that the paper compares with.

A class is described by a few prototypes; a row has the class of the nearest one. Training takes the rows one after the
other, in random order, and moves the nearest prototype of the row's own class towards it and the nearest one of other
classes away from it, down the gradient of ``sigmoid((d1 - d0) / (d1 + d0))`` with squared distances d1 and d0 to the
two [1]_.

The paper used the package sklvq 0.1.2, which no longer runs with current scikit-learn. Everything it documents is kept:
prototypes begin at the mean of their class plus noise of up to 1e-4, ten passes, steps of ``0.1 / (1 + t / 10)`` in
pass t. Its random numbers are not: the paper did not fix them.

.. [1] A. Sato, K. Yamada, "Generalized learning vector quantization", Advances in Neural Information Processing
   Systems 8, 1996.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

PASSES = 10
STEP = 0.1
NOISE = 1e-4


class GLVQ(ClassifierMixin, BaseEstimator):
    """Generalised learning vector quantisation.

    Parameters
    ----------
    n_prototypes : int, default=1
        Prototypes of each class.
    random_state : int, RandomState or None, default=None
        For the noise at the start and the order of rows.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    prototypes_ : array of shape (n_classes * n_prototypes, n_features)
        Sorted by class.

    Examples
    --------
    >>> model = GLVQ(random_state=0).fit([[0.0], [0.2], [0.8], [1.0]], ["low", "low", "high", "high"])
    >>> model.predict([[0.3], [0.6]])
    array(['low', 'high'], dtype='<U4')
    """

    def __init__(self, *, n_prototypes: int = 1, random_state: Any = None) -> None:
        self.n_prototypes = n_prototypes
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Move the prototypes to where they tell the classes apart."""
        from fgac._kernels.glvq import descend

        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"prototypes tell classes apart, but y holds one class only, {self.classes_[0]}")
        random = check_random_state(self.random_state)
        means = np.stack([X[codes == k].mean(axis=0) for k in range(len(self.classes_))])
        prototypes = np.repeat(means, self.n_prototypes, axis=0)
        prototypes += NOISE * random.uniform(-1.0, 1.0, prototypes.shape)
        for t in range(PASSES):
            order = random.permutation(len(X))
            descend(X, codes, order, prototypes, self.n_prototypes, STEP / (1.0 + t / PASSES))
        self.prototypes_ = prototypes
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of the nearest prototype."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        nearest = cdist(X, self.prototypes_, "sqeuclidean").argmin(axis=1)
        return self.classes_[nearest // self.n_prototypes]
