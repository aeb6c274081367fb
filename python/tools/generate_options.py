#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints python/divns/_options.py: the keyword arguments, from the options tables of the engine.

python python/tools/generate_options.py > python/divns/_options.py
"""

import textwrap

from divns import _core

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments and their types, by `python/tools/generate_options.py` from the options tables.

A dot in the name of an option is written as two underscores: `divns__lambda` sets `divns.lambda`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict
'''

TYPES = {
    "bool": "bool",
    "int": "int",
    "number": "float",
    "text": "str",
    "int list": "Sequence[int]",
    "number list": "Sequence[float]",
    "text list": "Sequence[str] | str",
}
# Topic of the table, name of the class, its base, what the keywords are for, options left out:
# those that are arguments of the functions, or that studies set themselves.
CLASSES = [
    (
        "train",
        "RunOptions",
        "",
        "Options that all runs of a study share.",
        {"model", "sampler", "seed"},
    ),
    ("train", "TrainOptions", "RunOptions", "Options of a training.", {"model"}),
    ("prepare", "PrepareOptions", "", "Options of the preparation of a dataset.", set()),
    ("synthetic", "SyntheticOptions", "", "Options of synthetic data.", set()),
    ("compare", "CompareOptions", "RunOptions", "Options of a comparison.", {"out", "samplers"}),
    ("tune", "TuneOptions", "RunOptions", "Options of a tuning.", {"out", "samplers"}),
    ("ablate", "AblateOptions", "RunOptions", "Options of an ablation.", {"out"}),
    ("dpp", "DppOptions", "", "Options of the k-DPP.", {"method"}),
]


def annotation(option):
    """The type of an option's value."""
    if option["type"] == "choice":
        return f"Literal[{', '.join(repr(name) for name in option['choices'])}]".replace("'", '"')
    return TYPES[option["type"]]


def field(option):
    """One line of a class, after a comment with help, range and default."""
    allowed = f" [{option['allowed']}]" if option["allowed"] and option["type"] != "choice" else ""
    default = f" (default {option['default']})" if option["default"] else ""
    comment = textwrap.fill(
        f"{option['help']}{allowed}{default}",
        100,
        initial_indent="    # ",
        subsequent_indent="    # ",
        break_long_words=False,
    )
    name = option["name"].replace(".", "__")
    line = f"    {name}: {annotation(option)}"
    if len(line) > 100:
        values = "".join(f'        "{choice}",\n' for choice in option["choices"])
        line = f"    {name}: Literal[\n{values}    ]"
    return f"{comment}\n{line}"


def module():
    """The text of the module."""
    text, names = HEAD, {"": set()}
    for topic, name, base, doc, left_out in CLASSES:
        rows = [row for row in _core.options(topic) if row["name"] not in left_out | names[base]]
        names[name] = {row["name"] for row in rows}
        body = "\n".join(field(row) for row in rows)
        kind = base if base else "TypedDict"
        text += f'\n\nclass {name}({kind}, total=False):\n    """{doc}"""\n\n{body}\n'
    return text


if __name__ == "__main__":
    print(module(), end="")
