# SPDX-License-Identifier: Apache-2.0
"""A training loop of your own: BPR with SGD in NumPy, negatives by DivNS.

The same loop works with PyTorch: pass `parameter.detach().numpy()`, which shares its memory.
"""

import numpy as np

import divns

DIM, RATE, L2 = 32, 0.05, 0.002
data = divns.Dataset.synthetic("demo")
rng = np.random.default_rng(1)
users = (0.1 * rng.standard_normal((data.users, DIM))).astype(np.float32)
items = (0.1 * rng.standard_normal((data.items, DIM))).astype(np.float32)
sampler = divns.Sampler("divns", data, dim=DIM, batch_size=256, divns__lambda=0.5)


def recall() -> float:
    """Recall@20 on the validation part."""
    return divns.evaluate((users, items), data, part="valid", topk=[20])["recall@20"]


before = recall()
for epoch in range(15):
    for batch in sampler.epoch(users, items):
        user, positive = users[batch.users], items[batch.positives]
        terms, weights = batch.negatives[:, 0], batch.weights[:, 0, :, None]  # B x T, B x T x 1
        negative = (weights * items[terms]).sum(axis=1)
        # BPR: -log sigmoid(u.p - u.n); slope is its derivative by the difference of the scores.
        slope = -1 / (1 + np.exp((user * (positive - negative)).sum(axis=1, keepdims=True)))
        np.add.at(users, batch.users, -RATE * (slope * (positive - negative) + L2 * user))
        np.add.at(items, batch.positives, -RATE * (slope * user + L2 * positive))
        np.add.at(items, terms, RATE * weights * (slope * user - L2 * negative)[:, None])
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1}: recall@20 {recall():.4f}")
assert recall() > 3 * before
