# SPDX-License-Identifier: Apache-2.0
"""Paired significance tests of the values of two methods, for example per user. Two-sided."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._core import Error


def _differences(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    first, second = _arrays.numbers(a, "a"), _arrays.numbers(b, "b")
    if first is None or second is None or len(first) != len(second):
        raise Error("a and b have different lengths; expected one value per user in both.")
    return first - second


def paired_t_test(a: ArrayLike, b: ArrayLike) -> dict[str, Any]:
    """Student's t test on a - b: n, mean, sd, t, p and the effect size dz."""
    return _core.paired_t_test(_differences(a, b))


def wilcoxon(a: ArrayLike, b: ArrayLike) -> dict[str, Any]:
    """Wilcoxon's signed-rank test on a - b: n, rank sums, p and the rank-biserial correlation.

    >>> wilcoxon([1.0, 2.0, 3.0], [0.5, 1.0, 1.5])["p"]
    0.25
    """
    return _core.wilcoxon(_differences(a, b))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Holm's correction of the p values of a family of tests, in the given order."""
    values = _arrays.numbers(p_values, "p_values")
    assert values is not None
    if ((values < 0) | (values > 1)).any():
        raise Error("p_values holds a value outside 0 to 1.")
    return _core.holm(values)


__all__ = ["holm", "paired_t_test", "wilcoxon"]
