"""Documents of the report in Markdown and HTML."""

import pytest

from fgac.experiments.report.document import Grid, Heading, Items, Mark, Paragraph, Picture, html, markdown
from support.experiment_pages import PNG, page


def test_markdown_of_every_block():
    blocks = [
        Heading("Title", 1),
        Paragraph("1 < 2 * 3"),
        Items(("a", "b")),
        Grid(("x", "y"), (("a|b", Mark("<1>")),), words=(0,)),
        Picture("figures/a.png", "A picture."),
    ]
    assert markdown(blocks).split("\n\n") == [
        "# Title",
        "1 &lt; 2 \\* 3",
        "- a\n- b",
        "| x | y |\n|:---|---:|\n| a\\|b | **&lt;1>** |",
        "![A picture.](figures/a.png)\n",
    ]


def test_html_escapes_and_needs_no_other_file(tmp_path):
    pytest.importorskip("jinja2")
    (tmp_path / "a.png").write_bytes(PNG)
    blocks = [Heading("<b>", 1), Paragraph("<script>"), Grid(("x",), ((Mark("<i>"),),)), Picture("a.png", '"alt"')]
    text = html(blocks, tmp_path)
    found = page(text)
    assert found.fetched == ["data:image/png;base64,iVBORw0KGgo="]
    assert "<script>" not in text
    assert "<strong>&lt;i&gt;</strong>" in text
    assert "<title>&lt;b&gt;</title>" in text
