# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats

import divns
from divns import dpp, significance


def log_det(vectors: np.ndarray, rows: np.ndarray, jitter: float = 1e-6) -> float:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    kernel = unit[rows] @ unit[rows].T + jitter * np.eye(len(rows))
    return float(np.linalg.slogdet(kernel)[1])


def test_greedy_takes_the_largest_gain_at_every_step() -> None:
    vectors = np.random.default_rng(1).normal(size=(30, 8))
    chosen = dpp.greedy(vectors, 6)
    for size in range(1, 7):
        rest = [r for r in range(30) if r not in chosen.items[: size - 1]]
        gains = [log_det(vectors, np.array([*chosen.items[: size - 1], r])) for r in rest]
        assert log_det(vectors, chosen.items[:size]) == pytest.approx(max(gains), abs=1e-4)
    assert chosen.log_det == pytest.approx(log_det(vectors, chosen.items), abs=1e-4)
    assert chosen.gains.shape == (6,)


def test_sample_follows_the_determinants() -> None:
    vectors = np.random.default_rng(2).normal(size=(5, 3))
    draws = 3000
    sets = list(itertools.combinations(range(5), 2))
    weights = np.array([np.exp(log_det(vectors, np.array(s))) for s in sets])
    counts = dict.fromkeys(sets, 0)
    for seed in range(draws):
        counts[tuple(sorted(dpp.sample(vectors, 2, seed=seed).items))] += 1
    expected = weights / weights.sum() * draws
    # 9 degrees of freedom; a wrong distribution is far beyond this bound.
    assert scipy.stats.chisquare(list(counts.values()), expected).pvalue > 1e-4


def test_penalty_is_one_minus_the_mean_cosine() -> None:
    rng = np.random.default_rng(3)
    rows, others = rng.normal(size=(4, 6)), rng.normal(size=(3, 6))
    unit = [m / np.linalg.norm(m, axis=1, keepdims=True) for m in (rows, others)]
    expected = 1 - (unit[0] @ unit[1].T).mean(axis=1)
    np.testing.assert_allclose(dpp.penalty(rows, others), expected, atol=1e-6)


def test_wrong_input() -> None:
    good = np.eye(3)
    for vectors in (
        np.zeros(3),
        np.full((2, 2), np.nan),
        np.array([["a"]]),
        np.zeros((2, 2, 2)),
        None,
    ):
        with pytest.raises(divns.Error):
            dpp.greedy(vectors, 1)
    for k in (0, -1, 1.5, "2"):
        with pytest.raises(divns.Error):
            dpp.greedy(good, k)  # type: ignore[arg-type]
    for quality in ([1.0], [1.0, -1.0, 1.0], [np.nan, 1, 1], "abc"):
        with pytest.raises(divns.Error):
            dpp.greedy(good, 2, quality=quality)
    for seed in (-1, 1.5, 2**64):
        with pytest.raises(divns.Error):
            dpp.sample(good, 1, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(divns.Error):
        dpp.greedy(good, 1, jitter=-1)
    with pytest.raises(divns.Error):
        dpp.penalty(good, np.eye(2))
    assert len(dpp.greedy(good, 10).items) == 3


def test_significance_agrees_with_scipy() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.2, 1, 40), rng.normal(0, 1, 40)
    assert significance.paired_t_test(a, b)["p"] == pytest.approx(
        scipy.stats.ttest_rel(a, b).pvalue
    )
    assert significance.wilcoxon(a, b)["p"] == pytest.approx(scipy.stats.wilcoxon(a, b).pvalue)
    assert significance.holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    for wrong in ((a, b[:-1]), ([np.nan], [0.0]), ("x", "y")):
        with pytest.raises(divns.Error):
            significance.wilcoxon(*wrong)
    with pytest.raises(divns.Error):
        significance.holm([2.0])
