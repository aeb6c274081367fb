// SPDX-License-Identifier: Apache-2.0
// Usage: node live.mjs DIVNS CHROMIUM SCRATCH
// The page of `divns train --live` in a browser: it is updated, it survives a restart of the training, and nobody who looks can disturb it.
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "playwright-core";
import { allDrawn, openBrowser, openPage } from "./browser.ts";

const [divns = "", chromium = "", scratch = ""] = process.argv.slice(2);

interface Training {
  process: ChildProcess;
  address: string;
  ended: Promise<unknown>;
}

async function train(listen: string, ...more: string[]): Promise<Training> {
  const words = ["train", "--data", "small.divns", "--sampler", "dns", "--epochs", "100000", "--set", "patience_epochs=100000", "--out", "run",
    "--threads", "1", "--live", listen, ...more];
  const child = spawn(divns, words, { cwd: scratch, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  let text = "";
  for await (const piece of child.stderr ?? []) {
    text += String(piece);
    const found = /live report: (http:\S+)/.exec(text);
    if (found) {
      child.stderr?.resume();
      return { process: child, address: found[1] ?? "", ended };
    }
  }
  throw new Error(`no live report: ${text}`);
}

async function epochsShown(page: Page): Promise<number> {
  return page.evaluate(() => {
    const table = document.querySelector("#results table");
    const names = Array.from(table?.querySelectorAll("thead tr:last-child th") ?? [], (cell) => cell.textContent ?? "");
    const column = names.findIndex((name) => name.startsWith("epochs"));
    return parseFloat(table?.querySelector("tbody tr")?.children[column]?.textContent ?? "0");
  });
}

async function reaches(page: Page, epochs: number): Promise<void> {
  for (let tries = 0; await epochsShown(page) < epochs; ++tries) {
    assert.ok(tries < 600, `the page does not reach epoch ${epochs}`);
    await page.waitForTimeout(100);
  }
}

async function stateIs(page: Page, state: string): Promise<void> {
  // On a busy machine the training may have gone before the browser asked for the end.
  const states = state === "ended" ? ["ended", "missed"] : [state];
  await page.waitForSelector(states.map((name) => `.state[data-state=${name}]`).join());
}

execFileSync(divns, ["data", "synth", "--users", "300", "--items", "200", "--pairs", "8000", "--quiet", "-o", "small.divns"], { cwd: scratch });
const browser = await openBrowser(chromium, scratch);
try {
  const first = await train("127.0.0.1:0");
  const { page, problems } = await openPage(browser, first.address);
  await stateIs(page, "live");
  await reaches(page, 3);
  const seen = await epochsShown(page);
  await reaches(page, seen + 1);
  await allDrawn(page);
  assert.ok(await page.locator("#curves .picture svg").count() > 0, "the curves are drawn");
  assert.equal(problems.length, 0, problems.join("\n"));

  // Others who look: some never read, some leave, some open the page.
  const port = Number(new URL(first.address).port);
  for (let i = 0; i < 10; ++i) {
    const silent = connect(port, "127.0.0.1");
    silent.pause();
    silent.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\nGET /data.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
    if (i % 2 === 0) silent.on("connect", () => silent.destroy());
  }
  const other = await openPage(browser, first.address);
  await other.page.close();
  await reaches(page, await epochsShown(page) + 2);

  first.process.kill("SIGINT");
  await stateIs(page, "ended");
  await first.ended;
  const before = await epochsShown(page);
  const second = await train(`127.0.0.1:${port}`, "--resume");
  await stateIs(page, "live");
  await reaches(page, before + 2);
  second.process.kill("SIGINT");
  await stateIs(page, "ended");
  await second.ended;
  // A browser says in its console that nobody answered between the two trainings; nothing else went wrong.
  assert.deepEqual(problems.filter((problem) => !problem.includes("ERR_CONNECTION_REFUSED") && !problem.includes("ERR_INCOMPLETE_CHUNKED_ENCODING")), []);
} finally {
  await browser.close();
}
