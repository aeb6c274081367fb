# SPDX-License-Identifier: Apache-2.0
"""Metrics of one ranked list, as every evaluation computes them.

>>> recall([7, 3, 9], relevant=[3, 4], k=2)
0.5
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays, _core
from ._core import Error
from ._core import metrics as available


def value(name: str, recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """A metric by name, also a registered one; `available()` lists them with their formulas.

    `recommended` are item numbers, best first; the list ends at its first negative number.
    """
    items = _arrays.integers(_arrays.column(recommended, "recommended"), "recommended")
    wanted = np.unique(_arrays.integers(_arrays.column(relevant, "relevant"), "relevant"))
    if len(wanted) == 0 or wanted[0] < 0 or max(wanted[-1], items.max(initial=0)) >= 2**31:
        raise Error("expected item numbers from 0 to 2^31 - 1, and at least one relevant item.")
    places = np.clip(items, -1, None).astype(np.int32)
    return _core.metric_of_list(name, places, wanted.astype(np.uint32), _arrays.count(k, "k"))


def recall(recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """Share of the relevant items that are among the first k."""
    return value("recall", recommended, relevant, k)


def precision(recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """Share of the first k places that hold relevant items."""
    return value("precision", recommended, relevant, k)


def ndcg(recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """Discounted cumulative gain of the first k, over that of a perfect list."""
    return value("ndcg", recommended, relevant, k)


def hit(recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """1 if a relevant item is among the first k, else 0."""
    return value("hit", recommended, relevant, k)


def mrr(recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """1 over the rank of the first relevant item, 0 if it is not among the first k."""
    return value("mrr", recommended, relevant, k)


def average_precision(recommended: ArrayLike, relevant: ArrayLike, k: int) -> float:
    """Mean precision at the ranks of the relevant items among the first k."""
    return value("map", recommended, relevant, k)


__all__ = [
    "available",
    "average_precision",
    "hit",
    "mrr",
    "ndcg",
    "precision",
    "recall",
    "value",
]
