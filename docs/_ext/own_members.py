"""The reference shows our members only: what scikit-learn's base classes bring is documented there."""

from __future__ import annotations


def _skip(app, kind, name, member, skip, options):
    module = getattr(getattr(member, "fget", member), "__module__", None) or ""
    if skip or not module or module.split(".")[0] in ("fgac", "builtins"):
        return None
    return True


def setup(app):
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
