# SPDX-License-Identifier: Apache-2.0
"""Datasets: interactions that are numbered, filtered and split."""

from __future__ import annotations

import json
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _core
from ._arrays import Interactions
from ._charts import Chart, popularity_curve
from ._core import Error
from ._estimator import html_table
from ._settings import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from ._options import PrepareOptions, SyntheticOptions

Path = str | PathLike[str]


def _columns(users: object, items: object, ratings: object, times: object) -> _core.Columns:
    columns = (
        _arrays.ids(users, "users"),
        _arrays.ids(items, "items"),
        _arrays.numbers(ratings, "ratings"),
        _arrays.times(times, "times"),
    )
    for name, values in zip(("items", "ratings", "times"), columns[1:], strict=True):
        if values is not None and len(values) != len(columns[0]):
            raise Error(
                f"users has {len(columns[0])} entries and {name} has {len(values)}; "
                "expected columns of equal length."
            )
    return columns


def pairs_of(matrix: object, what: str) -> _core.Columns:
    """Users, items and values of a sparse matrix."""
    pairs, values = _arrays.compressed(matrix, what)
    users = np.repeat(np.arange(pairs.shape[0], dtype=np.int64), np.diff(pairs.indptr))
    return users, pairs.indices.astype(np.int64), values, None


NO_PAIRS: _core.Columns = (np.empty(0, np.int64), np.empty(0, np.int64), None, None)


def from_own_parts(
    train: _core.Columns,
    valid: _core.Columns,
    test: _core.Columns,
    options: list[tuple[str, str]],
    folder: Path,
) -> Dataset:
    """The caller's split. The engine would divide a training part that comes alone."""
    if len(valid[0]) == 0 and len(test[0]) == 0:
        whole = [*options, ("split", "random"), ("ratios", "1,0,0")]
        return Dataset(_core.Dataset.from_pairs(train, whole, folder))
    return Dataset(_core.Dataset.from_parts(train, valid, test, options, folder))


class Dataset:
    """A prepared dataset. Users and items are numbered from 0; the original ids are kept.

    Make one with `from_pairs`, `from_pandas`, `from_polars`, `from_scipy`, `from_csv`,
    `synthetic` or `open`. All of them except `open` take the options of the preparation as
    keyword arguments (`divns.options("prepare")` lists them) and `folder`, where the dataset is
    kept. Without `folder` it lives in a temporary folder until the object is deleted.

    >>> data = Dataset.from_pairs(["ann", "ann", "bob", "bob"], [10, 20, 20, 30], ratios=[1, 0, 0])
    >>> data.users, data.items, len(data.train)
    (2, 3, 4)
    >>> data.item_ids
    ['10', '20', '30']
    """

    def __init__(self, core: _core.Dataset) -> None:
        if not isinstance(core, _core.Dataset):
            raise TypeError("Dataset has no constructor; use Dataset.from_pairs or Dataset.open.")
        self._core = core

    @classmethod
    def open(cls, folder: Path) -> Dataset:
        """Open a dataset that was prepared before, by `divns data prepare` or with `folder`."""
        return cls(_core.Dataset.open(folder))

    @classmethod
    def prepare(
        cls, files: Path | Sequence[Path], *, folder: Path = "", **options: Unpack[PrepareOptions]
    ) -> Dataset:
        """Read, filter and split files in any format that `divns data prepare` reads."""
        paths = [files] if isinstance(files, (str, PathLike)) else list(files)
        texts = [fspath(path) for path in paths]
        return cls(_core.Dataset.prepare(texts, settings(options), folder))

    from_csv = prepare

    @classmethod
    def from_pairs(
        cls,
        users: object,
        items: object,
        ratings: object = None,
        times: object = None,
        *,
        folder: Path = "",
        **options: Unpack[PrepareOptions],
    ) -> Dataset:
        """Columns of equal length: ids are integers or strings.

        Ratings are used by `min_rating`, times by temporal splits. Times are integers in any unit,
        or dates, which become seconds since 1970.
        """
        columns = _columns(users, items, ratings, times)
        return cls(_core.Dataset.from_pairs(columns, settings(options), folder))

    @classmethod
    def from_parts(
        cls,
        train: tuple[object, object],
        valid: tuple[object, object] = ((), ()),
        test: tuple[object, object] = ((), ()),
        *,
        folder: Path = "",
        **options: Unpack[PrepareOptions],
    ) -> Dataset:
        """Your own split; each part is a pair of columns (users, items)."""
        parts = [_columns(users, items, None, None) for users, items in (train, valid, test)]
        return from_own_parts(parts[0], parts[1], parts[2], settings(options), folder)

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        user: str = "user",
        item: str = "item",
        rating: str | None = None,
        time: str | None = None,
        *,
        folder: Path = "",
        **options: Unpack[PrepareOptions],
    ) -> Dataset:
        """Columns of a pandas data frame, by name."""
        columns = [cls._frame_column(frame, name) for name in (user, item, rating, time)]
        return cls.from_pairs(*columns, folder=folder, **options)

    # A Polars frame has the same few methods.
    from_polars = from_pandas

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        user: str = "user",
        item: str = "item",
        rating: str | None = None,
        time: str | None = None,
        *,
        folder: Path = "",
        **options: Unpack[PrepareOptions],
    ) -> Dataset:
        """Columns of anything with the Arrow C stream interface (`__arrow_c_stream__`).

        That are tables of pyarrow, Polars, pandas and DuckDB. The columns are copied once.
        """
        if not hasattr(table, "__arrow_c_stream__"):
            raise Error(
                f"a {type(table).__name__} has no Arrow C stream interface (__arrow_c_stream__)."
            )
        names = [user, item, *(name for name in (rating, time) if name is not None)]
        found = _core.arrow_columns(table.__arrow_c_stream__(), names)
        ratings = None if rating is None else found[2]
        times = None if time is None else found[-1]
        return cls.from_pairs(found[0], found[1], ratings, times, folder=folder, **options)

    @staticmethod
    def _frame_column(frame: Any, name: str | None) -> object:
        if name is None:
            return None
        if name not in frame.columns:
            raise Error(
                f"the frame has no column {name!r}; its columns are {', '.join(frame.columns)}."
            )
        return frame[name].to_numpy()

    @classmethod
    def from_scipy(
        cls,
        matrix: object,
        valid: object = None,
        test: object = None,
        *,
        folder: Path = "",
        **options: Unpack[PrepareOptions],
    ) -> Dataset:
        """A sparse matrix, users x items; its values are ratings, and stored zeros are no pairs.

        With `valid` or `test`, matrices of the same shape, the split is your own. Ids are the row
        and column numbers. Rows and columns without pairs are left out.
        """
        train = pairs_of(matrix, "matrix")
        if valid is None and test is None:
            return cls(_core.Dataset.from_pairs(train, settings(options), folder))
        parts = [
            NO_PAIRS if part is None else pairs_of(part, name)
            for part, name in ((valid, "valid"), (test, "test"))
        ]
        return from_own_parts(train, parts[0], parts[1], settings(options), folder)

    @classmethod
    def synthetic(
        cls, preset: str = "demo", *, folder: Path = "", **options: Unpack[SyntheticOptions]
    ) -> Dataset:
        """Synthetic data with known preferences; `divns.presets()` lists the presets."""
        return cls(_core.Dataset.synthetic(preset, settings(options), folder))

    @property
    def users(self) -> int:
        """Number of users."""
        return self._core.users

    @property
    def items(self) -> int:
        """Number of items."""
        return self._core.items

    @property
    def train(self) -> Interactions:
        """The training part, without copy."""
        return self._part(self._core.train)

    @property
    def valid(self) -> Interactions:
        """The validation part, without copy."""
        return self._part(self._core.valid)

    def open_test(self) -> Interactions:
        """Read the test part. Call it once, for the final measurement."""
        return self._part(self._core.open_test().pairs)

    def _part(self, arrays: tuple[Any, Any]) -> Interactions:
        offsets, items = arrays
        return Interactions(offsets.view(np.int64), items.view(np.int32), (self.users, self.items))

    @property
    def user_ids(self) -> list[str]:
        """Original ids by row number."""
        return self._core.user_ids

    @property
    def item_ids(self) -> list[str]:
        """Original ids by row number."""
        return self._core.item_ids

    def find_user(self, id: str) -> int | None:
        """The row number of an original id, or None."""
        return self._core.find_user(str(id))

    def find_item(self, id: str) -> int | None:
        """The row number of an original id, or None."""
        return self._core.find_item(str(id))

    @property
    def hash(self) -> str:
        """Hash of the content: the three parts and the ids."""
        return self._core.hash

    @property
    def folder(self) -> str:
        """Where the dataset is kept."""
        return str(self._core.folder)

    @property
    def statistics(self) -> dict[str, Any]:
        """Statistics of all parts: counts, degrees, popularity, leaks."""
        found: dict[str, Any] = json.loads(self._core.statistics_json)
        return found

    @property
    def recipe(self) -> dict[str, Any]:
        """How the dataset was made."""
        found: dict[str, Any] = json.loads(self._core.recipe_json)
        return found

    def __repr__(self) -> str:
        """One line with the counts."""
        parts = f"{len(self.train)} train, {len(self.valid)} valid"
        return f"<divns.Dataset: {self.users} users, {self.items} items, {parts} pairs>"

    def chart(self) -> Chart:
        """Training pairs per item, most popular first."""
        return popularity_curve(np.bincount(self.train.indices, minlength=self.items))

    def _repr_html_(self) -> str:
        """A small table for notebooks."""
        counts = {
            "users": self.users,
            "items": self.items,
            "train pairs": len(self.train),
            "valid pairs": len(self.valid),
        }
        return html_table({name: f"{count:,}" for name, count in counts.items()})
