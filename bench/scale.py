#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time, memory, disk and network traffic of trainings over blocks, beside their plan.

    bench/scale.py DIVNS [--mpi DIVNS_MPI] [--pairs 1000000] [--sampler divns] [--blocks 4x4] [--turns 3]

Synthetic data with 10 pairs per user. Prints one Markdown table: plain training, blocks in memory, blocks on disk, and with
--mpi one rank with two threads beside two ranks with one thread. The ways are run by turns; the median counts.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

EPOCHS = 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("divns")
    parser.add_argument("--mpi", help="the program divns-mpi")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--sampler", default="divns")
    parser.add_argument("--blocks", default="4x4")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def call(command, environment=None):
    """Runs a command; returns its output and the peak of its resident memory in bytes."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=sys.stderr, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"failed with {os.waitstatus_to_exitcode(status)}: {' '.join(map(str, command))}")
        output.seek(0)
        return output.read().decode(), usage.ru_maxrss * 1024


def main():
    options = arguments()
    work = pathlib.Path(tempfile.mkdtemp(prefix="divns-scale-"))
    try:
        data = work / "data"
        users, items = options.pairs // 10, max(1000, options.pairs // 20)
        call([options.divns, "data", "synth", "--users", str(users), "--items", str(items), "--pairs", str(options.pairs), "--quiet",
              "-o", str(data)])
        common = ["train", "--data", str(data), "--sampler", options.sampler, "--epochs", str(EPOCHS), "--eval-every", "1000", "--json",
                  "--quiet", "--checkpoint-seconds", "1e9"]
        blocks = ["--blocks", options.blocks]
        plan = json.loads(call([options.divns, *common, *blocks, "--plan"])[0])
        limit = (plan["memory"] + plan["memory_on_disk"]) // 2
        threads = ["--threads", str(options.threads)]
        ways = {
            "plain": [options.divns, *common, *threads],
            "blocks in memory": [options.divns, *common, *blocks, *threads],
            "blocks on disk": [options.divns, *common, *blocks, *threads, "--memory-limit", str(limit), "--scratch", str(work)],
        }
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        if options.mpi:
            for ranks in (1, 2):
                ways[f"{ranks} rank{'s'[:ranks - 1]}, {2 // ranks} thread{'s'[:2 - ranks]} each"] = [
                    "mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), options.mpi, *common, *blocks, "--threads",
                    str(2 // ranks), "--ranks"]
        seconds = {name: [] for name in ways}
        memory = {}
        for turn in range(options.turns):
            for name, command in ways.items():
                output, peak = call([*command, "--out", str(work / "run")], environment)
                result = json.loads(output)
                # The validation after the last epoch ranks all items for all users, whatever the blocks.
                spent = result["seconds"]["total"] - result["seconds"]["evaluation"]
                seconds[name].append(spent / EPOCHS)
                memory[name] = peak
                shutil.rmtree(work / "run")
        print(f"{options.sampler}, {options.pairs} pairs, {users} users, {items} items, blocks {options.blocks}, {options.threads} threads\n")
        print(f"plan: {plan['memory'] / 1e6:.0f} MB in memory, {plan['memory_on_disk'] / 1e6:.0f} MB with blocks on disk\n")
        print("| way | s per epoch | beside plain | peak memory, MB |\n|---|---|---|---|")
        base = statistics.median(seconds["plain"])
        for name, values in seconds.items():
            # The launcher's own memory says nothing about the ranks.
            peak = "" if "rank" in name else f"{memory[name] / 1e6:.0f}"
            print(f"| {name} | {statistics.median(values):.3f} | {statistics.median(values) / base:.2f} | {peak} |")
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
