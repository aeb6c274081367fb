// SPDX-License-Identifier: Apache-2.0
// Usage: node speed.mjs DIVNS CHROMIUM SCRATCH
// Time from opening a report on 10 rows x 5 seeds x 400 epochs until every chart is drawn, beside an empty report in the same browser.
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
writeFileSync(blank, "<!doctype html><html data-ready='yes'><title>blank</title>");

const browser = await openBrowser(chromium, scratch);
const milliseconds = async (path: string): Promise<number> => {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(fileAddress(path));
  await page.waitForSelector("html[data-ready=yes]", { state: "attached", timeout: 60_000 });
  const taken = performance.now() - start;
  await page.close();
  return taken;
};
const rounds: [number, number][] = [];
for (let round = 0; round < 7; ++round) rounds.push([await milliseconds(large), await milliseconds(blank)]);
await browser.close();
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
console.log(`report of 50 runs: ${(statSync(large).size / 1e6).toFixed(2)} MB, ${median(rounds.map((r) => r[0])).toFixed(0)} ms; `
  + `empty page: ${median(rounds.map((r) => r[1])).toFixed(0)} ms (medians of 7)`);
