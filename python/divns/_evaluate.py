# SPDX-License-Identifier: Apache-2.0
"""Full-ranking evaluation of a model, of vectors or of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._core import Error
from ._dataset import Dataset
from ._settings import settings

if TYPE_CHECKING:
    from ._recommender import Recommender


def _measure(
    scores: Recommender | tuple[ArrayLike, ArrayLike] | ArrayLike,
    data: Dataset,
    part: str,
    mask: str,
    topk: Sequence[int],
    threads: int,
) -> _core.Measured:
    from ._recommender import Recommender

    if not isinstance(data, Dataset):
        raise TypeError(f"data is a {type(data).__name__}; expected a divns.Dataset.")
    options = settings({"part": part, "mask": mask, "topk": list(topk)})
    if isinstance(scores, Recommender):
        core = scores._fitted()
        if core.dataset_hash == data.hash:
            return _core.evaluate_model(core, data._core, options, threads)
        raise Error(
            "the model was trained on another dataset, so its rows mean other users and items; "
            "evaluate it on that dataset, or pass vectors in the order of this dataset."
        )
    if isinstance(scores, tuple):
        if len(scores) != 2:
            raise Error(f"{len(scores)} arrays were given; expected (user vectors, item vectors).")
        users = _arrays.matrix(scores[0], "user vectors")
        items = _arrays.matrix(scores[1], "item vectors")
        return _core.evaluate_arrays(users, items, data._core, options, threads)
    matrix = _arrays.matrix(scores, "scores")
    return _core.evaluate_arrays(matrix, None, data._core, options, threads)


def evaluate(
    scores: Recommender | tuple[ArrayLike, ArrayLike] | ArrayLike,
    data: Dataset,
    *,
    part: str = "test",
    mask: str = "train",
    topk: Sequence[int] = (10, 20, 50),
    threads: int = 0,
) -> dict[str, float]:
    """Mean metrics over the users of a part, by name: `{"recall@20": ...}`.

    All items are ranked for every user who has a relevant item; `mask` names the pairs that are
    not ranked, "train" or "train+valid". `scores` is a trained model, a pair (user vectors, item
    vectors), or a matrix users x items of scores, so that other libraries are measured alike.
    """
    columns, means, _, _ = _measure(scores, data, part, mask, topk, threads)
    return dict(zip(columns, means, strict=True))


def evaluate_users(
    scores: Recommender | tuple[ArrayLike, ArrayLike] | ArrayLike,
    data: Dataset,
    *,
    part: str = "test",
    mask: str = "train",
    topk: Sequence[int] = (10, 20, 50),
    threads: int = 0,
) -> dict[str, NDArray[Any]]:
    """The metrics of each user: an array by name, and the row numbers under "user"."""
    columns, _, users, values = _measure(scores, data, part, mask, topk, threads)
    return {"user": users, **dict(zip(columns, values, strict=True))}


def _lists(
    lists: ArrayLike, data: Dataset, part: str, topk: Sequence[int]
) -> tuple[list[str], NDArray[Any], NDArray[Any]]:
    if not isinstance(data, Dataset):
        raise TypeError(f"data is a {type(data).__name__}; expected a divns.Dataset.")
    if part not in ("test", "valid"):
        raise Error(f"part is {part!r}; expected 'test' or 'valid'.")
    items = _arrays.array_of(lists, "lists")
    if items.ndim != 2:
        raise Error(f"lists has {items.ndim} dimensions; expected one row per user.")
    numbers = _arrays.integers(items, "lists")
    if numbers.size and int(numbers.max()) >= data.items:
        raise Error(f"lists names item {numbers.max()}; the last item is {data.items - 1}.")
    relevant = data.valid if part == "valid" else data.open_test()
    cutoffs = [_arrays.count(k, "a cutoff") for k in topk]
    if cutoffs and max(cutoffs) > numbers.shape[1]:
        raise Error(
            f"the lists have {numbers.shape[1]} places, fewer than the cutoff {max(cutoffs)}."
        )
    places = np.ascontiguousarray(np.clip(numbers, -1, None), dtype=np.int32)
    return _core.evaluate_lists(places, relevant.offsets, relevant.items, data.items, cutoffs)


def evaluate_lists(
    lists: ArrayLike, data: Dataset, *, part: str = "test", topk: Sequence[int] = (10, 20)
) -> dict[str, float]:
    """Mean metrics of ranked lists that any program made: one row of item numbers per user.

    A list may end early with -1. Nothing is masked: leave the training pairs out of the lists.
    """
    columns, _, values = _lists(lists, data, part, topk)
    return {name: float(row.mean()) for name, row in zip(columns, values, strict=True)}


def evaluate_lists_users(
    lists: ArrayLike, data: Dataset, *, part: str = "test", topk: Sequence[int] = (10, 20)
) -> dict[str, NDArray[Any]]:
    """The metrics of each user: an array by name, and the row numbers under "user"."""
    columns, users, values = _lists(lists, data, part, topk)
    return {"user": users, **dict(zip(columns, values, strict=True))}
