# SPDX-License-Identifier: Apache-2.0
"""What the recommenders with vectors have in common: the verbs of the package implicit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _core
from ._answers import Ranked, answer, form, spread
from ._arrays import Interactions, Keys
from ._charts import Chart, learning_curve
from ._core import Error
from ._dataset import NO_PAIRS, Dataset, Path, from_own_parts, pairs_of
from ._estimator import Estimator
from ._evaluate import evaluate
from ._settings import settings
from ._train import Callback, train_core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainOptions

Self = TypeVar("Self", bound="Recommender")


class Recommender(Estimator):
    """What MF, LightGCN and IALS have in common.

    Users and items are given by row number (integers) or by original id (strings). A method that
    is asked by id answers with ids.
    """

    _model_name: ClassVar[str] = ""

    def __init__(self, *, threads: int = 0, **options: Unpack[TrainOptions]) -> None:
        super().__init__(threads=threads, **cast("dict[str, Any]", options))
        self._core: _core.TrainedModel | None = None
        self._liked: Interactions | None = None
        # Of a model that was fitted on a matrix: its shape, and vectors with zeros where rows of
        # the matrix are empty.
        self._shape: tuple[int, int] | None = None
        self._user_factors = self._item_factors = np.empty((0, 0), np.float32)
        self._empty_items = np.empty(0, np.uint32)
        self.result_: dict[str, Any] = {}
        self.history_: list[dict[str, Any]] = []
        self.interrupted_ = False

    # Training.

    def fit(
        self: Self,
        data: object,
        valid: object = None,
        *,
        callbacks: Sequence[Callback] = (),
        progress: bool | None = None,
    ) -> Self:
        """Train on a Dataset, or on a sparse matrix, users x items, as implicit takes it.

        A Dataset brings its validation part, which early stopping watches. For a matrix, `valid`
        is a matrix of the same shape; without it the training runs through all epochs. Every
        callback is called after every epoch with a dict; if it returns False, the training ends
        with the best parameters so far. Ctrl-C does the same and warns. `progress` shows a bar of
        tqdm; by default in a terminal or notebook, if tqdm is present.
        """
        return self._fit(data, valid, callbacks, progress)

    def _fit(
        self: Self,
        data: object,
        valid: object,
        callbacks: Sequence[Callback],
        progress: bool | None,
    ) -> Self:
        shape: tuple[int, int] | None = None
        if isinstance(data, Dataset):
            if valid is not None:
                raise Error("a Dataset brings its own validation part; leave `valid` out.")
            dataset, liked = data, data.train
        else:
            liked = _arrays.compressed(data, "data")[0]
            shape = liked.shape
            validation = NO_PAIRS
            if valid is not None:
                pairs = _arrays.compressed(valid, "valid")[0]
                if pairs.shape != shape:
                    raise Error(f"valid has the shape {pairs.shape} and data {shape}.")
                validation = pairs_of(pairs, "valid")
            train = pairs_of(liked, "data")
            dataset = from_own_parts(train, validation, NO_PAIRS, [], "")
        history: list[dict[str, Any]] = []
        run, interrupted = train_core(
            dataset,
            [("model", self._model_name), *settings(self._options)],
            [*callbacks, history.append],
            threads=self.threads,
            progress=progress,
        )
        self._take(run.model, liked, shape)
        self.result_, self.interrupted_, self.history_ = run.result, interrupted, history
        return self

    def _take(
        self,
        core: _core.TrainedModel,
        liked: Interactions | None,
        shape: tuple[int, int] | None,
    ) -> None:
        self._core, self._liked, self._shape = core, liked, shape
        self._user_factors, self._item_factors = core.user_vectors, core.item_vectors
        self._empty_items = np.empty(0, np.uint32)
        if shape is None or shape == (core.users, core.items):
            return
        self._user_factors = spread(core.user_vectors, core.user_ids, shape[0])
        self._item_factors = spread(core.item_vectors, core.item_ids, shape[1])
        present = np.zeros(shape[1], bool)
        present[np.array([int(id) for id in core.item_ids])] = True
        self._empty_items = np.flatnonzero(~present).astype(np.uint32)

    def _fitted(self) -> _core.TrainedModel:
        if self._core is None:
            raise Error("the model is not trained yet; call fit first.")
        return self._core

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
        return _arrays.rows(keys, len(self._user_factors), self._find_user, "user")

    def _item_rows(self, keys: Keys) -> tuple[NDArray[np.uint32], bool, bool]:
        self._fitted()
        return _arrays.rows(keys, len(self._item_factors), self._find_item, "item")

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
        -1 and -inf (None and -inf for ids). With `recalculate_user` the vectors are computed anew
        from `user_items`.
        """
        if isinstance(user_items, (int, np.integer)) and not isinstance(user_items, bool):
            N, user_items = int(user_items), None
        places = _arrays.count(N, "N")
        history = None if user_items is None else self._histories(user_items, userids)
        if recalculate_user:
            if history is None:
                raise Error("recalculate_user needs user_items, the items of the users.")
            by_id, scalar = form(userids)
            vectors = self.fold_in(history)
            rows = np.arange(len(vectors), dtype=np.uint32)
        else:
            rows, by_id, scalar = self._user_rows(userids)
            vectors = self._user_factors
            if history is not None:
                vectors = np.ascontiguousarray(vectors[rows])
                rows = np.arange(len(rows), dtype=np.uint32)
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
        numbers, scores = _core.recommend(
            vectors,
            rows,
            self._item_factors,
            places,
            None if seen is None else seen.offsets,
            None if seen is None else seen.items,
            None if items is None else self._item_rows(items)[0],
            denied,
            self.threads,
        )
        return answer(numbers, scores, self.item_ids if by_id else None, scalar)

    def similar_items(self, itemid: Keys, N: int = 10) -> Ranked:
        """The N items with the largest cosine to each item, without the item itself."""
        rows, by_id, scalar = self._item_rows(itemid)
        lists = self._similar(self._item_factors, rows, N)
        return answer(*lists, self.item_ids if by_id else None, scalar)

    def similar_users(self, userid: Keys, N: int = 10) -> Ranked:
        """The N users with the largest cosine to each user, without the user."""
        rows, by_id, scalar = self._user_rows(userid)
        lists = self._similar(self._user_factors, rows, N)
        return answer(*lists, self.user_ids if by_id else None, scalar)

    def _similar(
        self, vectors: NDArray[np.float32], rows: NDArray[np.uint32], N: int
    ) -> _core.Lists:
        return _core.similar(vectors, rows, _arrays.count(N, "N"), True, self.threads)

    # New users.

    def _histories(self, user_items: object, userids: Keys) -> Interactions:
        pairs = _arrays.compressed(user_items, "user_items")[0]
        asked = np.atleast_1d(_arrays.array_of(userids, "users")).size
        if pairs.shape != (asked, len(self._item_factors)):
            raise Error(
                f"user_items has the shape {pairs.shape}; expected one row for each of the {asked} "
                f"users asked for and {len(self._item_factors)} columns, one per item."
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
            pairs = Interactions(indptr, indices, (len(rows), len(self._item_factors)))
        else:
            pairs = _arrays.compressed(user_items, "user_items")[0]
        if pairs.shape[1] != len(self._item_factors):
            raise Error(
                f"user_items has {pairs.shape[1]} columns, but the model has "
                f"{len(self._item_factors)} items."
            )
        return _core.fold_in(
            self._item_factors, pairs.offsets, pairs.items, method, settings(options), self.threads
        )

    def recalculate_user(self, userid: Keys, user_items: object) -> NDArray[np.float32]:
        """The vector of a user from these items, as implicit names it; see `fold_in`."""
        vectors = self.fold_in(self._histories(user_items, userid))
        return cast("NDArray[np.float32]", vectors[0] if form(userid)[1] else vectors)

    # Measuring and keeping.

    def evaluate(
        self,
        data: Dataset,
        part: str = "test",
        mask: str = "train",
        topk: Sequence[int] = (10, 20, 50),
    ) -> dict[str, float]:
        """Metrics of the full ranking on a part of the dataset; see `divns.evaluate`."""
        return evaluate(self, data, part=part, mask=mask, topk=topk, threads=self.threads)

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        return self._fitted().to_bytes()

    def save(self, path: Path) -> None:
        """Write the model file: vectors, ids, configuration. The tool reads it as well."""
        self._fitted().save(path)

    @classmethod
    def load(
        cls: type[Self],
        path: Path,
        data: Dataset | None = None,
        shape: tuple[int, int] | None = None,
    ) -> Self:
        """Read a model file or a run folder.

        With `data`, its training pairs are left out of recommendations. Give `shape`, that of the
        matrix, for a model that was fitted on a matrix with empty rows or columns.
        """
        core = _core.TrainedModel.load(path)
        if cls._model_name and core.model_name != cls._model_name:
            raise Error(f"the file holds a model '{core.model_name}', not '{cls._model_name}'.")
        if data is not None and data.hash != core.dataset_hash:
            raise Error("the model was trained on another dataset; its content hash differs.")
        from ._models import model_class

        model = (cls if cls._model_name else model_class(core.model_name))()
        model._take(core, None if data is None else data.train, shape)
        return cast("Self", model)

    def __getstate__(self) -> dict[str, Any]:
        """Parameters, the model file's bytes, and the training pairs."""
        pairs = self._liked
        return {
            "threads": self.threads,
            "options": self._options,
            "bytes": None if self._core is None else self._core.to_bytes(),
            "pairs": None
            if pairs is None
            else (np.array(pairs.indptr), np.array(pairs.indices), pairs.shape),
            "shape": self._shape,
            "result": self.result_,
            "history": self.history_,
            "interrupted": self.interrupted_,
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore what __getstate__ returned."""
        self.__init__(threads=state["threads"], **state["options"])  # type: ignore[misc]
        self.result_, self.interrupted_ = state["result"], state["interrupted"]
        self.history_ = state["history"]
        if state["bytes"] is None:
            return
        pairs = None if state["pairs"] is None else Interactions(*state["pairs"])
        self._take(_core.TrainedModel.from_bytes(state["bytes"]), pairs, state["shape"])

    def chart(self) -> Chart:
        """The validation metric, or the loss, by epoch."""
        return learning_curve(self.history_)

    def _facts(self) -> dict[str, object]:
        if self._core is None:
            return {}
        shown: dict[str, object] = {"users": len(self._user_factors)}
        shown["items"] = len(self._item_factors)
        if self.result_.get("best_metric") is not None:
            shown[f"valid {self.result_['metric_name']}"] = f"{self.result_['best_metric']:.4f}"
        return shown
