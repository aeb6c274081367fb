# SPDX-License-Identifier: Apache-2.0
"""Three samplers, three seeds, paired significance tests, and a plot.

The plot is a PNG where matplotlib is installed, else a Vega-Lite file for the online editor.
"""

import importlib.util

import divns

data = divns.Dataset.synthetic("demo")
study = divns.compare(data, ["rns", "dns", "divns"], seeds=3, epochs=10, learning_rate=0.01)
print(study.table)
print(study.tests_table)

if importlib.util.find_spec("matplotlib"):
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    labels = [row["label"] for row in study.rows]
    means = [row["mean"]["recall@20"] for row in study.rows]
    deviations = [row["sd"]["recall@20"] for row in study.rows]
    pyplot.errorbar(labels, means, deviations, fmt="o", capsize=4)
    pyplot.ylabel("recall@20, mean and standard deviation over seeds")
    pyplot.savefig("samplers.png")
    print("samplers.png")
else:
    study.chart("recall@20").save("samplers.vl.json")
    print("samplers.vl.json")
