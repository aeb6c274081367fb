# SPDX-License-Identifier: Apache-2.0
"""EASE, which ranks by a matrix of item-item weights instead of vectors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._answers import Ranked, spread_pairs, spread_weights
from ._arrays import Interactions, Keys
from ._core import Error
from ._recommender import Recommender, Wanted


def rows_of(pairs: Interactions, users: NDArray[np.uint32]) -> Interactions:
    """The rows of these users, in their order."""
    rows = [pairs.row(user) for user in users.tolist()]
    indptr = np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)
    indices = np.concatenate([np.empty(0, np.int32), *rows])
    return Interactions(indptr, indices, (len(rows), pairs.shape[1]))


class EASE(Recommender):
    """Ridge regression of every item on all others, in closed form (Steck, WWW 2019).

    The scores of a user are the sum of the rows of `item_weights` for the user's items. The model
    keeps the training items of its users, also in its file. It has no vectors.

    >>> from divns import Dataset
    >>> data = Dataset.synthetic(users=100, items=80, pairs=1500)
    >>> model = EASE(ease__l2=100).fit(data)
    >>> items, scores = model.recommend(0, N=5)
    >>> model.item_weights.shape
    (80, 80)
    """

    _model_name = "ease"
    _item_weights = np.empty((0, 0), np.float32)
    _known = Interactions(np.zeros(1, np.int64), np.empty(0, np.int32), (0, 0))

    def _take_contents(self, core: _core.TrainedModel, shape: tuple[int, int] | None) -> None:
        self._item_weights = core.item_weights
        offsets, items = core.histories
        self._known = Interactions(
            offsets.view(np.int64), items.view(np.int32), (core.users, core.items)
        )
        if shape is not None:
            self._item_weights = spread_weights(core.item_weights, core.item_ids, shape[1])
            self._known = spread_pairs(self._known, core.user_ids, core.item_ids, shape)
        self._liked = self._known

    @property
    def item_weights(self) -> NDArray[np.float32]:
        """Row i holds the weights of item i in the scores of all items: a read-only view."""
        self._fitted()
        return self._item_weights

    @property
    def user_factors(self) -> NDArray[np.float32]:
        """There are none: this raises an Error."""
        return self._fitted().user_vectors

    @property
    def item_factors(self) -> NDArray[np.float32]:
        """There are none: this raises an Error."""
        return self._fitted().item_vectors

    def _rank(
        self, rows: NDArray[np.uint32] | None, history: Interactions | None, wanted: Wanted
    ) -> _core.Lists:
        known = self._known
        if rows is None:
            assert history is not None
            known = history
        elif history is not None:
            known = rows_of(known, rows)
        if rows is None or history is not None:
            rows = np.arange(known.shape[0], dtype=np.uint32)
        return _core.recommend_by_weights(
            self._item_weights, known.offsets, known.items, rows, *wanted, self.threads
        )

    def similar_items(self, itemid: Keys, N: int = 10) -> Ranked:
        """The N items that correlate most with each item, given all other items.

        For items i and j the score is the root of the product of their two weights, with their
        sign.
        """
        return super().similar_items(itemid, N)

    def _similar_items(self, rows: NDArray[np.uint32], length: int) -> _core.Lists:
        return _core.similar_by_weights(self._item_weights, rows, length, True, self.threads)

    def fold_in(
        self, user_items: object, method: str = "ridge", **options: float
    ) -> NDArray[np.float32]:
        """Scores of all items for users who were not in the training data.

        `user_items` is a sparse matrix with one row per new user, or a list of lists of items. The
        result is its product with `item_weights`. There is nothing to choose: `method` and options
        are refused.
        """
        return super().fold_in(user_items, method, **options)

    def _fold_in(
        self, pairs: Interactions, method: str, options: Mapping[str, float]
    ) -> NDArray[np.float32]:
        if method != "ridge" or options:
            raise Error("EASE scores new users by their items alone; leave method and options out.")
        return _core.scores_by_weights(self._item_weights, pairs.offsets, pairs.items, self.threads)

    def recalculate_user(self, userid: Keys, user_items: object) -> NDArray[np.float32]:
        """The scores of all items for a user who has these items; see `fold_in`."""
        return super().recalculate_user(userid, user_items)
