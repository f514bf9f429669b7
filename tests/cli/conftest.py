"""What tests of reading in parts share."""

import pytest

from fgac.cli.io import streaming


@pytest.fixture
def small(monkeypatch):
    """Parts of a few rows."""
    monkeypatch.setattr(streaming, "BLOCK", 200)
    monkeypatch.setattr(streaming, "N_ROWS", 0)
    monkeypatch.setattr(streaming, "N_CELLS", 35)
