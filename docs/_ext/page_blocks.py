"""Run the code of a page, top to bottom, and keep what every block printed.

    python docs/_ext/page_blocks.py PAGE.md OUTPUTS.json [FOLDER]

Blocks of Python share one namespace, blocks of ``sh`` are commands of ``fgac`` and of the shell; all of them
run in FOLDER (a temporary one). Other blocks are not run. Warnings of fgac, and about lines of a page, are errors.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the language and the code of every block that runs."""
    return BLOCK.findall(text)


def run(page: Path) -> list[str]:
    """Return what the blocks printed, in their order; the first that fails ends it with its error."""
    namespace = {"__name__": f"docs.{page.stem}"}
    return [
        _run_python(code, page, namespace) if language == "python" else _run_shell(code)
        for language, code in blocks(page.read_text(encoding="utf-8"))
    ]


def _run_python(code: str, page: Path, namespace: dict) -> str:
    printed = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.filterwarnings("error", module=r"(fgac|docs)(\.|$)")
        exec(compile(code, str(page), "exec"), namespace)
    return printed.getvalue()


def _run_shell(code: str) -> str:
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {"PATH": search, "PYTHONWARNINGS": "ignore", "COLUMNS": "84", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code], env={**os.environ, **settings}, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{code}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(page: str, outputs: str, folder: str = "") -> None:
    """Run a page and write a list of texts."""
    source, result = Path(page).resolve(), Path(outputs).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(folder or scratch)
        printed = run(source)
        os.chdir("/")
    result.write_text(json.dumps(printed), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
