#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DNS in plain PyTorch and by divns.Sampler, for the same batches of a PyTorch loop, by turns.

    bench/peers/torch_sampling.py [FOLDER]

Both draw uniform candidates that are not training items of the user and take the one with the
highest score, on one thread. Prints CPU seconds per epoch of sampling alone: the medians of several
turns, so that other work on the machine falls on both alike. Needs torch.
"""

import statistics
import sys
import time

import numpy as np
import torch

import divns

DIM, BATCH, TURNS = 64, 2048, 5


def plain_epoch(data, users, items, candidates, keys):
    """DNS as one writes it in PyTorch: one gather and one product per batch."""
    pairs = torch.randperm(len(keys))
    for begin in range(0, len(keys), BATCH):
        rows = keys[pairs[begin : begin + BATCH]] // data.items
        drawn = torch.randint(data.items, (len(rows), candidates))
        flat, owners = drawn.view(-1), rows.repeat_interleave(candidates)
        wrong = torch.arange(len(flat))
        while True:  # draw training items anew
            wanted = owners[wrong] * data.items + flat[wrong]
            places = torch.searchsorted(keys, wanted).clamp_(max=len(keys) - 1)
            wrong = wrong[keys[places] == wanted]
            if len(wrong) == 0:
                break
            flat[wrong] = torch.randint(data.items, (len(wrong),))
        scores = torch.einsum("bd,bcd->bc", users[rows], items[drawn])
        drawn.gather(1, scores.argmax(1, keepdim=True))


def main():
    torch.set_num_threads(1)
    folder = sys.argv[1:] or [None]
    data = divns.Dataset.open(folder[0]) if folder[0] else divns.Dataset.synthetic("demo")
    users, items = torch.randn(data.users, DIM), torch.randn(data.items, DIM)
    owners = np.repeat(np.arange(data.users, dtype=np.int64), np.diff(data.train.indptr))
    keys = torch.from_numpy(owners * data.items + data.train.indices)
    print(f"{len(keys)} pairs, {DIM} dimensions, batches of {BATCH}")
    for candidates in (5, 10, 32, 64):
        sampler = divns.Sampler(
            "dns", data, dim=DIM, batch_size=BATCH, threads=1, dns__candidates=candidates
        )

        def ours(sampler=sampler):
            for _ in sampler.epoch(users, items):
                pass

        def theirs(candidates=candidates):
            with torch.no_grad():
                plain_epoch(data, users, items, candidates, keys)

        seconds = {ours: [], theirs: []}
        for _ in range(TURNS):
            for way, list_of in seconds.items():
                begin = time.process_time()
                way()
                list_of.append(time.process_time() - begin)
        own, plain = (statistics.median(list_of) for list_of in seconds.values())
        print(
            f"{candidates:3} candidates: torch {plain:7.3f} s, divns {own:7.3f} s, "
            f"ratio {plain / own:5.1f}"
        )


if __name__ == "__main__":
    main()
