# SPDX-License-Identifier: Apache-2.0
"""The readers of public datasets, on small files made in their formats."""

from __future__ import annotations

import json
import pathlib

import pytest

import divns
from divns import datasets

PAIRS = [(1, 11), (1, 12), (2, 11), (2, 13), (3, 12), (3, 13)]


def pairs_of(data: divns.Dataset) -> set[tuple[str, str]]:
    return {
        (data.user_ids[u], data.item_ids[i]) for u in range(data.users) for i in data.train.row(u)
    }


def lines(template: str) -> str:
    return "".join(template.format(u=u, i=i) + "\n" for u, i in PAIRS)


AMAZON = '{{"reviewerID": "{u}", "asin": "{i}", "overall": 5.0, "unixReviewTime": 1}}'
YELP = '{{"user_id": "{u}", "business_id": "{i}", "stars": 5, "date": "2018-07-07 22:09:11"}}'


@pytest.mark.parametrize(
    ("read", "name", "text"),
    [
        (datasets.movielens, "ml-100k/u.data", lines("{u}\t{i}\t5\t900")),
        (datasets.movielens, "ml-1m/ratings.dat", lines("{u}::{i}::5::900")),
        (
            datasets.movielens,
            "ratings.csv",
            "userId,movieId,rating,timestamp\n" + lines("{u},{i},5,9"),
        ),
        (datasets.amazon, "reviews_Beauty_5.json", lines(AMAZON)),
        (datasets.amazon, "ratings_Beauty.csv", lines("{u},{i},5.0,900")),
        (datasets.yelp, "yelp_academic_dataset_review.json", lines(YELP)),
        (datasets.pinterest, "pinterest-20.train.rating", lines("{u}\t{i}\t1\t900")),
        (datasets.recbole, "own.inter", "user_id:token\titem_id:token\n" + lines("{u}\t{i}")),
    ],
)
def test_readers(read, name: str, text: str, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    expected = {(str(u), str(i)) for u, i in PAIRS}
    for path in (file, tmp_path):
        assert pairs_of(read(path, ratios=[1, 0, 0])) == expected


def test_a_split_of_others(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.txt").write_text("1 11 12\n2 11\n")
    (tmp_path / "test.txt").write_text("1 13\n2 13\n")
    data = datasets.lightgcn(tmp_path)
    assert (len(data.train), len(data.open_test())) == (3, 2)


def test_missing_files(tmp_path: pathlib.Path) -> None:
    with pytest.raises(divns.Error, match=r"holds none of u.data"):
        datasets.movielens(tmp_path)
    with pytest.raises(divns.Error):
        datasets.yelp(tmp_path / "missing.json")


def test_synthetic() -> None:
    data = datasets.synthetic(users=50, items=40, pairs=500)
    assert json.dumps(data.statistics)
    assert data.users == 50
