# SPDX-License-Identifier: Apache-2.0
"""Conformance checks of samplers, losses and metrics, written in Python or built in.

A check raises AssertionError with a sentence that says what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _custom, _register
from ._dataset import Dataset
from ._models import MF
from ._sampler import Batch, Sampler

ITEMS, DIM, ROWS = 23, 8, 64


def awkward_data() -> Dataset:
    """Users with one item, all items but one, and all items, beside ordinary ones."""
    rng = np.random.default_rng(3)
    rows = [rng.choice(ITEMS, size=rng.integers(1, 9), replace=False) for _ in range(50)]
    rows += [np.array([7]), np.arange(ITEMS), np.delete(np.arange(ITEMS), 11)]
    users = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return Dataset.from_pairs(users, np.concatenate(rows), ratios=[1, 0, 0])


def _name_of(kind: object, registered: dict[str, Any], base: type) -> str:
    if isinstance(kind, str):
        return kind
    for name, known in registered.items():
        if known is kind:
            return name
    raise TypeError(f"expected a name, or a registered subclass of {base.__name__}.")


def check_sampler(
    sampler: str | type[_custom.CustomSampler], *, allow_positives: bool = False, **options: Any
) -> None:
    """Check a sampler: a registered class, or the name of any sampler.

    Every training pair gets negatives once per epoch; items exist, and none is a training item of
    the user unless `allow_positives`; weights of a negative are at least 0 and have the sum 1. The
    same seed gives the same draws and the same model for any number of threads; another seed gives
    others. Only the candidates that it named influence the choice. Trainings with it lower the
    loss. `options` are options of the sampler without its name in front.

    >>> check_sampler("dns", candidates=4)
    """
    name = _name_of(sampler, _register.samplers, _custom.CustomSampler)
    given = {f"{name}__{option}": value for option, value in options.items()}
    data = awkward_data()
    rng = np.random.default_rng(5)
    users, items = (rng.normal(size=(n, DIM)).astype(np.float32) for n in (data.users, data.items))
    for negatives in (1, 3):
        _check_epochs(name, data, users, items, negatives, allow_positives, given)
    one, same, other = (
        _draws(Sampler(name, data, dim=DIM, batch_size=ROWS, seed=seed, threads=threads, **given),
               users, items)
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )  # fmt: skip
    assert (one == same).all(), f"{name} draws other items with another number of threads."
    assert not (one == other).all(), f"{name} draws the same items whatever the seed."
    _check_training(name, given)


def _draws(sampler: Sampler, users: NDArray[Any], items: NDArray[Any]) -> NDArray[Any]:
    before = users.copy(), items.copy()
    drawn = np.concatenate(
        [b.negatives.ravel() for _ in range(2) for b in sampler.epoch(users, items)]
    )
    unchanged = (users == before[0]).all() and (items == before[1]).all()
    assert unchanged, "the vectors were changed."
    return drawn


def _check_epochs(
    name: str,
    data: Dataset,
    users: NDArray[Any],
    items: NDArray[Any],
    negatives: int,
    allow_positives: bool,
    given: dict[str, Any],
) -> None:
    sampler = Sampler(name, data, dim=DIM, batch_size=ROWS, negatives=negatives, **given)
    owned = np.zeros((data.users, data.items), bool)
    for user in range(data.users):
        owned[user, data.train.row(user)] = True
    possible = {
        (user, item)
        for user in range(data.users)
        for item in data.train.row(user)
        if not owned[user].all()
    }
    for _ in range(2):
        seen = []
        for batch in sampler.epoch(users, items):
            seen += list(zip(batch.users.tolist(), batch.positives.tolist(), strict=True))
            _check_form(name, batch, negatives, data.items)
            if not allow_positives:
                rows = np.broadcast_to(batch.users[:, None, None], batch.negatives.shape)
                mixed = (batch.negatives == batch.positives[:, None, None]) & (batch.weights < 1)
                wrong = owned[rows, batch.negatives] & (batch.weights > 0) & ~mixed
                assert not wrong.any(), f"{name} gives training items of the user as negatives."
        assert len(seen) == len(possible), f"{name} left out training pairs."
        assert set(seen) == possible, f"{name} left out training pairs."


def _check_form(name: str, batch: Batch, negatives: int, count: int) -> None:
    shape = (len(batch.users), negatives, batch.negatives.shape[2])
    assert batch.negatives.shape == batch.weights.shape == shape, f"{name}: wrong shapes."
    assert ((batch.negatives >= 0) & (batch.negatives < count)).all(), f"{name}: unknown items."
    assert np.isfinite(batch.weights).all(), f"{name} gives weights that are not finite."
    assert (batch.weights >= 0).all(), f"{name} gives weights below 0."
    sums = batch.weights.sum(axis=2)
    assert np.allclose(sums, 1, atol=1e-5), f"{name}: the weights of a negative do not sum to 1."


def _check_training(name: str, given: dict[str, Any]) -> None:
    data = Dataset.synthetic(users=120, items=60, pairs=2400, seed=4)
    options: dict[str, Any] = {
        "sampler": name, "epochs": 6, "embedding_dim": 8, "batch_size": 128,
        "learning_rate": 0.02, "init": "normal", "init_std": 0.1, **given,
    }  # fmt: skip
    losses: list[float] = []
    one = MF(threads=1, **options).fit(data, callbacks=[lambda r: losses.append(r["loss"])])
    two = MF(threads=2, **options).fit(data)
    assert one.to_bytes() == two.to_bytes(), f"{name}: the model depends on the number of threads."
    assert min(losses[1:]) < losses[0], f"{name}: training does not lower the loss."


def check_loss(loss: str | type[_custom.CustomLoss], **options: Any) -> None:
    """Check a loss: a registered class, or the name of one.

    The slopes agree with finite differences of the losses, rows do not depend on each other, and
    trainings lower the loss and give the same model for any number of threads. The derivatives are
    checked for losses written in Python; those of built-in losses have tests of their own.
    """
    name = _name_of(loss, _register.losses, _custom.CustomLoss)
    given = {f"{name}__{option}": value for option, value in options.items()}
    if name in _register.losses:
        for negatives in (1, 4):
            _check_slopes(name, negatives, options)
    _check_training("rns", {"loss": name, **given})


def _check_slopes(name: str, negatives: int, options: dict[str, Any]) -> None:
    kind = _register.losses[name]
    adapter = _register._LossAdapter(kind)
    values = {key: option.default for key, option in kind.options.items()} | options
    run = {"seed": 1, "negatives": negatives, "batch_size": 32, "cosine": False}
    adapter.start(run, values)
    rng = np.random.default_rng(2)
    positive = rng.normal(size=32).astype(np.float32)
    negative = rng.normal(size=(32, negatives)).astype(np.float32)
    users = np.arange(32)

    def losses(p: NDArray[Any], n: NDArray[Any]) -> NDArray[np.float64]:
        return adapter.rows(p, n, users, None)[0]

    values_all, slope, slopes = adapter.rows(positive, negative, users, None)
    assert np.isfinite(values_all).all(), f"{name} gives losses that are not finite."
    half = adapter.rows(positive[:9], negative[:9], users[:9], None)[0]
    assert np.allclose(half, values_all[:9], rtol=1e-6), f"{name}: a row depends on other rows."
    step = np.float32(2**-7)
    found = (losses(positive + step, negative) - losses(positive - step, negative)) / (2 * step)
    _agree(name, "positive", found, slope)
    slopes = slopes.reshape(negative.shape)
    for k in range(negatives):
        moved = np.zeros_like(negative)
        moved[:, k] = step
        found = (losses(positive, negative + moved) - losses(positive, negative - moved)) / (
            2 * step
        )
        _agree(name, "negative", found, slopes[:, k])


def _agree(name: str, what: str, found: NDArray[Any], given: NDArray[Any]) -> None:
    # A kink within the step spoils a few rows; a wrong slope spoils most.
    wrong = np.abs(found - given) > 2e-3 + 2e-2 * np.abs(found)
    assert wrong.mean() < 0.1, f"{name}: the slope of the {what} score is not the derivative."


def check_metric(metric: str) -> None:
    """Check a metric by name: finite, and at least as good for a list with the hits in front."""
    front = _core.metric_of_list(metric, _list(0, 1, 2, 7, 8, 9), _wanted(0, 1, 2), 6)
    back = _core.metric_of_list(metric, _list(7, 8, 9, 0, 1, 2), _wanted(0, 1, 2), 6)
    none = _core.metric_of_list(metric, _list(7, 8, 9, 5, 4, 3), _wanted(0, 1, 2), 6)
    assert np.isfinite([front, back, none]).all(), f"{metric} is not finite."
    assert front >= back >= none, f"{metric} falls when relevant items move to the front."


def _list(*items: int) -> NDArray[np.int32]:
    return np.array(items, np.int32)


def _wanted(*items: int) -> NDArray[np.uint32]:
    return np.array(items, np.uint32)


__all__ = ["awkward_data", "check_loss", "check_metric", "check_sampler"]
