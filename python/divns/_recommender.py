# SPDX-License-Identifier: Apache-2.0
"""What the recommenders have in common: the verbs of the package implicit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _core
from ._answers import Ranked, answer, form, spread
from ._arrays import Interactions, Keys
from ._core import Error
from ._dataset import Dataset
from ._evaluate import evaluate
from ._settings import settings
from ._trained import TrainedEstimator

# Of a request for lists: their length, the compressed rows of the items to leave out, the only
# items allowed, the items that are never recommended.
Wanted = tuple[
    int,
    "NDArray[np.uint64] | None",
    "NDArray[np.uint32] | None",
    "NDArray[np.uint32] | None",
    NDArray[np.uint32],
]


class Recommender(TrainedEstimator):
    """What MF, LightGCN, IALS and EASE have in common.

    Users and items are given by row number (integers) or by original id (strings). A method that
    is asked by id answers with ids.
    """

    _user_factors = _item_factors = np.empty((0, 0), np.float32)

    def _take_contents(self, core: _core.TrainedModel, shape: tuple[int, int] | None) -> None:
        self._user_factors, self._item_factors = core.user_vectors, core.item_vectors
        if shape is not None:
            self._user_factors = spread(core.user_vectors, core.user_ids, shape[0])
            self._item_factors = spread(core.item_vectors, core.item_ids, shape[1])

    # Vectors and ids.

    @property
    def user_factors(self) -> NDArray[np.float32]:
        """User vectors, one per row: a read-only view that keeps the model alive."""
        self._fitted()
        return self._user_factors

    @property
    def item_factors(self) -> NDArray[np.float32]:
        """Item vectors, one per row: a read-only view that keeps the model alive."""
        self._fitted()
        return self._item_factors

    @property
    def user_ids(self) -> list[str]:
        """Original ids by row number."""
        core = self._fitted()
        return core.user_ids if self._shape is None else [str(n) for n in range(self._shape[0])]

    @property
    def item_ids(self) -> list[str]:
        """Original ids by row number."""
        core = self._fitted()
        return core.item_ids if self._shape is None else [str(n) for n in range(self._shape[1])]

    def _find_user(self, id: str) -> int | None:
        found = self._fitted().find_user(id)
        return found if self._shape is None or found is None else int(id)

    def _find_item(self, id: str) -> int | None:
        found = self._fitted().find_item(id)
        return found if self._shape is None or found is None else int(id)

    def _user_rows(self, keys: Keys) -> tuple[NDArray[np.uint32], bool, bool]:
        self._fitted()
        return _arrays.rows(keys, self._counts[0], self._find_user, "user")

    def _item_rows(self, keys: Keys) -> tuple[NDArray[np.uint32], bool, bool]:
        self._fitted()
        return _arrays.rows(keys, self._counts[1], self._find_item, "item")

    # Lists.

    def recommend(
        self,
        userids: Keys,
        user_items: object = None,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items: Keys | None = None,
        recalculate_user: bool = False,
        items: Keys | None = None,
    ) -> Ranked:
        """The N best items for one user or several, with their scores, best first.

        `user_items` holds the items to leave out, one row per user asked for; without it the
        training pairs are left out. An integer in its place is N. `items` are the only items
        allowed, `filter_items` are never recommended. A list that has fewer than N items ends with
        -1 and -inf (None and -inf for ids). With `recalculate_user` the scores come from
        `user_items` in place of what the model knows of the users.
        """
        if isinstance(user_items, (int, np.integer)) and not isinstance(user_items, bool):
            N, user_items = int(user_items), None
        length = _arrays.count(N, "N")
        history = None if user_items is None else self._histories(user_items, userids)
        if recalculate_user:
            if history is None:
                raise Error("recalculate_user needs user_items, the items of the users.")
            by_id, scalar = form(userids)
            rows = None
        else:
            rows, by_id, scalar = self._user_rows(userids)
        seen = history
        if seen is None and filter_already_liked_items:
            seen = self._liked
            if seen is None:
                raise Error(
                    "a model from a file does not know the training pairs; "
                    "give user_items, or filter_already_liked_items=False."
                )
        if not filter_already_liked_items:
            seen = None
        denied = self._empty_items
        if filter_items is not None:
            denied = np.concatenate([denied, self._item_rows(filter_items)[0]])
        wanted: Wanted = (
            length,
            None if seen is None else seen.offsets,
            None if seen is None else seen.items,
            None if items is None else self._item_rows(items)[0],
            denied,
        )
        numbers, scores = self._rank(rows, history, wanted)
        return answer(numbers, scores, self.item_ids if by_id else None, scalar)

    def _rank(
        self, rows: NDArray[np.uint32] | None, history: Interactions | None, wanted: Wanted
    ) -> _core.Lists:
        """Lists for users of the model, or without rows for the users of the histories.

        The items to leave out have a row per user of the model; with a history, per list.
        """
        vectors = self._user_factors
        if rows is None:
            assert history is not None
            vectors = self._fold_in(history, "ridge", {})
        elif history is not None:
            vectors = np.ascontiguousarray(vectors[rows])
        if rows is None or history is not None:
            rows = np.arange(len(vectors), dtype=np.uint32)
        return _core.recommend(vectors, rows, self._item_factors, *wanted, self.threads)

    def similar_items(self, itemid: Keys, N: int = 10) -> Ranked:
        """The N items with the largest cosine to each item, without the item itself."""
        rows, by_id, scalar = self._item_rows(itemid)
        lists = self._similar_items(rows, _arrays.count(N, "N"))
        return answer(*lists, self.item_ids if by_id else None, scalar)

    def _similar_items(self, rows: NDArray[np.uint32], length: int) -> _core.Lists:
        return _core.similar(self._item_factors, rows, length, True, self.threads)

    def similar_users(self, userid: Keys, N: int = 10) -> Ranked:
        """The N users with the largest cosine to each user, without the user."""
        rows, by_id, scalar = self._user_rows(userid)
        length = _arrays.count(N, "N")
        lists = _core.similar(self.user_factors, rows, length, True, self.threads)
        return answer(*lists, self.user_ids if by_id else None, scalar)

    # New users.

    def _histories(self, user_items: object, userids: Keys) -> Interactions:
        pairs = _arrays.compressed(user_items, "user_items")[0]
        asked = np.atleast_1d(_arrays.array_of(userids, "users")).size
        if pairs.shape != (asked, self._counts[1]):
            raise Error(
                f"user_items has the shape {pairs.shape}; expected one row for each of the {asked} "
                f"users asked for and {self._counts[1]} columns, one per item."
            )
        return pairs

    def fold_in(
        self, user_items: object, method: str = "ridge", **options: float
    ) -> NDArray[np.float32]:
        """Vectors for users who were not in the training data, from their items alone.

        `user_items` is a sparse matrix with one row per new user, or a list of lists of items.
        Methods are "ridge" (options `ridge`, `unobserved`) and "gradient" (options `steps`,
        `learning_rate`, `l2`, `seed`).
        """
        self._fitted()
        if isinstance(user_items, (list, tuple)):
            rows = [np.unique(self._item_rows(history)[0]) for history in user_items]
            indptr = np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)
            indices = np.concatenate([np.empty(0, np.uint32), *rows]).astype(np.int32)
            pairs = Interactions(indptr, indices, (len(rows), self._counts[1]))
        else:
            pairs = _arrays.compressed(user_items, "user_items")[0]
        if pairs.shape[1] != self._counts[1]:
            raise Error(
                f"user_items has {pairs.shape[1]} columns, but the model has "
                f"{self._counts[1]} items."
            )
        return self._fold_in(pairs, method, options)

    def _fold_in(
        self, pairs: Interactions, method: str, options: Mapping[str, float]
    ) -> NDArray[np.float32]:
        return _core.fold_in(
            self._item_factors, pairs.offsets, pairs.items, method, settings(options), self.threads
        )

    def recalculate_user(self, userid: Keys, user_items: object) -> NDArray[np.float32]:
        """The vector of a user from these items, as implicit names it; see `fold_in`."""
        vectors = self.fold_in(self._histories(user_items, userid))
        return cast("NDArray[np.float32]", vectors[0] if form(userid)[1] else vectors)

    def evaluate(
        self,
        data: Dataset,
        part: str = "test",
        mask: str = "train",
        topk: Sequence[int] = (10, 20, 50),
    ) -> dict[str, float]:
        """Metrics of the full ranking on a part of the dataset; see `divns.evaluate`."""
        return evaluate(self, data, part=part, mask=mask, topk=topk, threads=self.threads)
