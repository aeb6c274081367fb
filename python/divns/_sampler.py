# SPDX-License-Identifier: Apache-2.0
"""Samplers for training loops of your own: NumPy, PyTorch or JAX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _core
from ._core import Error
from ._dataset import Dataset
from ._exchange import from_numpy, library_of, to_numpy
from ._settings import settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainOptions


class Batch(NamedTuple):
    """Training pairs with their negatives: B rows, K negatives per row, T terms per negative.

    The arrays belong to the library of the vectors given: NumPy, torch or JAX. `users` and
    `positives` have B entries; `negatives` and `weights` are B x K x T.

    Negative k of row b has the vector `sum_t weights[b, k, t] * item_vectors[negatives[b, k, t]]`.
    Samplers that choose one item have T = 1 and weight 1. `importance` (B x K) weighs the negatives
    and `row_weights` (B) the rows in the loss; both are None for samplers that do not use them.
    """

    users: Any
    positives: Any
    negatives: Any
    weights: Any
    importance: Any
    row_weights: Any


class Sampler:
    """Negatives for a model that divns does not know.

    `dim` is the length of your vectors. Options are `batch_size` (2048), `negatives` per pair (1),
    `seed` (1) and those of the sampler.

    Call `begin_epoch` with the current vectors before every epoch, then `batch` until it returns
    None, or iterate over `epoch`. Vectors are NumPy arrays, torch tensors on the CPU (parameters,
    too) or JAX arrays, and so are the batches. float32 arrays of NumPy and torch are read in place:
    updates of your optimizer are seen by the next batch. JAX arrays never change, so pass the new
    ones to every `batch`. The draws depend on the seed, not on the number of threads.

    >>> data = Dataset.synthetic(users=100, items=80, pairs=1500)
    >>> rng = np.random.default_rng(1)
    >>> users, items = (rng.normal(size=(n, 16)).astype(np.float32) for n in (100, 80))
    >>> sampler = Sampler("divns", data, dim=16, divns__lambda=0.5)
    >>> for epoch in range(2):  # the first epoch fills the cache of diverse items
    ...     for batch in sampler.epoch(users, items):
    ...         print(batch.negatives.shape, batch.weights[0].tolist())
    (1050, 1, 1) [[1.0]]
    (1050, 1, 2) [[0.5, 0.5]]
    """

    def __init__(
        self,
        name: str,
        data: Dataset,
        *,
        dim: int,
        threads: int = 0,
        **options: Unpack[TrainOptions],
    ) -> None:
        if not isinstance(data, Dataset):
            raise TypeError(f"data is a {type(data).__name__}; expected a divns.Dataset.")
        self.name = name
        self.batch_size = _arrays.count(options.pop("batch_size", 2048), "batch_size")
        negatives = _arrays.count(options.pop("negatives", 1), "negatives")
        self.seed = int(options.pop("seed", 1))
        if not 0 <= self.seed < 2**64:
            raise Error(f"seed is {self.seed}; expected an integer from 0 to 2^64 - 1.")
        width = _arrays.count(dim, "dim")
        if width > 65536:
            raise Error(f"dim is {dim}; expected at most 65536.")
        self._core = _core.LoopSampler(
            name,
            data._core,
            settings(options),
            self.seed,
            width,
            negatives,
            self.batch_size,
            threads,
        )
        part = data.train
        counts = np.diff(part.indptr)
        owners = np.repeat(np.arange(data.users, dtype=np.uint32), counts)
        # A user who has every item has no negatives.
        self._pairs = np.flatnonzero(counts[owners] < data.items).astype(np.uint64)
        self._owners = owners
        self._order = np.empty(0, np.uint64)
        self._vectors: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._library = "numpy"
        self._place = 0
        self._step = 0
        self._epochs = 0

    def begin_epoch(self, user_vectors: Any, item_vectors: Any) -> None:
        """Shuffle the pairs, and let the sampler do its work of an epoch."""
        vectors = (
            _arrays.matrix(to_numpy(user_vectors, "user_vectors"), "user_vectors"),
            _arrays.matrix(to_numpy(item_vectors, "item_vectors"), "item_vectors"),
        )
        self._core.begin_epoch(self._epochs, *vectors)
        self._vectors = vectors
        self._library = library_of(user_vectors)
        self._order = np.random.default_rng((self.seed, self._epochs)).permutation(self._pairs)
        self._place = 0
        self._epochs += 1

    def batch(self, user_vectors: Any = None, item_vectors: Any = None) -> Batch | None:
        """The next pairs of the epoch with negatives, or None at its end.

        New vectors replace those of `begin_epoch`.
        """
        if self._vectors is None:
            raise Error("no epoch has begun; call begin_epoch first.")
        if user_vectors is not None or item_vectors is not None:
            self._vectors = (
                self._replaced(user_vectors, self._vectors[0], "user_vectors"),
                self._replaced(item_vectors, self._vectors[1], "item_vectors"),
            )
        pairs = self._order[self._place : self._place + self.batch_size]
        if len(pairs) == 0:
            return None
        users = self._owners[pairs]
        drawn = self._core.batch(self._step, self._place, pairs, users, *self._vectors)
        self._place += len(pairs)
        self._step += 1
        arrays = (users.astype(np.int64), *drawn)
        return Batch(*(from_numpy(array, self._library) for array in arrays))

    def epoch(self, user_vectors: Any, item_vectors: Any) -> Iterator[Batch]:
        """All batches of one epoch."""
        self.begin_epoch(user_vectors, item_vectors)
        while (batch := self.batch()) is not None:
            yield batch

    def _negatives_of(
        self,
        pairs: NDArray[Any],
        users: NDArray[Any],
        user_vectors: NDArray[np.float32],
        item_vectors: NDArray[np.float32],
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Negatives and weights for pairs that somebody else put in order."""
        places = pairs.astype(np.uint64), users.astype(np.uint32)
        vectors = user_vectors, item_vectors
        drawn = self._core.batch(self._step, self._place, *places, *vectors)
        self._place += len(pairs)
        self._step += 1
        return drawn[1], drawn[2]

    @staticmethod
    def _replaced(given: Any, old: NDArray[np.float32], what: str) -> NDArray[np.float32]:
        if given is None:
            return old
        array = _arrays.array_of(to_numpy(given, what), what)
        if array.shape != old.shape or array.dtype.kind not in "iuf":
            raise Error(f"{what} has the shape {array.shape}; expected {old.shape}.")
        return np.ascontiguousarray(array, dtype=np.float32)
