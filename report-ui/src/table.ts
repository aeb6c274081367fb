// SPDX-License-Identifier: Apache-2.0
// Tables that sort by any column, by mouse or keyboard.
import type { Cell, Columns, Table, Value } from "./document.ts";
import { element } from "./dom.ts";

type Direction = "ascending" | "descending";
export interface TableState {
  column?: number;
  direction?: Direction;
  picked?: string;
}

function key(cell: Cell | undefined): number | string | null {
  if (cell == null || typeof cell === "string") return cell ?? null;
  return cell.v;
}

// Missing values come last in both directions.
export function compareCells(a: Cell | undefined, b: Cell | undefined, direction: Direction): number {
  const [x, y] = [key(a), key(b)];
  if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
  const order = typeof x === "number" && typeof y === "number"
    ? x - y
    : String(x).localeCompare(String(y), "en", { numeric: true });
  return direction === "ascending" ? order : -order;
}

export function cellText(cell: Cell): string {
  return cell === null ? "–" : typeof cell === "string" ? cell : cell.s;
}

function cellElement(cell: Cell, numeric: boolean, first: boolean): HTMLElement {
  const node = element(first ? "th" : "td", first ? { scope: "row" } : {});
  // Isolated, so that marks of direction in one cell leave the others alone.
  const text = element("bdi", {}, cellText(cell));
  node.append(text);
  if (numeric) node.classList.add("number");
  if (cell === null || typeof cell === "string") return node;
  if (cell.mark) {
    node.classList.add(cell.mark);
    node.append(element("span", { class: "hidden" }, ` (${cell.mark})`));
  }
  if (cell.star) node.append(element("span", { class: "star" }, "*"), element("span", { class: "hidden" }, " (significant)"));
  if (cell.tip) {
    node.title = cell.tip;
    node.classList.add("tip");
  }
  return node;
}

// `state` keeps the order over a redraw. `label` names the table for people who hear it.
export function tableElement(table: Table, label: string, state: TableState = {}, limit = Infinity): HTMLElement {
  const body = element("tbody");
  const headings: HTMLTableCellElement[] = [];
  const draw = () => {
    let rows = table.rows;
    const { column, direction } = state;
    if (column !== undefined && direction)
      rows = [...rows].sort((a, b) => compareCells(a[column], b[column], direction));
    body.replaceChildren(...rows.slice(0, limit).map((row) => element("tr", {}, ...row.map((cell, c) =>
      cellElement(cell, table.columns[c]?.numeric ?? false, c === 0)))));
    headings.forEach((heading, c) => {
      heading.setAttribute("aria-sort", c === column && direction ? direction : "none");
    });
  };
  const head = element("tr", {}, ...table.columns.map((column, c) => {
    const sort = element("button", { type: "button", title: `Sort by ${column.name}` }, element("bdi", {}, column.name));
    sort.addEventListener("click", () => {
      const first: Direction = column.numeric ? "descending" : "ascending";
      const other: Direction = column.numeric ? "ascending" : "descending";
      state.direction = state.column === c && state.direction === first ? other : first;
      state.column = c;
      draw();
    });
    const heading = element("th", { scope: "col", class: column.numeric ? "number" : undefined }, sort);
    headings.push(heading);
    return heading;
  }));
  draw();
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, ...groupRow(table), head), body));
  return element("div", { class: "table" }, scroll,
    table.rows.length > limit ? element("p", { class: "faint" }, `The first ${limit} of ${table.rows.length} rows.`) : null,
    ...table.notes.map((note) => element("p", { class: "faint" }, note)));
}

// Headings that span adjacent columns of a group.
function groupRow(table: Table): HTMLElement[] {
  if (!table.columns.some((column) => column.group)) return [];
  const row = element("tr");
  for (let c = 0; c < table.columns.length;) {
    const group = table.columns[c]?.group;
    let end = c + 1;
    while (end < table.columns.length && table.columns[end]?.group === group) ++end;
    row.append(group ? element("th", { colspan: end - c, scope: "colgroup" }, group) : element("td", { colspan: end - c }));
    c = end;
  }
  return [row];
}

function shown(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return Number(value.toPrecision(5)).toString();
}

// The data of a chart as a table.
export function tableOfColumns(data: Columns): Table {
  const names = Object.keys(data);
  const rows = names.length === 0 ? 0 : (data[names[0] as string]?.length ?? 0);
  const isNumeric = (values: Value[]) => values.every((value) => value === null || typeof value === "number");
  const numeric = names.map((name) => isNumeric(data[name] ?? []));
  const cell = (value: Value | undefined): Cell =>
    value == null ? null : typeof value === "number" ? { v: value, s: shown(value) } : String(value);
  return {
    columns: names.map((name, c) => ({ name, numeric: numeric[c] ?? false })),
    rows: Array.from({ length: rows }, (_, r) => names.map((name) => cell(data[name]?.[r]))),
    notes: [],
  };
}

// RFC 4180; a text that a spreadsheet would take for a formula gets a ' in front.
export function csv(table: Table): string {
  const field = (cell: Cell): string => {
    if (cell === null) return "";
    if (typeof cell !== "string") return cell.v === null ? "" : String(cell.v);
    const text = /^[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [table.columns.map((column) => column.name), ...table.rows]
    .map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
