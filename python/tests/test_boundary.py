# SPDX-License-Identifier: Apache-2.0
"""Whatever is passed, the answer is a result or an exception with a sentence, never a crash."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import divns

QUICK = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
REFUSED = (divns.Error, UnicodeEncodeError)

any_array = hnp.arrays(
    dtype=st.one_of(
        hnp.integer_dtypes(),
        hnp.unsigned_integer_dtypes(),
        hnp.floating_dtypes(),
        hnp.boolean_dtypes(),
        hnp.unicode_string_dtypes(max_len=3),
        hnp.datetime64_dtypes(),
        hnp.complex_number_dtypes(),
    ),
    shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=4),
)
anything = st.one_of(any_array, scalars, st.lists(scalars, max_size=6))


def views(array: Any) -> list[Any]:
    """The array, reversed, strided and read-only."""
    if not isinstance(array, np.ndarray) or array.ndim == 0:
        return [array]
    frozen = array.copy()
    frozen.flags.writeable = False
    return [array, array[::-1], np.repeat(array, 2, axis=0)[::2], frozen]


@QUICK
@given(users=anything, items=anything, ratings=anything, times=anything)
def test_from_pairs(users: Any, items: Any, ratings: Any, times: Any) -> None:
    for form in views(users):
        try:
            data = divns.Dataset.from_pairs(form, items, ratings, times, ratios=[1, 0, 0])
        except REFUSED as problem:
            assert str(problem)
        else:
            assert 0 < data.users <= len(form)


@QUICK
@given(
    users=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30),
    text=st.booleans(),
    numbers=st.randoms(),
)
def test_every_valid_pair_is_kept(users: list[int], text: bool, numbers: Any) -> None:
    items = [numbers.randrange(5) for _ in users]
    given_users = [f"u{user}" for user in users] if text else users
    data = divns.Dataset.from_pairs(given_users, items, ratios=[1, 0, 0])
    expected = {(str(user), str(item)) for user, item in zip(given_users, items, strict=True)}
    ids = data.user_ids, data.item_ids
    found = {(ids[0][u], ids[1][i]) for u in range(data.users) for i in data.train.row(u)}
    assert found == expected


@QUICK
@given(keys=anything, N=anything, items=anything, hidden=anything)
def test_recommend(model: divns.MF, keys: Any, N: Any, items: Any, hidden: Any) -> None:
    for form in views(keys):
        try:
            lists, scores = model.recommend(
                form, None, N if isinstance(N, int) and N < 999 else 5, True, hidden, False, items
            )
        except REFUSED as problem:
            assert str(problem)
        else:
            assert lists.shape == scores.shape


@QUICK
@given(
    indptr=anything,
    indices=anything,
    data=anything,
    shape=st.one_of(
        st.just((1, 150)), st.tuples(st.integers(-2, 5), st.integers(-2, 200)), scalars
    ),
)
def test_matrices_that_lie(
    model: divns.MF, indptr: Any, indices: Any, data: Any, shape: Any
) -> None:
    liar = SimpleNamespace(indptr=indptr, indices=indices, data=data, shape=shape)
    for call in (
        lambda: model.recommend(0, liar),
        lambda: model.fold_in(liar),
        lambda: divns.MF(epochs=1).fit(liar),
    ):
        with pytest.raises((divns.Error, TypeError, ValueError)):
            call()


@QUICK
@given(vectors=anything, k=anything, quality=anything)
def test_dpp(vectors: Any, k: Any, quality: Any) -> None:
    for form in views(vectors):
        for choose in (divns.dpp.greedy, divns.dpp.sample):
            try:
                chosen = choose(form, k, quality)
            except REFUSED as problem:
                assert str(problem)
            else:
                assert len(chosen.items) <= min(k, len(form))


class Liar:
    """Says that it is an array and is none."""

    __array_interface__: ClassVar = {
        "shape": (10**9,),
        "typestr": "<i8",
        "version": 3,
        "data": (8, True),
    }


class Raises:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("no array here")


@pytest.mark.parametrize("liar", [Liar(), Raises(), [Liar()]])
def test_objects_that_lie_about_being_arrays(model: divns.MF, liar: Any) -> None:
    for call in (
        lambda: divns.Dataset.from_pairs(liar, [1]),
        lambda: model.recommend(liar),
        lambda: divns.dpp.greedy(liar, 1),
        lambda: divns.evaluate((liar, liar), divns.Dataset.from_pairs([1], [1], ratios=[1, 0, 0])),
    ):
        with pytest.raises(divns.Error):
            call()
