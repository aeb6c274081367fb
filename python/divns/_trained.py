# SPDX-License-Identifier: Apache-2.0
"""Models from fit to file: training, continuing, saving, loading, pickling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np

from . import _arrays, _core
from ._answers import places
from ._arrays import Interactions
from ._charts import Chart, learning_curve
from ._core import Error
from ._dataset import NO_PAIRS, Dataset, Path, from_own_parts, pairs_of
from ._estimator import Estimator
from ._settings import settings
from ._train import Callback, train_core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainOptions

Self = TypeVar("Self", bound="TrainedEstimator")


class TrainedEstimator(Estimator):
    """A model of the engine with its parameters."""

    _model_name: ClassVar[str] = ""

    def __init__(self, *, threads: int = 0, **options: Unpack[TrainOptions]) -> None:
        super().__init__(threads=threads, **cast("dict[str, Any]", options))
        self._core: _core.TrainedModel | None = None
        self._liked: Interactions | None = None
        # Of a model that was fitted on a matrix: its shape. Rows of the matrix may be empty.
        self._shape: tuple[int, int] | None = None
        self._counts = (0, 0)
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
        return self._fit(data, valid, callbacks, progress, self._options, None)

    def partial_fit(
        self: Self,
        data: object,
        valid: object = None,
        *,
        epochs: int | None = None,
        callbacks: Sequence[Callback] = (),
        progress: bool | None = None,
    ) -> Self:
        """Continue the training on data that have changed or grown.

        Give all training pairs, not the new ones alone. The parameters of known users and items,
        matched by original id, are kept; new ones begin as in `fit`. Then the training runs for
        `epochs` passes (default: the option). With 0, new users and items get untrained vectors,
        and those of a graph model follow from the new graph. Moments of the optimizer start anew.
        A model that is not trained yet is trained as by `fit`. IALS and EASE have no training to
        continue: call `fit`.
        """
        options = self._options if epochs is None else {**self._options, "epochs": epochs}
        return self._fit(data, valid, callbacks, progress, options, self._core)

    def _fit(
        self: Self,
        data: object,
        valid: object,
        callbacks: Sequence[Callback],
        progress: bool | None,
        options: Mapping[str, object],
        initial_model: _core.TrainedModel | None,
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
            [("model", self._model_name), *settings(options)],
            [*callbacks, history.append],
            threads=self.threads,
            progress=progress,
            initial_model=initial_model,
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
        own = (core.users, core.items)
        self._counts = own if shape is None else shape
        self._take_contents(core, None if self._counts == own else self._counts)
        present = np.zeros(self._counts[1], bool)
        present[slice(None) if self._counts == own else places(core.item_ids, len(present))] = True
        self._empty_items = np.flatnonzero(~present).astype(np.uint32)

    def _take_contents(self, core: _core.TrainedModel, shape: tuple[int, int] | None) -> None:
        """What the model ranks by; with a shape, spread over a matrix with empty rows."""
        raise NotImplementedError

    def _fitted(self) -> _core.TrainedModel:
        if self._core is None:
            raise Error("the model is not trained yet; call fit first.")
        return self._core

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        return self._fitted().to_bytes()

    def save(self, path: Path) -> None:
        """Write the model file, which the tool reads as well."""
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
        shown: dict[str, object] = {"users": self._counts[0]}
        shown["items"] = self._counts[1]
        if self.result_.get("best_metric") is not None:
            shown[f"valid {self.result_['metric_name']}"] = f"{self.result_['best_metric']:.4f}"
        return shown
