"""The browser in which pages are tested."""

import pytest

from support.browser import Browser, find_browser


@pytest.fixture(scope="module")
def session():
    """A browser for the tests of a file."""
    found = find_browser()
    if found is None:
        pytest.skip("chromium or chromedriver is not installed")
    with Browser(*found) as browser:
        yield browser
