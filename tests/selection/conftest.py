"""Searches choose in the same way whatever the forest is that weighs the columns: few trees learn faster."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _few_trees(few_trees):
    """Learn weights of columns from few trees."""
