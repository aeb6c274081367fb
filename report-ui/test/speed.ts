// SPDX-License-Identifier: Apache-2.0
// Usage: node speed.mjs DIVNS CHROMIUM SCRATCH
// Time from opening a report on 10 rows x 5 seeds x 400 epochs until the screen is drawn, and until every chart is, beside an empty page in
// the same browser.
import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileAddress, openBrowser } from "./browser.ts";
import { makeLarge, makeStudy } from "./reports.ts";

const [divns = "", chromium = "", scratch = ""] = process.argv.slice(2);
const run = (...words: string[]) => execFileSync(divns, words, { cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });

makeStudy(run, scratch);
const large = makeLarge(run, scratch);
const blank = join(scratch, "blank.html");
writeFileSync(blank, "<!doctype html><html data-ready='yes' data-drawn='yes'><title>blank</title>");

const browser = await openBrowser(chromium, scratch);
const milliseconds = async (path: string): Promise<[number, number]> => {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(fileAddress(path));
  await page.waitForSelector("html[data-ready=yes]", { state: "attached", timeout: 60_000 });
  const screen = performance.now() - start;
  await page.waitForSelector("html[data-drawn=yes]", { state: "attached", timeout: 60_000 });
  const all = performance.now() - start;
  await page.close();
  return [screen, all];
};
const rounds: [number, number, number][] = [];
for (let round = 0; round < 7; ++round) rounds.push([...await milliseconds(large), (await milliseconds(blank))[0]]);
await browser.close();
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (at: 0 | 1 | 2) => `${median(rounds.map((r) => r[at])).toFixed(0)} ms`;
console.log(`report of 50 runs: ${(statSync(large).size / 1e6).toFixed(2)} MB, screen ${shown(0)}, all charts ${shown(1)}; `
  + `empty page: ${shown(2)} (medians of 7)`);
