"""A reader of report pages, for tests of the experiments."""

from html.parser import HTMLParser

PNG = b"\x89PNG\r\n\x1a\n"


class Page(HTMLParser):
    """Tags that are open, and all that a browser would fetch."""

    void = {"meta", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.texts = [], [], []

    def handle_starttag(self, tag, attrs):
        """Remember what is fetched, and tags that must be closed."""
        self.fetched += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        """Close the tag that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Collect a text."""
        self.texts.append(data)


def page(text):
    """Parse a page, all of whose tags must be closed."""
    parser = Page()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser
