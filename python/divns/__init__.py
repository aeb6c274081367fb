# SPDX-License-Identifier: Apache-2.0
"""Implicit-feedback recommenders with diverse negative sampling.

>>> import divns
>>> data = divns.Dataset.synthetic("demo")
>>> model = divns.MF(sampler="divns", epochs=5, seed=1).fit(data)
>>> metrics = model.evaluate(data)
>>> items, scores = model.recommend([0, 1, 2], N=10)
>>> items.shape
(3, 10)
"""

from . import callbacks, datasets, dpp, metrics, significance, testing
from ._arrays import Interactions
from ._core import (
    Error,
    MachineError,
    __version__,
    losses,
    models,
    options,
    presets,
    samplers,
)
from ._custom import (
    BatchVectors,
    CustomLoss,
    CustomSampler,
    LossScores,
    Option,
    PairBatch,
)
from ._dataset import Dataset
from ._ease import EASE
from ._evaluate import evaluate, evaluate_lists, evaluate_lists_users, evaluate_users
from ._models import IALS, MF, LightGCN, load
from ._recommender import Recommender
from ._register import register_loss, register_metric, register_sampler
from ._sampler import Batch, Sampler
from ._study import Study, ablate, compare, tune
from ._train import Run, train

Error.__module__ = MachineError.__module__ = "divns"

__all__ = [
    "Batch",
    "BatchVectors",
    "CustomLoss",
    "CustomSampler",
    "Dataset",
    "EASE",
    "Error",
    "IALS",
    "Interactions",
    "LightGCN",
    "LossScores",
    "MF",
    "MachineError",
    "Option",
    "PairBatch",
    "Recommender",
    "Run",
    "Sampler",
    "Study",
    "__version__",
    "ablate",
    "callbacks",
    "compare",
    "datasets",
    "dpp",
    "evaluate",
    "evaluate_lists",
    "evaluate_lists_users",
    "evaluate_users",
    "load",
    "losses",
    "metrics",
    "models",
    "options",
    "presets",
    "register_loss",
    "register_metric",
    "register_sampler",
    "samplers",
    "significance",
    "testing",
    "train",
    "tune",
]
