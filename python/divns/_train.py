# SPDX-License-Identifier: Apache-2.0
"""Training on a dataset."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._dataset import Dataset, Path
from ._settings import settings
from .callbacks import Checkpoint, Progress, TensorBoard

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainOptions
    from ._recommender import Recommender

# Called after every epoch with the report; False ends the training with the best parameters so far.
Callback = Callable[[dict[str, Any]], object]


def train_core(
    data: Dataset,
    options: list[tuple[str, str]],
    callbacks: Sequence[Callback] = (),
    folder: Path = "",
    resume: bool = False,
    checkpoint_seconds: float = 30,
    threads: int = 0,
    progress: bool | None = None,
    initial_model: _core.TrainedModel | None = None,
) -> tuple[_core.Run, bool]:
    """Train, and return the run and whether Ctrl-C ended it."""
    if not isinstance(data, Dataset):
        raise TypeError(f"data is a {type(data).__name__}; expected a divns.Dataset.")
    callbacks = list(callbacks)
    for callback in callbacks:
        if isinstance(callback, Checkpoint):
            folder, resume = callback.folder, callback.resume
            checkpoint_seconds = callback.seconds
    epochs = next((text for name, text in options if name == "epochs"), "")
    bar = Progress(int(epochs) if epochs.isdecimal() else None)
    if Progress.is_wanted() if progress is None else progress:
        callbacks.append(bar)

    def on_epoch(report: dict[str, Any]) -> bool:
        # Every callback sees every epoch, even if an earlier one asked to end.
        answers = [callback(report) for callback in callbacks]
        return not any(answer is False for answer in answers)

    try:
        run, interrupted = _core.train(
            data._core,
            options,
            folder,
            resume,
            checkpoint_seconds,
            threads,
            on_epoch if callbacks else None,
            initial_model,
        )
    finally:
        for callback in callbacks:
            if isinstance(callback, (Progress, TensorBoard)):
                callback.close()
    if interrupted:
        warnings.warn(
            f"training was interrupted after {run.result['epochs']} epochs; "
            "the best parameters so far are the model.",
            RuntimeWarning,
            stacklevel=4,
        )
    return run, interrupted


class Run:
    """A training that has ended."""

    def __init__(self, core: _core.Run, interrupted: bool, model: Recommender) -> None:
        self._core = core
        self.interrupted = interrupted
        self.model = model

    @property
    def result(self) -> dict[str, Any]:
        """Epochs, best validation metric, last loss, seconds per phase."""
        return self._core.result

    @property
    def folder(self) -> str | None:
        """Folder of the run, or None if it left no files."""
        return str(self._core.folder) if str(self._core.folder) != "." else None

    def __repr__(self) -> str:
        """One line with the result."""
        result = self.result
        best = (
            ""
            if result["best_metric"] is None
            else (f", best {result['metric_name']} {result['best_metric']:.4f}")
        )
        return f"<divns.Run: {result['epochs']} epochs{best}>"


def train(
    data: Dataset,
    model: str = "mf",
    *,
    folder: Path = "",
    resume: bool = False,
    checkpoint_seconds: float = 30,
    threads: int = 0,
    callbacks: Sequence[Callback] = (),
    progress: bool | None = None,
    **options: Unpack[TrainOptions],
) -> Run:
    """Train one model, as `divns train` does; the model file has the same bytes.

    With `folder`, the run keeps its configuration, event log, checkpoints and model there, and
    `resume` continues a run that was stopped.

    >>> data = Dataset.synthetic(users=100, items=80, pairs=1500)
    >>> run = train(data, sampler="dns", epochs=3, seed=1)
    >>> run.result["epochs"]
    3
    """
    from ._models import model_class

    recommender = model_class(model)(**options)
    core, interrupted = train_core(
        data,
        [("model", model), *settings(options)],
        callbacks,
        folder,
        resume,
        checkpoint_seconds,
        threads,
        progress,
    )
    recommender._take(core.model, data.train, None)
    return Run(core, interrupted, recommender)
