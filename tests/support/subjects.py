"""Subjects with several rows each, whom features identify and about whose targets they say nothing."""

import numpy as np
import polars as pl


def subjects(n=40, n_rows=8, seed=0):
    """Return rows, numbers to predict, and the subject of every row.

    A subject has a place of its own, around which its rows lie, and a number of its own. Known subjects can be
    predicted from their places, new ones cannot.
    """
    rng = np.random.default_rng(seed)
    places, effects, subject = rng.normal(size=(n, 3)), rng.normal(size=n), np.repeat(np.arange(n), n_rows)
    X = places[subject] + 0.03 * rng.normal(size=(n * n_rows, 3))
    return X, effects[subject] + 0.1 * rng.normal(size=n * n_rows), subject


def table_of_subjects(**how):
    """Return the same as a frame with the columns subject, a, b, c, number and mood."""
    X, y, subject = subjects(**how)
    names = [f"S-{i * 37 % 1009:04d}" for i in subject]
    columns = dict(zip("abc", X.T, strict=True))
    return pl.DataFrame({"subject": names, **columns, "number": y, "mood": np.where(y > 0, "good", "bad")})
