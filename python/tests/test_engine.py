# SPDX-License-Identifier: Apache-2.0
"""Against the command-line tool, and what long work must bear: threads, Ctrl-C, many calls."""

from __future__ import annotations

import concurrent.futures
import ctypes
import gc
import inspect
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import divns
from divns import _core


@pytest.fixture(scope="session")
def tool() -> str:
    path = os.environ.get("DIVNS_TOOL", "")
    if not path:
        pytest.skip("DIVNS_TOOL is unset; it names the command-line tool to compare with")
    return path


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("mf", {"sampler": "divns", "divns__lambda": 0.3, "epochs": 3}),
        ("lightgcn", {"sampler": "dns", "epochs": 2, "seed": 7}),
        ("ials", {"ials__epochs": 3}),
        ("ease", {"ease__l2": 50}),
    ],
)
def test_same_bytes_as_the_tool(
    tool: str, tmp_path: pathlib.Path, model: str, options: dict[str, object]
) -> None:
    data = divns.Dataset.synthetic(
        users=200, items=150, pairs=4000, seed=3, folder=tmp_path / "data.divns"
    )
    flags = [f"--set={name.replace('__', '.')}={value}" for name, value in options.items()]
    command = [tool, "train", "--data", data.folder, "--model", model, "--quiet", *flags]
    subprocess.run([*command, "--out", tmp_path / "run"], check=True, capture_output=True)
    expected = (tmp_path / "run/model.safetensors").read_bytes()
    run = divns.train(data, model, folder=tmp_path / "python", **options)
    assert run.model.to_bytes() == expected
    assert (tmp_path / "python/model.safetensors").read_bytes() == expected
    assert run.folder == str(tmp_path / "python")
    names = {
        "mf": divns.MF,
        "lightgcn": divns.LightGCN,
        "ials": divns.IALS,
        "ease": divns.EASE,
    }
    assert names[model](**options).fit(data).to_bytes() == expected
    assert divns.train(data, model, threads=1, **options).model.to_bytes() == expected


def test_resume(data: divns.Dataset, tmp_path: pathlib.Path) -> None:
    whole = divns.train(data, epochs=4)
    again = divns.train(data, epochs=4, folder=tmp_path / "run", resume=True)
    assert again.model.to_bytes() == whole.model.to_bytes()
    assert "4 epochs" in repr(again)
    assert whole.folder is None


def test_studies(data: divns.Dataset, tmp_path: pathlib.Path) -> None:
    seen: list[tuple[int, int, str]] = []
    study = divns.compare(
        data,
        ["rns", "dns"],
        out=tmp_path / "study",
        seeds=2,
        epochs=2,
        resamples=100,
        on_progress=lambda *args: seen.append(args),
    )
    assert [row["label"] for row in study.rows] == ["rns", "dns"]
    assert len(study.rows[0]["seeds"]) == 2
    assert study.tests
    assert "recall@20" in str(study)
    assert seen[-1][1] == 4
    assert len(study.to_pandas()) == 2
    assert (tmp_path / "study/study.json").exists()
    tuned = divns.tune(data, "dns", out=tmp_path / "tuned", trials=2, rungs=[6])
    assert tuned.winners is not None
    assert divns.compare(data, tuned.winners, seeds=1, epochs=2).rows[0]["label"] == "dns"
    assert divns.ablate(data, sampler="dns", axis=["l2=0/1"], seeds=1, epochs=2).rows
    with pytest.raises(divns.Error, match="rns"):
        divns.compare(data, ["rms"])
    with pytest.raises(ZeroDivisionError):
        divns.compare(data, "rns", epochs=2, seeds=1, on_progress=lambda *args: 1 / 0)


def test_eight_threads_at_once(data: divns.Dataset, model: divns.MF) -> None:
    expected = model.to_bytes()
    lists = model.recommend(range(50), N=10)[0]
    barrier = threading.Barrier(8)

    def work(number: int) -> bool:
        barrier.wait()
        own = divns.MF(sampler="dns", epochs=5, embedding_dim=20, seed=1, threads=1 + number % 2)
        same = own.fit(data).to_bytes() == expected
        return same and all((model.recommend(range(50), N=10)[0] == lists).all() for _ in range(20))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_the_gil_is_released(data: divns.Dataset) -> None:
    # A callback runs Python while another thread waits for a fit: without release, a deadlock.
    started, release = threading.Event(), threading.Event()

    def wait(report: dict[str, object]) -> bool:
        started.set()
        return release.wait(30)

    thread = threading.Thread(target=lambda: divns.MF(epochs=1).fit(data, callbacks=[wait]))
    thread.start()
    assert started.wait(30)
    assert divns.MF(epochs=1).fit(data).result_["epochs"] == 1
    release.set()
    thread.join(30)
    assert not thread.is_alive()


def memory_kib() -> int:
    """The heap in use under AddressSanitizer, otherwise the largest memory of the process."""
    try:
        heap_bytes = ctypes.CDLL(None).__sanitizer_get_current_allocated_bytes
    except AttributeError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    heap_bytes.restype = ctypes.c_size_t
    return int(heap_bytes()) // 1024


def test_ten_thousand_calls_leak_nothing() -> None:
    vectors = np.eye(4, dtype=np.float32)
    small = divns.Dataset.from_pairs([1, 1, 2], [1, 2, 1], ratios=[1, 0, 0])
    single = divns.MF(epochs=1, embedding_dim=8, threads=1).fit(small)
    ease = divns.EASE(threads=1).fit(small)

    def calls(count: int) -> None:
        for n in range(count):
            single.recommend(n % 2, N=2, filter_already_liked_items=False)
            single.fold_in([[0], [0, 1]])
            single.similar_items(n % 2, N=1)
            ease.recommend(n % 2, N=2)
            ease.fold_in([[0]])
            divns.dpp.greedy(vectors, 2)
            _ = single.user_factors, ease.item_weights, small.train, single.to_bytes()
            with pytest.raises(divns.Error):
                single.recommend(5)

    calls(1000)
    gc.collect()
    before = memory_kib()
    calls(10_000)
    gc.collect()
    assert memory_kib() - before < 4096


def test_a_hundred_trainings_leak_nothing(tmp_path: pathlib.Path) -> None:
    pairs = [1, 1, 2, 2, 3], [1, 2, 1, 3, 2]

    def trainings(count: int) -> None:
        for _ in range(count):
            data = divns.Dataset.from_pairs(*pairs, ratios=[1, 0, 0])
            model = divns.MF(epochs=1, embedding_dim=8, threads=1).fit(data, progress=False)
            model.partial_fit(data, epochs=1, callbacks=[lambda report: True], progress=False)
            divns.EASE(threads=1).fit(data)
            with pytest.raises(divns.Error):
                divns.MF(epochs=1, dns__candidates=0).fit(data)
            model.save(tmp_path / "model")
            assert divns.MF.load(tmp_path / "model").item_factors.shape == (3, 8)

    trainings(20)
    gc.collect()
    before = memory_kib()
    trainings(100)
    gc.collect()
    assert memory_kib() - before < 4096


INTERRUPTED = """
    import os, signal, threading, warnings
    import divns
    data = divns.Dataset.synthetic(users=300, items=200, pairs=6000)

    def interrupt(report):
        if report["epoch"] == {epoch}:
            os.kill(os.getpid(), signal.SIGINT)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = divns.MF(epochs=100000, patience_epochs=100000).fit(data, callbacks=[interrupt])
    assert model.interrupted_ and 3 <= model.result_["epochs"] < 1000, model.result_
    assert "interrupted" in str(caught[0].message)
    assert model.recommend(0)[0].shape == (10,)
    print("kept")
"""


def run_python(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120
    )


def test_ctrl_c_keeps_the_best_model() -> None:
    # From outside, so that the signal arrives while the engine works without the GIL.
    script = textwrap.dedent(INTERRUPTED.format(epoch=-1)).replace(
        "def interrupt(report):\n", "def interrupt(report):\n    print('epoch', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=-1, stderr=-1, text=True) as child:
        assert child.stdout is not None
        for _ in range(3):
            assert child.stdout.readline() == "epoch\n"
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert output.endswith("kept\n"), errors


def test_ctrl_c_ends_a_study_with_keyboard_interrupt(tmp_path: pathlib.Path) -> None:
    result = run_python(f"""
        import os, signal
        import divns
        data = divns.Dataset.synthetic(users=300, items=200, pairs=6000)
        sent = []

        def interrupt(done, total, current):
            if not sent:
                sent.append(os.kill(os.getpid(), signal.SIGINT))

        try:
            divns.compare(data, "rns", out={str(tmp_path / "study")!r}, epochs=100000,
                          patience_epochs=100000, on_progress=interrupt)
        except KeyboardInterrupt:
            print("ended")
        """)
    assert result.stdout == "ended\n", result.stderr


def test_the_stub_names_what_the_extension_has() -> None:
    stub = (pathlib.Path(divns.__file__).parent / "_core.pyi").read_text()
    defined = set(re.findall(r"^(?:def|class) (\w+)", stub, re.M))
    assert defined == {name for name in dir(_core) if not name.startswith("_")}
    for kind in ("Dataset", "TrainedModel", "Run", "TestPart", "LoopSampler"):
        body = re.search(rf"^class {kind}:\n((?:    .*\n)+)", stub, re.M)
        assert body is not None
        members = {name for name, _ in inspect.getmembers(getattr(_core, kind)) if name[0] != "_"}
        assert set(re.findall(r"    def (\w+)", body.group(1))) - {"__init__"} == members


def test_the_options_module_is_up_to_date() -> None:
    script = pathlib.Path(__file__).parents[1] / "tools/generate_options.py"
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    current = pathlib.Path(divns.__file__).parent / "_options.py"
    assert made.stdout == current.read_text()


def test_lists() -> None:
    assert {"rns", "divns"} <= {row["name"] for row in divns.samplers()}
    assert "bpr" in {row["name"] for row in divns.losses()}
    assert "recall" in {row["name"] for row in divns.metrics.available()}
    assert "lightgcn" in {row["name"] for row in divns.models()}
    assert "demo" in {row["name"] for row in divns.presets()}
    for topic in ("train", "prepare", "synthetic", "compare", "tune", "ablate", "evaluate", "dpp"):
        assert all(option["help"] for option in divns.options(topic))
    with pytest.raises(divns.Error):
        divns.options("x")
    assert re.fullmatch(r"\d+\.\d+\.\d+", divns.__version__)
