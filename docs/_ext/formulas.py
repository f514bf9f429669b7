"""Mathematics as MathML, which browsers typeset themselves: no script, no font and no network when a page is read."""

from __future__ import annotations

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def _mathml(writer, node, *, display: bool) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=display))
    raise nodes.SkipNode


def _inline(writer, node) -> None:
    _mathml(writer, node, display=False)


def _display(writer, node) -> None:
    writer.body.append(f'<div class="math-block"{_identity(node)}>')
    writer.body.append(tex2mathml(node.astext(), as_block=True))
    writer.body.append("</div>")
    raise nodes.SkipNode


def _identity(node) -> str:
    return f' id="{node["ids"][0]}"' if node.get("ids") else ""


def setup(app):
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
