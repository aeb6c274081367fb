# SPDX-License-Identifier: Apache-2.0
"""A sampler and a loss of your own, in Python: checked, trained and compared."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import divns
from divns import testing

Array = NDArray[Any]


@divns.register_sampler("skip_top")
class SkipTop(divns.CustomSampler):
    """the second best of n uniform candidates: the very best is often a false negative"""

    options: ClassVar = {"candidates": divns.Option(8, "number of candidates (n)", low=2)}

    def candidates(self, batch: divns.PairBatch) -> Array:
        """B x K x n items that the user does not have."""
        each, n = self.run.negatives, self.values["candidates"]
        return self.uniform(batch, each * n).reshape(len(batch), each, n)

    def choose(
        self, batch: divns.PairBatch, candidates: Array, vectors: divns.BatchVectors
    ) -> Array:
        """B x K items: the one with the second highest score."""
        second = np.argsort(vectors.scores(), axis=2)[..., -2, None]
        return np.take_along_axis(candidates, second, axis=2)[..., 0]


@divns.register_loss("logistic")
class Logistic(divns.CustomLoss):
    """sum over the negatives of log(1 + exp(negative - positive))"""

    def rows(self, scores: divns.LossScores) -> tuple[Array, Array, Array]:
        """Losses, and their derivatives by the positive and the negative scores."""
        gaps = scores.negative.astype(np.float64) - scores.positive[:, None]
        slopes = 1 / (1 + np.exp(-gaps))
        return np.logaddexp(0, gaps).sum(axis=1), -slopes.sum(axis=1), slopes


testing.check_sampler(SkipTop)
testing.check_loss(Logistic)

data = divns.Dataset.synthetic("demo")
study = divns.compare(
    data,
    ["rns", "skip_top", "skip_top:skip_top.candidates=16"],
    loss="logistic",
    seeds=2,
    epochs=8,
    learning_rate=0.01,
)
print(study.table)
