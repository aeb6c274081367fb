// SPDX-License-Identifier: Apache-2.0
// Light or dark: what the reader chose, else what the system prefers. Paper is light.
import type { Config } from "vega-lite";

export type Theme = "light" | "dark";

// Colours that people with colour-blindness can tell apart, and that stand out from the background at 3 : 1. Lines and points also differ in dash and shape.
const kPalettes: Record<Theme, string[]> = {
  light: ["#0072b2", "#d55e00", "#00875f", "#b4568f", "#a87400", "#5d3a9b", "#3a8fb7", "#7f4f24", "#6e6e6e", "#1f1f1f"],
  dark: ["#5eb0ef", "#ff8f50", "#35cfa0", "#e8a0c8", "#f0b93a", "#b9a0f0", "#93d7f5", "#cfa276", "#a5a5a5", "#eeeeee"],
};
const kInk: Record<Theme, { text: string; faint: string; line: string; paper: string }> = {
  light: { text: "#1c2530", faint: "#55606e", line: "#d9dee5", paper: "#ffffff" },
  dark: { text: "#e6ebf1", faint: "#a8b3c0", line: "#3a4450", paper: "#1a2028" },
};

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme | null = null;

export function theme(): Theme {
  return chosen ?? (dark.matches ? "dark" : "light");
}

// Calls `changed` now and whenever the theme changes.
export function watchTheme(changed: () => void): void {
  const apply = () => {
    document.documentElement.dataset.theme = theme();
    changed();
  };
  dark.addEventListener("change", apply);
  document.addEventListener("divns-theme", apply);
  apply();
}

export function toggleTheme(): void {
  chosen = theme() === "dark" ? "light" : "dark";
  document.dispatchEvent(new Event("divns-theme"));
}

export function chartConfig(which: Theme): Config {
  const ink = kInk[which];
  const font = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  return {
    background: ink.paper,
    font,
    padding: 4,
    range: { category: kPalettes[which], ordinal: { scheme: "viridis" }, ramp: { scheme: "viridis" } },
    view: { stroke: null },
    title: { color: ink.text, subtitleColor: ink.faint, anchor: "start", fontSize: 14 },
    axis: {
      labelColor: ink.faint, titleColor: ink.text, gridColor: ink.line, domainColor: ink.line, tickColor: ink.line,
      labelFontSize: 11, titleFontSize: 12, titleFontWeight: 500, gridOpacity: 0.7, labelLimit: 160,
      labelFlush: false,  // moved inwards, the first and the last label meet their neighbours
    },
    legend: {
      labelColor: ink.text, titleColor: ink.faint, labelFontSize: 12, titleFontSize: 11, titleFontWeight: 500,
      orient: "top", columns: innerWidth < 600 ? 3 : 5, columnPadding: 14, symbolStrokeWidth: 2, labelLimit: 220,
      // Several legends below each other: an option of Vega that Vega-Lite passes on but does not declare.
      layout: { direction: "vertical", top: { direction: "vertical", anchor: "start", margin: 4 } },
    } as object,
    header: { labelColor: ink.text, titleColor: ink.faint, labelFontSize: 12 },
    line: { strokeWidth: 2 },
    rule: { color: ink.faint },
    errorbar: { color: ink.faint },
    text: { color: ink.text },
    style: { "divns-faint": { color: ink.faint, stroke: ink.faint, fill: ink.faint } },
  } as Config;
}
