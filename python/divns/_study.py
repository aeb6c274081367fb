# SPDX-License-Identifier: Apache-2.0
"""Studies: many runs on one dataset, and what follows from them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib import import_module
from os import fspath
from typing import TYPE_CHECKING, Any

from . import _core
from ._charts import Chart, comparison
from ._dataset import Dataset, Path
from ._settings import settings
from .callbacks import Progress as ProgressBar

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import AblateOptions, CompareOptions, TuneOptions

# Called often, with the number of runs done, of all runs, and the run that reported last.
Progress = Callable[[int, int, str], object]
SHOWN = ("recall@10", "ndcg@10", "recall@20", "ndcg@20")


class Study:
    """The result of a study."""

    def __init__(self, result: dict[str, Any], folder: str | None) -> None:
        self.data: dict[str, Any] = json.loads(result["json"])
        self.table: str = result["table"]
        self.tests_table: str = result.get("tests_table", "")
        self.notes: list[str] = result["notes"]
        self.folder = folder
        # A TOML file that `compare` takes as `samplers`, of a tuning.
        self.winners: str | None = result.get("winners")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict per row of the table."""
        found: list[dict[str, Any]] = self.data["rows"]
        return found

    @property
    def tests(self) -> list[dict[str, Any]]:
        """The significance tests of the reference against every other row."""
        found: list[dict[str, Any]] = self.data.get("tests", [])
        return found

    def to_pandas(self) -> Any:
        """The rows as a data frame. Needs pandas."""
        return import_module("pandas").json_normalize(self.rows)

    def chart(self, metric: str = "recall@20") -> Chart:
        """A bar per row: the mean of a metric, and its standard deviation over seeds."""
        if any(metric not in row["mean"] for row in self.rows):
            known = ", ".join(self.rows[0]["mean"])
            raise _core.Error(f"the study has no {metric!r}; it has {known}.")
        return comparison(self.rows, metric)

    def __repr__(self) -> str:
        """The table."""
        return self.table

    def _repr_html_(self) -> str:
        """The table for notebooks: means and standard deviations over seeds."""
        shown = [name for name in SHOWN if all(name in row.get("mean", {}) for row in self.rows)]
        if not shown or not self.rows:
            return f"<pre>{escape(self.table)}</pre>"
        head = "".join(f"<th>{name}</th>" for name in ("", *shown))
        body = ""
        for row in self.rows:
            values = (f"{row['mean'][name]:.4f} ± {row['sd'][name]:.4f}" for name in shown)
            cells = "".join(f"<td>{value}</td>" for value in values)
            body += f"<tr><th>{escape(row['model'])} {escape(row['label'])}</th>{cells}</tr>"
        return f"<table><tr>{head}</tr>{body}</table>"


def _run(
    run: Callable[..., dict[str, Any]],
    data: Dataset,
    given: list[tuple[str, str]],
    threads: int,
    on_progress: Progress | None,
    progress: bool | None,
) -> dict[str, Any]:
    """Run a study, with a bar of tqdm where somebody looks."""
    if not (ProgressBar.is_wanted() if progress is None else progress):
        return run(data._core, given, threads, on_progress)
    bar = import_module("tqdm.auto").tqdm(unit="run")

    def show(done: int, total: int, current: str) -> None:
        bar.total, bar.n = total, done
        bar.set_postfix_str(current)
        if on_progress is not None:
            on_progress(done, total, current)

    try:
        return run(data._core, given, threads, show)
    finally:
        bar.close()


def _study(
    run: Callable[[_core.Dataset, _core.NamedValues, int, Progress | None], dict[str, Any]],
    data: Dataset,
    out: Path | None,
    threads: int,
    on_progress: Progress | None,
    progress: bool | None,
    options: Mapping[str, object],
) -> Study:
    if not isinstance(data, Dataset):
        raise TypeError(f"data is a {type(data).__name__}; expected a divns.Dataset.")
    if out is not None:
        given = settings({**options, "out": out})
        return Study(_run(run, data, given, threads, on_progress, progress), fspath(out))
    with tempfile.TemporaryDirectory(prefix="divns-study-") as folder:
        given = settings({**options, "out": f"{folder}/study"})
        result = _run(run, data, given, threads, on_progress, progress)
    result.pop("winners", None)
    return Study(result, None)


def compare(
    data: Dataset,
    samplers: str | Sequence[str] = "all",
    *,
    out: Path | None = None,
    threads: int = 0,
    on_progress: Progress | None = None,
    progress: bool | None = None,
    **options: Unpack[CompareOptions],
) -> Study:
    """Samplers x seeds on one dataset, with paired significance tests.

    With `out`, the folder of the study is kept, and the same call continues a study that was
    stopped. Training options apply to all runs. A sampler can have settings of its own:
    `"divns:divns.lambda=0.5"`.
    """
    return _study(
        _core.compare, data, out, threads, on_progress, progress, {**options, "samplers": samplers}
    )


def tune(
    data: Dataset,
    samplers: str | Sequence[str] = "all",
    *,
    out: Path | None = None,
    threads: int = 0,
    on_progress: Progress | None = None,
    progress: bool | None = None,
    **options: Unpack[TuneOptions],
) -> Study:
    """Successive halving on the validation part, with the same budget for each sampler."""
    return _study(
        _core.tune, data, out, threads, on_progress, progress, {**options, "samplers": samplers}
    )


def ablate(
    data: Dataset,
    *,
    out: Path | None = None,
    threads: int = 0,
    on_progress: Progress | None = None,
    progress: bool | None = None,
    **options: Unpack[AblateOptions],
) -> Study:
    """Vary one option at a time around a base configuration."""
    return _study(_core.ablate, data, out, threads, on_progress, progress, options)
