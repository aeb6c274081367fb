# SPDX-License-Identifier: Apache-2.0
"""Base classes of samplers and losses written in Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ._arrays import Interactions
from ._core import Error

# A random stream of one batch: the counter of Philox takes 256 bits.
_EPOCH_SHIFT, _PLACE_SHIFT = 128, 192


@dataclass(frozen=True)
class Option:
    """An option of a sampler or a loss. The type is that of the default."""

    default: bool | int | float | str
    help: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class RunInfo:
    """What a sampler or a loss may know about the run."""

    seed: int
    negatives: int
    batch_size: int
    # For samplers.
    train: Interactions | None = None
    dim: int = 0
    # For losses: scores are cosines.
    cosine: bool = False


@dataclass
class PairBatch:
    """Training pairs that need negatives: B users and their positive items.

    `epoch` counts from 0, `step` is the number of batches before this one in the whole run, and
    `place` is the position of the first row in the epoch.
    """

    epoch: int
    step: int
    place: int
    users: NDArray[np.int64]
    positives: NDArray[np.int64]
    seed: int

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.users)

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers that depend on the seed and the batch alone."""
        counter = (self.epoch << _EPOCH_SHIFT) | (self.place << _PLACE_SHIFT)
        return np.random.Generator(np.random.Philox(key=self.seed, counter=counter))


@dataclass(frozen=True)
class BatchVectors:
    """Copies of the vectors of a batch as they are now.

    `users` and `positives` are B x d, `candidates` has the shape of the candidates, and d.
    """

    users: NDArray[np.float32]
    positives: NDArray[np.float32]
    candidates: NDArray[np.float32]

    def scores(self) -> NDArray[np.float32]:
        """Inner products of each user with the candidates of the row."""
        flat = self.candidates.reshape(len(self.users), -1, self.users.shape[1])
        products: NDArray[np.float32] = np.einsum("bd,bcd->bc", self.users, flat)
        return products.reshape(self.candidates.shape[:-1])


class CustomSampler:
    """Base class of samplers written in Python; register one with `divns.register_sampler`.

    For every batch, `candidates` names items, and `choose` picks the negatives once the vectors of
    the candidates are there. Without `choose`, the candidates are the negatives. All arrays are
    NumPy arrays of a whole batch; a loop over rows in Python would be slow.

    `options` declares options and `values` has their values by name. `run` says what is known
    about the run. Draw with `batch.rng`: then the same seed gives the same model, whatever the
    number of threads.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    values: dict[str, Any]
    run: RunInfo

    def start(self) -> None:
        """Called once before the first epoch, when `run` and the options are set."""

    def begin_epoch(
        self, epoch: int, users: NDArray[np.float32], items: NDArray[np.float32]
    ) -> None:
        """Called before every epoch with copies of all vectors, if a subclass overrides it."""

    def candidates(self, batch: PairBatch) -> NDArray[Any]:
        """Items for each row: an array of integers with B rows, of any further shape."""
        raise NotImplementedError

    def choose(
        self, batch: PairBatch, candidates: NDArray[np.int64], vectors: BatchVectors
    ) -> NDArray[Any] | tuple[NDArray[Any], NDArray[Any]]:
        """The negatives: B, B x K or B x K x T items, or a pair (items, weights).

        K is `run.negatives`. Negative k of row b has the vector `sum_t weights[b, k, t] *
        item_vectors[items[b, k, t]]`; the weights of a negative have the sum 1.
        """
        return candidates

    def save(self) -> dict[str, NDArray[Any]]:
        """State that outlives an epoch, for checkpoints: arrays by name."""
        return {}

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore what `save` returned."""

    def uniform(self, batch: PairBatch, count: int) -> NDArray[np.int64]:
        """B x count items, uniform over those that are not training items of the user."""
        train = self._train()
        users = np.repeat(batch.users, count)
        items = batch.rng.integers(train.shape[1], size=len(users))
        wrong = np.flatnonzero(self.owns(users, items))
        while len(wrong):
            items[wrong] = batch.rng.integers(train.shape[1], size=len(wrong))
            wrong = wrong[self.owns(users[wrong], items[wrong])]
        return items.reshape(len(batch), count)

    def owns(self, users: NDArray[Any], items: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each item is a training item of the user in the same place."""
        wanted = users * self._train().shape[1] + items
        found = np.searchsorted(self._keys, wanted)
        same: NDArray[np.bool_] = self._keys[np.minimum(found, len(self._keys) - 1)] == wanted
        return same

    def _train(self) -> Interactions:
        if self.run.train is None:
            raise Error("the sampler is not part of a training yet.")
        return self.run.train

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """Every training pair as one number, ascending."""
        train = self._train()
        users = np.repeat(np.arange(train.shape[0], dtype=np.int64), np.diff(train.indptr))
        return users * train.shape[1] + train.indices


@dataclass(frozen=True)
class LossScores:
    """Scores of R rows: `positive` has R of them, `negative` R x K.

    `importance` (R x K) are weights given by the sampler, or None.
    """

    positive: NDArray[np.float32]
    negative: NDArray[np.float32]
    users: NDArray[np.int64]
    importance: NDArray[np.float32] | None


LossAnswer = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


class CustomLoss:
    """Base class of losses written in Python; register one with `divns.register_loss`."""

    options: ClassVar[Mapping[str, Option]] = {}
    values: dict[str, Any]
    run: RunInfo

    def start(self) -> None:
        """Called once before the first batch, when `run` and the options are set."""

    def rows(self, scores: LossScores) -> LossAnswer:
        """Losses (R), their derivatives by the positive (R) and the negative (R x K) scores.

        Each row by itself; the engine applies the weights of the rows and the mean over the batch.
        """
        raise NotImplementedError
