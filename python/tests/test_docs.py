# SPDX-License-Identifier: Apache-2.0
"""Runs the examples, the Python blocks of the documentation and the doctests."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import divns

ROOT = pathlib.Path(__file__).parents[2]
MODULES = [
    f"divns.{module.name}" for module in pkgutil.iter_modules(divns.__path__) if not module.ispkg
]


@pytest.mark.parametrize(
    "script", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.stem
)
def test_example(script: pathlib.Path, tmp_path: pathlib.Path) -> None:
    needs = re.search(r"^# needs: (\w+)", script.read_text(), re.M)
    if needs and importlib.util.find_spec(needs[1]) is None:
        pytest.skip(f"{needs[1]} is not installed")
    result = subprocess.run(
        [sys.executable, "-W", "error", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("page", ["docs/python.md"])
def test_blocks_of_a_page_run_in_order(
    page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    names: dict[str, object] = {}
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
    assert blocks
    for block in blocks:
        line = text.count("\n", 0, block.start())
        code = compile("\n" * (line + 1) + block.group(1), page, "exec")
        exec(code, names)


@pytest.mark.parametrize("name", ["divns", *MODULES])
def test_doctests(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(
    "notebook", sorted((ROOT / "examples/notebooks").glob("*.ipynb")), ids=lambda p: p.stem
)
@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("nbconvert", "ipykernel"))),
    reason="nbconvert and ipykernel are not installed",
)
def test_notebook(notebook: pathlib.Path, tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    result = subprocess.run(
        [*command, "--output-dir", tmp_path, notebook], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    cells = json.loads((tmp_path / notebook.name).read_text())["cells"]
    shown = [kind for c in cells for o in c.get("outputs", []) for kind in o.get("data", {})]
    assert "application/vnd.vegalite.v5+json" in shown
    assert "text/html" in shown


def test_the_api_reference_is_up_to_date() -> None:
    script = ROOT / "python/tools/api_reference.py"
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert made.stdout == (ROOT / "docs/python-api.md").read_text()
