"""Check a built site: nothing is fetched from elsewhere, every link inside leads somewhere, the report is there.

python docs/_ext/check_site.py FOLDER
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes by which a page fetches something at once; a link that a reader may follow is none.
FETCHING = {
    ("script", "src"),
    ("img", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}
# Templates of the theme, and listings of source code, whose way back knows one of several names of an object only.
NO_PAGES = ("_static", "_modules")
HARMLESS_LINKS = {"canonical", "author", "license", "next", "prev", "search", "index"}


class Page(HTMLParser):
    """The places that a page fetches from and links to, and the ids that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.linked: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Keep what an element names."""
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag == "link" and values.get("rel") in HARMLESS_LINKS:
            return
        self.fetched += [value for name, value in values.items() if (tag, name) in FETCHING]
        if tag == "a" and "href" in values:
            self.linked.append(values["href"])


def problems(site: Path) -> list[str]:
    """What is wrong, one line each."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    found = [] if (site / "report.html").exists() else ["report.html is missing"]
    for path, page in pages.items():
        where = path.relative_to(site)
        if where.parts[0] in NO_PAGES:
            continue
        found += [f"{where} fetches {one}" for one in page.fetched if urlsplit(one).netloc]
        inside = [one for one in page.fetched + page.linked if not urlsplit(one).scheme and not urlsplit(one).netloc]
        for link in inside:
            target, part = unquote(urlsplit(link).path), unquote(urlsplit(link).fragment)
            place = (path.parent / target).resolve() if target else path.resolve()
            place = place / "index.html" if place.is_dir() else place
            if not place.exists():
                found.append(f"{where} links to {link}, which is missing")
            elif part and place in pages and part not in pages[place].ids and not part.startswith("/"):
                found.append(f"{where} links to {link}, a place that is missing")
    return found


if __name__ == "__main__":
    found = problems(Path(sys.argv[1]).resolve())
    print(*found, sep="\n")
    sys.exit(bool(found))
