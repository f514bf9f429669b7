"""Pages show what their code prints, as it was printed when the site was built.

Every page with code runs in a process of its own, two at a time, when Sphinx is about to read it; the output of a block
follows the block. The page of the first five minutes leaves the report that its commands write to the site itself.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from page_blocks import BLOCK, blocks
from sphinx.errors import ExtensionError

RUNNER = Path(__file__).with_name("page_blocks.py")
KEPT = {"docs/five_minutes": "report.html"}  # page -> what it writes and the site shows
NOT_RUN = {"docs/pictures"}  # prints nothing; its pictures are files, and tests run its code
EXTRA = Path(__file__).parents[1] / "_extra"
N_WORKERS = 2


def start(app, env, docnames) -> None:
    """Begin to run the pages that are about to be read."""
    pages = [name for name in docnames if name not in NOT_RUN and _runs(env.doc2path(name))]
    app.page_runner = ThreadPoolExecutor(N_WORKERS)
    pages.sort(key=lambda name: -len(blocks(Path(env.doc2path(name)).read_text(encoding="utf-8"))))  # longest first
    app.page_outputs = {name: app.page_runner.submit(_run, Path(env.doc2path(name)), name) for name in pages}


def missing(app, env, added, changed, removed) -> list[str]:
    """Pages that are to be read again because what they leave to the site is gone."""
    return [name for name, file in KEPT.items() if name in env.found_docs and not (EXTRA / file).exists()]


def _runs(path) -> bool:
    file = Path(path)
    return file.suffix == ".md" and bool(blocks(file.read_text(encoding="utf-8")))


def _run(page: Path, name: str) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        folder, result = Path(scratch, "folder"), Path(scratch, "outputs.json")
        folder.mkdir()
        done = subprocess.run([sys.executable, RUNNER, page, result, folder], capture_output=True, text=True)
        if done.returncode:
            raise ExtensionError(f"the code of {page} fails:\n{done.stderr}")
        if name in KEPT:
            (EXTRA / KEPT[name]).write_bytes((folder / KEPT[name]).read_bytes())
        return json.loads(result.read_text(encoding="utf-8"))


def show(app, docname, source) -> None:
    """Put the output of every block below it."""
    running = getattr(app, "page_outputs", {}).pop(docname, None)
    if running is None:
        return
    printed = iter(running.result())
    source[0] = BLOCK.sub(lambda found: found[0] + _as_block(next(printed)), source[0])


def _as_block(text: str) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", text).rstrip()
    if not text:
        return ""
    fence = "`" * 6
    return f"\n\n{fence}{{code-block}} none\n:class: output\n\n{text}\n{fence}\n"


def stop(app, error) -> None:
    """Leave no process behind."""
    if hasattr(app, "page_runner"):
        app.page_runner.shutdown(cancel_futures=True)


def setup(app):
    EXTRA.mkdir(exist_ok=True)
    app.connect("env-get-outdated", missing)
    app.connect("env-before-read-docs", start)
    app.connect("source-read", show)
    app.connect("build-finished", stop)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
