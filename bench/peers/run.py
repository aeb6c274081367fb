#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares divns with other libraries: same data, split and evaluator, one process per system.

    bench/peers/run.py OUT.json NAME=FOLDER...
    bench/peers/run.py --table OUT.json

FOLDER is a prepared dataset. Each system recommends 20 items to every user; divns measures the
lists on the test part. Systems that are not installed are reported as such. Results are appended
to OUT.json after every system, and systems that are there already are not run again. A system that
takes longer than PEER_SECONDS (3600) is ended. --table prints the results in Markdown.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from system import SYSTEMS

import divns

SECONDS = int(os.environ.get("PEER_SECONDS", "3600"))


def export(data, path):
    users = np.repeat(np.arange(data.users), np.diff(data.valid.indptr))
    np.savez(
        path,
        indptr=data.train.indptr,
        indices=data.train.indices,
        shape=np.array([data.users, data.items]),
        valid=np.array([users, data.valid.indices]),
        folder=np.array(os.path.abspath(data.folder)),
    )


def run(name, data, folder):
    source, lists = folder / "data.npz", folder / "lists.npy"
    script = Path(__file__).with_name("system.py")
    before = os.getloadavg()[0]
    try:
        done = subprocess.run(
            [sys.executable, script, name, source, lists],
            capture_output=True, text=True, timeout=SECONDS,
            cwd=folder,
            # implicit has threads of its own and asks for this.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"failed": f"not done after {SECONDS} s"}
    line = [text for text in done.stdout.splitlines() if text.startswith("RESULT ")]
    if done.returncode != 0 or not line:
        return {"failed": (done.stderr.strip().splitlines() or ["no output"])[-1][:200]}
    metrics = divns.evaluate_lists(np.load(lists), data, topk=[20])
    return {
        **json.loads(line[0].removeprefix("RESULT ")),
        "recall@20": round(metrics["recall@20"], 4),
        "ndcg@20": round(metrics["ndcg@20"], 4),
        "load": round(before, 1),
    }


def print_table(results):
    print("| data | system | fit, CPU s (wall s) | lists, CPU s (wall s) | MiB | Recall@20 | NDCG@20 |")
    print("|---|---|---|---|---|---|---|")
    for label, systems in results.items():
        for name in SYSTEMS:
            row = systems.get(name, {"failed": "not measured"})
            if "failed" in row:
                print(f"| {label} | {name} | {row['failed']} | | | | |")
                continue
            times = (f"{part['cpu']:.1f} ({part['wall']:.0f})" for part in (row["fit"], row["recommend"]))
            quality = f"{row['recall@20']:.4f} | {row['ndcg@20']:.4f}"
            print(f"| {label} | {name} | {' | '.join(times)} | {row['mib']} | {quality} |")


def main():
    if sys.argv[1] == "--table":
        return print_table(json.loads(Path(sys.argv[2]).read_text()))
    out, *datasets = sys.argv[1:]
    results = json.loads(Path(out).read_text()) if Path(out).exists() else {}
    for dataset in datasets:
        label, _, folder = dataset.partition("=")
        data = divns.Dataset.open(folder)
        with tempfile.TemporaryDirectory() as temporary:
            export(data, Path(temporary) / "data.npz")
            for name in SYSTEMS:
                if name in results.setdefault(label, {}):
                    continue
                results[label][name] = run(name, data, Path(temporary))
                Path(out).write_text(json.dumps(results, indent=1))
                print(time.strftime("%H:%M:%S"), label, name, results[label][name], flush=True)


if __name__ == "__main__":
    main()
