# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries through DLPack, without a copy where the memory is the CPU's."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import Error


def library_of(values: object) -> str:
    """The library that an array belongs to: "torch", "jax" or "numpy"."""
    root = type(values).__module__.partition(".")[0]
    return "jax" if root in ("jax", "jaxlib") else "torch" if root == "torch" else "numpy"


def to_numpy(values: Any, what: str) -> Any:
    """A NumPy view of a tensor of torch or JAX; everything else as it is."""
    library = library_of(values)
    if library == "numpy":
        return values
    try:
        plain = values.detach() if library == "torch" else values
        if library == "torch" and plain.device.type != "cpu":
            raise BufferError(f"it is on the device {plain.device}; pass a copy made by .cpu()")
        return np.from_dlpack(plain)
    except (BufferError, RuntimeError, TypeError) as problem:
        raise Error(f"{what} cannot be read as an array: {problem}.") from problem


def from_numpy(array: NDArray[Any] | None, library: str) -> Any:
    """The array in another library. JAX gets int32, because it has no int64 by default."""
    if array is None or library == "numpy":
        return array
    if library == "torch":
        return import_module("torch").from_dlpack(array)
    if array.dtype == np.int64:
        array = array.astype(np.int32)
    return import_module("jax").numpy.from_dlpack(array)
