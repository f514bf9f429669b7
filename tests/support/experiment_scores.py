"""Scores from lines of results, for tests of the experiments."""

from fgac.experiments.results.tables import Scores, results_of


def scores_of(lines):
    """Return the scores that lines of results hold."""
    return Scores(results_of(lines))
