# SPDX-License-Identifier: Apache-2.0
"""Samplers of divns in RecBole.

    from recbole.data import create_dataset, data_preparation
    train_data, valid_data, test_data = data_preparation(config, create_dataset(config))
    model = BPR(config, train_data.dataset)
    use_sampler(train_data, model, "dns", dns__candidates=10)
    Trainer(config, model).fit(train_data, valid_data)

RecBole gives negatives as item ids. Of a negative that mixes several items (DivNS), one item is
drawn with its weight as the probability; its expected vector is the mixture. Negatives come from
the training part alone; RecBole's popularity sampler counts the other parts as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from .. import _arrays
from .._core import Error
from .._dataset import Dataset
from .._exchange import to_numpy
from .._sampler import Sampler

Vectors = Callable[[], tuple[Any, Any]]


class RecBoleSampler:
    """Takes the place of a RecBole sampler in a training data loader."""

    def __init__(self, dataset: Any, vectors: Vectors, name: str, **options: Any) -> None:
        users = dataset.inter_feat[dataset.uid_field].numpy()
        items = dataset.inter_feat[dataset.iid_field].numpy()
        self.data = Dataset.from_pairs(users, items, ratios=[1, 0, 0])
        # RecBole's numbers by our rows. Number 0 is padding, and other numbers may have no pairs.
        self._users = np.array([int(id) for id in self.data.user_ids])
        self._items = np.array([int(id) for id in self.data.item_ids])
        train = self.data.train
        owners = np.repeat(np.arange(self.data.users, dtype=np.int64), np.diff(train.indptr))
        self._keys = owners * self.data.items + train.indices
        self._vectors, self._rows_seen, self._pairs = vectors, 0, len(users)
        self._generator = np.random.default_rng(options.get("seed", 1))
        self._make = lambda negatives, dim: Sampler(
            name, self.data, dim=dim, negatives=negatives, **{"batch_size": 65536, **options}
        )
        self._sampler: Sampler | None = None

    def sample_by_user_ids(self, user_ids: Any, item_ids: Any, num: int) -> Any:
        """RecBole's call: `num` negatives per pair, all first ones, then all second ones, ..."""
        users = np.searchsorted(self._users, np.asarray(user_ids))
        items = np.searchsorted(self._items, np.asarray(item_ids))
        pairs = np.searchsorted(self._keys, users * self.data.items + items)
        vectors = self._current_vectors()
        if self._sampler is None:
            self._sampler = self._make(num, vectors[0].shape[1])
        if self._rows_seen % self._pairs == 0:
            self._sampler.begin_epoch(*vectors)
        drawn = self._sampler._negatives_of(pairs, users, *vectors)
        self._rows_seen = (self._rows_seen % self._pairs + len(pairs)) if self._pairs else 0
        negatives, weights = drawn
        if negatives.shape[2] > 1:
            uniform = self._generator.random(negatives.shape[:2])[..., None]
            chosen = (weights.cumsum(axis=2) < uniform).sum(axis=2, keepdims=True)
            chosen = np.minimum(chosen, negatives.shape[2] - 1)
            negatives = np.take_along_axis(negatives, chosen, axis=2)
        return torch.from_numpy(self._items[negatives[:, :, 0].T.ravel()])

    def _current_vectors(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        tables = []
        for table, numbers in zip(self._vectors(), (self._users, self._items), strict=True):
            plain = _arrays.array_of(to_numpy(table, "vectors"), "vectors")
            # A slice is a view; other rows have to be copied.
            whole = len(numbers) == numbers[-1] and numbers[0] == 1
            part = plain[1 : len(numbers) + 1] if whole else plain[numbers]
            tables.append(np.ascontiguousarray(part, dtype=np.float32))
        return tables[0], tables[1]


def use_sampler(
    train_data: Any, model: Any, name: str, *, vectors: Vectors | None = None, **options: Any
) -> RecBoleSampler:
    """Let a RecBole training loader draw negatives by a sampler of divns.

    `vectors` returns the user and item vectors that the sampler scores with, once per batch. By
    default these are the embedding tables of the model (BPR); for a graph model, pass
    `model.forward` under `torch.no_grad()`.
    """
    if vectors is None:
        if not hasattr(model, "user_embedding") or not hasattr(model, "item_embedding"):
            raise Error(
                f"{type(model).__name__} has no user_embedding and item_embedding; give `vectors`, "
                "a function that returns user and item vectors."
            )
        vectors = lambda: (model.user_embedding.weight, model.item_embedding.weight)  # noqa: E731
    sampler = RecBoleSampler(train_data.dataset, vectors, name, **options)
    train_data._sampler = sampler
    return sampler


__all__ = ["RecBoleSampler", "use_sampler"]
