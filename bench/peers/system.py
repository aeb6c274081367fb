#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits one system and recommends 20 items to every user; run.py starts one process per system.

system.py NAME DATA.npz LISTS.npy prints one JSON line: seconds of the wall clock and of the CPU
for fitting and for the lists, and the peak memory of the process. Settings are the defaults of each
library, except for 64 dimensions and the number of epochs below.
"""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PLACES, DIM = 20, 64
# Passes over the training pairs: of Adam, of plain SGD (the default of implicit and Cornac), of ALS,
# and of LightGCN.
BPR_EPOCHS, SGD_EPOCHS, ALS_EPOCHS, GRAPH_EPOCHS = 30, 100, 15, 10


class Clock:
    """Seconds of the wall clock and of the CPU, children included, since the last lap."""

    def __init__(self):
        self.last = self.now()

    @staticmethod
    def now():
        cpu = os.times()
        return np.array([time.perf_counter(), sum(cpu[:4])])

    def lap(self):
        now = self.now()
        seconds, self.last = now - self.last, now
        return {"wall": round(float(seconds[0]), 2), "cpu": round(float(seconds[1]), 2)}


def csr(data):
    from scipy.sparse import csr_matrix

    ones = np.ones(len(data["indices"]), np.float32)
    return csr_matrix((ones, data["indices"], data["indptr"]), shape=tuple(data["shape"]))


def pairs(data):
    users = np.repeat(np.arange(data["shape"][0]), np.diff(data["indptr"]))
    return users, data["indices"]


def divns_model(make):
    def fit(data, clock):
        import divns

        dataset = divns.Dataset.open(str(data["folder"]))
        model = make(divns)
        clock.lap()
        model.fit(dataset)
        seconds = clock.lap()
        lists = model.recommend(np.arange(dataset.users), N=PLACES)[0]
        return seconds, lists

    return fit


def implicit_model(make):
    def fit(data, clock):
        import implicit.als
        import implicit.bpr

        matrix = csr(data)
        model = make(implicit)
        clock.lap()
        model.fit(matrix, show_progress=False)
        seconds = clock.lap()
        return seconds, model.recommend(np.arange(matrix.shape[0]), matrix, N=PLACES)[0]

    return fit


def cornac_model(make):
    def fit(data, clock):
        import cornac

        users, items = pairs(data)
        triples = [(int(u), int(i), 1.0) for u, i in zip(users, items, strict=True)]
        train = cornac.data.Dataset.from_uir(triples, seed=1)
        model = make(cornac.models)
        clock.lap()
        model.fit(train)
        seconds = clock.lap()
        lists = np.full((data["shape"][0], PLACES), -1)
        for user in train.uid_map:
            lists[user] = model.recommend(user, k=PLACES, remove_seen=True, train_set=train)
        return seconds, lists

    return fit


def lenskit_als(data, clock):
    import pandas as pd
    from lenskit import batch
    from lenskit.als import ImplicitMFScorer
    from lenskit.data import from_interactions_df
    from lenskit.pipeline import topn_pipeline

    users, items = pairs(data)
    train = from_interactions_df(pd.DataFrame({"user_id": users, "item_id": items}))
    pipeline = topn_pipeline(ImplicitMFScorer(embedding_size=DIM, epochs=ALS_EPOCHS), n=PLACES)
    clock.lap()
    pipeline.train(train)
    seconds = clock.lap()
    known = np.unique(users)
    lists = np.full((data["shape"][0], PLACES), -1)
    for key, found in batch.recommend(pipeline, known, n=PLACES).items():
        ids = np.asarray(found.ids())
        lists[int(key.user_id), : len(ids)] = ids
    return seconds, lists


def recbole_model(name, epochs):
    def fit(data, clock):
        import torch

        # RecBole 1.2.1 uses names that NumPy 2 removed.
        for old, new in {"float_": np.float64, "complex_": np.complex128, "unicode_": str}.items():
            setattr(np, old, new)
        from recbole.config import Config
        from recbole.data import create_dataset, data_preparation
        from recbole.trainer import Trainer
        from recbole.utils import get_model, init_seed

        users, items = pairs(data)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own"
            path.mkdir()
            # The validation part of the split; RecBole wants three files.
            parts = {"train": (users, items), "valid": data["valid"], "test": data["valid"]}
            for part, (u, i) in parts.items():
                rows = "".join(f"{a}\t{b}\n" for a, b in zip(u, i, strict=True))
                header = "user_id:token\titem_id:token\n"
                (path / f"own.{part}.inter").write_text(header + rows)
            settings = {
                "data_path": folder, "benchmark_filename": ["train", "valid", "test"],
                "USER_ID_FIELD": "user_id", "ITEM_ID_FIELD": "item_id",
                "load_col": {"inter": ["user_id", "item_id"]}, "embedding_size": DIM,
                "epochs": epochs, "eval_step": 0, "use_gpu": False, "device": "cpu",
                "show_progress": False, "state": "ERROR", "checkpoint_dir": folder,
            }  # fmt: skip
            sys.argv = sys.argv[:1]
            config = Config(model=name, dataset="own", config_dict=settings)
            init_seed(1, True)
            dataset = create_dataset(config)
            train, _, _ = data_preparation(config, dataset)
            model = get_model(name)(config, train.dataset)
            clock.lap()
            Trainer(config, model).fit(train, None, verbose=False, saved=False)
        seconds = clock.lap()
        model.eval()
        to_user = dataset.token2id("user_id", np.unique(users).astype(str))
        tokens = dataset.field2id_token["item_id"]
        numbers = np.array([-1] + [int(token) for token in tokens[1:]])
        matrix = csr(data)
        column = np.zeros(matrix.shape[1], np.int64)
        column[numbers[1:]] = np.arange(1, len(numbers))
        lists = np.full((data["shape"][0], PLACES), -1)
        known = np.unique(users)
        with torch.no_grad():
            for begin in range(0, len(known), 512):
                block = known[begin : begin + 512]
                inner = torch.as_tensor(to_user[begin : begin + 512])
                scores = model.full_sort_predict({"user_id": inner}).view(len(block), -1)
                scores[:, 0] = -np.inf
                for row, user in enumerate(block):
                    scores[row, column[matrix[user].indices]] = -np.inf
                lists[block] = numbers[scores.topk(PLACES).indices.numpy()]
        return seconds, lists

    return fit


SYSTEMS = {
    "divns MF bpr, uniform negatives": divns_model(
        lambda d: d.MF(sampler="rns", epochs=BPR_EPOCHS, patience_epochs=1000)
    ),
    "divns MF bpr, DivNS": divns_model(
        lambda d: d.MF(sampler="divns", epochs=BPR_EPOCHS, patience_epochs=1000)
    ),
    "divns LightGCN, uniform negatives": divns_model(
        lambda d: d.LightGCN(sampler="rns", epochs=GRAPH_EPOCHS, patience_epochs=1000)
    ),
    "divns iALS": divns_model(lambda d: d.IALS(ials__factors=DIM, ials__epochs=ALS_EPOCHS)),
    "divns EASE": divns_model(lambda d: d.EASE()),
    "implicit ALS": implicit_model(
        lambda i: i.als.AlternatingLeastSquares(factors=DIM, iterations=ALS_EPOCHS, random_state=1)
    ),
    "implicit BPR": implicit_model(
        lambda i: i.bpr.BayesianPersonalizedRanking(
            factors=DIM, iterations=SGD_EPOCHS, random_state=1
        )
    ),
    "Cornac BPR": cornac_model(lambda m: m.BPR(k=DIM, max_iter=SGD_EPOCHS, num_threads=2)),
    "Cornac LightGCN": cornac_model(
        lambda m: m.LightGCN(emb_size=DIM, num_epochs=GRAPH_EPOCHS, seed=1)
    ),
    "LensKit ALS": lenskit_als,
    "RecBole BPR": recbole_model("BPR", BPR_EPOCHS),
    "RecBole LightGCN": recbole_model("LightGCN", GRAPH_EPOCHS),
}


def main():
    name, data_file, lists_file = sys.argv[1:]
    data = dict(np.load(data_file))
    clock = Clock()
    fit, lists = SYSTEMS[name](data, clock)
    recommend = clock.lap()
    np.save(lists_file, np.asarray(lists, np.int64))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    answer = {"fit": fit, "recommend": recommend, "mib": round(max(peak, children))}
    print("RESULT " + json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
