# SPDX-License-Identifier: Apache-2.0
"""Diverse subsets of vectors: the k-DPP with kernel K_ij = q_i q_j v_i.v_j, never formed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._core import Error
from ._settings import settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import DppOptions


class Selection(NamedTuple):
    """Chosen rows in the order of choice, the gain of each, and log det of their kernel."""

    items: NDArray[np.int64]
    gains: NDArray[np.float64]
    log_det: float


def greedy(
    vectors: ArrayLike, k: int, quality: ArrayLike | None = None, **options: Unpack[DppOptions]
) -> Selection:
    """The set that grows by the row with the largest gain in log det.

    `quality` has one value per row, at least 0; without it all are 1. `divns.options("dpp")` lists
    the options.

    >>> greedy([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]], 2).items.tolist()
    [0, 2]
    """
    return _select(vectors, k, quality, None, settings(options))


def sample(
    vectors: ArrayLike,
    k: int,
    quality: ArrayLike | None = None,
    seed: int = 1,
    **options: Unpack[DppOptions],
) -> Selection:
    """One draw of the k-DPP: P(S) is proportional to det K_S."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise Error(f"seed is {seed!r}; expected an integer from 0 to 2^64 - 1.")
    return _select(vectors, k, quality, int(seed), settings(options))


def penalty(vectors: ArrayLike, against: ArrayLike) -> NDArray[np.float64]:
    """1 minus the mean cosine of each row with the rows of `against`, at least 0."""
    rows, others = _arrays.matrix(vectors, "vectors"), _arrays.matrix(against, "against")
    if rows.shape[1] != others.shape[1]:
        raise Error(f"vectors has {rows.shape[1]} columns and against {others.shape[1]}.")
    return _core.dpp_penalty(rows, others)


def _select(
    vectors: ArrayLike,
    k: int,
    quality: ArrayLike | None,
    seed: int | None,
    options: list[tuple[str, str]],
) -> Selection:
    rows = _arrays.matrix(vectors, "vectors")
    weights = _arrays.numbers(np.empty(0) if quality is None else quality, "quality")
    assert weights is not None
    if quality is not None and len(weights) != len(rows):
        raise Error(f"quality has {len(weights)} values for {len(rows)} vectors.")
    return Selection(*_core.dpp_select(rows, weights, _arrays.count(k, "k"), seed, options))


__all__ = ["Selection", "greedy", "penalty", "sample"]
