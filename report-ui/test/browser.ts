// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type BrowserContext, type Page } from "playwright-core";

// A browser with an empty profile. `network` collects every request that leaves the file.
export async function openBrowser(executable: string, scratch: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(mkdtempSync(join(scratch, "profile-")), {
    executablePath: executable,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
  });
}

export interface Watched {
  page: Page;
  problems: string[];  // errors of the console, exceptions, requests beyond the file
}

export async function openPage(browser: BrowserContext, address: string): Promise<Watched> {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);  // only a hanging page takes so long, on a busy machine too
  const problems: string[] = [];
  // A live page asks its own server; a file asks nobody.
  const origin = new URL(".", address).protocol === "http:" ? new URL(address).origin : address;
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:") && !url.startsWith("blob:")) problems.push(`request: ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.getAttribute("html", "data-ready"), "yes");
  return { page, problems };
}

// Waits until every chart is drawn, those below the screen included.
export async function allDrawn(page: Page): Promise<void> {
  await page.waitForSelector("html[data-drawn=yes]", { state: "attached" });
}

export function fileAddress(path: string): string {
  return pathToFileURL(path).href;
}
