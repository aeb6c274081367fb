#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints docs/python-api.md, the reference of the Python package, from its docstrings.

python python/tools/api_reference.py > docs/python-api.md
"""

import importlib
import inspect
import re

import divns

HEAD = """# Python API

Made from the docstrings of the package by `python/tools/api_reference.py`. [Use it from Python](python.md) is the guide.
Keyword arguments named `**options` are those of an options table: `divns.options("train")` lists them with help, range and default,
and [the command line](cli.md) has the same.
"""

SECTIONS = {
    "Data": ["Dataset", "Interactions", "divns.datasets"],
    "Models": ["MF", "LightGCN", "IALS", "EASE", "Recommender", "load", "train", "Run", "divns.callbacks"],
    "Measuring": [
        "evaluate", "evaluate_users", "evaluate_lists", "evaluate_lists_users", "divns.metrics", "divns.significance",
    ],
    "Studies": ["compare", "tune", "ablate", "Study"],
    "Samplers in your own loop": ["Sampler", "Batch", "divns.integrations.torch", "divns.integrations.recbole"],
    "Samplers, losses and metrics of your own": [
        "register_sampler", "CustomSampler", "PairBatch", "BatchVectors", "register_loss", "CustomLoss", "LossScores",
        "register_metric", "Option", "divns.testing",
    ],
    "Diverse subsets": ["divns.dpp"],
    "Lists and errors": ["samplers", "losses", "models", "presets", "options", "Error", "MachineError"],
}  # fmt: skip
# The extension has no signatures that Python can read.
EXTENSION = {
    "samplers": "()", "losses": "()", "models": "()", "presets": "()", "options": "(topic)",
}  # fmt: skip
DOCS = {
    "samplers": "The samplers: a list of dicts with name, summary and citation.",
    "losses": "The losses, likewise.",
    "models": "The models, likewise.",
    "presets": "The presets of synthetic data: a list of dicts with name and help.",
    "options": "The options of a topic, a list of dicts with name, type, default, help and range. Topics: train, prepare, "
    "synthetic, compare, tune, ablate, evaluate, dpp.",
}


def signature(thing):
    """The parameters as written, without annotations of modules."""
    text = str(inspect.signature(thing))
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    text = re.sub(
        r"\b(?:divns\.\w+|typing|collections\.abc|numpy\.typing|_core|_arrays)\.", "", text
    )
    return text.replace("(self, ", "(").replace("(self)", "()").replace(" -> None", "").replace("Unpack[", "").replace(
        "Options]", "Options"
    )  # fmt: skip


def prose(thing):
    """The docstring as Markdown, with its examples in blocks."""
    out, code = [], False
    for line in (inspect.getdoc(thing) or "").splitlines():
        starts = line.startswith(">>> ")
        if starts and not code:
            out.append("```pycon")
            code = True
        if code and not line.strip():
            out.append("```")
            code = False
        out.append(line)
    if code:
        out.append("```")
    return "\n".join(out)


def members(bases):
    """Public methods and properties that these classes define, a later one over an earlier one."""
    seen = {}
    for base in bases:
        if base.__module__.startswith("divns"):
            seen.update(
                {name: value for name, value in vars(base).items() if not name.startswith("_")}
            )
    for name, value in seen.items():
        if isinstance(value, (classmethod, staticmethod)):
            value = value.__func__
        if isinstance(value, property):
            yield f"#### {name}", "", value
        elif inspect.isfunction(value):
            text = signature(value).replace("(cls, ", "(").replace("(cls)", "()")
            yield f"#### {name}", f"`{name}{text}`", value


def entry(name, thing, shown):
    """A class or a function."""
    lines = [f"### {shown}"]
    if name in EXTENSION:
        return f"### {shown}\n\n`{shown}{EXTENSION[name]}`\n\n{DOCS[name]}\n"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return f"### {shown}\n\n{prose(thing)}\n"
    lines += ["", f"`{shown}{signature(thing)}`", "", prose(thing)]
    # The methods that all models share are listed once.
    inherits = (
        inspect.isclass(thing)
        and issubclass(thing, divns.Recommender)
        and thing is not divns.Recommender
    )
    if inherits:
        lines += ["", "Methods: see [divns.Recommender](#divnsrecommender)."]
    if inspect.isclass(thing):
        for title, call, member in members([thing] if inherits else reversed(thing.__mro__)):
            lines += ["", title, "", *([call, ""] if call else []), prose(member)]
    return "\n".join(lines) + "\n"


def module_entries(path):
    """The module's docstring, and its public names."""
    if path.startswith("divns.integrations."):
        return f"### {path}\n\n{module_doc(path)}\n"
    module = importlib.import_module(path)
    text = f"### {path}\n\n{prose(module)}\n"
    for name in module.__all__:
        thing = getattr(module, name)
        if (
            callable(thing)
            and thing is not divns.Dataset.synthetic
            and name != "available"
            and name != "synthetic"
        ):
            text += f"\n{entry(name, thing, f'{path}.{name}')}"
    return text


def module_doc(path):
    """The docstrings of a module that may need a library that is not installed."""
    import ast
    import pathlib

    file = pathlib.Path(divns.__file__).parent / (
        path.removeprefix("divns.").replace(".", "/") + ".py"
    )
    tree = ast.parse(file.read_text())
    parts = [ast.get_docstring(tree) or ""]
    exported = next(
        [value.value for value in node.value.elts]
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in exported:
            target = node
            if isinstance(node, ast.ClassDef):
                target = next(
                    m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"
                )
            arguments = ast.unparse(target.args).replace("self, ", "")
            parts.append(
                f"**{node.name}**\n\n`{node.name}({arguments})`\n\n{ast.get_docstring(node)}"
            )
    return "\n\n".join(parts)


def page():
    """The text of the page."""
    text = HEAD
    for title, names in SECTIONS.items():
        text += f"\n## {title}\n"
        for name in names:
            if name.startswith("divns."):
                text += f"\n{module_entries(name)}"
            else:
                text += f"\n{entry(name, getattr(divns, name), f'divns.{name}')}"
    return re.sub(r" at 0x[0-9a-f]+", "", text)


if __name__ == "__main__":
    print(page(), end="")
