# SPDX-License-Identifier: Apache-2.0
"""What chance decided in a published run of the DENS or AHNS authors, made again from its seed.

Their program seeds three generators, all of them Mersenne Twisters that run on the processor:
PyTorch's for the parameters and for MixGCF's shares, NumPy's for the order of the pairs, and
Python's own for the candidates. So every draw can be had without PyTorch and without their machine.

    chance.py TRAIN TEST SEED CANDIDATES EPOCHS BEGIN OUT

BEGIN is what PyTorch draws before the parameters: `gates` (four layers of 64 to 64) or `nothing`.
"""

import sys
from pathlib import Path

import numpy as np

DIM = 64
BATCH = 2048
HOPS = 4


def read_pairs(path):
    """Their pairs in their order, which within a user is that of a Python set."""
    pairs = []
    for line in Path(path).read_text().splitlines():
        user, *items = (int(word) for word in line.split())
        pairs += [(user, item) for item in set(items)]
    return np.array(pairs, dtype=np.uint32)


class TorchUniform:
    """torch's uniform float32 on the processor: the low 24 bits of one word for each number."""

    def __init__(self, seed):
        self.words = np.random.RandomState(seed)

    def __call__(self, shape, low=0.0, high=1.0):
        words = self.words.randint(0, 2**32, size=shape, dtype=np.uint32)
        unit = (words & np.uint32(2**24 - 1)).astype(np.float32) * np.float32(2.0**-24)
        return unit * np.float32(high - low) + np.float32(low)

    def xavier(self, rows):
        bound = np.sqrt(6 / (rows + DIM))
        return self((rows, DIM), -bound, bound)


def python_choices(seed, below):
    """random.choice(range(below)), without end: the high bits of a word, again if too large."""
    words = np.random.RandomState([seed])  # seeded by an array, as Python's generator is
    shift = np.uint32(32 - below.bit_length())
    while True:
        block = words.randint(0, 2**32, size=1 << 20, dtype=np.uint32) >> shift
        yield from block[block < below].tolist()


def main():
    train, test, seed, candidates, epochs, begin, out = sys.argv[1:]
    seed, candidates, epochs, out = int(seed), int(candidates), int(epochs), Path(out)
    pairs = read_pairs(train)
    both = np.concatenate([pairs, read_pairs(test)])
    users, items = (int(n) + 1 for n in both.max(axis=0))

    uniform = TorchUniform(seed)
    if begin == "gates":
        bound = DIM**-0.5
        uniform((4, DIM * DIM + DIM), -bound, bound).tofile(out / "gates.f32")
    uniform.xavier(users).tofile(out / "users.f32")
    uniform.xavier(items).tofile(out / "items.f32")

    owned = [set() for _ in range(users)]
    for user, item in pairs.tolist():
        owned[user].add(item)
    shuffled = np.random.RandomState(seed)
    choices = python_choices(seed, items)
    used = len(pairs) // BATCH * BATCH
    with (
        open(out / "pairs.u32", "wb") as pair_file,
        open(out / "candidates.u32", "wb") as candidate_file,
        open(out / "shares.f32", "wb") as share_file,
    ):
        for _ in range(epochs):
            order = np.arange(len(pairs))
            shuffled.shuffle(order)
            pairs[order].tofile(pair_file)
            drawn = []
            for user in pairs[order][:used, 0].tolist():
                mine = owned[user]
                for _ in range(candidates):
                    item = next(choices)
                    while item in mine:
                        item = next(choices)
                    drawn.append(item)
            np.array(drawn, dtype=np.uint32).tofile(candidate_file)
            uniform((used, HOPS)).tofile(share_file)


main()
