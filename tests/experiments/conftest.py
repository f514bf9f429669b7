"""The results of the paper as lines, for tests of the experiments."""

import pytest

from fgac.experiments.results import published
from support.experiment_lines import as_printed
from support.experiment_scores import scores_of


@pytest.fixture(scope="module")
def printed():
    """Results from which the tables of the paper come out."""
    return scores_of(as_printed(published.tables()))
