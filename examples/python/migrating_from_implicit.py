# SPDX-License-Identifier: Apache-2.0
"""The same code for implicit and divns: only the import changes.

Runs divns alone where implicit is not installed (pip install implicit).
"""

import importlib.util
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import divns

data = divns.Dataset.synthetic("demo")
user_items = data.train.to_scipy()


def fit_and_measure(model: Any) -> None:
    """Fit on the matrix, recommend to all users, and measure both libraries alike."""
    start = time.perf_counter()
    model.fit(user_items)
    fitted = time.perf_counter()
    users = np.arange(user_items.shape[0])
    items, scores = model.recommend(users, user_items, N=20)
    done = time.perf_counter()
    # The evaluator takes scores, so that lists of any library can be measured.
    matrix: NDArray[np.float32] = np.full(user_items.shape, -1e9, np.float32)
    np.put_along_axis(matrix, items.astype(np.int64), scores.astype(np.float32), axis=1)
    recall = divns.evaluate(matrix, data, topk=[20])["recall@20"]
    name = f"{type(model).__module__.split('.')[0]} {type(model).__name__}"
    seconds = f"fit {fitted - start:6.2f} s  lists {done - fitted:5.2f} s"
    print(f"{name:<36} {seconds}  recall@20 {recall:.4f}")


models: list[Any] = [divns.IALS(ials__factors=64), divns.MF(sampler="divns", epochs=30)]
if importlib.util.find_spec("implicit"):
    implicit = importlib.import_module("implicit")
    models.append(implicit.als.AlternatingLeastSquares(factors=64))
    models.append(implicit.bpr.BayesianPersonalizedRanking(factors=64))
for model in models:
    fit_and_measure(model)
