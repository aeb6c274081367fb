# SPDX-License-Identifier: Apache-2.0
"""Samplers, losses and metrics written in Python."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import divns
from divns import testing

Array = NDArray[Any]


@divns.register_sampler("soft_dns", citation="a test")
class SoftDns(divns.CustomSampler):
    """one of n uniform candidates by the softmax of the scores"""

    options: ClassVar = {
        "candidates": divns.Option(6, "number of candidates", low=1, high=1000),
        "temperature": divns.Option(0.2, "temperature of the softmax", low=1e-3),
        "hard": divns.Option(False, "take the best one"),
        "note": divns.Option("", "a text"),
    }

    def candidates(self, batch: divns.PairBatch) -> Array:
        each, n = self.run.negatives, self.values["candidates"]
        return self.uniform(batch, each * n).reshape(len(batch), each, n)

    def choose(
        self, batch: divns.PairBatch, candidates: Array, vectors: divns.BatchVectors
    ) -> Array:
        keys = vectors.scores() / self.values["temperature"]
        if not self.values["hard"]:
            keys = keys + batch.rng.gumbel(size=keys.shape)
        return np.take_along_axis(candidates, keys.argmax(axis=2)[..., None], axis=2)[..., 0]


@divns.register_sampler("two_mixed")
class TwoMixed(divns.CustomSampler):
    """the mean of two uniform items; reads all vectors once per epoch and keeps state"""

    epochs = 0

    def begin_epoch(self, epoch: int, users: Array, items: Array) -> None:
        assert users.shape == (self.run.train.shape[0], self.run.dim)  # type: ignore[union-attr]
        self.epochs += 1

    def candidates(self, batch: divns.PairBatch) -> Array:
        assert self.epochs == batch.epoch + 1
        each = self.run.negatives
        return self.uniform(batch, 2 * each).reshape(len(batch), each, 2)

    def choose(
        self, batch: divns.PairBatch, candidates: Array, vectors: divns.BatchVectors
    ) -> tuple[Array, Array]:
        return candidates, np.full(candidates.shape, 0.5)

    def save(self) -> dict[str, Array]:
        return {"epochs": np.array(self.epochs)}

    def load(self, state: Mapping[str, Array]) -> None:
        self.epochs = int(state["epochs"])


@divns.register_loss("square_margin")
class SquareMargin(divns.CustomLoss):
    """sum over the negatives of max(0, margin - lead)^2"""

    options: ClassVar = {"margin": divns.Option(1.0, "required lead", low=0)}

    def rows(self, scores: divns.LossScores) -> tuple[Array, Array, Array]:
        missing = self.values["margin"] + scores.negative - scores.positive[:, None]
        missing = np.maximum(missing, 0, dtype=np.float64)
        return (missing**2).sum(axis=1), -2 * missing.sum(axis=1), 2 * missing


@divns.register_metric("first", formula="1 if the first item is relevant")
def first(ranks: Array, relevant: int, cutoff: int) -> float:
    return float(len(ranks) > 0 and ranks[0] == 0)


@pytest.mark.parametrize("name", ["rns", "dns", "dns_mn", "ahns", "divns"])
def test_the_checks_pass_for_built_in_samplers(name: str) -> None:
    testing.check_sampler(name)


def test_the_checks_pass_for_python_samplers() -> None:
    testing.check_sampler(SoftDns)
    testing.check_sampler("soft_dns", hard=True, candidates=3)
    testing.check_sampler(TwoMixed)


def test_the_checks_pass_for_losses_and_metrics() -> None:
    testing.check_loss("bpr")
    testing.check_loss(SquareMargin)
    testing.check_loss(SquareMargin, margin=0.5)
    for metric in ("recall", "ndcg", "map", "first"):
        testing.check_metric(metric)


def test_hard_candidates_are_dns(data: divns.Dataset) -> None:
    """With one candidate list per negative and no noise, the negatives are harder than uniform."""
    options: dict[str, Any] = {"epochs": 8, "embedding_dim": 16, "learning_rate": 0.01, "seed": 2}
    hard = divns.MF(sampler="soft_dns", **options).set_params(soft_dns__hard=True).fit(data)
    uniform = divns.MF(sampler="rns", **options).fit(data)
    assert hard.history_[-1]["hardness"] > uniform.history_[-1]["hardness"]


def test_they_take_part_in_comparisons(data: divns.Dataset) -> None:
    study = divns.compare(
        data,
        ["rns", "soft_dns", "soft_dns:soft_dns.temperature=5"],
        seeds=2,
        epochs=3,
        resamples=100,
        loss="square_margin",
        valid_metric="first@10",
        metrics=["first@10", "recall@20"],
    )
    assert [row["sampler"] for row in study.rows] == ["rns", "soft_dns", "soft_dns"]
    assert all("first@10" in row["mean"] for row in study.rows)
    assert "soft_dns" in {row["name"] for row in divns.samplers()}
    assert "first" in {row["name"] for row in divns.metrics.available()}


def test_the_loop_takes_python_samplers(data: divns.Dataset) -> None:
    rng = np.random.default_rng(1)
    users = rng.normal(size=(data.users, 8)).astype(np.float32)
    items = rng.normal(size=(data.items, 8)).astype(np.float32)
    sampler = divns.Sampler("two_mixed", data, dim=8, negatives=2)
    batch = next(sampler.epoch(users, items))
    assert batch.negatives.shape[1:] == (2, 2)
    assert (batch.weights == 0.5).all()


def test_a_class_that_is_defined_again_replaces_the_older_one(data: divns.Dataset) -> None:
    models = []
    for item in (3, 4):

        @divns.register_sampler("constant", summary="always the same item")
        class Constant(divns.CustomSampler):
            number = item

            def candidates(self, batch: divns.PairBatch) -> Array:
                return np.full((len(batch), self.run.negatives), self.number)

        models.append(divns.MF(sampler="constant", epochs=1).fit(data).to_bytes())
    assert models[0] != models[1]
    with pytest.raises(divns.Error, match="there is a sampler 'dns' already"):
        divns.register_sampler("dns", summary="mine")(TwoMixed)
    with pytest.raises(divns.Error, match="there is a metric 'recall' already"):
        divns.register_metric("recall", formula="mine")(first)
    with pytest.raises(TypeError):
        divns.register_sampler("x")(int)  # type: ignore[type-var]


def test_state_survives_a_resume(data: divns.Dataset, tmp_path: pathlib.Path) -> None:
    options: dict[str, Any] = {"sampler": "two_mixed", "epochs": 4, "seed": 3}
    expected = divns.train(data, **options).model.to_bytes()

    def fail(self: TwoMixed, epoch: int, users: Array, items: Array) -> None:
        if epoch == 2:
            raise ZeroDivisionError("of the sampler")
        self.epochs += 1

    begin = TwoMixed.begin_epoch
    TwoMixed.begin_epoch = fail  # type: ignore[method-assign]
    try:
        with pytest.raises(ZeroDivisionError, match="of the sampler"):
            divns.train(data, folder=tmp_path / "run", checkpoint_seconds=0, **options)
    finally:
        TwoMixed.begin_epoch = begin  # type: ignore[method-assign]
    again = divns.train(data, folder=tmp_path / "run", resume=True, **options)
    assert again.result["resumed"]
    assert again.model.to_bytes() == expected


WRONG: list[tuple[Any, str]] = [
    (lambda batch: np.zeros(len(batch) + 1, int), "one row for each"),
    (lambda batch: np.zeros(len(batch)), "expected integers"),
    (lambda batch: np.full(len(batch), 10**6), "outside 0 to"),
    (lambda batch: np.full(len(batch), -1), "outside 0 to"),
    (lambda batch: np.zeros((len(batch), 7), int), "expected .* x 1"),
    (lambda batch: None, "expected integers"),
    (lambda batch: "many", "expected integers"),
]


@pytest.mark.parametrize(("answer", "sentence"), WRONG)
def test_wrong_answers_of_samplers(data: divns.Dataset, answer: Any, sentence: str) -> None:
    @divns.register_sampler("wrong", summary="gives what it should not")
    class Wrong(divns.CustomSampler):
        def candidates(self, batch: divns.PairBatch) -> Array:
            return answer(batch)

    with pytest.raises(divns.Error, match=sentence):
        divns.MF(sampler="wrong", epochs=1).fit(data)


def test_wrong_answers_of_losses_and_metrics(data: divns.Dataset) -> None:
    for answer in (1, (1, 2, 3), (np.zeros(3), np.zeros(3), np.zeros(3))):

        @divns.register_loss("wrong_loss", summary="gives what it should not")
        class WrongLoss(divns.CustomLoss):
            given = answer

            def rows(self, scores: divns.LossScores) -> Any:
                return self.given

        with pytest.raises(divns.Error, match="returned"):
            divns.MF(loss="wrong_loss", epochs=1).fit(data)


def test_checks_find_faults(data: divns.Dataset) -> None:
    @divns.register_sampler("own_items", summary="gives the positive itself")
    class OwnItems(divns.CustomSampler):
        def candidates(self, batch: divns.PairBatch) -> Array:
            return np.repeat(batch.positives[:, None], self.run.negatives, axis=1)

    with pytest.raises(AssertionError, match="training items"):
        testing.check_sampler(OwnItems)

    @divns.register_sampler("unseeded", summary="draws without the seed")
    class Unseeded(divns.CustomSampler):
        def candidates(self, batch: divns.PairBatch) -> Array:
            batch.rng = np.random.default_rng()
            return self.uniform(batch, self.run.negatives)

    with pytest.raises(AssertionError, match="number of threads"):
        testing.check_sampler(Unseeded)

    @divns.register_loss("wrong_slope", summary="a slope of the wrong sign")
    class WrongSlope(SquareMargin):
        def rows(self, scores: divns.LossScores) -> tuple[Array, Array, Array]:
            losses, positive, negative = super().rows(scores)
            return losses, -positive, negative

    with pytest.raises(AssertionError, match="positive score"):
        testing.check_loss(WrongSlope)
    with pytest.raises(TypeError, match="registered"):
        testing.check_sampler(divns.CustomSampler)


def test_options_are_checked(data: divns.Dataset) -> None:
    with pytest.raises(divns.Error, match="soft_dns.candidates"):
        divns.MF(sampler="soft_dns").set_params(soft_dns__candidates=0).fit(data)
    with pytest.raises(divns.Error, match="Did you mean 'soft_dns.temperature'"):
        divns.MF(sampler="soft_dns").set_params(soft_dns__temperatur=1)
    for bad in ({"a b": divns.Option(1, "x")}, {"a": 1}):
        with pytest.raises(divns.Error):

            @divns.register_sampler("bad_options", summary="x")
            class Bad(divns.CustomSampler):
                options = bad  # type: ignore[assignment]


def test_ctrl_c_inside_a_python_sampler_keeps_the_model() -> None:
    script = textwrap.dedent("""
        import signal, warnings
        import divns

        @divns.register_sampler("interrupted", summary="presses Ctrl-C in epoch 1")
        class Interrupted(divns.CustomSampler):
            sent = False
            def candidates(self, batch):
                if batch.epoch == 1 and not Interrupted.sent:
                    Interrupted.sent = True
                    signal.raise_signal(signal.SIGINT)
                return self.uniform(batch, 1)

        data = divns.Dataset.synthetic(users=100, items=80, pairs=1500)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            model = divns.MF(sampler="interrupted", epochs=5).fit(data)
        print(model.interrupted_, model.result_["epochs"])
        """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "True 2\n", done.stderr
