# SPDX-License-Identifier: Apache-2.0
"""EASE: the verbs of the other models, on a matrix of item-item weights."""

from __future__ import annotations

import pathlib
import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.base
from numpy.typing import NDArray

import divns


@pytest.fixture(scope="module")
def ease(data: divns.Dataset) -> divns.EASE:
    return divns.EASE(ease__l2=50).fit(data)


def closed_form(users_by_items: NDArray[np.float64], l2: float) -> NDArray[np.float64]:
    """B of the paper, by an explicit inverse in float64."""
    gram = users_by_items.T @ users_by_items + l2 * np.eye(users_by_items.shape[1])
    inverse = np.linalg.inv(gram)
    weights = -inverse / np.diag(inverse)
    np.fill_diagonal(weights, 0)
    return weights


def test_is_the_closed_form(ease: divns.EASE, data: divns.Dataset) -> None:
    train = data.train.to_scipy().toarray().astype(np.float64)
    weights = closed_form(train, 50)
    np.testing.assert_allclose(ease.item_weights, weights, atol=1e-5)
    assert not ease.item_weights.flags.writeable
    scores = train @ weights
    scores[train > 0] = -np.inf
    items, found = ease.recommend(range(20), N=6)
    best = np.sort(scores[:20], axis=1)[:, ::-1][:, :6]
    np.testing.assert_allclose(found, best, atol=1e-4)
    np.testing.assert_allclose(np.take_along_axis(scores[:20], items, 1), best, atol=1e-4)


def test_filters_and_ids(ease: divns.EASE, data: divns.Dataset) -> None:
    rows = ease.recommend(2, N=5)[0]
    assert ease.recommend(data.user_ids[2], N=5)[0].tolist() == [data.item_ids[i] for i in rows]
    assert rows[0] not in ease.recommend(2, N=5, filter_items=[int(rows[0])])[0]
    allowed = sorted(int(i) for i in rows[:3])
    assert sorted(ease.recommend(2, N=5, items=allowed)[0]) == [-1, -1, *allowed]
    everything = ease.recommend(2, N=data.items, filter_already_liked_items=False)[0]
    assert sorted(everything) == list(range(data.items))
    hidden = scipy.sparse.csr_matrix(([1.0], ([0], [rows[0]])), shape=(1, data.items))
    assert ease.recommend(2, hidden, N=1, filter_items=data.train.row(2))[0][0] == rows[1]


def test_new_users_are_scored_by_their_items(ease: divns.EASE, data: divns.Dataset) -> None:
    histories = data.train.to_scipy()[[4, 9]]
    expected = histories @ ease.item_weights
    np.testing.assert_allclose(ease.fold_in(histories), expected, rtol=1e-5, atol=1e-6)
    lists = [data.train.row(4).tolist(), data.train.row(9).tolist()]
    assert (ease.fold_in(lists) == ease.fold_in(histories)).all()
    assert (ease.recalculate_user(4, histories[:1]) == ease.fold_in(histories)[0]).all()
    new = ease.recommend([0, 1], histories, N=5, recalculate_user=True)
    known = ease.recommend([4, 9], N=5)
    assert (new[0] == known[0]).all()
    assert (new[1] == known[1]).all()
    with pytest.raises(divns.Error, match="leave method and options out"):
        ease.fold_in(histories, method="gradient")
    with pytest.raises(divns.Error, match="leave method and options out"):
        ease.fold_in(histories, ridge=2)


def test_similar_items(ease: divns.EASE) -> None:
    weights = ease.item_weights
    nearness = np.sign(weights) * np.sqrt(np.abs(weights * weights.T))
    np.fill_diagonal(nearness, -np.inf)
    items, scores = ease.similar_items([3, 8], N=4)
    assert (items == np.argsort(-nearness[[3, 8]], axis=1, kind="stable")[:, :4]).all()
    np.testing.assert_allclose(scores[0], nearness[3][items[0]], rtol=1e-5)
    for call in (lambda: ease.similar_users(0), lambda: ease.user_factors):
        with pytest.raises(divns.Error, match="has no vectors"):
            call()


def test_keeps_its_users_in_the_file(
    ease: divns.EASE, data: divns.Dataset, tmp_path: pathlib.Path
) -> None:
    expected = ease.recommend([0, 5], N=6)[0]
    ease.save(tmp_path / "m.safetensors")
    loaded = divns.load(tmp_path / "m.safetensors")
    assert isinstance(loaded, divns.EASE)
    # The training pairs are in the file: no dataset is needed.
    for other in (loaded, pickle.loads(pickle.dumps(ease)), pickle.loads(pickle.dumps(loaded))):
        assert (other.recommend([0, 5], N=6)[0] == expected).all()
        assert other.evaluate(data) == ease.evaluate(data)
    with pytest.raises(divns.Error, match="not 'mf'"):
        divns.MF.load(tmp_path / "m.safetensors")


def test_fit_on_a_matrix_with_gaps(tmp_path: pathlib.Path) -> None:
    dense = (np.random.default_rng(5).random((41, 60)) < 0.3).astype(np.float64)
    dense[[0, 40]] = 0
    dense[:, [3, 59]] = 0
    matrix = scipy.sparse.csr_matrix(dense)
    model = divns.EASE(ease__l2=20).fit(matrix)
    weights = closed_form(dense, 20)
    np.testing.assert_allclose(model.item_weights, weights, atol=1e-5)
    items, scores = model.recommend(7, N=60)
    known = items[items >= 0]
    assert set(known) == set(range(60)) - {3, 59} - set(matrix[7].indices)
    np.testing.assert_allclose(scores[: len(known)], (dense[7] @ weights)[known], atol=1e-5)
    model.save(tmp_path / "m")
    loaded = divns.EASE.load(tmp_path / "m", shape=(41, 60))
    assert (loaded.recommend(range(41), N=9)[0] == model.recommend(range(41), N=9)[0]).all()


def test_parameters(data: divns.Dataset) -> None:
    model = divns.EASE(ease__l2=10, threads=1)
    copy = sklearn.base.clone(model)
    assert copy.get_params() == model.get_params()
    assert copy.set_params(threads=2).fit(data).to_bytes() == model.fit(data).to_bytes()
    assert copy.set_params(ease__l2=11).fit(data).to_bytes() != model.to_bytes()
    assert "<table>" in copy._repr_html_()
    with pytest.raises(divns.Error, match="fitted to all pairs at once"):
        model.partial_fit(data)
    with pytest.raises(divns.Error, match="ease.max_gib"):
        divns.EASE(ease__max_gib=1e-6).fit(data)


def test_train_is_the_same_model(ease: divns.EASE, data: divns.Dataset) -> None:
    run = divns.train(data, "ease", ease__l2=50)
    assert isinstance(run.model, divns.EASE)
    assert run.model.to_bytes() == ease.to_bytes()
