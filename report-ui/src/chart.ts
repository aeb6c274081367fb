// SPDX-License-Identifier: Apache-2.0
// One chart: its picture, controls, buttons, and the data behind it.
import embed, { type Result, type VisualizationSpec } from "vega-embed";
import { expressionInterpreter } from "vega-interpreter";
import type { ChartBlock, Columns, Control, Value } from "./document.ts";
import { announce, button, download, downloadText, element, fileName } from "./dom.ts";
import { csv, tableElement, tableOfColumns } from "./table.ts";
import { chartConfig, theme } from "./theme.ts";

const kDataRows = 1000;  // of the table behind a chart
const kSource = "divns";

export function rowsOf(data: Columns): Record<string, Value>[] {
  const names = Object.keys(data);
  const count = names.length === 0 ? 0 : (data[names[0] as string]?.length ?? 0);
  return Array.from({ length: count }, (_, r) =>
    Object.fromEntries(names.map((name) => [name, data[name]?.[r] ?? null])));
}

export class Chart {
  readonly node: HTMLElement;
  private readonly picture = element("div", { class: "picture", role: "figure" });
  private readonly details = element("details", { class: "data" }, element("summary", {}, "Data"));
  private readonly chosen = new Map<string, Value>();
  private result: Result | null = null;
  private isCurrent = false;  // the picture has the present specification and theme; its data may be old
  private block: ChartBlock;

  constructor(block: ChartBlock) {
    this.block = block;
    this.picture.setAttribute("aria-label", `Chart: ${this.title}`);
    // Room for the picture, so that the page hardly moves when it is drawn.
    const { height } = block.spec;
    if (typeof height === "number") this.picture.style.minHeight = `${height + 70}px`;
    this.details.addEventListener("toggle", () => this.fillDetails());
    this.node = element("figure", { class: "card chart" },
      element("figcaption", {},
        element("h3", {}, this.title),
        block.text ? element("p", { class: "faint" }, block.text) : null),
      ...(block.controls?.length ? [element("div", { class: "controls" }, ...block.controls.map((c) => this.control(c)))] : []),
      this.picture,
      element("div", { class: "tools" },
        this.details,
        element("span", { class: "buttons" },
          button("SVG", `Save "${this.title}" as SVG`, () => void this.save("svg")),
          button("PNG", `Save "${this.title}" as PNG`, () => void this.save("png")),
          button("Spec", `Copy the Vega-Lite specification of "${this.title}"`, () => void this.copySpec()))));
  }

  get title(): string {
    return this.block.title ?? "Chart";
  }

  async draw(): Promise<void> {
    if (this.result && this.isCurrent) {
      this.result.view.data(kSource, rowsOf(this.block.data));
      await this.result.view.runAsync();
      return;
    }
    this.result?.finalize();
    this.result = null;
    this.isCurrent = true;
    this.picture.style.minHeight = "";
    if (rowsOf(this.block.data).length === 0) {
      this.picture.replaceChildren(element("p", { class: "faint" }, "Nothing was measured yet."));
      return;
    }
    this.result = await embed(this.picture, this.specification(true), {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      ast: true,  // expressions are interpreted: the page forbids eval
      expr: expressionInterpreter,
      config: chartConfig(theme()),
      tooltip: { theme: theme(), maxDepth: 1 },
    });
    const svg = this.picture.querySelector("svg");
    svg?.setAttribute("role", "img");
    svg?.setAttribute("aria-label", this.title);
    // One picture with one name; its parts are in the table of its data.
    for (const part of svg?.children ?? []) part.setAttribute("aria-hidden", "true");
    for (const [param, value] of this.chosen) this.result.view.signal(param, value);
    await this.result.view.runAsync();
  }

  // The next draw() makes the whole picture again, for another theme.
  invalidate(): void {
    this.isCurrent = false;
  }

  // New data of the same chart. True if it has to be drawn. Controls and an open data table stay as they are.
  update(block: ChartBlock): boolean {
    const sameSpec = JSON.stringify(block.spec) === JSON.stringify(this.block.spec);
    if (sameSpec && JSON.stringify(block.data) === JSON.stringify(this.block.data)) return false;
    this.isCurrent &&= sameSpec;
    this.block = block;
    this.fillDetails();
    return true;
  }

  // For the page without title and look, which are the page's, and without the version; whole for a copy.
  private specification(forPage: boolean): VisualizationSpec {
    const { $schema, config, title, ...rest } = this.block.spec;
    const data = { name: kSource, values: rowsOf(this.block.data) };
    return { ...rest, data, ...(forPage ? {} : { $schema, title, config }) } as unknown as VisualizationSpec;
  }

  private control(control: Control): HTMLElement {
    const set = (index: number) => {
      const value = control.values[index];
      if (value === undefined) return;
      this.chosen.set(control.param, value);
      if (this.result) void this.result.view.signal(control.param, value).runAsync();
    };
    if (control.kind === "select") {
      const select = element("select", {}, ...control.labels.map((label, i) => element("option", { value: i }, label)));
      select.addEventListener("change", () => set(select.selectedIndex));
      return element("label", {}, `${control.label} `, select);
    }
    const last = control.values.length - 1;
    const output = element("output", {}, control.labels[last] ?? "");
    const slider = element("input", { type: "range", min: 0, max: last, step: 1, value: last });
    slider.addEventListener("input", () => {
      output.textContent = control.labels[slider.valueAsNumber] ?? "";
      slider.setAttribute("aria-valuetext", output.textContent);
      set(slider.valueAsNumber);
    });
    slider.setAttribute("aria-valuetext", control.labels[last] ?? "");
    return element("label", { class: "slider" }, `${control.label} `, slider, output);
  }

  private fillDetails(): void {
    if (!this.details.open) return;
    const table = tableOfColumns(this.block.data);
    this.details.replaceChildren(this.details.firstElementChild ?? "",
      button("Save CSV", "Save these data as CSV", () => downloadText(`${fileName(this.title)}.csv`, "text/csv", csv(table))),
      tableElement(table, `Data of ${this.title}`, {}, kDataRows));
  }

  private async save(kind: "svg" | "png"): Promise<void> {
    if (!this.result) await this.draw();
    if (!this.result) return;
    download(`${fileName(this.title)}.${kind}`, await this.result.view.toImageURL(kind, kind === "png" ? 2 : 1));
    announce(`${kind.toUpperCase()} saved.`);
  }

  private async copySpec(): Promise<void> {
    const text = JSON.stringify(this.specification(false), null, 1);
    try {
      await navigator.clipboard.writeText(text);
      announce("Specification copied.");
    } catch {  // a page opened from a file may not be allowed to
      downloadText(`${fileName(this.title)}.vl.json`, "application/json", text);
      announce("Specification saved.");
    }
  }
}
