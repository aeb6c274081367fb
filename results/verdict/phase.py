# SPDX-License-Identifier: Apache-2.0
"""When does diversity pay? RNS, DNS and DivNS on synthetic data whose truth is known.

Four properties of the data vary in two planes around one centre; each dataset gets one study of `divns compare`.
Usage: phase.py FOLDER [--divns PROGRAM] [--seeds N]. Writes FOLDER/phase.csv (one line per dataset, sampler and seed), phase.md and
phase.svg. A study that is already there is not repeated.
"""
import argparse
import csv
import json
import subprocess
from pathlib import Path

SIZE = ["--users", "1000", "--items", "800", "--pairs", "24000"]
CENTRE = {"tastes": 4, "popularity_exponent": 1.2, "cluster_exponent": 0.7, "background": 0.05}
PLANES = [
    ("tastes", [1, 4, 12], "popularity_exponent", [0.4, 1.2, 2.4]),
    ("cluster_exponent", [0, 0.7, 1.6], "background", [0.01, 0.1, 0.4]),
]
SAMPLERS = {
    "rns": {"sampler": "rns"},
    "dns, n 3": {"sampler": "dns", "dns.candidates": 3},
    "dns, n 5": {"sampler": "dns", "dns.candidates": 5},
    "dns, n 10": {"sampler": "dns"},
    "divns": {"sampler": "divns"},
    "divns, uniform partner": {"sampler": "divns", "divns.diverse": "uniform"},
}
COLUMNS = ["label", "seed", "run", "epochs", "valid_recall@20", "recall@20", "ndcg@20", "negatives_diversity", "negatives_false_negatives"]
TRAINING = ["--l2", "0.03", "--learning-rate", "5e-3", "--epochs", "60", "--patience-epochs", "15", "--metrics", "recall@20,ndcg@20"]


def settings():
    """The points of both planes, each once."""
    points = []
    for x, xs, y, ys in PLANES:
        for a in xs:
            for b in ys:
                point = {**CENTRE, x: a, y: b}
                if point not in points:
                    points.append(point)
    return points


def study(divns, folder, point, seeds):
    name = "-".join(f"{key}={value}" for key, value in point.items())
    data, out = folder / f"{name}.divns", folder / name
    if not data.exists():
        flags = [f for key, value in point.items() for f in ("--" + key.replace("_", "-"), str(value))]
        subprocess.run([divns, "data", "synth", *SIZE, *flags, "-o", data, "--quiet", "--threads", "1"], check=True)
    rows = folder / "rows.toml"
    rows.write_text("".join(
        f'[mf."{label}"]\n' + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
        for label, settings in SAMPLERS.items()))
    subprocess.run([divns, "compare", "--data", data, "--samplers", rows, "--reference", "divns", "--seeds", str(seeds), *TRAINING,
                    "--out", out, "--runs", folder / "runs", "--quiet", "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
    with open(out / "runs.csv", newline="") as file:
        return list(csv.DictReader(file))


DNS = ["dns, n 3", "dns, n 5", "dns, n 10"]
QUESTIONS = [
    ("DivNS against DNS, n = 10", lambda m: m["divns"] / m["dns, n 10"]),
    ("DivNS against DNS, n of 3, 5, 10 by validation", lambda m: m["divns"] / m["dns, best"]),
    ("DivNS against uniform partners", lambda m: m["divns"] / m["divns, uniform partner"]),
]


def means(lines):
    """Test Recall@20 by point and label, with DNS also at the n that is best in validation, and the false negatives of DNS."""
    points = {}
    for line in lines:
        point = tuple(float(line[key]) for key in CENTRE)
        points.setdefault(point, {}).setdefault(line["label"], []).append(line)
    result = {}
    for point, labels in points.items():
        mean = {name: {key: sum(float(line[key]) for line in runs) / len(runs)
                       for key in ("recall@20", "valid_recall@20", "negatives_false_negatives")} for name, runs in labels.items()}
        result[point] = {name: value["recall@20"] for name, value in mean.items()}
        result[point]["dns, best"] = mean[max(DNS, key=lambda name: mean[name]["valid_recall@20"])]["recall@20"]
        result[point]["false negatives"] = mean["dns, n 10"]["negatives_false_negatives"]
    return result


def colour(percent):
    strength = min(abs(percent) / 8, 1)
    end = (217, 114, 43) if percent < 0 else (47, 126, 188)
    return "#%02x%02x%02x" % tuple(round(255 + (channel - 255) * strength) for channel in end)


def svg(found):
    side, left, top, gap = 64, 120, 60, 40
    width, height = left + 3 * (3 * side + gap) + 20, top + 2 * (3 * side + 80)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           '<text x="8" y="20" font-size="14" font-weight="bold">Recall@20 of DivNS against three rivals, in percent</text>']
    words = lambda x, y, text, more="": out.append(f'<text x="{x}" y="{y}" {more}>{text}</text>')
    for p, (x, xs, y, ys) in enumerate(PLANES):
        for q, (title, ratio) in enumerate(QUESTIONS):
            x0, y0 = left + q * (3 * side + gap), top + p * (3 * side + 80)
            if p == 0:
                first, _, rest = title.partition(", n of")
                words(x0, y0 - 20, first, 'font-weight="bold"')
                if rest:
                    words(x0, y0 - 7, "n of" + rest)
            for i, a in enumerate(xs):
                words(x0 + i * side + side / 2, y0 + 3 * side + 15, a, 'text-anchor="middle"')
                for j, b in enumerate(ys):
                    point = tuple(float({**CENTRE, x: a, y: b}[key]) for key in CENTRE)
                    percent = 100 * (ratio(found[point]) - 1)
                    top_edge = y0 + (2 - j) * side
                    out.append(f'<rect x="{x0 + i * side}" y="{top_edge}" width="{side - 2}" height="{side - 2}" fill="{colour(percent)}"/>')
                    words(x0 + i * side + side / 2 - 1, top_edge + side / 2 + 4, f"{percent:+.1f}", 'text-anchor="middle"')
                    if q == 0 and i == 0:
                        words(x0 - 8, top_edge + side / 2 + 4, b, 'text-anchor="end"')
            words(x0 + 1.5 * side, y0 + 3 * side + 32, x.replace("_", " "), 'text-anchor="middle" fill="#444444"')
        words(8, top + p * (3 * side + 80) + 1.5 * side, y.split("_")[0], 'fill="#444444"')
        words(8, top + p * (3 * side + 80) + 1.5 * side + 14, " ".join(y.split("_")[1:]), 'fill="#444444"')
    return "\n".join(out + ["</svg>", ""])


def table(found):
    names = list(CENTRE) + list(SAMPLERS) + ["DNS, n by validation", "false negatives of DNS, n 10"]
    lines = ["| " + " | ".join(name.replace("_", " ") for name in names) + " |", "|" + "---:|" * len(names)]
    for point, m in found.items():
        figures = [f"{m[name]:.4f}" for name in SAMPLERS] + [f"{m['dns, best']:.4f}", f"{m['false negatives']:.2f}"]
        lines.append("| " + " | ".join([f"{value:g}" for value in point] + figures) + " |")
    return "\n".join(lines + [""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--divns", default="divns")
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for point in settings():
        runs = study(args.divns, args.folder, point, args.seeds)
        print(json.dumps(point), flush=True)
        lines += [{**point, **{column: run[column] for column in COLUMNS}} for run in runs]
    with open(args.folder / "phase.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    found = means(lines)
    (args.folder / "phase.svg").write_text(svg(found))
    (args.folder / "phase.md").write_text(table(found))


if __name__ == "__main__":
    main()
