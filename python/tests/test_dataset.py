# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import gc
import pathlib
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import divns

USERS = ["ann", "ann", "bob", "bob", "cid", "cid", "ann", "bob"]
ITEMS = [10, 20, 20, 30, 10, 30, 30, 40]
ALL_TRAIN = {"ratios": [1, 0, 0]}


def pairs_of(data: divns.Dataset) -> set[tuple[str, str]]:
    users, items, part = data.user_ids, data.item_ids, data.train
    return {(users[u], items[i]) for u in range(data.users) for i in part.row(u)}


EXPECTED = set(zip(USERS, map(str, ITEMS), strict=True))


@pytest.mark.parametrize("kind", [list, np.array, tuple])
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.uint64])
def test_from_pairs_keeps_every_pair(kind: type, dtype: type) -> None:
    items = np.array(ITEMS, dtype=dtype)
    data = divns.Dataset.from_pairs(kind(USERS), items, **ALL_TRAIN)
    assert pairs_of(data) == EXPECTED
    assert data.find_user("bob") == data.user_ids.index("bob")
    assert data.find_item("77") is None


def test_frames_and_matrices_give_the_same_dataset(tmp_path: pathlib.Path) -> None:
    expected = divns.Dataset.from_pairs(USERS, ITEMS, **ALL_TRAIN).hash
    columns = {"user": USERS, "item": ITEMS}
    assert divns.Dataset.from_pandas(pd.DataFrame(columns), **ALL_TRAIN).hash == expected
    assert divns.Dataset.from_polars(pl.DataFrame(columns), **ALL_TRAIN).hash == expected
    pd.DataFrame(columns).to_csv(tmp_path / "pairs.csv", index=False)
    assert divns.Dataset.from_csv(tmp_path / "pairs.csv", **ALL_TRAIN).hash == expected
    numbers = np.unique(USERS, return_inverse=True)[1]
    matrix = scipy.sparse.csr_matrix((np.ones(len(ITEMS)), (numbers, ITEMS)), shape=(3, 50))
    by_number = divns.Dataset.from_pairs(numbers, ITEMS, **ALL_TRAIN).hash
    for form in (matrix, matrix.tocoo(), matrix.tocsc(), scipy.sparse.csr_array(matrix)):
        assert divns.Dataset.from_scipy(form, **ALL_TRAIN).hash == by_number


def arrow_tables() -> list[Any]:
    table = pa.table({"user": USERS, "item": ITEMS})
    kinds = [pa.int8(), pa.uint16(), pa.int32(), pa.uint64()]
    texts = [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
    return [
        table,
        pl.DataFrame({"user": USERS, "item": ITEMS}),
        pd.DataFrame({"user": USERS, "item": ITEMS}),
        pa.concat_tables([table.slice(5), table.slice(0, 5)]),
        *(table.set_column(1, "item", table["item"].cast(kind)) for kind in kinds),
        *(table.set_column(0, "user", table["user"].cast(kind)) for kind in texts),
    ]


@pytest.mark.parametrize("table", arrow_tables(), ids=str)
def test_from_arrow(table: Any) -> None:
    assert pairs_of(divns.Dataset.from_arrow(table, **ALL_TRAIN)) == EXPECTED


def test_from_arrow_slices_ratings_times() -> None:
    long = "a long name that does not fit into a string view"
    table = pa.table(
        {
            "u": pa.array(["x", long, "y", long], pa.string_view()),
            "i": [0, 1, 2, 3],
            "r": pa.array([1, 5, 5, 5], pa.float32()),
            "t": pa.array([0, 10**3, 2 * 10**3, 86_400 * 10**3], pa.timestamp("ms")),
        }
    )
    data = divns.Dataset.from_arrow(
        table.slice(1), "u", "i", "r", "t", min_rating=4, since="1970-01-02", **ALL_TRAIN
    )
    assert pairs_of(data) == {(long, "3")}
    data = divns.Dataset.from_arrow(table.slice(1), "u", "i", time="t", **ALL_TRAIN)
    assert pairs_of(data) == {(long, "1"), ("y", "2"), (long, "3")}


def test_wrong_arrow_tables() -> None:
    with pytest.raises(divns.Error, match="missing values"):
        divns.Dataset.from_arrow(pa.table({"user": ["a", None], "item": [1, 2]}))
    with pytest.raises(divns.Error, match="does not exist"):
        divns.Dataset.from_arrow(pa.table({"user": ["a"], "things": [1]}))
    with pytest.raises(divns.Error, match="Arrow type"):
        divns.Dataset.from_arrow(pa.table({"user": [["a"]], "item": [1]}))
    with pytest.raises(divns.Error, match="interface"):
        divns.Dataset.from_arrow({"user": [1]})
    with pytest.raises(divns.Error, match="integers or strings"):
        divns.Dataset.from_arrow(pa.table({"user": [1.5], "item": [1]}))
    with pytest.raises(divns.Error, match="no table"):
        divns.Dataset.from_arrow(pa.chunked_array([[1, 2]]))


def test_non_contiguous_and_read_only_columns() -> None:
    wide = np.zeros((len(ITEMS), 3), np.int64)
    wide[:, 1] = ITEMS
    wide.flags.writeable = False
    assert pairs_of(divns.Dataset.from_pairs(USERS, wide[:, 1], **ALL_TRAIN)) == EXPECTED
    back = divns.Dataset.from_pairs(USERS[::-1], np.array(ITEMS)[::-1], **ALL_TRAIN)
    assert pairs_of(back) == EXPECTED


def test_ratings_filter_and_times_split() -> None:
    ratings = np.array([5, 1, 5, 5, 5, 5, 5, 1], np.float32)
    data = divns.Dataset.from_pairs(USERS, ITEMS, ratings, min_rating=4, **ALL_TRAIN)
    kept = {
        pair
        for pair, r in zip(zip(USERS, map(str, ITEMS), strict=True), ratings, strict=True)
        if r >= 4
    }
    assert pairs_of(data) == kept
    dates = pd.date_range("2024-01-01", periods=len(USERS), freq="D")
    frame = pd.DataFrame({"u": USERS, "i": ITEMS, "t": dates})
    data = divns.Dataset.from_pandas(
        frame, "u", "i", time="t", split="temporal", ratios=[0.75, 0, 0.25]
    )
    assert {
        (data.user_ids[u], data.item_ids[i]) for u in range(3) for i in data.open_test().row(u)
    } == {
        ("ann", "30"),
        ("bob", "40"),
    }
    since = divns.Dataset.from_pandas(frame, "u", "i", time="t", since="2024-01-07", **ALL_TRAIN)
    assert len(since.train) == 2


def test_own_split_is_kept() -> None:
    data = divns.Dataset.from_parts((USERS, ITEMS), (["ann"], [40]), (["cid"], [20]))
    assert (len(data.train), len(data.valid), len(data.open_test())) == (8, 1, 1)
    alone = divns.Dataset.from_parts((USERS, ITEMS))
    assert (len(alone.train), len(alone.valid), len(alone.open_test())) == (8, 0, 0)


def test_parts_are_views_that_keep_the_dataset_alive(data: divns.Dataset) -> None:
    assert data.train.indptr.base is not None
    assert not data.train.indices.flags.writeable
    assert data.train.shape == (data.users, data.items)
    own = divns.Dataset.from_pairs(USERS, ITEMS, **ALL_TRAIN)
    part, expected = own.train, own.train.indices.copy()
    test = own.open_test().indptr
    folder = pathlib.Path(own.folder)
    del own
    gc.collect()
    assert (part.indices == expected).all()
    assert test[-1] == 0
    assert folder.exists()
    del part
    gc.collect()
    assert not folder.exists()


def test_to_scipy(data: divns.Dataset) -> None:
    matrix = data.train.to_scipy()
    assert matrix.nnz == len(data.train)
    assert matrix.indices.flags.writeable
    assert (matrix[5].indices == data.train.row(5)).all()


def test_folder_is_kept_and_opened(tmp_path: pathlib.Path) -> None:
    kept = divns.Dataset.from_pairs(USERS, ITEMS, folder=tmp_path / "kept.divns", **ALL_TRAIN)
    assert divns.Dataset.open(tmp_path / "kept.divns").hash == kept.hash
    assert kept.statistics["users"] == 3
    assert kept.recipe
    assert "3 users" in repr(kept)
    assert "<table>" in kept._repr_html_()


def test_unicode_ids() -> None:
    data = divns.Dataset.from_pairs(["ä", "日本", "a\tb"], ["x", "y", "x"], **ALL_TRAIN)
    assert set(data.user_ids) == {"ä", "日本", "a\tb"}


def test_same_option_names_as_the_tables() -> None:
    from divns import _options

    assert set(_options.PrepareOptions.__annotations__) == {
        option["name"] for option in divns.options("prepare")
    }


WRONG = [
    ((USERS, ITEMS[:-1]), "equal length"),
    ((USERS, [ITEMS]), "dimensions"),
    ((USERS, 3), "dimensions"),
    ((USERS, np.array(ITEMS, float)), "integers or strings"),
    ((USERS, np.array(ITEMS, bool)), "integers or strings"),
    ((USERS, np.array(ITEMS, complex)), "integers or strings"),
    ((USERS, [*ITEMS[:-1], None]), "without missing values"),
    ((["a", 1, *USERS[2:]], ITEMS), "mixes strings"),
    ((USERS, [*ITEMS[:-1], 2**70]), "64 bits"),
    ((USERS, np.array([2**63 + 5] * 8, np.uint64)), "64 bits"),
    (([], []), "no pair|empty|pairs"),
    ((USERS, ITEMS, [np.nan] * 8), "not finite"),
    ((USERS, ITEMS, ["x"] * 8), "numbers"),
    ((USERS, ITEMS, None, np.array(["NaT"] * 8, "datetime64[s]")), "missing time"),
    ((USERS, ITEMS, None, [np.inf] * 8), "not a time"),
]


@pytest.mark.parametrize(("columns", "sentence"), WRONG)
def test_wrong_columns_are_refused(columns: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(divns.Error, match=sentence):
        divns.Dataset.from_pairs(*columns)


def test_other_wrong_input(tmp_path: pathlib.Path) -> None:
    with pytest.raises(divns.Error, match="no column"):
        divns.Dataset.from_pandas(pd.DataFrame({"a": [1]}))
    with pytest.raises(divns.Error, match="k_core"):
        divns.Dataset.from_pairs(USERS, ITEMS, kcore=5)
    with pytest.raises(divns.Error):
        divns.Dataset.open(tmp_path / "missing")
    with pytest.raises(divns.Error, match="Did you mean 'demo'"):
        divns.Dataset.synthetic("dem")
    with pytest.raises(divns.Error, match="describes a file"):
        divns.Dataset.from_pairs(USERS, ITEMS, format="csv")
    with pytest.raises((divns.Error, UnicodeEncodeError)):
        divns.Dataset.from_pairs(["\ud800", "b"], [1, 2])
    with pytest.raises(TypeError, match="no constructor"):
        divns.Dataset("folder")  # type: ignore[arg-type]
    assert issubclass(divns.Error, ValueError)
