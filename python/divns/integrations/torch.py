# SPDX-License-Identifier: Apache-2.0
"""A `torch.utils.data.IterableDataset` of training batches with negatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torch.utils.data import IterableDataset, get_worker_info

from .._core import Error
from .._sampler import Batch, Sampler


class Batches(IterableDataset):
    """One epoch of batches per iteration, for `DataLoader(Batches(...), batch_size=None)`.

    `vectors` returns the current user and item vectors: float32 tensors on the CPU, parameters
    too. They are read in place, so the sampler sees every step of the optimizer.
    """

    def __init__(self, sampler: Sampler, vectors: Callable[[], tuple[Any, Any]]) -> None:
        super().__init__()
        self.sampler, self.vectors = sampler, vectors

    def __iter__(self) -> Iterator[Batch]:
        """The batches of the next epoch."""
        if get_worker_info() is not None:
            raise Error(
                "a worker process would not see the updates of the model; use num_workers=0."
            )
        return self.sampler.epoch(*self.vectors())


__all__ = ["Batches"]
