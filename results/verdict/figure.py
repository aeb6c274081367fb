# SPDX-License-Identifier: Apache-2.0
"""Draws the figure of results/verdict: the gain over plain DNS of every sampler, by penalty and loss.

Usage: figure.py OUT.svg TITLE[@PAPER]=STUDY,STUDY... where STUDY is a folder of `divns compare` with the labels of factorial.toml or
factors.toml, and PAPER is the gain of DivNS over DNS in Recall@20 that the paper reports, in percent. A cell is taken from the first
study that has it; its gain is over plain DNS of the same study and seeds. Prints the same figures as a Markdown table.
"""
import json
import sys
from pathlib import Path
from xml.sax.saxutils import escape

METRICS = ("recall@20", "ndcg@20")
COLOURS = {"plain": "#8a8f98", "strong L2": "#2f7ebc", "broadcast L2": "#d9722b"}
ROW, LEFT, PANEL, GAP, TOP, COLUMNS = 22, 190, 320, 40, 74, 2


BASE = ("DNS", "plain", "plain loss")
SAMPLERS = {"rns": "RNS", "dns": "DNS", "divns": "DivNS", "divns uniform partner": "DivNS, uniform partner"}


def parts_of(label):
    """(sampler, penalty, loss) of a label."""
    if "|" in label:
        return tuple(part.strip() for part in label.split("|"))
    sampler, _, strong = label.partition(", strong L2")
    return (SAMPLERS[sampler], "strong L2" if strong else "plain", "plain loss")


def cells(folder):
    """Mean, standard deviation and gain in percent of each cell of a study, by metric, and the number of seeds."""
    study = json.loads((Path(folder) / "study.json").read_text())
    rows = {parts_of(row["label"]): row for row in study["rows"] if "released" not in row["label"]}
    base = rows[BASE]["mean"]
    return {cell: {"seeds": len(study["seeds"]),
                   **{m: (row["mean"][m], row["sd"][m], 100 * (row["mean"][m] / base[m] - 1), 100 * row["sd"][m] / base[m])
                      for m in METRICS}}
            for cell, row in rows.items()}


def names(studies):
    order = []
    for study in studies.values():
        for sampler, _, loss in study:
            if (sampler, loss) not in order:
                order.append((sampler, loss))
    return order


def label(sampler, loss):
    return sampler if loss == "plain loss" else f"{sampler}, {loss}"


def svg(studies, paper):
    rows = names(studies)
    columns = min(COLUMNS, len(studies))
    panel_height = ROW * len(rows) + 62
    width = LEFT + columns * (PANEL + GAP)
    height = TOP + -(-len(studies) // columns) * panel_height
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    text = lambda x, y, words, extra="": out.append(f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{escape(words)}</text>')
    x = LEFT
    text(8, 20, "Recall@20 against plain DNS, in percent", 'font-size="14" font-weight="bold"')
    for name, colour in COLOURS.items():
        out.append(f'<circle cx="{x + 6}" cy="36" r="5" fill="{colour}"/>')
        text(x + 16, 40, {"plain": "plain L2", "strong L2": "strong L2 on negatives", "broadcast L2": "broadcast L2"}[name])
        x += 175
    for p, (title, study) in enumerate(studies.items()):
        ends = [(at - spread, at + spread) for _, _, at, spread in (figures["recall@20"] for figures in study.values())]
        values = [0, paper.get(title, 0), *(end for pair in ends for end in pair)]
        margin = (max(values) - min(values)) / 20
        low, high = min(values) - margin, max(values) + margin
        left, top = LEFT + p % columns * (PANEL + GAP), TOP + p // columns * panel_height
        place = lambda value: left + PANEL * (value - low) / (high - low)
        text(left, top - 12, title, 'font-weight="bold"')
        bottom = top + ROW * len(rows)
        step = next(step for step in (1, 2, 5, 10, 20, 50) if high - low <= 8 * step)
        for tick in range(int(low // step) * step, int(high) + step, step):
            if low <= tick <= high:
                stroke = "#444444" if tick == 0 else "#dddddd"
                out.append(f'<line x1="{place(tick):.1f}" x2="{place(tick):.1f}" y1="{top - 4}" y2="{bottom}" stroke="{stroke}"/>')
                text(place(tick), bottom + 14, f"{tick:+d}" if tick else "0", 'text-anchor="middle" fill="#444444"')
        if title in paper:
            at = place(paper[title])
            out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top - 4}" y2="{bottom}" stroke="#444444" stroke-dasharray="3 3"/>')
        for r, (sampler, loss) in enumerate(rows):
            y = top + ROW * r + ROW / 2
            if p % columns == 0:
                text(LEFT - 10, y + 4, label(sampler, loss), 'text-anchor="end"')
            for penalty, colour in COLOURS.items():
                cell = (sampler, penalty, loss)
                if cell in study:
                    _, _, at, spread = study[cell]["recall@20"]
                    out.append(f'<line x1="{place(at - spread):.1f}" x2="{place(at + spread):.1f}" y1="{y}" y2="{y}" stroke="{colour}" '
                               'stroke-width="2"/>')
                    out.append(f'<circle cx="{place(at):.1f}" cy="{y}" r="5" fill="{colour}"/>')
    text(LEFT, height - 8, "Points: means over seeds. Bars: one standard deviation over seeds. Dashed line: the gain of DivNS in the paper.", 'fill="#444444"')
    return "\n".join(out + ["</svg>", ""])


def table(studies):
    lines = ["| sampler | L2 | loss | " + " | ".join(f"{title}: {m}" for title in studies for m in ("Recall@20", "NDCG@20", "gain", "seeds")) + " |"]
    lines.append("|---|---|---|" + "---:|" * (4 * len(studies)))
    for sampler, loss in names(studies):
        for penalty in COLOURS:
            cell = (sampler, penalty, loss)
            if not any(cell in study for study in studies.values()):
                continue
            figures = []
            for study in studies.values():
                if cell not in study:
                    figures += ["", "", "", ""]
                    continue
                found = study[cell]
                figures += [f"{found[m][0]:.4f}".lstrip("0") for m in METRICS]
                figures += [" / ".join(f"{found[m][2]:+.1f} %" for m in METRICS), str(found["seeds"])]
            lines.append(f"| {sampler} | {penalty} | {loss.removesuffix(' loss')} | " + " | ".join(figures) + " |")
    return "\n".join(lines)


def main():
    studies, paper = {}, {}
    for argument in sys.argv[2:]:
        title, _, folders = argument.partition("=")
        title, _, printed = title.partition("@")
        if printed:
            paper[title] = float(printed)
        studies[title] = {}
        for folder in folders.split(","):
            studies[title] = {**cells(folder), **studies[title]}
    Path(sys.argv[1]).write_text(svg(studies, paper))
    print(table(studies))


if __name__ == "__main__":
    main()
