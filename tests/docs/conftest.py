"""Pages and docstrings print what users see: weights are learned from as many trees as theirs."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _as_users_do(all_trees):
    """Learn weights of columns from all trees."""
