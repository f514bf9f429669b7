"""Mathematics by a MathJax that is part of the site: one script with its glyphs, loaded by pages with formulas only.

It comes from the package sphinx-mathjax-offline, of which this one file is taken: nothing is fetched when a page is
read, from a server or from a folder.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

SCRIPT = "tex-svg.js"


def _copy(app, error) -> None:
    if error is None and app.builder.format == "html":
        package = importlib.util.find_spec("sphinx-mathjax-offline")
        shutil.copy(Path(package.origin).parent / "static" / "mathjax" / SCRIPT, Path(app.outdir, "_static", SCRIPT))


def setup(app):
    app.setup_extension("sphinx.ext.mathjax")
    app.config.mathjax_path = SCRIPT
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
