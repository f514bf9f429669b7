"""The gallery: every story of examples/ runs when the site is built, and shows what it prints and draws."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SETTINGS = {
    "examples_dirs": [str(ROOT / "examples")],
    "gallery_dirs": ["docs/gallery"],
    "filename_pattern": r"/examples/\w+\.py",
    "ignore_pattern": r"picture",  # scripts that draw the pictures of pages
    "abort_on_example_error": True,
    "reset_argv": "gallery.no_arguments",
    "reset_modules": ("matplotlib", "gallery.our_warnings"),
    "within_subsection_order": "ExampleTitleSortKey",
    "remove_config_comments": True,
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 2,
    "plot_gallery": "True",
    "download_all_examples": False,
    "capture_repr": (),
    "parallel": 2,
}


def no_arguments(gallery_conf, script_vars):
    """Run scripts as they run without arguments."""
    return []


def our_warnings(gallery_conf, name):
    """Make warnings of fgac, and about lines of a story, errors."""
    import warnings

    warnings.filterwarnings("error", module=r"(fgac|__main__)(\.|$)")
