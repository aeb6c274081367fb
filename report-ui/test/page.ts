// SPDX-License-Identifier: Apache-2.0
// Usage: node page.mjs DIVNS CHROMIUM SCRATCH
// Makes reports with the tool and checks them in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { allDrawn, fileAddress, openBrowser, openPage } from "./browser.ts";
import { makeDatasets, makeHostile, makeLarge, makeStudy } from "./reports.ts";

const [divns = "", chromium = "", scratch = ""] = process.argv.slice(2);
const run = (...words: string[]) => execFileSync(divns, words, { cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function marksOf(page: Page): Promise<{ title: string; marks: number }[]> {
  return page.$$eval("figure.chart", (charts) => charts.map((chart) => ({
    title: chart.querySelector("h3")?.textContent ?? "",
    marks: chart.querySelectorAll(".picture svg [class*='mark-'] path, .picture svg [class*='mark-'] text").length,
  })));
}

async function everyChartHasMarks(page: Page, atLeast: number): Promise<void> {
  await allDrawn(page);
  const charts = await marksOf(page);
  assert.ok(charts.length >= atLeast, `${charts.length} charts, expected ${atLeast} or more`);
  for (const chart of charts) assert.ok(chart.marks > 3, `the chart "${chart.title}" has ${chart.marks} marks`);
}

async function sortingWorks(page: Page): Promise<void> {
  const table = page.locator("#results table").first();
  const heading = table.locator("thead tr").last().locator("th", { hasText: "@" }).first();
  const index = await heading.evaluate((node) => Array.from(node.parentElement?.children ?? []).indexOf(node));
  const values = async () => (await table.locator("tbody tr").evaluateAll((rows, c) =>
    rows.map((row) => parseFloat(row.children[c]?.textContent ?? "")), index)).filter((value) => !Number.isNaN(value));
  // By keyboard: the heading is a button.
  await heading.locator("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  const falling = await values();
  assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  const rising = await values();
  assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
  assert.ok(rising.length > 1);
}

async function themeSwitches(page: Page): Promise<void> {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Light / dark" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.notEqual(await ground(), light);
  await page.waitForFunction(() => {
    const paper = document.querySelector<SVGElement>(".picture svg")?.style.backgroundColor;
    return paper !== undefined && paper !== "" && paper !== "rgb(255, 255, 255)" && paper !== "white";
  });
}

async function hasNoSeriousProblem(page: Page): Promise<void> {
  // The page's policy forbids added scripts, so axe is evaluated by the debugger.
  const source = (await import("node:fs")).readFileSync(axe, "utf8");
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    return (await checker.run()).violations.filter((v) => v.impact === "serious" || v.impact === "critical")
      .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`);
  });
  assert.deepEqual(found, []);
}

async function slidersMove(page: Page): Promise<void> {
  for (const slider of await page.locator("input[type=range]").all()) {
    const figure = slider.locator("xpath=ancestor::figure");
    const before = await figure.locator(".picture").innerHTML();
    await slider.focus();
    await page.keyboard.press("Home");
    await page.waitForTimeout(400);
    assert.notEqual(await figure.locator(".picture").innerHTML(), before, "the slider changes the picture");
  }
}

async function savesAndShowsData(page: Page): Promise<void> {
  const chart = page.locator("figure.chart").first();
  const [svg] = await Promise.all([page.waitForEvent("download"), chart.getByRole("button", { name: "SVG" }).click()]);
  assert.match(svg.suggestedFilename(), /\.svg$/);
  await chart.locator("summary").click();
  assert.ok(await chart.locator("details tbody tr").count() > 0, "the data of a chart are shown");
}

async function fitsPhones(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(300);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} pixels wide on a screen of 390`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

// On paper there is no scrolling: what is below the screen is drawn before the browser prints.
async function printsEverything(page: Page, path: string): Promise<void> {
  await page.goto(fileAddress(path));
  const undrawn = await page.evaluate(async () => {
    const charts = () => document.querySelectorAll("figure.chart").length;
    const drawn = () => document.querySelectorAll("figure.chart .picture svg").length;
    const before = charts() - drawn();
    dispatchEvent(new Event("beforeprint"));
    await Promise.resolve();
    for (let turn = 0; turn < 10_000 && drawn() < charts(); ++turn) await Promise.resolve();  // promises, but no timer
    return { before, after: charts() - drawn() };
  });
  assert.ok(undrawn.before > 0, "a long page is not drawn at once");
  assert.equal(undrawn.after, 0);
  assert.ok((await page.pdf()).length > 10_000);
}

async function datasetsAreChosen(page: Page): Promise<void> {
  const verdict = async () => page.locator(".picker .verdict").innerText();
  const first = await verdict();
  assert.match(await page.locator(".verdict").first().innerText(), /On small: .*On other: /s);
  await page.locator(".picker select").selectOption("other");
  await page.waitForFunction((old) => document.querySelector<HTMLElement>(".picker .verdict")?.innerText !== old, first);
  await everyChartHasMarks(page, 6);
}

const browser = await openBrowser(chromium, scratch);
try {
  const study = makeStudy(run, scratch);
  assert.ok(statSync(study).size < 3_000_000, "a report is smaller than 3 MB");
  const { page, problems } = await openPage(browser, fileAddress(study));
  await everyChartHasMarks(page, 6);
  await sortingWorks(page);
  await slidersMove(page);
  await savesAndShowsData(page);
  await hasNoSeriousProblem(page);
  await themeSwitches(page);
  await hasNoSeriousProblem(page);
  await fitsPhones(page);
  assert.deepEqual(problems, []);

  const path = makeLarge(run, scratch);
  const large = await openPage(browser, fileAddress(path));
  await everyChartHasMarks(large.page, 6);
  await printsEverything(large.page, path);
  assert.deepEqual(large.problems, []);

  const datasets = await openPage(browser, fileAddress(makeDatasets(run, scratch)));
  await everyChartHasMarks(datasets.page, 6);
  await datasetsAreChosen(datasets.page);
  await hasNoSeriousProblem(datasets.page);
  assert.deepEqual(datasets.problems, []);

  const hostile = await openPage(browser, fileAddress(makeHostile(run, scratch)));
  assert.equal(await hostile.page.evaluate(() => (globalThis as { taken?: boolean }).taken), undefined);
  assert.equal(await hostile.page.locator("#page img, #page b, #page script").count(), 0);
  const text = await hostile.page.locator("body").innerText();
  for (const mark of ["\u202e", "\u200f", "\u001b"]) assert.ok(!text.includes(mark), "marks of direction and control characters are escaped");
  assert.deepEqual(hostile.problems, []);
} finally {
  await browser.close();
}
