# SPDX-License-Identifier: Apache-2.0
"""Public datasets from the files of their distributions, and synthetic data.

The functions take the path of what you downloaded: the file itself, or the folder that holds it.
They download nothing, because the licences differ. All take the options of the preparation, for
example `k_core=5`. `Dataset.from_csv` reads any other file.

>>> synthetic("demo")
<divns.Dataset: 2000 users, 1500 items, 56000 train, 8000 valid pairs>
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from ._core import Error
from ._dataset import Dataset, Path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import PrepareOptions


def _found(path: Path, names: Sequence[str]) -> FilePath:
    """The file, or the first of these names in the folder, also compressed."""
    given = FilePath(path)
    if not given.is_dir():
        return given
    for name in names:
        for match in sorted(given.rglob(name)) + sorted(given.rglob(f"{name}.gz")):
            return match
    raise Error(f"{given} holds none of {', '.join(names)}; give the path of the file.")


def _read(
    path: Path, names: Sequence[str], format: str, options: PrepareOptions, folder: Path
) -> Dataset:
    options.setdefault("format", format)
    return Dataset.prepare(_found(path, names), folder=folder, **options)


def movielens(path: Path, *, folder: Path = "", **options: Unpack[PrepareOptions]) -> Dataset:
    """MovieLens of any size: `u.data` (100K), `ratings.dat` (1M, 10M) or `ratings.csv` (later)."""
    file = _found(path, ["u.data", "ratings.dat", "ratings.csv"])
    formats = {".data": "ml-100k", ".dat": "ml-1m"}
    return _read(file, [], formats.get(file.suffix, "ml-csv"), options, folder)


def amazon(path: Path, *, folder: Path = "", **options: Unpack[PrepareOptions]) -> Dataset:
    """Amazon reviews: `reviews_*.json` (also compressed), or `ratings_*.csv`."""
    file = _found(path, ["reviews_*.json", "ratings_*.csv"])
    format = "amazon-json" if ".json" in file.name else "amazon-csv"
    return _read(file, [], format, options, folder)


def yelp(path: Path, *, folder: Path = "", **options: Unpack[PrepareOptions]) -> Dataset:
    """Yelp: `yelp_academic_dataset_review.json`."""
    return _read(path, ["yelp_academic_dataset_review.json"], "yelp", options, folder)


def pinterest(path: Path, *, folder: Path = "", **options: Unpack[PrepareOptions]) -> Dataset:
    """Pinterest as the authors of NCF distribute it: `pinterest-20.train.rating`."""
    return _read(path, ["*.train.rating"], "ncf", options, folder)


def recbole(path: Path, *, folder: Path = "", **options: Unpack[PrepareOptions]) -> Dataset:
    """One of RecBole's atomic files, `NAME.inter`."""
    return _read(path, ["*.inter"], "inter", options, folder)


def lightgcn(path: Path, *, folder: Path = "", **options: Unpack[PrepareOptions]) -> Dataset:
    """A split as LightGCN and NGCF distribute theirs: a folder with `train.txt` and `test.txt`."""
    options.setdefault("test_file", str(FilePath(path) / "test.txt"))
    return _read(path, ["train.txt"], "adjacency", options, folder)


# Synthetic data with known preferences.
synthetic = Dataset.synthetic

__all__ = ["amazon", "lightgcn", "movielens", "pinterest", "recbole", "synthetic", "yelp"]
