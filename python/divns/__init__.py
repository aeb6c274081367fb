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

from . import dpp, significance
from ._arrays import Interactions
from ._core import (
    Error,
    MachineError,
    __version__,
    losses,
    metrics,
    models,
    options,
    presets,
    samplers,
)
from ._dataset import Dataset
from ._evaluate import evaluate, evaluate_users
from ._models import IALS, MF, LightGCN, Recommender, load
from ._sampler import Batch, Sampler
from ._study import Study, ablate, compare, tune
from ._train import Run, train

Error.__module__ = MachineError.__module__ = "divns"

__all__ = [
    "Batch",
    "Dataset",
    "Error",
    "IALS",
    "Interactions",
    "LightGCN",
    "MF",
    "MachineError",
    "Recommender",
    "Run",
    "Sampler",
    "Study",
    "__version__",
    "ablate",
    "compare",
    "dpp",
    "evaluate",
    "evaluate_users",
    "load",
    "losses",
    "metrics",
    "models",
    "options",
    "presets",
    "samplers",
    "significance",
    "train",
    "tune",
]
