# SPDX-License-Identifier: Apache-2.0
"""Recommenders with the verbs of the package implicit and the parameters of scikit-learn."""

from __future__ import annotations

from ._core import Error
from ._dataset import Dataset, Path
from ._ease import EASE
from ._recommender import Recommender


class MF(Recommender):
    """Matrix factorisation, trained with sampled negatives.

    >>> data = Dataset.synthetic(users=100, items=80, pairs=1500)
    >>> model = MF(sampler="divns", divns__lambda=0.5, epochs=3, seed=1).fit(data)
    >>> items, scores = model.recommend(0, N=5)
    >>> items.shape, model.item_factors.shape
    ((5,), (80, 64))
    """

    _model_name = "mf"


class LightGCN(Recommender):
    """Light graph convolution, trained with sampled negatives."""

    _model_name = "lightgcn"


class IALS(Recommender):
    """Implicit alternating least squares over all pairs, without sampled negatives."""

    _model_name = "ials"


def load(path: Path, data: Dataset | None = None) -> Recommender:
    """Read a model file or a run folder as MF, LightGCN, IALS or EASE, whichever it holds."""
    return Recommender.load(path, data)


def model_class(name: str) -> type[Recommender]:
    """The class of a model by its name in the engine."""
    classes: dict[str, type[Recommender]] = {
        "mf": MF,
        "lightgcn": LightGCN,
        "ials": IALS,
        "ease": EASE,
    }
    if name not in classes:
        raise Error(f"there is no recommender '{name}' here; choose {', '.join(classes)}.")
    return classes[name]
