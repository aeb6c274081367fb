# SPDX-License-Identifier: Apache-2.0
"""The same code for implicit and divns: only the import changes.

Prints seconds and Recall@20 side by side. Runs divns alone where implicit is not installed
(pip install implicit).
"""

import importlib
import importlib.util
import time
from typing import Any

import numpy as np

import divns

data = divns.Dataset.synthetic("demo")
user_items = data.train.to_scipy()


def fit_and_measure(model: Any) -> None:
    """Fit on the matrix, recommend to all users, and measure both libraries alike."""
    start = time.perf_counter()
    model.fit(user_items)
    fitted = time.perf_counter()
    items, _ = model.recommend(np.arange(user_items.shape[0]), user_items, N=20)
    done = time.perf_counter()
    recall = divns.evaluate_lists(items, data, topk=[20])["recall@20"]
    name = f"{type(model).__module__.split('.')[0]} {type(model).__name__}"
    seconds = f"fit {fitted - start:6.2f} s  lists {done - fitted:5.2f} s"
    print(f"{name:<36} {seconds}  recall@20 {recall:.4f}")


models: list[Any] = [
    divns.IALS(ials__factors=64, ials__epochs=15),
    divns.MF(embedding_dim=64, epochs=100, learning_rate=0.005),
]
if importlib.util.find_spec("implicit"):
    als = importlib.import_module("implicit.als")
    bpr = importlib.import_module("implicit.bpr")
    models.append(als.AlternatingLeastSquares(factors=64, iterations=15, random_state=1))
    models.append(bpr.BayesianPersonalizedRanking(factors=64, iterations=100, random_state=1))
for model in models:
    fit_and_measure(model)
