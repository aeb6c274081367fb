# SPDX-License-Identifier: Apache-2.0
"""Lists and vectors in the form in which they were asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arrays
from ._arrays import Interactions, Keys
from ._core import Error

Ranked = tuple[NDArray[Any], NDArray[np.float32]]


def spread(vectors: NDArray[np.float32], ids: list[str], rows: int) -> NDArray[np.float32]:
    """Vectors at the rows that their ids name, zero elsewhere."""
    full = np.zeros((rows, vectors.shape[1]), np.float32)
    full[places(ids, rows)] = vectors
    full.flags.writeable = False
    return full


def spread_weights(weights: NDArray[np.float32], ids: list[str], items: int) -> NDArray[np.float32]:
    """Item-item weights at the rows and columns that their ids name, zero elsewhere."""
    full = np.zeros((items, items), np.float32)
    numbers = places(ids, items)
    full[np.ix_(numbers, numbers)] = weights
    full.flags.writeable = False
    return full


def spread_pairs(
    pairs: Interactions, user_ids: list[str], item_ids: list[str], shape: tuple[int, int]
) -> Interactions:
    """Pairs at the users and items that their ids name. Ids ascend with their rows."""
    indptr = np.zeros(shape[0] + 1, np.int64)
    indptr[places(user_ids, shape[0]) + 1] = np.diff(pairs.indptr)
    indices = places(item_ids, shape[1])[pairs.indices].astype(np.int32)
    return Interactions(np.cumsum(indptr), indices, shape)


def places(ids: list[str], rows: int) -> NDArray[np.int64]:
    """The rows of a matrix that ids name."""
    numbers = np.array([int(id) for id in ids], dtype=np.int64)
    if numbers.size and (numbers.min() < 0 or numbers.max() >= rows):
        raise Error(f"the model has ids outside the shape: {numbers.max()} of {rows} rows.")
    return numbers


def form(keys: Keys) -> tuple[bool, bool]:
    """Whether keys are ids, and whether there is one without a list around it."""
    array = _arrays.array_of(keys, "users")
    return array.dtype.kind in "OUT", array.ndim == 0


def answer(
    numbers: NDArray[np.int32], scores: NDArray[np.float32], ids: list[str] | None, scalar: bool
) -> Ranked:
    """Lists in the form in which they were asked for."""
    lists: NDArray[Any] = numbers
    if ids is not None:
        lists = np.array([*ids, None], dtype=object)[numbers]
    return (lists[0], scores[0]) if scalar else (lists, scores)
