# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import gc
import pathlib
import pickle

import numpy as np
import pytest
import scipy.sparse
import sklearn.base

import divns
from divns import _register
from divns._settings import names


def test_recommend_is_the_ranking_of_inner_products(model: divns.MF, data: divns.Dataset) -> None:
    scores = model.user_factors @ model.item_factors.T
    for user in range(5):
        scores[user, data.train.row(user)] = -np.inf
    items, found = model.recommend(range(5), N=7)
    assert (items == np.argsort(-scores[:5], axis=1, kind="stable")[:, :7]).all()
    np.testing.assert_allclose(found, np.take_along_axis(scores[:5], items, 1), rtol=1e-5)
    assert (model.recommend(3, 7)[0] == items[3]).all()


def test_filters(model: divns.MF, data: divns.Dataset) -> None:
    everything = model.recommend(2, N=data.items, filter_already_liked_items=False)[0]
    assert sorted(everything) == list(range(data.items))
    unseen = model.recommend(2, N=data.items)
    own = data.train.row(2)
    assert not set(own) & set(unseen[0])
    assert (unseen[0][-len(own) :] == -1).all()
    assert np.isneginf(unseen[1][-len(own) :]).all()
    allowed = [3, 1, 4]
    assert set(model.recommend(2, N=3, items=allowed, filter_already_liked_items=False)[0]) == set(
        allowed
    )
    first = model.recommend(2, N=1)[0][0]
    assert first not in model.recommend(2, N=10, filter_items=[first])[0]
    row = scipy.sparse.csr_matrix(([1.0], ([0], [first])), shape=(1, data.items))
    assert first not in model.recommend(2, row, N=10)[0]


def test_ids_answer_with_ids(model: divns.MF, data: divns.Dataset) -> None:
    rows, scores = model.recommend([4, 9], N=5)
    ids, same = model.recommend([data.user_ids[4], data.user_ids[9]], N=5)
    assert (scores == same).all()
    assert [[data.item_ids[i] for i in row] for row in rows] == ids.tolist()
    short = model.recommend(data.user_ids[4], N=data.items)[0]
    assert short[-1] is None
    near = model.similar_items(data.item_ids[7], N=3)[0]
    assert near.tolist() == [data.item_ids[i] for i in model.similar_items(7, N=3)[0]]


def test_similar_rows_by_cosine(model: divns.MF) -> None:
    unit = model.item_factors / np.linalg.norm(model.item_factors, axis=1, keepdims=True)
    cosine = unit @ unit.T
    np.fill_diagonal(cosine, -np.inf)
    assert (model.similar_items(11, N=4)[0] == np.argsort(-cosine[11])[:4]).all()
    assert model.similar_users([1, 2, 3], N=4)[0].shape == (3, 4)


def test_factors_are_views_that_keep_the_model_alive(data: divns.Dataset) -> None:
    own = divns.MF(epochs=1).fit(data)
    factors, expected = own.user_factors, own.user_factors.copy()
    assert not factors.flags.owndata
    assert not factors.flags.writeable
    del own
    gc.collect()
    assert (factors == expected).all()


def test_save_load_pickle(model: divns.MF, data: divns.Dataset, tmp_path: pathlib.Path) -> None:
    expected = model.recommend([0, 5], N=6)
    path = tmp_path / "model.safetensors"
    model.save(path)
    assert path.read_bytes() == model.to_bytes()
    for loaded in (
        divns.MF.load(path, data),
        divns.load(path, data),
        pickle.loads(pickle.dumps(model)),
    ):
        assert type(loaded) is divns.MF
        assert loaded.to_bytes() == model.to_bytes()
        assert (loaded.recommend([0, 5], N=6)[0] == expected[0]).all()
    with pytest.raises(divns.Error, match="does not know the training pairs"):
        divns.load(path).recommend(0)
    with pytest.raises(divns.Error, match="not 'lightgcn'"):
        divns.LightGCN.load(path)
    with pytest.raises(divns.Error, match="another dataset"):
        divns.MF.load(path, divns.Dataset.synthetic(users=50, items=50, pairs=800))
    (tmp_path / "broken").write_bytes(model.to_bytes()[:1000])
    with pytest.raises(divns.Error):
        divns.load(tmp_path / "broken")


def with_gaps() -> scipy.sparse.csr_matrix:
    """A matrix whose users 0 and 40 and items 3 and 59 have no pairs."""
    rng = np.random.default_rng(5)
    dense = (rng.random((41, 60)) < 0.3).astype(np.float32)
    dense[[0, 40]] = 0
    dense[:, [3, 59]] = 0
    return scipy.sparse.csr_matrix(dense)


@pytest.mark.parametrize("kind", [divns.MF, divns.LightGCN, divns.IALS])
def test_fit_on_a_matrix_keeps_its_numbers(
    kind: type[divns.Recommender], tmp_path: pathlib.Path
) -> None:
    matrix = with_gaps()
    model = kind(epochs=4).fit(matrix)
    assert model.user_factors.shape[0] == 41
    assert model.item_factors.shape[0] == 60
    assert not model.user_factors[[0, 40]].any()
    assert not model.item_factors[[3, 59]].any()
    items, scores = model.recommend(7, matrix[7], N=60)
    known = items[items >= 0]
    assert set(known) == set(range(60)) - {3, 59} - set(matrix[7].indices)
    np.testing.assert_allclose(
        scores[: len(known)],
        (model.item_factors @ model.user_factors[7])[known],
        rtol=1e-4,
        atol=1e-6,
    )
    assert (model.recommend(7, N=60)[0] == items).all()
    assert (model.recommend("7", N=5)[0] == [str(i) for i in items[:5]]).all()
    model.save(tmp_path / "m.safetensors")
    loaded = kind.load(tmp_path / "m.safetensors", shape=(41, 60))
    assert (loaded.recommend(7, matrix[7], N=60)[0] == items).all()
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.recommend(7, N=60)[0] == items).all()


def test_fit_on_a_matrix_trains_on_all_pairs() -> None:
    # Without `valid`, nothing is held out: the training runs through all epochs.
    matrix = with_gaps()
    model = divns.MF(epochs=3).fit(matrix)
    assert model.result_["best_metric"] is None
    assert model.result_["epochs"] == 3
    valid = scipy.sparse.csr_matrix(([1.0], ([1], [0])), shape=matrix.shape)
    assert divns.MF(epochs=3).fit(matrix, valid).result_["best_metric"] is not None


def test_fold_in_and_recalculate_user(model: divns.MF, data: divns.Dataset) -> None:
    rows = data.train.to_scipy()
    vectors = model.fold_in(rows[:3])
    assert vectors.shape == (3, 20)
    assert (vectors == model.fold_in([list(data.train.row(u)) for u in range(3)])).all()
    assert (model.recalculate_user(0, rows[:1]) == vectors[0]).all()
    items, _ = model.recommend([0, 1, 2], rows[:3], N=5, recalculate_user=True)
    assert items.shape == (3, 5)
    gradient = model.fold_in(rows[:3], method="gradient", steps=3)
    assert not (gradient == vectors).all()
    assert not model.fold_in([[]]).any()


def test_parameters_are_those_of_the_options_table() -> None:
    # Other tests register samplers and losses of their own.
    own = {*_register.samplers, *_register.losses}
    table = {
        option["name"].replace(".", "__")
        for option in divns.options("train")
        if option["name"].partition(".")[0] not in own
    }
    params = {n for n in divns.MF().get_params() if n.partition("__")[0] not in own}
    assert params == (table - {"model"}) | {"threads"}
    from divns import _options

    assert set(_options.TrainOptions.__annotations__) == table - {"model"}
    assert {n for n in names("train") if n.partition("__")[0] not in own} == table


def test_scikit_learn_parameters(data: divns.Dataset) -> None:
    estimator = divns.MF(sampler="divns", divns__lambda=0.25, epochs=2, threads=2)
    copy = sklearn.base.clone(estimator)
    assert copy.get_params() == estimator.get_params()
    assert copy.fit(data).to_bytes() == estimator.fit(data).to_bytes()
    copy.set_params(divns__lambda=0.75)
    assert copy.fit(data).to_bytes() != estimator.to_bytes()
    assert repr(copy) == "MF(sampler='divns', epochs=2, divns__lambda=0.75)"
    assert "<table>" in copy._repr_html_()
    assert copy.set_params(epochs=None).get_params()["epochs"] is None
    with pytest.raises(divns.Error, match="Did you mean 'divns.lambda'"):
        divns.MF(lamda=1)  # type: ignore[call-arg]
    with pytest.raises(divns.Error, match="not a parameter of the class"):
        divns.MF(model="mf")  # type: ignore[call-arg]
    for wrong in (
        {"epochs": -1},
        {"epochs": "many"},
        {"learning_rate": float("nan")},
        {"sampler": "x"},
    ):
        with pytest.raises(divns.Error):
            divns.MF(**wrong).fit(data)
    with pytest.raises(divns.Error, match="expected a number"):
        divns.MF(epochs={1}).fit(data)  # type: ignore[arg-type]


def test_callbacks(data: divns.Dataset) -> None:
    reports: list[dict[str, object]] = []
    model = divns.MF(epochs=9).fit(data, callbacks=[reports.append, lambda r: r["epoch"] < 2])
    assert [report["epoch"] for report in reports] == [0, 1, 2]
    assert {"loss", "metric", "seconds", "hardness"} <= set(reports[0])
    assert model.result_["epochs"] == 3
    assert model.recommend(0)[0].shape == (10,)

    def broken(report: dict[str, object]) -> None:
        raise RuntimeError("of the callback")

    with pytest.raises(RuntimeError, match="of the callback"):
        divns.MF(epochs=3).fit(data, callbacks=[broken])
    with pytest.raises(TypeError):
        divns.MF(epochs=3).fit(data, callbacks=[3])  # type: ignore[list-item]


def test_evaluate_agrees_for_model_vectors_and_scores(model: divns.MF, data: divns.Dataset) -> None:
    expected = model.evaluate(data)
    assert set(expected) >= {"recall@20", "ndcg@10", "hit@50"}
    vectors = divns.evaluate((model.user_factors, model.item_factors), data)
    assert vectors == expected
    scores = divns.evaluate(model.user_factors @ model.item_factors.T, data)
    assert scores["recall@20"] == pytest.approx(expected["recall@20"], abs=1e-3)
    users = divns.evaluate_users(model, data, part="valid", topk=[5])
    assert users["recall@5"].shape == users["user"].shape
    assert users["recall@5"].mean() == pytest.approx(
        model.evaluate(data, part="valid", topk=[5])["recall@5"]
    )
    other = divns.Dataset.synthetic(users=50, items=50, pairs=800)
    with pytest.raises(divns.Error, match="another dataset"):
        model.evaluate(other)
    with pytest.raises(divns.Error):
        divns.evaluate((model.user_factors[:-1], model.item_factors), data)
    with pytest.raises(divns.Error):
        divns.evaluate((model.user_factors, model.item_factors[:, 1:]), data)
    with pytest.raises(divns.Error):
        divns.evaluate(np.zeros((data.users, data.items - 1)), data)
    with pytest.raises(divns.Error):
        model.evaluate(data, part="training")
    with pytest.raises(divns.Error):
        model.evaluate(data, topk=[0])


WRONG_KEYS = [
    -1,
    200,
    [0, -1],
    [[1]],
    1.5,
    [1.0],
    None,
    True,
    "nobody",
    ["nobody"],
    [1, "1"],
    object(),
]


@pytest.mark.parametrize("keys", WRONG_KEYS)
def test_wrong_users_are_refused(model: divns.MF, keys: object) -> None:
    for call in (model.recommend, model.similar_users):
        with pytest.raises(divns.Error):
            call(keys)  # type: ignore[operator]


def test_other_wrong_calls(model: divns.MF, data: divns.Dataset) -> None:
    for wrong in (0, -3, 2**31, 1.5, "5", None):
        with pytest.raises(divns.Error):
            model.recommend(0, N=wrong)  # type: ignore[arg-type]
    with pytest.raises(divns.Error, match="one row for each"):
        model.recommend([0, 1], data.train.to_scipy())
    with pytest.raises(divns.Error, match="sparse matrix"):
        model.recommend(0, np.zeros((1, data.items)))
    with pytest.raises(divns.Error):
        model.recommend(0, items=[data.items])
    with pytest.raises(divns.Error, match="call fit first"):
        divns.MF().recommend(0)
    with pytest.raises(divns.Error, match="call fit first"):
        _ = divns.MF().user_factors
    with pytest.raises(divns.Error, match="sparse matrix"):
        divns.MF().fit(np.zeros((3, 3)))
    with pytest.raises(divns.Error):
        divns.MF().fit(scipy.sparse.csr_matrix((4, 4)))
    assert model.recommend([], N=3)[0].shape == (0, 3)
