# SPDX-License-Identifier: Apache-2.0
"""Registration of samplers, losses and metrics written in Python, and what the engine calls."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import Interactions
from ._core import Error
from ._custom import BatchVectors, CustomLoss, CustomSampler, LossScores, Option, PairBatch, RunInfo
from ._settings import names


class _SamplerAdapter:
    """What the engine calls: checks and normalises what a CustomSampler returns."""

    def __init__(self, kind: type[CustomSampler]) -> None:
        self._sampler = kind()
        self._name = kind.__name__

    def start(self, run: dict[str, Any], options: dict[str, Any]) -> None:
        indptr, indices, items = run.pop("indptr"), run.pop("indices"), run.pop("items")
        for array in (indptr, indices):
            array.flags.writeable = False
        train = Interactions(indptr, indices, (len(indptr) - 1, items))
        self._sampler.run = RunInfo(train=train, **run)
        self._sampler.values = options
        self._sampler.start()

    def begin_epoch(self, epoch: int, users: Any, items: Any) -> None:
        if users is not None:
            self._sampler.begin_epoch(epoch, users, items)

    def propose(
        self, epoch: int, step: int, place: int, users: NDArray[Any], positives: NDArray[Any]
    ) -> NDArray[np.uint32]:
        self._batch = PairBatch(epoch, step, place, users, positives, self._sampler.run.seed)
        self._candidates = self._items(self._sampler.candidates(self._batch), "candidates")
        return self._candidates.astype(np.uint32).ravel()

    def choose(
        self, users: NDArray[Any], positives: NDArray[Any], candidates: NDArray[Any]
    ) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        shaped = candidates.reshape(*self._candidates.shape, users.shape[1])
        vectors = BatchVectors(users, positives, shaped)
        answer = self._sampler.choose(self._batch, self._candidates, vectors)
        items, weights = answer if isinstance(answer, tuple) else (answer, None)
        chosen = self._items(items, "choose")
        rows, each = len(self._batch), self._sampler.run.negatives
        if chosen.ndim == 1:
            chosen = chosen[:, None]
        if chosen.ndim == 2:
            chosen = chosen[:, :, None]
        if chosen.ndim != 3 or chosen.shape[:2] != (rows, each) or chosen.shape[2] == 0:
            raise Error(
                f"{self._name}.choose returned items of the shape {np.shape(items)}; "
                f"expected {rows} x {each}, or {rows} x {each} x T."
            )
        if weights is None:
            given = np.full(chosen.shape, 1 / chosen.shape[2], np.float32)
        else:
            given = _floats(weights, f"{self._name}.choose", np.float32)
            if given.size != chosen.size:
                raise Error(f"{self._name}.choose returned weights of another shape than items.")
        return chosen.astype(np.uint32).ravel(), given.ravel()

    def save(self) -> bytes:
        state = self._sampler.save()
        file = io.BytesIO()
        if state:
            np.savez(file, **state)  # type: ignore[arg-type]
        return file.getvalue()

    def load(self, state: bytes) -> None:
        if state:
            with np.load(io.BytesIO(state), allow_pickle=False) as arrays:
                self._sampler.load(dict(arrays))

    def _items(self, values: object, method: str) -> NDArray[np.int64]:
        array = np.asarray(values)
        train = self._sampler._train()
        if array.ndim == 0 or array.dtype.kind not in "iu" or len(array) != len(self._batch):
            raise Error(
                f"{self._name}.{method} returned {array.dtype} of the shape {array.shape}; "
                f"expected integers with one row for each of the {len(self._batch)} pairs."
            )
        if array.size and (int(array.min()) < 0 or int(array.max()) >= train.shape[1]):
            raise Error(f"{self._name}.{method} named an item outside 0 to {train.shape[1] - 1}.")
        return array.astype(np.int64)


class _LossAdapter:
    """What the engine calls: checks and normalises what a CustomLoss returns."""

    def __init__(self, kind: type[CustomLoss]) -> None:
        self._loss = kind()
        self._name = kind.__name__

    def start(self, run: dict[str, Any], options: dict[str, Any]) -> None:
        self._loss.run = RunInfo(**run)
        self._loss.values = options
        self._loss.start()

    def rows(
        self, positive: NDArray[Any], negative: NDArray[Any], users: NDArray[Any], importance: Any
    ) -> tuple[NDArray[np.float64], NDArray[np.float32], NDArray[np.float32]]:
        answer = self._loss.rows(LossScores(positive, negative, users, importance))
        what = f"{self._name}.rows"
        if not isinstance(answer, tuple) or len(answer) != 3:
            raise Error(f"{what} returned no tuple (losses, positive slopes, negative slopes).")
        shapes = (positive.shape, positive.shape, negative.shape)
        for array, shape in zip(answer, shapes, strict=True):
            if np.shape(array) != shape:
                raise Error(
                    f"{what} returned an array of the shape {np.shape(array)}, not {shape}."
                )
        return (
            _floats(answer[0], what, np.float64).ravel(),
            _floats(answer[1], what, np.float32).ravel(),
            _floats(answer[2], what, np.float32).ravel(),
        )


def _floats(values: object, what: str, kind: type) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise Error(f"{what} returned an array of the type {array.dtype}; expected numbers.")
    return np.ascontiguousarray(array, dtype=kind)


def _declared(kind: type[CustomSampler] | type[CustomLoss]) -> list[tuple[Any, ...]]:
    declared = []
    for name, option in kind.options.items():
        if not isinstance(option, Option):
            raise Error(f"the option {name!r} of {kind.__name__} is no divns.Option.")
        if not name.isidentifier() or "__" in name:
            raise Error(f"{name!r} cannot name an option: letters, digits and single underscores.")
        declared.append((name, option.default, option.low, option.high, option.help))
    return declared


def _first_line(kind: object, summary: str) -> str:
    text = summary or (getattr(kind, "__doc__", None) or "").strip().split("\n")[0]
    if not text:
        raise Error("give a summary, or a docstring whose first line says what it does.")
    return text


S = TypeVar("S", bound=type[CustomSampler])
L = TypeVar("L", bound=type[CustomLoss])
Metric = Callable[[NDArray[np.int64], int, int], float]
F = TypeVar("F", bound=Metric)

# What was registered from Python, by name. A class that is defined again replaces the older one.
samplers: dict[str, type[CustomSampler]] = {}
losses: dict[str, type[CustomLoss]] = {}
metrics: dict[str, Metric] = {}


def register_sampler(name: str, *, summary: str = "", citation: str = "") -> Callable[[S], S]:
    """Make a class a sampler that `fit`, `compare` and the loop `Sampler` know by this name.

    >>> @register_sampler("second_of_two")
    ... class SecondOfTwo(CustomSampler):
    ...     '''the item with the lower score of two uniform ones'''
    ...
    ...     def candidates(self, batch):
    ...         return self.uniform(batch, 2)
    ...
    ...     def choose(self, batch, candidates, vectors):
    ...         worst = vectors.scores().argmin(axis=1)
    ...         return candidates[np.arange(len(batch)), worst]
    >>> from divns import MF, Dataset
    >>> data = Dataset.synthetic(users=60, items=50, pairs=900)
    >>> MF(sampler="second_of_two", epochs=2).fit(data).result_["epochs"]
    2
    """

    def register(kind: S) -> S:
        if not (isinstance(kind, type) and issubclass(kind, CustomSampler)):
            raise TypeError("register_sampler decorates a subclass of divns.CustomSampler.")
        reads = kind.begin_epoch is not CustomSampler.begin_epoch
        line = _first_line(kind, summary)
        # The adapter looks the class up, so that the newest definition is used.
        make = lambda: _SamplerAdapter(samplers[name])  # noqa: E731
        _core.register_sampler(name, line, citation, _declared(kind), reads, make)
        samplers[name] = kind
        names.cache_clear()
        return kind

    return register


def register_loss(name: str, *, summary: str = "", citation: str = "") -> Callable[[L], L]:
    """Make a class a loss that `fit` and `compare` know by this name."""

    def register(kind: L) -> L:
        if not (isinstance(kind, type) and issubclass(kind, CustomLoss)):
            raise TypeError("register_loss decorates a subclass of divns.CustomLoss.")
        make = lambda: _LossAdapter(losses[name])  # noqa: E731
        _core.register_loss(name, _first_line(kind, summary), citation, _declared(kind), make)
        losses[name] = kind
        names.cache_clear()
        return kind

    return register


def register_metric(name: str, *, formula: str = "") -> Callable[[F], F]:
    """Make a function `f(ranks, relevant, cutoff)` a metric that every evaluation measures.

    `ranks` are the places, from 0, of a user's relevant items within the first `cutoff` of the
    list, and `relevant` is the number of the user's relevant items.

    >>> @register_metric("first", formula="1 if the first item is relevant")
    ... def first(ranks, relevant, cutoff):
    ...     return float(len(ranks) > 0 and ranks[0] == 0)
    """

    def register(function: F) -> F:
        if not callable(function):
            raise TypeError("register_metric decorates a function.")
        if name not in metrics:
            line = _first_line(function, formula)
            _core.register_metric(name, line, lambda *hits: metrics[name](*hits))
        metrics[name] = function
        return function

    return register
