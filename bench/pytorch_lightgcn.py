# SPDX-License-Identifier: Apache-2.0
"""Seconds per epoch of LightGCN in plain PyTorch, to set ours beside them on the same machine.

    /usr/bin/python3 bench/pytorch_lightgcn.py [--threads 2] [--batches 12] FOLDER...

FOLDERs are prepared datasets; Debian's python3-torch is needed. Three layers, 64 dimensions,
batches of 2048, uniform negatives, Adam, as `divns train --model lightgcn` does by default. Whole
epochs would take minutes, so some batches are timed and the median is multiplied. Negatives are
drawn for all rows at once, which is quicker than the loops that most trainers have.
"""

import argparse
import statistics
import time
from pathlib import Path

import numpy as np
import torch

DIM, LAYERS, BATCH, L2 = 64, 3, 2048, 1e-4


def read_train(folder):
    """Users and items of the training pairs, as docs/formats.md says."""
    path = Path(folder) / "train.bin"
    users, items, pairs = (int(x) for x in np.fromfile(path, "<u8", 5)[2:])
    offsets = np.fromfile(path, "<u8", users + 1, offset=64)
    columns = np.fromfile(path, "<u4", pairs, offset=64 + 8 * (users + 1)).astype(np.int64)
    return users, items, np.repeat(np.arange(users), np.diff(offsets).astype(np.int64)), columns


def normalised_adjacency(users, items, pair_users, pair_items):
    rows = np.concatenate([pair_users, pair_items + users])
    columns = np.concatenate([pair_items + users, pair_users])
    degrees = np.bincount(rows, minlength=users + items)
    weights = 1 / np.sqrt(degrees[rows] * degrees[columns])
    size = (users + items, users + items)
    places = torch.from_numpy(np.stack([rows, columns]))
    return torch.sparse_coo_tensor(places, torch.from_numpy(weights).float(), size).coalesce()


def pooled(adjacency, parameters):
    hops = [parameters]
    for _ in range(LAYERS):
        hops.append(torch.sparse.mm(adjacency, hops[-1]))
    return torch.stack(hops).mean(dim=0)


def seconds_of_batches(folder, batches):
    users, items, pair_users, pair_items = read_train(folder)
    adjacency = normalised_adjacency(users, items, pair_users, pair_items)
    parameters = torch.nn.Parameter(torch.empty(users + items, DIM))
    torch.nn.init.xavier_uniform_(parameters)
    adam = torch.optim.Adam([parameters], lr=1e-3)
    random = np.random.default_rng(1)
    seconds = []
    for _ in range(batches):
        start = time.perf_counter()
        chosen = random.integers(len(pair_users), size=BATCH)
        negatives = random.integers(items, size=BATCH) + users
        nodes = [pair_users[chosen], pair_items[chosen] + users, negatives]
        vectors = pooled(adjacency, parameters)
        user, positive, negative = (vectors[torch.from_numpy(n)] for n in nodes)
        margin = ((negative - positive) * user).sum(dim=1)
        ego = sum(parameters[torch.from_numpy(n)].pow(2).sum() for n in nodes)
        loss = torch.nn.functional.softplus(margin).mean() + L2 * ego / (2 * BATCH)
        adam.zero_grad()
        loss.backward()
        adam.step()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[2:]), -(-len(pair_users) // BATCH)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    for folder in arguments.folders:
        each, count = seconds_of_batches(folder, arguments.batches)
        print(f"{Path(folder).stem}: {1e3 * each:.0f} ms per batch, {each * count:.1f} s per epoch")


main()
