# SPDX-License-Identifier: Apache-2.0
"""Re-rank recommendations with a k-DPP: 10 diverse items out of the best 50, with NumPy only."""

import numpy as np
from numpy.typing import NDArray

import divns


def mean_cosine(vectors: NDArray[np.float32]) -> float:
    """Mean cosine between different rows: 1 for copies of one vector, about 0 for diverse rows."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    return float(cosines[np.triu_indices(len(unit), 1)].mean())


data = divns.Dataset.synthetic("demo")
model = divns.MF(sampler="dns", epochs=30, seed=1).fit(data)
before, after = [], []
for user in range(100):
    items, scores = model.recommend(user, N=50)
    vectors = model.item_factors[items]
    # Quality: scores from 0 to 1, so that a better item is worth more at equal diversity.
    quality = (scores - scores.min()) / (scores.max() - scores.min())
    chosen = divns.dpp.greedy(vectors, 10, quality=quality).items
    before.append(mean_cosine(vectors[:10]))
    after.append(mean_cosine(vectors[chosen]))
print(f"mean cosine of the first 10 items: {np.mean(before):.3f}")
print(f"mean cosine of 10 items chosen by the k-DPP: {np.mean(after):.3f}")
assert np.mean(after) < np.mean(before)
