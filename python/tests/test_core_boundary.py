# SPDX-License-Identifier: Apache-2.0
"""The extension itself, without the checks of the Python files: arrays of every type and layout.

Every call gives a result or an exception. Under AddressSanitizer (scripts/test-python --asan) a
read outside an array ends the process.
"""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any, ClassVar

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import divns
from divns import _core

QUICK = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
# nanobind raises RuntimeError (std::bad_cast) for a wrong type inside a tuple.
REFUSED = (ValueError, TypeError, RuntimeError)

ITEMS = 6
types = st.sampled_from(
    [np.float32, np.float64, np.uint32, np.int32, np.int64, np.uint64, np.uint8, bool, np.float16]
)
odd_values = st.sampled_from([0, 1, 2, 3, 5, 6, 7, -1, 2**31, 2**32 - 1, 2**63, np.nan, np.inf])


@st.composite
def arrays(draw: st.DrawFn, kind: Any, dimensions: int, most: int = ITEMS) -> NDArray[Any]:
    """An array that mostly has the wanted type, in any layout."""
    dtype = np.dtype(kind if draw(st.integers(0, 9)) else draw(types))
    shape = tuple(
        draw(st.integers(0, most)) for _ in range(dimensions + draw(st.integers(0, 9)) // 9)
    )
    values = draw(hnp.arrays(np.float64, shape, elements=odd_values))
    with np.errstate(all="ignore"):
        array = values.astype(dtype)
    layout = draw(st.integers(0, 9))
    if layout == 1 and array.ndim:
        array = array[::-1]
    elif layout == 2 and array.ndim:
        array = np.repeat(array, 2, axis=-1)[..., ::2]
    elif layout == 3:
        array = np.asfortranarray(array)
    elif layout == 4:
        array.flags.writeable = False
    elif layout == 5 and array.ndim > 1:
        array = np.concatenate([array, array], axis=1)[:, : array.shape[1]]
    return array


@st.composite
def compressed(draw: st.DrawFn) -> tuple[NDArray[Any], NDArray[Any]]:
    """Offsets and items of compressed rows, often wrong."""
    if draw(st.booleans()):
        return draw(arrays(np.uint64, 1)), draw(arrays(np.uint32, 1))
    rows = draw(st.lists(st.sets(st.integers(0, ITEMS - 1)), max_size=4))
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint64)
    items = np.array([i for row in rows for i in sorted(row)], dtype=np.uint32)
    return offsets, items


weights = st.one_of(
    arrays(np.float32, 2),
    hnp.arrays(np.float32, (ITEMS, ITEMS), elements=st.floats(-1, 1, width=32)),
)


def call(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except REFUSED as problem:
        assert str(problem)
        return None


@QUICK
@given(
    users=arrays(np.float32, 2),
    items=weights,
    rows=arrays(np.uint32, 1),
    seen=compressed(),
    allowed=st.none() | arrays(np.uint32, 1),
    k=st.sampled_from([0, 1, 5, 1000]),
)
def test_lists_by_vectors(
    users: Any, items: Any, rows: Any, seen: Any, allowed: Any, k: int
) -> None:
    for offsets, hidden in (seen, (None, None)):
        lists = call(_core.recommend, users, rows, items, k, offsets, hidden, allowed, None, 1)
        if lists is not None:
            assert lists[0].shape == (len(rows), k)
    call(_core.similar, items, rows, k, True, 1)
    call(_core.similar, items, rows, k, False, 2)
    call(_core.fold_in, items, *seen, "ridge", [], 1)
    call(_core.fold_in, items, *seen, "gradient", [("steps", "2")], 1)


@QUICK
@given(
    matrix=weights,
    known=compressed(),
    rows=arrays(np.uint32, 1),
    seen=compressed(),
    denied=st.none() | arrays(np.uint32, 1),
    k=st.sampled_from([0, 1, 5, 1000]),
)
def test_lists_by_weights(
    matrix: Any, known: Any, rows: Any, seen: Any, denied: Any, k: int
) -> None:
    for offsets, hidden in (seen, (None, None)):
        lists = call(
            _core.recommend_by_weights, matrix, *known, rows, k, offsets, hidden, None, denied, 1
        )
        if lists is not None:
            assert lists[0].shape == (len(rows), k)
    scores = call(_core.scores_by_weights, matrix, *known, 2)
    if scores is not None:
        assert scores.shape == (len(known[0]) - 1, len(matrix))
    call(_core.similar_by_weights, matrix, rows, k, True, 1)
    call(_core.similar_by_weights, matrix, rows, k, False, 1)


@QUICK
@given(
    lists=arrays(np.int32, 2),
    relevant=compressed(),
    one=arrays(np.int32, 1),
    p=arrays(np.float64, 1),
)
def test_metrics_and_tests(lists: Any, relevant: Any, one: Any, p: Any) -> None:
    call(_core.evaluate_lists, lists, *relevant, ITEMS, [1, 3])
    call(_core.metric_of_list, "ndcg", one, relevant[1], 3)
    for test in (_core.wilcoxon, _core.paired_t_test, _core.holm):
        call(test, p)


@QUICK
@given(
    users=arrays(np.float32, 2),
    items=st.none() | arrays(np.float32, 2),
    quality=arrays(np.float64, 1),
)
def test_scores_and_sets(data: divns.Dataset, users: Any, items: Any, quality: Any) -> None:
    call(_core.evaluate_arrays, users, items, data._core, [], 1)
    call(_core.dpp_select, users, quality, 2, None, [])
    call(_core.dpp_select, users, quality, 2, 1, [])
    call(_core.dpp_penalty, users, users if items is None else items)


@QUICK
@given(
    ids=st.one_of(arrays(np.int64, 1), st.lists(st.text(max_size=3), max_size=5)),
    ratings=st.none() | arrays(np.float64, 1),
    times=st.none() | arrays(np.int64, 1),
)
def test_pairs(ids: Any, ratings: Any, times: Any) -> None:
    with contextlib.suppress(UnicodeEncodeError):
        call(_core.Dataset.from_pairs, (ids, ids, ratings, times), [("ratios", "1,0,0")], "")


@QUICK
@given(
    users=arrays(np.float32, 2, 200),
    items=arrays(np.float32, 2, 200),
    pairs=arrays(np.uint64, 1),
    rows=arrays(np.uint32, 1),
)
def test_samplers_in_other_loops(
    data: divns.Dataset, users: Any, items: Any, pairs: Any, rows: Any
) -> None:
    sampler = _core.LoopSampler("dns", data._core, [], 1, 8, 1, 16, 1)
    good = (np.ones((data.users, 8), np.float32), np.ones((data.items, 8), np.float32))
    call(sampler.begin_epoch, 0, users, items)
    sampler.begin_epoch(0, *good)
    call(sampler.batch, 0, 0, pairs, rows, *good)
    call(sampler.batch, 0, 0, pairs, rows, users, items)


@pytest.fixture(scope="module")
def model_files(data: divns.Dataset) -> list[bytes]:
    return [
        divns.MF(epochs=1, embedding_dim=8).fit(data).to_bytes(),
        divns.EASE().fit(data).to_bytes(),
    ]


@QUICK
@given(text=st.binary(max_size=64), which=st.integers(0, 1), at=st.integers(0, 10**6))
def test_bytes_of_models(model_files: list[bytes], text: bytes, which: int, at: int) -> None:
    whole = bytearray(model_files[which])
    at %= len(whole)
    whole[at] ^= 1
    for given_bytes in (text, bytes(whole), model_files[which][:at]):
        call(_core.TrainedModel.from_bytes, given_bytes)


class Liar:
    """Offers memory that it does not have, in every way that there is."""

    __array_interface__: ClassVar = {
        "shape": (10**9,),
        "typestr": "<u4",
        "version": 3,
        "data": (8, True),
    }

    def __dlpack__(self, **_: object) -> object:
        return object()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize(
    "liar",
    [Liar(), SimpleNamespace(__array_interface__=Liar.__array_interface__), None, 3, "x", b"x"],
)
def test_objects_that_are_no_arrays(liar: Any) -> None:
    eye = np.eye(3, dtype=np.float32)
    with pytest.raises(TypeError):
        _core.similar(liar, np.zeros(1, np.uint32), 1, True, 1)
    with pytest.raises(TypeError):
        _core.similar(eye, liar, 1, True, 1)
    with pytest.raises(TypeError):
        _core.scores_by_weights(eye, liar, liar, 1)
