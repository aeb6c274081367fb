# SPDX-License-Identifier: Apache-2.0
# needs: jax
"""A training loop in JAX: BPR with SGD, negatives by DNS. JAX arrays are passed to every batch."""

import jax

import divns

DIM, RATE, L2 = 32, 8.0, 1e-4
data = divns.Dataset.synthetic("demo")
keys = jax.random.split(jax.random.key(1))
users = 0.1 * jax.random.normal(keys[0], (data.users, DIM))
items = 0.1 * jax.random.normal(keys[1], (data.items, DIM))
sampler = divns.Sampler("dns", data, dim=DIM, batch_size=256, dns__candidates=5)


@jax.jit
def step(users, items, user, positive, negative):  # type: ignore[no-untyped-def]
    """One step of gradient descent on a batch."""

    def loss(tables):  # type: ignore[no-untyped-def]
        u, p, n = tables[0][user], tables[1][positive], tables[1][negative]
        squares = (u**2).sum() + (p**2).sum() + (n**2).sum()
        return -jax.nn.log_sigmoid((u * (p - n)).sum(1)).mean() + L2 * squares / len(u)

    slopes = jax.grad(loss)((users, items))
    return users - RATE * slopes[0], items - RATE * slopes[1]


def recall() -> float:
    """Recall@20 on the validation part."""
    return divns.evaluate((users, items), data, part="valid", topk=[20])["recall@20"]


before = recall()
for _ in range(20):
    sampler.begin_epoch(users, items)
    while (batch := sampler.batch(users, items)) is not None:
        users, items = step(users, items, batch.users, batch.positives, batch.negatives[:, 0, 0])
print(f"recall@20 {before:.4f} before, {recall():.4f} after")
assert recall() > 3 * before
