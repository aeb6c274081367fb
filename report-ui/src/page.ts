// SPDX-License-Identifier: Apache-2.0
// The whole page. A new document of the same shape updates it in place, so that a live page keeps its scroll position, order of rows and choices.
import { Chart } from "./chart.ts";
import type { Block, DatasetReport, ReportDocument, Section, TableBlock } from "./document.ts";
import { announce, button, element, rememberFocus } from "./dom.ts";
import { DrawQueue } from "./draw_queue.ts";
import type { LiveState } from "./load.ts";
import { cellText, tableElement, type TableState } from "./table.ts";
import { toggleTheme } from "./theme.ts";

const kStates: Record<LiveState, string> = {
  connecting: "connecting",
  live: "live",
  lost: "connection lost, trying again",
  ended: "training has ended",
  missed: "training has ended; its last numbers are in its report",
};

export class Page {
  private readonly root: HTMLElement;
  private readonly state = element("span", { class: "state", hidden: true });
  private readonly charts = new Map<string, Chart>();
  private readonly tables = new Map<string, TableState>();
  private readonly queue = new DrawQueue();
  private shape = "";
  private picked = "";  // name of the dataset that is shown, in reports on several

  constructor(root: HTMLElement) {
    this.root = root;
  }

  showState(now: LiveState): void {
    this.state.hidden = false;
    this.state.dataset.state = now;
    this.state.textContent = kStates[now];
    if (!this.root.contains(this.state)) this.root.replaceChildren(this.state);
  }

  // Resolves when the charts in view are drawn.
  async show(report: ReportDocument): Promise<void> {
    const dataset = report.datasets?.find((each) => each.name === this.picked) ?? report.datasets?.[0];
    this.picked = dataset?.name ?? "";
    const shape = JSON.stringify([this.picked, report.datasets?.map((each) => each.name),
      ...[...report.sections, ...(dataset?.sections ?? [])].map((s) => [s.id, s.blocks.map((b) => [b.kind, b.title])])]);
    const fresh = shape !== this.shape;
    if (fresh) {
      this.charts.clear();
      this.tables.clear();
      this.queue.clear();
    }
    this.shape = shape;
    document.title = report.title;
    const open = fresh ? null : this.root.querySelector("main");
    const restoreFocus = open ? rememberFocus(open) : () => {};
    const main = element("main", { id: "content" },
      this.verdict(report.verdict, report.notes, "Verdict"),
      ...report.sections.map((section) => this.section(section)),
      ...(dataset ? [this.picker(report, dataset), ...dataset.sections.map((section) => this.section(section))] : []));
    if (open) open.replaceWith(main);
    else this.root.replaceChildren(element("a", { class: "skip", href: "#content" }, "Skip to the content"),
      this.header(report, dataset), main, this.footer(), element("div", { id: "status", role: "status" }));
    restoreFocus(main);
    await this.queue.drawVisible();
  }

  // Every chart again, for another theme.
  async redraw(): Promise<void> {
    for (const chart of this.charts.values()) chart.invalidate();
    this.queue.add(this.charts.values());
    await this.queue.drawVisible();
  }

  private verdict(sentence: string, notes: string[], label: string): HTMLElement {
    return element("section", { class: "verdict", "aria-label": label },
      element("p", {}, sentence),
      ...notes.map((note) => element("p", { class: "note" }, note)));
  }

  private header(report: ReportDocument, dataset: DatasetReport | undefined): HTMLElement {
    return element("header", {},
      element("div", { class: "bar" },
        element("h1", {}, report.title),
        this.state,
        button("Light / dark", "Switch between light and dark", toggleTheme)),
      report.subtitle ? element("p", { class: "faint" }, report.subtitle) : null,
      element("nav", { "aria-label": "Sections" },
        ...[...report.sections, ...(dataset?.sections ?? [])].map((section) =>
          element("a", { href: `#${section.id}` }, section.title))));
  }

  private footer(): HTMLElement {
    return element("footer", {}, this.state.hidden ? "Written by divns. This file needs no network."
      : "Shown by divns while it works. The map of the items is in the report that divns writes.");
  }

  // The choice of a dataset, and its verdict.
  private picker(report: ReportDocument, dataset: DatasetReport): HTMLElement {
    const names = report.datasets?.map((each) => each.name) ?? [];
    const select = element("select", {}, ...names.map((name) => element("option", { selected: name === dataset.name }, name)));
    select.addEventListener("change", () => {
      this.picked = names[select.selectedIndex] ?? "";
      void this.show(report).then(() => this.root.querySelector<HTMLElement>(".picker select")?.focus());
    });
    return element("section", { class: "picker", "aria-label": "Dataset" },
      element("h2", {}, element("label", {}, "Dataset ", select)),
      this.verdict(dataset.verdict, dataset.notes, "Verdict of the dataset"));
  }

  private section(section: Section): HTMLElement {
    return element("section", { id: section.id, "aria-labelledby": `${section.id}-title` },
      element("h2", { id: `${section.id}-title` }, section.title),
      section.text ? element("p", {}, section.text) : null,
      element("div", { class: "blocks" },
        ...section.blocks.map((block, b) => this.block(block, `${section.id} ${b}`, section.title))));
  }

  private block(block: Block, id: string, title: string): HTMLElement {
    if (block.kind === "chart") {
      const known = this.charts.get(id);
      const chart = known ?? new Chart(block);
      if (!known || known.update(block)) this.queue.add([chart]);
      this.charts.set(id, chart);
      return chart.node;
    }
    const card = element("div", { class: `card ${block.kind}` },
      block.title ? element("h3", {}, block.title) : null,
      block.text ? element("p", { class: "faint" }, block.text) : null);
    if (block.kind === "table") card.append(this.table(block, id, block.title ?? title));
    if (block.kind === "facts")
      card.append(element("dl", {}, ...block.rows.map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, element("bdi", {}, value))))));
    if (block.kind === "code")
      card.append(element("pre", { tabindex: 0 }, element("code", {}, block.code)), button("Copy", "Copy this text", () => {
        navigator.clipboard.writeText(block.code).then(() => announce("Copied."), () => announce("The browser did not allow it."));
      }));
    return card;
  }

  private table(block: TableBlock, id: string, label: string): HTMLElement {
    const state = this.tables.get(id) ?? {};
    this.tables.set(id, state);
    const column = block.table.columns.findIndex((c) => c.name === block.pick);
    if (column < 0) return tableElement(block.table, label, state);
    const values = [...new Set(block.table.rows.map((row) => cellText(row[column] ?? null)))];
    state.picked ??= values[0] ?? "";
    const holder = element("div");
    const draw = () => holder.replaceChildren(tableElement({
      ...block.table,
      columns: block.table.columns.filter((_, c) => c !== column),
      rows: block.table.rows.filter((row) => cellText(row[column] ?? null) === state.picked)
        .map((row) => row.filter((_, c) => c !== column)),
    }, label, state));
    const select = element("select", {}, ...values.map((value) => element("option", { selected: value === state.picked }, value)));
    select.addEventListener("change", () => {
      state.picked = values[select.selectedIndex] ?? "";
      draw();
    });
    draw();
    return element("div", {}, element("div", { class: "controls" }, element("label", {}, `${block.pick} `, select)), holder);
  }
}
