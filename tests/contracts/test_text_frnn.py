"""kFRNN as the paper describes it (``support/paper/frnn.py``), against ``FRNNClassifier``.

The text averages over all rows: those of other classes are zeros among the values of an upper approximation. Within
a class, as the library does by default, the two are the same while the class has k rows.
"""

import itertools

import numpy as np
import pytest

from fgac import FRNNClassifier
from support.paper import frnn
from support.paper.prediction import decision
from support.paper.tables import KINDS, cases, random_case, slow_but, told
from support.settings_of_paper import relation_of

FAMILIES = ["additive", "strict", "exponential", "inverse_additive"]
families = pytest.mark.parametrize("family", slow_but(1, FAMILIES))


def check(model, case, family, k, metric, times=None):
    """Compare approximations, means and decisions; where two classes tie, either may be the answer."""
    if times is not None:
        case = case.repeated(times)
    relation = relation_of(case, metric)
    expected = [frnn.predict(case.classes, [relation(x, u) for u in case.rows], family, k) for x in case.queries]
    expected = np.array(expected, dtype=float)
    found = np.stack(model.memberships(case.Q), axis=2)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    for answer, degrees in zip(model.predict(case.Q).tolist(), expected[:, :, 2], strict=True):
        best = degrees.max()
        assert degrees[answer] == pytest.approx(best, abs=1e-12)
        if (degrees > best - 1e-9).sum() == 1:
            assert answer == decision(list(degrees))


@families
@pytest.mark.parametrize("k", [None, 1, 3, 20])
def test_over_all_rows(family, k):
    """Every k, "all" among them; one class or many, rows that repeat, categories."""
    for case in cases(kinds=KINDS, class_counts=(1, 2, 3), gammas=(0.3, 1.7)):
        metric = "euclidean" if case.gamma == 0.3 else "chebyshev"
        model = FRNNClassifier(n_neighbors=k, owa=family, gamma=case.gamma, metric=metric, over="all")
        with told(case.name, metric):
            check(model.fit(case.X, case.y), case, family, k, metric)


@families
def test_weights_are_repetitions(family):
    times = [2, 1, 3, 1, 1, 2, 1]
    for kind in KINDS:
        case = random_case(4, kind, 3, 7, 1.0)
        model = FRNNClassifier(owa=family, over="all").fit(case.X, case.y, sample_weight=times)
        check(model, case, family, None, "euclidean", times)


@families
@pytest.mark.parametrize("k", [1, 2, 3])
def test_few_neighbours(family, k):
    """With k rows or more in every class, it does not matter whether zeros follow."""
    for kind, (gamma, metric) in itertools.product(KINDS, ((0.3, "euclidean"), (1.7, "chebyshev"), (4.0, "euclidean"))):
        case = random_case(0, kind, 3, 12, gamma)
        case.classes = [u % 3 for u in range(12)]
        model = FRNNClassifier(n_neighbors=k, owa=family, gamma=gamma, metric=metric).fit(case.X, case.y)
        with told(case.name, metric):
            check(model, case, family, k, metric)
