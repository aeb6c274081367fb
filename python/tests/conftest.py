# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

import divns


@pytest.fixture(scope="session")
def data() -> divns.Dataset:
    return divns.Dataset.synthetic(users=200, items=150, pairs=4000, seed=3)


@pytest.fixture(scope="session")
def model(data: divns.Dataset) -> divns.MF:
    return divns.MF(sampler="dns", epochs=5, embedding_dim=20, seed=1).fit(data)
