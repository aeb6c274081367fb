# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import divns

DIM = 12  # not a multiple of the engine's row width


@pytest.fixture(scope="module")
def vectors(data: divns.Dataset) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rng = np.random.default_rng(1)
    users, items = rng.normal(size=(data.users, DIM)), rng.normal(size=(data.items, DIM))
    return users.astype(np.float32), items.astype(np.float32)


USABLE = ["rns", "pns", "dns", "dns_mn", "ahns", "adasir", "divns"]


@pytest.mark.parametrize("name", USABLE)
@pytest.mark.parametrize("negatives", [1, 3])
def test_an_epoch_holds_every_pair_once(data, vectors, name: str, negatives: int) -> None:  # type: ignore[no-untyped-def]
    sampler = divns.Sampler(name, data, dim=DIM, batch_size=500, negatives=negatives)
    train = data.train.to_scipy().toarray() > 0
    for _ in range(2):
        seen = []
        for batch in sampler.epoch(*vectors):
            seen += list(zip(batch.users, batch.positives, strict=True))
            assert batch.negatives.shape == batch.weights.shape
            assert batch.negatives.shape[:2] == (len(batch.users), negatives)
            used = batch.weights > 0
            owners = np.broadcast_to(batch.users[:, None, None], used.shape)
            if name != "pns":
                assert not train[owners[used], batch.negatives[used]].any()
            np.testing.assert_allclose(batch.weights.sum(axis=2), 1, rtol=1e-6)
        assert len(seen) == len(set(seen)) == len(data.train)


def mean_score(batch: divns.Batch, users: NDArray[np.float32], items: NDArray[np.float32]) -> float:
    negatives = (batch.weights[..., None] * items[batch.negatives]).sum(axis=2)[:, 0]
    return float((users[batch.users] * negatives).sum(axis=1).mean())


def test_dns_reads_the_vectors_in_place(data, vectors) -> None:  # type: ignore[no-untyped-def]
    users, items = vectors[0].copy(), vectors[1].copy()
    dns = divns.Sampler("dns", data, dim=DIM, batch_size=1000, dns__candidates=10)
    rns = divns.Sampler("rns", data, dim=DIM, batch_size=1000)
    dns.begin_epoch(users, items)
    rns.begin_epoch(users, items)
    hard, random = dns.batch(), rns.batch()
    assert hard is not None
    assert random is not None
    assert mean_score(hard, users, items) > mean_score(random, users, items) + 1
    items *= -1  # the hardest items are now the easiest
    after = dns.batch()
    assert after is not None
    assert mean_score(after, users, items) > 1


def test_divns_mixes_two_items(data, vectors) -> None:  # type: ignore[no-untyped-def]
    sampler = divns.Sampler("divns", data, dim=DIM, divns__lambda=0.7)
    # The first epoch fills the cache of diverse items.
    assert next(sampler.epoch(*vectors)).negatives.shape[2] == 1
    batch = next(sampler.epoch(*vectors))
    assert batch.negatives.shape[2] == 2
    np.testing.assert_allclose(batch.weights[0, 0], [0.7, 0.3], rtol=1e-6)


def test_same_draws_for_any_number_of_threads(data, vectors) -> None:  # type: ignore[no-untyped-def]
    drawn = [
        np.concatenate(
            [b.negatives for b in divns.Sampler("divns", data, dim=DIM, threads=t).epoch(*vectors)]
        )
        for t in (1, 2, 3)
    ]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] == drawn[2]).all()
    other = divns.Sampler("divns", data, dim=DIM, seed=2)
    assert not (drawn[0] == np.concatenate([b.negatives for b in other.epoch(*vectors)])).all()


def test_wrong_use(data, vectors) -> None:  # type: ignore[no-untyped-def]
    for name, sentence in (
        ("mixgcf", "several hops"),
        ("dens", "parameters|hops"),
        ("scone", "vectors|parameters|hops"),
    ):
        with pytest.raises(divns.Error, match=sentence):
            next(divns.Sampler(name, data, dim=DIM).epoch(*vectors))
    with pytest.raises(divns.Error, match="Did you mean"):
        divns.Sampler("divn", data, dim=DIM)
    with pytest.raises(divns.Error, match="divns.lambda"):
        divns.Sampler("divns", data, dim=DIM, divns__lamda=1)
    sampler = divns.Sampler("dns", data, dim=DIM)
    with pytest.raises(divns.Error, match="begin_epoch"):
        sampler.batch()
    for wrong in (
        vectors[0][:-1],
        vectors[0][:, 1:],
        vectors[0] * np.nan,
        vectors[0][0],
        "x",
        None,
    ):
        with pytest.raises(divns.Error):
            sampler.begin_epoch(wrong, vectors[1])
    for arguments in (
        {"dim": 0},
        {"dim": DIM, "negatives": 0},
        {"dim": DIM, "batch_size": -1},
        {"dim": DIM, "seed": -1},
    ):
        with pytest.raises(divns.Error):
            divns.Sampler("rns", data, **arguments)


def test_users_with_every_item_have_no_negatives() -> None:
    data = divns.Dataset.from_pairs([0, 0, 0, 1], [0, 1, 2, 0], ratios=[1, 0, 0])
    users, items = np.ones((2, 4), np.float32), np.ones((3, 4), np.float32)
    batches = list(divns.Sampler("rns", data, dim=4).epoch(users, items))
    assert [batch.users.tolist() for batch in batches] == [[1]]
