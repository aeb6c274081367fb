# SPDX-License-Identifier: Apache-2.0
"""From keyword arguments to the engine's settings: names and texts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

import numpy as np

from . import _core
from ._core import Error


def text_of(value: object) -> str:
    """The text of a value, as the command line takes it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(text_of(part) for part in value)
    raise Error(
        f"an option was given as {type(value).__name__}; "
        "expected a number, a string, a bool or a list of these."
    )


def settings(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Names with dots and values as text; options that are None are left out."""
    return [
        (name.replace("__", "."), text_of(value))
        for name, value in options.items()
        if value is not None
    ]


@cache
def names(topic: str) -> tuple[str, ...]:
    """Keyword names of an options table."""
    return tuple(option["name"].replace(".", "__") for option in _core.options(topic))
