"""How the site is built: ``sphinx-build -W -c docs . OUT``.

The source is the whole repository, of which ``include_patterns`` takes the pages: so a relative link between two files
holds in the repository and on the site alike. Nothing is fetched, neither when the site is built nor when it is read.
"""

import os
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).parent / "_ext"))
os.environ.setdefault("MPLBACKEND", "Agg")

from gallery import SETTINGS

import fgac

project = "fgac"
author = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["authors"][0]["name"]
copyright = author
release = version = fgac.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "formulas",
    "outputs",
    "own_members",
]

root_doc = "docs/index"
include_patterns = ["docs/**", "benchmarks/README.md", "benchmarks/results/*.md", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = [
    "**/.*",
    "docs/_*",
    "src",
    "tests",
    "build",
    "dist",
    "venv",
    "benchmarks/results/journals",
    "**/sg_execution_times.rst",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 4
math_numfig = False

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc says them in words
autodoc_inherit_docstrings = True
numpydoc_show_class_members = False
numpydoc_use_plots = False

sphinx_gallery_conf = SETTINGS

templates_path = [str(ROOT / "docs" / "_templates")]  # autosummary looks for a relative one in the source folder
html_theme = "pydata_sphinx_theme"
html_title = "fgac"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_extra", "_root"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "fgac"},
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_nav_level": 1,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "back_to_top_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"docs/index": [], "docs/five_minutes": []}
