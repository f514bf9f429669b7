"""A reader of report pages, for tests: tags that are closed, attributes that are known, and the text."""

from html.parser import HTMLParser

from fgac.report import report_html
from support.report_examples import (
    explanations,
)


class Page(HTMLParser):
    """The tags of a page with their attributes, its visible texts, and the contents of its script and style."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.raw = [], [], {"script": "", "style": ""}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        """Collect a tag and its attributes."""
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        """Collect a text, or a piece of script or style."""
        if self.cdata_elem in self.raw:
            self.raw[self.cdata_elem] += data
        else:
            self.texts.append(data.strip())

    @property
    def text(self):
        """All visible texts, on one line."""
        return " ".join(" ".join(self.texts).split())

    def count(self, tag):
        """Return how many tags of a name there are."""
        return sum(name == tag for name, _ in self.tags)


def report(items, **settings):
    """Return the parsed report of explanations."""
    return Page(report_html(explanations(items, **settings)))
