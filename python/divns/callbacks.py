# SPDX-License-Identifier: Apache-2.0
"""Callbacks for `fit(callbacks=[...])`: called after every epoch with its report, a dict.

A callback that returns False ends the training; the best parameters so far become the model.
Those for TensorBoard, MLflow and W&B need these packages, and only they import them.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ._core import Error
from ._dataset import Path

Report = dict[str, Any]


class EarlyStopping:
    """End the training after `patience` validations without a gain of more than `min_delta`.

    The option `patience_epochs` does the same without a callback, counted in epochs. `metric` is a
    key of the report: the validation metric by default, or for example "loss".
    """

    def __init__(
        self, patience: int = 5, min_delta: float = 0, metric: str = "metric", mode: str = "max"
    ) -> None:
        if patience < 1 or mode not in ("min", "max"):
            raise Error("expected a patience of at least 1 and the mode 'min' or 'max'.")
        self.patience, self.min_delta, self.metric = patience, min_delta, metric
        self.sign = 1 if mode == "max" else -1
        self.best: float | None = None
        self.stopped_epoch: int | None = None
        self._waited = 0

    def __call__(self, report: Report) -> bool:
        """Whether to go on."""
        if self.metric not in report:
            raise Error(f"the report has no {self.metric!r}; it has {', '.join(report)}.")
        value = report[self.metric]
        if value is None:
            return True
        if self.best is None or self.sign * (value - self.best) > self.min_delta:
            self.best, self._waited = value, 0
            return True
        self._waited += 1
        if self._waited >= self.patience:
            self.stopped_epoch = report["epoch"]
            return False
        return True


class Checkpoint:
    """Keep the run in a folder, with a checkpoint at least every `seconds`.

    The same `fit` with the same folder continues a run that was stopped or killed, and gives the
    same model, bit for bit, as if it had never stopped. The tool reads the folder as well.
    """

    def __init__(self, folder: Path, seconds: float = 30, resume: bool = True) -> None:
        self.folder, self.seconds, self.resume = folder, seconds, resume

    def __call__(self, report: Report) -> None:
        """Nothing: the engine writes the checkpoints."""


class Progress:
    """A progress bar of tqdm. Without tqdm it does nothing."""

    def __init__(self, epochs: int | None = None) -> None:
        self.epochs = epochs
        self._bar: Any = None

    def __call__(self, report: Report) -> None:
        """Move the bar by one epoch."""
        if self._bar is None and find_spec("tqdm") is not None:
            bar = import_module("tqdm.auto").tqdm
            self._bar = bar(total=self.epochs, unit="epoch", initial=report["epoch"])
        if self._bar is None:
            return
        shown = {"loss": f"{report['loss'] / max(report['batches'], 1):.4f}"}
        if report["best_metric"]:
            shown[report["metric_name"]] = f"{report['best_metric']:.4f}"
        self._bar.set_postfix(shown, refresh=False)
        self._bar.update()

    def close(self) -> None:
        """End the bar; `fit` calls it."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    @staticmethod
    def is_wanted() -> bool:
        """Whether somebody looks: a terminal or a notebook, and tqdm is present."""
        in_notebook = "ipykernel" in sys.modules
        return (in_notebook or sys.stderr.isatty()) and find_spec("tqdm") is not None


def _values(report: Report) -> dict[str, float]:
    """The numbers of a report, by names with a slash."""
    values = {"loss": report["loss"] / max(report["batches"], 1), "hardness": report["hardness"]}
    if report["metric"] is not None:
        values[f"valid/{report['metric_name']}"] = report["metric"]
    for group in ("seconds", "negatives", "sampler"):
        for name, value in report.get(group, {}).items():
            values[f"{group}/{name}"] = value
    return values


class TensorBoard:
    """Scalars for TensorBoard, with the writer of torch or of tensorboardX."""

    def __init__(self, folder: Path) -> None:
        name = "torch.utils.tensorboard" if _has("torch", "tensorboard") else "tensorboardX"
        self._writer = _required(name, "TensorBoard").SummaryWriter(str(folder))

    def __call__(self, report: Report) -> None:
        """Write the scalars of an epoch."""
        for name, value in _values(report).items():
            self._writer.add_scalar(name, value, report["epoch"])

    def close(self) -> None:
        """Close the file; `fit` calls it."""
        self._writer.close()


class MLflow:
    """Metrics for the active MLflow run; MLflow starts one if there is none."""

    def __init__(self) -> None:
        self._mlflow = _required("mlflow", "MLflow")

    def __call__(self, report: Report) -> None:
        """Log the metrics of an epoch. MLflow allows no '@' in names."""
        values = {name.replace("@", "_at_"): value for name, value in _values(report).items()}
        self._mlflow.log_metrics(values, step=report["epoch"])


class WandB:
    """Metrics for the active Weights & Biases run; starts one with `settings` if there is none."""

    def __init__(self, **settings: Any) -> None:
        self._wandb = _required("wandb", "WandB")
        if self._wandb.run is None:
            self._wandb.init(**settings)

    def __call__(self, report: Report) -> None:
        """Log the metrics of an epoch."""
        self._wandb.log(_values(report), step=report["epoch"])


def _has(*packages: str) -> bool:
    return all(find_spec(package) is not None for package in packages)


def _required(module: str, callback: str) -> Any:
    try:
        return import_module(module)
    except ImportError as problem:
        package = module.partition(".")[0]
        raise Error(
            f"callbacks.{callback} needs the package {package}, which is not installed "
            f"(pip install {package})."
        ) from problem


__all__ = ["Checkpoint", "EarlyStopping", "MLflow", "Progress", "TensorBoard", "WandB"]
