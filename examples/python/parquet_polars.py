# SPDX-License-Identifier: Apache-2.0
# needs: polars
"""Your own data from a Parquet file: string ids, a split by time, recommendations by id."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl

import divns


def write_events(path: Path) -> None:
    """Events as a shop might log them: 300 users in three groups that like different items."""
    rng = np.random.default_rng(1)
    users = rng.integers(300, size=9000)
    liked = (users % 3) * 100 + (rng.zipf(1.4, size=9000) % 100)
    items = np.where(rng.random(9000) < 0.8, liked, rng.integers(300, size=9000))
    pl.DataFrame(
        {
            "user_id": [f"user-{n}" for n in users],
            "product": [f"product-{n}" for n in items],
            "seconds": 1_700_000_000 + rng.integers(10**7, size=9000),
        }
    ).write_parquet(path)


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "events.parquet"
    write_events(path)
    events = pl.read_parquet(path)

data = divns.Dataset.from_arrow(
    events, user="user_id", item="product", time="seconds", split="temporal", k_core=5
)
print(data)
model = divns.MF(sampler="divns", epochs=60, learning_rate=0.005, seed=1).fit(data)
print(f"recall@20 {model.evaluate(data)['recall@20']:.3f}")

user = data.user_ids[0]
items, scores = model.recommend(user, N=3)
best = pl.DataFrame({"product": items.tolist(), "score": scores})
print(user, best)
