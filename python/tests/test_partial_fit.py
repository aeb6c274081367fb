# SPDX-License-Identifier: Apache-2.0
"""Trainings that continue on data that have grown."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import divns


def world(users: int, items: int) -> divns.Dataset:
    grid = np.indices((users, items))
    rows, columns = np.nonzero((grid[0] * 7 + grid[1] * 3) % 5 < 2)
    names = [f"u{row}" for row in rows], [f"i{column}" for column in columns]
    return divns.Dataset.from_parts(names)


OPTIONS: Any = {"embedding_dim": 8, "seed": 2, "batch_size": 64, "learning_rate": 0.05}


@pytest.mark.parametrize("kind", [divns.MF, divns.LightGCN])
def test_continues_where_it_was(kind: type[divns.Recommender], tmp_path: pathlib.Path) -> None:
    small, large = world(40, 30), world(60, 50)
    model = kind(sampler="dns", epochs=6, **OPTIONS).fit(small)
    users, items = model.user_factors.copy(), model.item_factors.copy()
    again = pickle.loads(pickle.dumps(model)).partial_fit(small, epochs=0)
    assert (again.user_factors == users).all()
    assert (again.item_factors == items).all()

    model.save(tmp_path / "m")
    loaded = kind.load(tmp_path / "m").set_params(**model.get_params())
    grown = loaded.partial_fit(large, epochs=2)
    assert grown.user_factors.shape == (60, 8)
    assert grown.item_factors.shape == (50, 8)
    assert grown.get_params()["epochs"] == 6
    assert grown.result_["epochs"] == 2
    # A model from a file continues as one in memory.
    assert model.partial_fit(large, epochs=2).to_bytes() == grown.to_bytes()
    fresh = kind(sampler="dns", epochs=2, **OPTIONS).fit(large)
    assert grown.history_[0]["loss"] < fresh.history_[0]["loss"]
    assert "u59" in grown.user_ids
    assert grown.recommend("u59", N=3)[0].shape == (3,)


def test_rows_keep_their_ids() -> None:
    small, large = world(40, 30), world(60, 50)
    model = divns.MF(epochs=4, embedding_dim=8).fit(small)
    before = dict(zip(model.user_ids, model.user_factors.copy(), strict=True))
    model.partial_fit(large, epochs=0)
    after = dict(zip(model.user_ids, model.user_factors, strict=True))
    assert set(before) < set(after)
    assert all((after[user] == vector).all() for user, vector in before.items())


def test_on_matrices() -> None:
    dense = (np.random.default_rng(3).random((50, 40)) < 0.3).astype(np.float32)
    dense[10] = 0
    model = divns.MF(epochs=3, embedding_dim=8).fit(scipy.sparse.csr_matrix(dense[:30, :35]))
    before = model.user_factors.copy()
    assert not before[10].any()
    model.partial_fit(scipy.sparse.csr_matrix(dense), epochs=0)
    assert model.user_factors.shape == (50, 8)
    assert (model.user_factors[:30] == before).all()
    assert model.user_factors[30:].any(axis=1).all()


def test_of_an_untrained_model_is_fit() -> None:
    data = world(40, 30)
    first = divns.MF(epochs=3).partial_fit(data)
    assert first.to_bytes() == divns.MF(epochs=3).fit(data).to_bytes()
    assert divns.MF(epochs=9).partial_fit(data, epochs=3).to_bytes() == first.to_bytes()


def test_refusals() -> None:
    data = world(40, 30)
    model = divns.MF(epochs=1, embedding_dim=8).fit(data)
    with pytest.raises(divns.Error, match="embedding_dim = 8"):
        model.set_params(embedding_dim=16).partial_fit(data)
    # The model is still the old one.
    assert model.user_factors.shape == (40, 8)
    ials = divns.IALS(ials__epochs=2).fit(data)
    with pytest.raises(divns.Error, match="fitted to all pairs at once"):
        ials.partial_fit(data)
    strangers = divns.Dataset.from_parts((["a", "b"], ["x", "y"]))
    with pytest.raises(divns.Error, match="no user and no item in common"):
        divns.MF(epochs=1).fit(data).partial_fit(strangers)
    with pytest.raises(divns.Error, match="epochs"):
        model.set_params(embedding_dim=8).partial_fit(data, epochs=-1)
