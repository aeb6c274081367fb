# SPDX-License-Identifier: Apache-2.0
"""Parameters of estimators, as scikit-learn's clone and searches use them."""

from __future__ import annotations

from html import escape
from typing import Any, TypeVar, cast

from . import _core
from ._core import Error
from ._settings import names

Self = TypeVar("Self", bound="Estimator")


class Estimator:
    """Parameters by name: those of the options table, and `threads`."""

    def __init__(self, *, threads: int = 0, **options: object) -> None:
        self.threads = threads
        self._options: dict[str, object] = {}
        self.set_params(**options)

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return ["threads", *(name for name in names("train") if name != "model")]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters; None stands for the default of the options table."""
        return {
            name: self.threads if name == "threads" else self._options.get(name)
            for name in self._parameter_names()
        }

    def set_params(self: Self, **params: object) -> Self:
        """Set parameters by name; None goes back to the default. Values are checked by `fit`."""
        known = self._parameter_names()
        for given, value in params.items():
            name = given.replace(".", "__")
            if name not in known:
                # The engine's sentence names the nearest known option.
                _core.check_option(name.replace("__", "."))
                raise Error(f"{given!r} is not a parameter of the class {type(self).__name__}.")
            if name == "threads":
                self.threads = cast("int", value)
            elif value is None:
                self._options.pop(name, None)
            else:
                self._options[name] = value
        return self

    def __repr__(self) -> str:
        """The class with the parameters that were set."""
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items())
        return f"{type(self).__name__}({given})"

    def _facts(self) -> dict[str, object]:
        """What the HTML table shows beside the parameters."""
        return {}

    def _repr_html_(self) -> str:
        """A small table for notebooks."""
        return html_table({"model": type(self).__name__, **self._options, **self._facts()})


def html_table(cells: dict[str, object]) -> str:
    """Names and values as an HTML table."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
        for name, value in cells.items()
    )
    return f"<table>{rows}</table>"
