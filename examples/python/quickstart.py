# SPDX-License-Identifier: Apache-2.0
"""Train, measure, recommend, keep: the quick start of docs/python.md as one program."""

import tempfile
from pathlib import Path

import divns

# Your own data: divns.Dataset.from_pandas(frame, user="user_id", item="item_id", k_core=5).
data = divns.Dataset.synthetic("demo")
print(data)

model = divns.MF(sampler="divns", epochs=30, seed=1).fit(data)
metrics = model.evaluate(data)
print(f"recall@20 {metrics['recall@20']:.4f}, ndcg@20 {metrics['ndcg@20']:.4f}")

items, scores = model.recommend(data.user_ids[:3], N=5)
for user, row in zip(data.user_ids[:3], items, strict=True):
    print(f"user {user}: items {', '.join(row)}")

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "model.safetensors"
    model.save(path)
    again = divns.load(path, data)
    assert (again.recommend(0)[0] == model.recommend(0)[0]).all()
