# SPDX-License-Identifier: Apache-2.0
"""Checks and normalises arrays from users. The extension accepts exact types only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Error

MOST_ROWS = 2**31 - 1

# Row numbers, or original ids; one or several.
Keys: TypeAlias = int | str | Sequence[int] | Sequence[str] | NDArray[Any]


def _names_raw_memory(kind: type) -> bool:
    """Whether NumPy would read the memory at an address that the object claims to own."""
    return not issubclass(kind, (np.ndarray, np.generic)) and (
        hasattr(kind, "__array_interface__") or hasattr(kind, "__array_struct__")
    )


def array_of(values: object, what: str) -> NDArray[Any]:
    """np.asarray, with an Error instead of the many exceptions of NumPy.

    Raw addresses (`__array_interface__`) are not followed: they cannot be checked.
    """
    kinds = {type(values)}
    if isinstance(values, (list, tuple)):
        kinds |= set(map(type, values))
    try:
        if _names_raw_memory(type(values)) and hasattr(values, "__array__"):
            values = values.__array__()
        elif any(map(_names_raw_memory, kinds)):
            raise TypeError("it only offers __array_interface__; pass a NumPy array")
        elif str in kinds and not kinds <= {str, list, tuple}:
            # NumPy would write the numbers as text.
            raise TypeError("it mixes strings with other values; expected only one kind")
        return np.asarray(values)
    except Exception as problem:
        raise Error(f"{what} cannot be read as an array: {problem}.") from problem


def column(values: object, what: str) -> NDArray[Any]:
    """A one-dimensional array."""
    array = array_of(values, what)
    if array.ndim != 1:
        raise Error(f"{what} has {array.ndim} dimensions; expected a column (one dimension).")
    return array


def integers(array: NDArray[Any], what: str) -> NDArray[np.int64]:
    """A contiguous int64 array of the same integers."""
    if array.dtype.kind not in "iu":
        raise Error(f"{what} has the type {array.dtype}; expected integers.")
    if array.dtype.kind == "u" and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise Error(f"{what} holds {array.max()}, which does not fit into 64 bits with sign.")
    return np.ascontiguousarray(array, dtype=np.int64)


def ids(values: object, what: str) -> NDArray[np.int64] | list[str]:
    """Original ids: int64, or a new list of str."""
    array = column(values, what)
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind in "iu":
        return integers(array, what)
    texts: list[Any] = array.tolist()
    if array.dtype.kind not in "OUT":
        raise Error(f"{what} has the type {array.dtype}; expected integers or strings.")
    for row, text in enumerate(texts):
        if isinstance(text, str):
            continue
        if all(isinstance(other, int) and not isinstance(other, bool) for other in texts):
            raise Error(f"{what} holds integers that do not fit into 64 bits; give strings.")
        raise Error(
            f"{what} holds {text!r} ({type(text).__name__}) in row {row}; "
            "expected only integers or only strings, without missing values."
        )
    return texts


def numbers(values: object | None, what: str) -> NDArray[np.float64] | None:
    """Ratings: finite float64."""
    if values is None:
        return None
    array = column(values, what)
    if array.size and array.dtype.kind not in "iufb":
        raise Error(f"{what} has the type {array.dtype}; expected numbers.")
    floats = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(floats).all():
        raise Error(f"{what} holds a value that is not finite; remove missing values first.")
    return floats


def times(values: object | None, what: str) -> NDArray[np.int64] | None:
    """Times: integers as they are, dates in seconds since 1970."""
    if values is None:
        return None
    array = column(values, what)
    if array.dtype.kind == "M":
        if np.isnat(array).any():
            raise Error(f"{what} holds a missing time; remove missing values first.")
        array = array.astype("datetime64[s]").astype(np.int64)
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind == "f":
        if not np.isfinite(array).all() or np.abs(array).max() > 2**53:
            raise Error(f"{what} holds a value that is not a time; remove missing values first.")
        array = np.floor(array).astype(np.int64)
    return integers(array, what)


def matrix(values: ArrayLike, what: str) -> NDArray[np.float32]:
    """A row-major matrix of finite float32. Views of a model's vectors pass without copy."""
    array = array_of(values, what)
    if array.ndim != 2:
        raise Error(f"{what} has {array.ndim} dimensions; expected a matrix (two dimensions).")
    if array.dtype.kind not in "iuf":
        raise Error(f"{what} has the type {array.dtype}; expected numbers.")
    if max(array.shape) > MOST_ROWS:
        raise Error(
            f"{what} has the shape {array.shape}; the limit is {MOST_ROWS} rows or columns."
        )
    with np.errstate(over="ignore"):
        floats = np.ascontiguousarray(array, dtype=np.float32)
    if not np.isfinite(floats).all():
        raise Error(f"{what} holds a value that is not finite.")
    return floats


def rows(
    keys: Keys, count: int, find: Callable[[str], int | None], what: str
) -> tuple[NDArray[np.uint32], bool, bool]:
    """Row numbers of users or items, whether they were given by id, and whether by a scalar."""
    array = array_of(keys, f"{what}s")
    scalar = array.ndim == 0
    if array.ndim > 1:
        raise Error(f"{what}s has {array.ndim} dimensions; expected one {what} or a column.")
    array = np.atleast_1d(array)
    if array.size == 0:
        return np.empty(0, np.uint32), False, False
    if array.dtype.kind in "OUT" and all(isinstance(key, str) for key in array.tolist()):
        found = [(key, find(key)) for key in array.tolist()]
        unknown = [key for key, row in found if row is None]
        if unknown:
            raise Error(f"the model knows no {what} {unknown[0]!r}; give ids of the training data.")
        return np.array([row for _, row in found], dtype=np.uint32), True, scalar
    numbers = integers(array, f"{what}s")
    wrong = (numbers < 0) | (numbers >= count)
    if wrong.any():
        raise Error(
            f"there is no {what} {numbers[wrong][0]}; {what}s are numbered from 0 to {count - 1}."
        )
    return numbers.astype(np.uint32), False, scalar


def count(value: object, what: str) -> int:
    """A number of things, at least 1."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise Error(f"{what} is {value!r}; expected an integer.")
    if not 1 <= value <= 2**31 - 1:
        raise Error(f"{what} is {value}; expected at least 1 and at most {2**31 - 1}.")
    return int(value)


@dataclass(frozen=True)
class Interactions:
    """Pairs as compressed rows: the items of user `u` are `indices[indptr[u]:indptr[u + 1]]`.

    The arrays are read-only views; they keep the dataset alive.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    shape: tuple[int, int]

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.indices)

    def row(self, user: int) -> NDArray[np.int32]:
        """The items of one user, ascending."""
        if not 0 <= user < self.shape[0]:
            raise Error(
                f"there is no user {user}; users are numbered from 0 to {self.shape[0] - 1}."
            )
        return self.indices[self.indptr[user] : self.indptr[user + 1]]

    def to_scipy(self) -> Any:
        """The pairs as a `scipy.sparse.csr_matrix` of ones, a copy. Needs SciPy."""
        from importlib import import_module

        ones = np.ones(len(self), np.float32)
        csr_matrix = import_module("scipy.sparse").csr_matrix
        # Some libraries refuse arrays that are read-only.
        return csr_matrix((ones, self.indices, self.indptr), shape=self.shape, copy=True)

    @property
    def offsets(self) -> NDArray[np.uint64]:
        """`indptr` as the engine takes it."""
        return self.indptr.view(np.uint64)

    @property
    def items(self) -> NDArray[np.uint32]:
        """`indices` as the engine takes them."""
        return self.indices.view(np.uint32)


def compressed(matrix: object, what: str) -> tuple[Interactions, NDArray[np.float64]]:
    """A sparse matrix (SciPy's formats, or anything with indptr, indices and shape) as pairs.

    Stored zeros are no pairs. Returns the values beside the pairs.
    """
    if isinstance(matrix, Interactions):
        return matrix, np.ones(len(matrix))
    if hasattr(matrix, "tocsr"):
        matrix = matrix.tocsr()
    if not all(hasattr(matrix, name) for name in ("indptr", "indices", "shape")):
        raise Error(
            f"{what} is of the type {type(matrix).__name__}; "
            "expected a sparse matrix (users x items), for example scipy.sparse.csr_matrix."
        )
    source: Any = matrix
    shape = tuple(int(size) for size in source.shape)
    if len(shape) != 2 or max(shape) > MOST_ROWS:
        raise Error(f"{what} has the shape {shape}; expected users x items.")
    indptr = integers(column(source.indptr, f"indptr of {what}"), f"indptr of {what}")
    columns = integers(column(source.indices, f"indices of {what}"), f"indices of {what}")
    given = getattr(source, "data", None)
    values = numbers(np.ones(len(columns)) if given is None else given, f"data of {what}")
    assert values is not None
    steps = np.diff(indptr)
    if len(indptr) != shape[0] + 1 or indptr[0] != 0 or (steps < 0).any():
        raise Error(f"indptr of {what} does not fit its shape {shape}.")
    if len(columns) < indptr[-1] or len(values) < indptr[-1]:
        raise Error(f"{what} has fewer entries than its indptr says.")
    columns, values = columns[: indptr[-1]], values[: indptr[-1]]
    if ((columns < 0) | (columns >= shape[1])).any():
        raise Error(f"{what} holds an item outside 0 to {shape[1] - 1}.")
    owners = np.repeat(np.arange(shape[0], dtype=np.int64), steps)
    kept = values != 0
    pairs, first = np.unique(owners[kept] * shape[1] + columns[kept], return_index=True)
    owners = pairs // max(shape[1], 1)
    new_indptr = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=shape[0]), out=new_indptr[1:])
    indices = (pairs % max(shape[1], 1)).astype(np.int32)
    return Interactions(new_indptr, indices, (shape[0], shape[1])), values[kept][first]
