// SPDX-License-Identifier: Apache-2.0
// The report document, as README.md describes it.
export interface Figure {
  v: number | null;
  s: string;
  mark?: "best" | "second";
  star?: boolean;
  tip?: string;
}
export type Cell = null | string | Figure;

export interface Table {
  columns: { name: string; group?: string; numeric: boolean }[];
  rows: Cell[][];
  notes: string[];
}

export type Value = number | string | boolean | null;
export type Columns = Record<string, Value[]>;

export interface Control {
  param: string;
  label: string;
  kind: "select" | "range";
  values: Value[];
  labels: string[];
}

interface Titled {
  title?: string;
  text?: string;
}
export type TableBlock = Titled & { kind: "table"; table: Table; pick?: string };
export type ChartBlock = Titled & {
  kind: "chart";
  spec: Record<string, unknown>;
  data: Columns;
  controls?: Control[];
};
export type FactsBlock = Titled & { kind: "facts"; rows: [string, string][] };
export type CodeBlock = Titled & { kind: "code"; code: string };
export type Block = TableBlock | ChartBlock | FactsBlock | CodeBlock;

export interface Section {
  id: string;
  title: string;
  text?: string;
  blocks: Block[];
}

export interface DatasetReport {
  name: string;
  verdict: string;
  notes: string[];
  series: string[];
  sections: Section[];
}

export interface ReportDocument {
  format: "divns-report";
  version: number;
  title: string;
  subtitle: string;
  verdict: string;
  notes: string[];
  series: string[];
  sections: Section[];
  datasets?: DatasetReport[];  // the reader chooses one; its sections follow those above
}

// Throws for anything but a report document of a version that this page knows.
export function parseDocument(text: string): ReportDocument {
  const value: unknown = JSON.parse(text);
  const document = value as Partial<ReportDocument>;
  if (typeof value !== "object" || value === null || document.format !== "divns-report")
    throw new Error("The data of this page are not a divns report.");
  if (document.version !== 1)
    throw new Error(`The data of this page are a divns report of version ${document.version}; expected version 1.`);
  return document as ReportDocument;
}
