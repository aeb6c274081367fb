# SPDX-License-Identifier: Apache-2.0
"""The adapter in the real RecBole (pip install recbole)."""

from __future__ import annotations

import pathlib
import warnings
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import divns

pytestmark = [
    pytest.mark.skipif(find_spec("recbole") is None, reason="recbole is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Any]:
    """RecBole's configuration, training loader and a BPR model, on synthetic data."""
    folder = tmp_path_factory.mktemp("recbole")
    data = divns.Dataset.synthetic(users=80, items=60, pairs=1500, seed=2)
    (folder / "own").mkdir()
    lines = ["user_id:token\titem_id:token\n"]
    for user in range(data.users):
        lines += [
            f"{data.user_ids[user]}\t{data.item_ids[item]}\n" for item in data.train.row(user)
        ]
    (pathlib.Path(folder) / "own/own.inter").write_text("".join(lines))
    # RecBole 1.2.1 uses names that NumPy 2 removed.
    for old, new in {"float_": np.float64, "complex_": np.complex128, "unicode_": str}.items():
        if not hasattr(np, old):
            setattr(np, old, new)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from recbole.config import Config
        from recbole.data import create_dataset, data_preparation
        from recbole.model.general_recommender import BPR

        settings = {
            "data_path": str(folder),
            "load_col": {"inter": ["user_id", "item_id"]},
            "embedding_size": 16,
            "train_batch_size": 256,
            "epochs": 2,
            "use_gpu": False,
            "show_progress": False,
            "state": "ERROR",
            "checkpoint_dir": str(folder),
            "seed": 1,
        }
        config = Config(model="BPR", dataset="own", config_dict=settings, config_file_list=[])
        train, _, _ = data_preparation(config, create_dataset(config))
        return config, train, BPR(config, train.dataset)


@pytest.mark.parametrize("name", ["rns", "dns", "divns"])
def test_recbole_trains_with_negatives_of_divns(
    loaded: tuple[Any, Any, Any],
    name: str,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # RecBole writes logs into the current folder
    from recbole.trainer import Trainer

    from divns.integrations.recbole import use_sampler

    config, train, model = loaded
    used = use_sampler(train, model, name)
    pairs = {
        (int(u), int(i))
        for u, i in zip(
            train.dataset.inter_feat["user_id"], train.dataset.inter_feat["item_id"], strict=True
        )
    }
    for _ in range(2):
        seen = 0
        for batch in train:
            users, negatives = batch["user_id"].tolist(), batch["neg_item_id"].tolist()
            assert not pairs & set(zip(users, negatives, strict=True))
            assert all(0 < item < train.dataset.item_num for item in negatives)
            seen += len(users)
        assert seen == len(pairs)
    assert used.data.users == len({user for user, _ in pairs})
    trainer = Trainer(config, model)
    before = trainer._train_epoch(train, 0)
    assert trainer._train_epoch(train, 1) < before or name != "rns"


def test_hard_negatives_score_higher(loaded: tuple[Any, Any, Any]) -> None:
    import torch

    from divns.integrations.recbole import use_sampler

    _, train, model = loaded
    scores = {}
    for name in ("rns", "dns"):
        options = {} if name == "rns" else {"dns__candidates": 16}
        use_sampler(train, model, name, **options)
        with torch.no_grad():
            values = [
                (
                    model.user_embedding(batch["user_id"])
                    * model.item_embedding(batch["neg_item_id"])
                ).sum(1)
                for batch in train
            ]
        scores[name] = float(torch.cat(values).mean())
    assert scores["dns"] > scores["rns"]


def test_models_without_tables_need_vectors(loaded: tuple[Any, Any, Any]) -> None:
    from divns.integrations.recbole import use_sampler

    with pytest.raises(divns.Error, match="give `vectors`"):
        use_sampler(loaded[1], object(), "dns")
