# SPDX-License-Identifier: Apache-2.0
"""Lists and vectors in the form in which they were asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arrays
from ._arrays import Keys
from ._core import Error

Ranked = tuple[NDArray[Any], NDArray[np.float32]]


def spread(vectors: NDArray[np.float32], ids: list[str], rows: int) -> NDArray[np.float32]:
    """Vectors at the rows that their ids name, zero elsewhere."""
    full = np.zeros((rows, vectors.shape[1]), np.float32)
    numbers = np.array([int(id) for id in ids])
    if numbers.size and (numbers.min() < 0 or numbers.max() >= rows):
        raise Error(f"the model has ids outside the shape: {numbers.max()} of {rows} rows.")
    full[numbers] = vectors
    full.flags.writeable = False
    return full


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
