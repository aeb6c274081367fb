# SPDX-License-Identifier: Apache-2.0
"""Callbacks, charts, metrics of lists, and arrays of other libraries."""

from __future__ import annotations

import json
import pathlib
import sys
import types
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import divns
from divns import callbacks, metrics


def test_early_stopping(data: divns.Dataset) -> None:
    stop = callbacks.EarlyStopping(patience=2, metric="loss", mode="max")  # losses fall
    model = divns.MF(epochs=50, learning_rate=0.01).fit(data, callbacks=[stop])
    assert model.result_["epochs"] == len(model.history_) < 20
    assert stop.stopped_epoch == len(model.history_) - 1
    with pytest.raises(divns.Error, match="no 'recall'"):
        divns.MF(epochs=2).fit(data, callbacks=[callbacks.EarlyStopping(metric="recall")])
    with pytest.raises(divns.Error):
        callbacks.EarlyStopping(patience=0)


def test_checkpoint_continues_a_run(data: divns.Dataset, tmp_path: pathlib.Path) -> None:
    keep = callbacks.Checkpoint(tmp_path / "run", seconds=0)
    first = divns.MF(epochs=3).fit(data, callbacks=[keep])
    again = divns.MF(epochs=3).fit(data, callbacks=[keep])
    assert again.result_["resumed"]
    assert again.to_bytes() == first.to_bytes()
    assert divns.load(tmp_path / "run", data).to_bytes() == first.to_bytes()


def fake(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> Any:
    module = types.ModuleType(name)
    module.__dict__.update(members)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def test_trackers_get_the_values(data: divns.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins, because the real packages are large; their calls are these."""
    logged: list[tuple[str, Any, int]] = []

    class Writer:
        def __init__(self, folder: str) -> None:
            self.folder = folder

        def add_scalar(self, name: str, value: float, step: int) -> None:
            logged.append((name, value, step))

        def close(self) -> None:
            logged.append(("closed", None, -1))

    fake(monkeypatch, "tensorboardX", SummaryWriter=Writer)
    monkeypatch.setattr(callbacks, "_has", lambda *names: False)
    fake(
        monkeypatch, "mlflow", log_metrics=lambda values, step: logged.append(("ml", values, step))
    )
    wandb = fake(
        monkeypatch, "wandb", run=None, log=lambda values, step: logged.append(("wb", values, step))
    )
    wandb.init = lambda **settings: logged.append(("init", settings, -1))
    trackers = [
        callbacks.TensorBoard("events"),
        callbacks.MLflow(),
        callbacks.WandB(project="test"),
    ]
    divns.MF(epochs=2).fit(data, callbacks=trackers)
    names = [name for name, _, _ in logged]
    assert names.count("ml") == names.count("wb") == 2
    assert names.count("init") == names.count("closed") == 1
    assert {"loss", "valid/recall@20"} <= set(names)
    values = next(value for name, value, step in logged if name == "ml" and step == 1)
    assert not any("@" in name for name in values)


def test_trackers_without_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mlflow", "wandb", "tensorboardX", "torch"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(callbacks, "_has", lambda *names: False)
    for tracker in (callbacks.MLflow, callbacks.WandB, lambda: callbacks.TensorBoard("x")):
        with pytest.raises(divns.Error, match="pip install"):
            tracker()


def test_progress(data: divns.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    class Bar:
        total = n = 0

        def __init__(self, **settings: Any) -> None:
            calls.append("new")

        def __getattr__(self, name: str) -> Any:
            return lambda *args, **more: calls.append(name)

    fake(monkeypatch, "tqdm.auto", tqdm=Bar)
    monkeypatch.setattr(callbacks, "find_spec", lambda name: True)
    divns.MF(epochs=2).fit(data, progress=True)
    assert calls.count("update") == 2
    assert calls[-1] == "close"
    calls.clear()
    divns.MF(epochs=2).fit(data, progress=False)
    assert not calls
    divns.compare(data, "rns", seeds=1, epochs=1, progress=True)
    assert calls[-1] == "close"


def test_charts(data: divns.Dataset, model: divns.MF, tmp_path: pathlib.Path) -> None:
    study = divns.compare(data, ["rns", "dns"], seeds=2, epochs=2, resamples=100)
    for thing in (data, model, study):
        chart = thing.chart()  # type: ignore[attr-defined]
        bundle = chart._repr_mimebundle_()
        assert json.loads(json.dumps(chart.spec)) == bundle["application/vnd.vegalite.v5+json"]
        assert chart.spec["data"]["values"]
        chart.save(tmp_path / "chart.json")
        assert json.loads((tmp_path / "chart.json").read_text()) == chart.spec
    assert len(model.chart().spec["data"]["values"]) == sum(
        report["metric"] is not None for report in model.history_
    )
    assert study._repr_html_().count("<tr>") == 3
    assert divns.MF().chart().spec["data"]["values"] == []
    with pytest.raises(divns.Error, match=r"no 'recall@3'"):
        study.chart("recall@3")


def test_metrics_of_one_list() -> None:
    wanted = [1, 5, 9]
    listed = [5, 2, 1, 7, 8]
    assert metrics.recall(listed, wanted, 3) == pytest.approx(2 / 3)
    assert metrics.precision(listed, wanted, 5) == pytest.approx(2 / 5)
    assert metrics.hit(listed, wanted, 1) == 1
    assert metrics.mrr([2, 5], wanted, 2) == 0.5
    ideal = 1 + 1 / np.log2(3) + 1 / np.log2(4)
    assert metrics.ndcg(listed, wanted, 5) == pytest.approx((1 + 1 / np.log2(4)) / ideal)
    assert metrics.average_precision(listed, wanted, 5) == pytest.approx((1 + 2 / 3) / 3)
    assert metrics.recall([-1, 1, 5], wanted, 3) == 0  # ends at once
    assert {"recall", "ndcg"} <= {row["name"] for row in metrics.available()}
    with pytest.raises(divns.Error, match="Did you mean 'recall'"):
        metrics.value("recal", listed, wanted, 3)
    for wrong in ([], [-1], [2**40], [0.5], "x"):
        with pytest.raises(divns.Error):
            metrics.recall(listed, wrong, 3)


def test_lists_of_others_are_measured_alike(model: divns.MF, data: divns.Dataset) -> None:
    lists = model.recommend(np.arange(data.users), N=20)[0]
    expected = model.evaluate(data, topk=[10, 20])
    found = divns.evaluate_lists(lists, data, topk=[10, 20])
    assert found == pytest.approx(expected)
    users = divns.evaluate_lists_users(lists, data, part="valid", topk=[20])
    other = divns.evaluate_users(model, data, part="valid", topk=[20])
    assert (users["user"] == other["user"]).all()
    np.testing.assert_allclose(users["ndcg@20"], other["ndcg@20"], rtol=1e-6)
    for wrong in (lists[:-1], lists[0], lists + 10**6, lists * 0.5, lists[:, :5], "x"):
        with pytest.raises(divns.Error):
            divns.evaluate_lists(wrong, data)


def test_new_vectors_for_a_batch(data: divns.Dataset) -> None:
    rng = np.random.default_rng(1)
    users = rng.normal(size=(data.users, 8)).astype(np.float32)
    items = rng.normal(size=(data.items, 8)).astype(np.float32)
    one, two = (divns.Sampler("dns", data, dim=8, batch_size=500) for _ in range(2))
    one.begin_epoch(users, items)
    two.begin_epoch(users, items)
    one.batch(), two.batch()
    changed = two.batch(item_vectors=-items)
    assert not (one.batch().negatives == changed.negatives).all()  # type: ignore[union-attr]
    with pytest.raises(divns.Error, match="expected"):
        two.batch(item_vectors=items[:-1])


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_torch_tensors_without_a_copy(data: divns.Dataset) -> None:
    import torch

    from divns.integrations.torch import Batches

    users = torch.nn.Parameter(torch.randn(data.users, 8))
    items = torch.nn.Parameter(torch.randn(data.items, 8))
    sampler = divns.Sampler("dns", data, dim=8, batch_size=500, dns__candidates=8)
    loader = torch.utils.data.DataLoader(Batches(sampler, lambda: (users, items)), batch_size=None)
    seen = 0
    for batch in loader:
        assert isinstance(batch.negatives, torch.Tensor)
        assert sampler._vectors is not None
        assert sampler._vectors[1].ctypes.data == items.data_ptr()
        negative = (batch.weights[..., None] * items[batch.negatives]).sum(2)
        (users[batch.users][:, None] * negative).sum().backward()
        seen += len(batch.users)
    assert seen == len(data.train)
    assert items.grad is not None
    with pytest.raises(divns.Error, match="cannot be read"):
        sampler.begin_epoch(users.to(torch.bfloat16), items)
    meta = torch.nn.Parameter(torch.empty(data.users, 8, device="meta"))
    with pytest.raises(divns.Error, match="on the device"):
        sampler.begin_epoch(meta, items)


@pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed")
def test_jax_arrays(data: divns.Dataset) -> None:
    import jax

    users = jax.numpy.ones((data.users, 8))
    items = jax.numpy.ones((data.items, 8))
    batch = next(divns.Sampler("dns", data, dim=8).epoch(users, items))
    assert isinstance(batch.negatives, jax.Array)
    assert batch.weights.shape == batch.negatives.shape
