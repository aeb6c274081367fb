# SPDX-License-Identifier: Apache-2.0
"""Charts as Vega-Lite specifications, which notebooks draw without another package."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
MIME = "application/vnd.vegalite.v5+json"


class Chart:
    """A Vega-Lite specification. JupyterLab, notebooks and VS Code show it as a chart."""

    def __init__(self, title: str, rows: Sequence[dict[str, Any]], **view: Any) -> None:
        self.spec: dict[str, Any] = {
            "$schema": SCHEMA,
            "title": title,
            "width": 420,
            "height": 240,
            "data": {"values": list(rows)},
            **view,
        }

    def save(self, path: str | Path) -> None:
        """Write the specification as a JSON file, for the Vega editor or other tools."""
        Path(path).write_text(json.dumps(self.spec, indent=2))

    def __repr__(self) -> str:
        """What it shows."""
        return f"<divns chart: {self.spec['title']}, {len(self.spec['data']['values'])} values>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The chart for notebooks, the text elsewhere."""
        return {MIME: self.spec, "text/plain": repr(self)}


def _axis(field: str, title: str, kind: str = "quantitative", **more: Any) -> dict[str, Any]:
    return {"field": field, "type": kind, "title": title, **more}


def learning_curve(history: Sequence[dict[str, Any]]) -> Chart:
    """The validation metric by epoch, or the loss where nothing was validated."""
    rows = [
        {"epoch": report["epoch"], "value": report["metric"]}
        for report in history
        if report["metric"] is not None
    ]
    name = history[0]["metric_name"] if rows else "loss"
    if not rows:
        rows = [
            {"epoch": report["epoch"], "value": report["loss"] / max(report["batches"], 1)}
            for report in history
        ]
    scale = {"zero": False}
    return Chart(
        f"{name} by epoch",
        rows,
        mark={"type": "line", "point": True, "tooltip": True},
        encoding={"x": _axis("epoch", "epoch"), "y": _axis("value", name, scale=scale)},
    )


def popularity_curve(counts: NDArray[Any]) -> Chart:
    """Training pairs per item by rank, on logarithmic axes, thinned to at most 200 points."""
    ordered = np.sort(counts)[::-1]
    ranks = np.unique(np.geomspace(1, max(len(ordered), 1), 200).astype(int))
    rows = [{"rank": int(rank), "pairs": int(ordered[rank - 1])} for rank in ranks]
    rows = [row for row in rows if row["pairs"] > 0]
    scale = {"type": "log"}
    return Chart(
        "popularity of the items",
        rows,
        mark={"type": "line", "tooltip": True},
        encoding={
            "x": _axis("rank", "rank of the item", scale=scale),
            "y": _axis("pairs", "training pairs", scale=scale),
        },
    )


def comparison(rows: Sequence[dict[str, Any]], metric: str) -> Chart:
    """The mean of a metric per row of a study, with the standard deviation over seeds."""
    values = [
        {
            "label": f"{row['model']} {row['label']}",
            "mean": row["mean"][metric],
            "low": row["mean"][metric] - row["sd"][metric],
            "high": row["mean"][metric] + row["sd"][metric],
        }
        for row in rows
    ]
    y = _axis("label", "", "nominal", sort="-x")
    return Chart(
        f"{metric}, mean and standard deviation over seeds",
        values,
        layer=[
            {
                "mark": {"type": "bar", "tooltip": True},
                "encoding": {"x": _axis("mean", metric), "y": y},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "x": {"field": "low", "type": "quantitative"},
                    "x2": {"field": "high"},
                    "y": y,
                },
            },
        ],
    )
