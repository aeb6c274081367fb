#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses an installed wheel, and checks that it needs nothing of the system but the C library."""

import importlib
import pathlib
import re
import sys


def loaded() -> set[str]:
    """Shared libraries of this process."""
    maps = pathlib.Path("/proc/self/maps").read_text()
    return set(re.findall(r"/\S+\.so[.\d]*$", maps, re.M))


# What these modules of Python and NumPy load is not the wheel's.
for module in ("bz2", "ctypes", "hashlib", "lzma", "ssl", "sqlite3", "numpy"):
    importlib.import_module(module)
of_others = loaded()

import numpy as np  # noqa: E402

import divns  # noqa: E402

# Shared libraries that every Linux system of the manylinux tag has.
SYSTEM = re.compile(
    r"/(ld-linux|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libz|libutil|libcrypt|libpython)[-.\w]*$"
)

data = divns.Dataset.synthetic(users=200, items=150, pairs=4000)
model = divns.MF(sampler="divns", epochs=2).fit(data)
items, _ = model.recommend(0, N=3)
scores = model.user_factors @ model.item_factors.T
assert divns.evaluate(scores, data)["recall@20"] > 0
assert divns.dpp.greedy(np.eye(4), 2).items.shape == (2,)

mapped = loaded() - of_others
prefixes = (sys.prefix, sys.base_prefix)
foreign = sorted(
    path for path in mapped if not path.startswith(prefixes) and not SYSTEM.search(path)
)
assert not foreign, f"the wheel loads {', '.join(foreign)}"
own = sorted(pathlib.Path(path).name for path in mapped if "/divns.libs/" in path)
print(
    f"divns {divns.__version__}, Python {sys.version.split()[0]}, NumPy {np.__version__}: "
    f"recommends {items.tolist()}; {len(own)} libraries of its own"
)
