#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the tool at random points of its work and continues it until it ends: the result must be the same,
byte for byte, and nothing temporary may stay. The points are counts of renames and of bytes written, so a
seed always gives the same kills.

usage: torture.py DIVNS FAULTS_LIBRARY [--kills N] [--seed S]
"""
import argparse
import collections
import pathlib
import random
import signal
import sys
import tempfile

import world

TRAIN = ["train", "--data", "data", "--checkpoint-seconds", "0", "--quiet", "--resume", "--out", "out"] + world.TRAIN
STUDY = ["--quiet", "--checkpoint-seconds", "0", "--out", "out"]
# Name: the words, and the files that must be the same.
JOBS = {
    "train": (TRAIN + ["--sampler", "dns"], ("model.safetensors",)),
    "train divns": (TRAIN + ["--sampler", "divns"], ("model.safetensors",)),
    "train lightgcn": (TRAIN + ["--sampler", "mixgcf", "--model", "lightgcn"], ("model.safetensors",)),
    "train scone": (TRAIN + ["--sampler", "scone", "--model", "lightgcn"], ("model.safetensors",)),
    "compare": (["compare"] + world.COMPARE + STUDY, ("study.json", "table.md", "runs.csv")),
    "tune": (["tune"] + world.TUNE + STUDY, ("study.json", "best.toml", "trials.csv")),
    "prepare": (["data", "prepare", "input/pairs.tsv", "--item-names", "input/titles.csv", "-o", "out", "--quiet",
                 "--overwrite"],
                ("train.bin", "valid.bin", "test.bin", "users.bin", "items.bin", "item_names.bin", "dataset.json")),
    # In place of another dataset.
    "replace": (["data", "prepare", "input/pairs.csv", "-o", "out", "--quiet", "--overwrite"],
                ("train.bin", "valid.bin", "test.bin", "users.bin", "items.bin", "dataset.json")),
}


def result(folder, names):
    return {name: world.digest(folder / "out" / name) for name in names}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("divns")
    parser.add_argument("faults")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tool = world.Tool(options.divns, options.faults)
    chance = random.Random(options.seed)
    struck = collections.Counter()
    ends = 0
    with tempfile.TemporaryDirectory(prefix="divns-torture-", dir=world.SCRATCH) as base:
        original = pathlib.Path(base, "original")
        original.mkdir()
        world.build(tool, original)
        expected = {}
        for name, (words, files) in JOBS.items():
            folder = pathlib.Path(base, "whole " + name)
            world.copy(original, folder)
            tool.must(words, folder)
            expected[name] = result(folder, files)
        attempts = 0
        while sum(struck.values()) < options.kills:
            name = list(JOBS)[ends % len(JOBS)]
            words, files = JOBS[name]
            folder = pathlib.Path(base, f"killed {ends}")
            world.copy(original, folder)
            if name == "replace":
                world.copy(folder / "data", folder / "out")
            # Up to four kills, each somewhat later than the work needs from where it stands.
            for _ in range(chance.randrange(1, 5)):
                attempts += 1
                renames, size = (9, 4.2) if name in ("prepare", "replace") else (20, 5)
                if chance.random() < 0.6:
                    fault = ("kill", chance.randrange(1, renames))
                else:
                    fault = ("kill_write", int(10 ** chance.uniform(1, size)))
                if name in ("compare", "tune"):
                    jobs = ["--jobs", "2", "--threads", "2"] if chance.random() < 0.5 else ["--threads", "1"]
                else:
                    jobs = ["--threads", str(chance.randrange(1, 4))]
                code, _, err = tool.run(words + jobs, folder, fault)
                assert code in (0, -signal.SIGKILL), f"{name} {fault}: exit code {code}: {err}"
                struck[name] += code != 0
                if name == "replace":  # the old dataset or the new one, complete
                    tool.must(["data", "stats", "out"], folder)
                if code == 0:
                    break
            tool.must(words, folder)
            assert result(folder, files) == expected[name], f"{name}: another result after kills (case {ends})"
            left = [path for path in world.snapshot(folder / "out") if ".divns-tmp-" in path]
            assert not left, f"{name}: left behind {left}"
            assert not list(folder.glob(".divns-tmp-*")), f"{name}: left behind beside its output"
            ends += 1
            assert attempts < 20 * options.kills, "the kills do not strike"
    print(f"{sum(struck.values())} kills struck ({', '.join(f'{count} {name}' for name, count in struck.items())}); "
          f"{ends} results byte-identical")


if __name__ == "__main__":
    sys.exit(main())
