// SPDX-License-Identifier: Apache-2.0
// Usage: node build.mjs OUTPUT
// Bundles the page into one HTML file. The policy in its head allows this script and no other, and no connection except to the server that the page came from.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const options = { bundle: true, write: false, minify: true, target: ["chrome100", "firefox100", "safari15"], legalComments: "none" };
const bundle = await build({ ...options, entryPoints: ["src/main.ts"], format: "iife", charset: "ascii" });
const styles = await build({ ...options, entryPoints: ["src/style.css"] });
// A closing tag inside a string of the bundle would end the element.
const script = bundle.outputFiles[0].text.trim().replaceAll("</script", "<\\/script");
const hash = createHash("sha256").update(script).digest("base64");
// Replacement by functions: "$&" in a bundle has no meaning here.
const page = readFileSync("src/page.html", "utf8")
  .replace("HASH", () => hash)
  .replace("/*STYLE*/", () => styles.outputFiles[0].text.trim())
  .replace("/*SCRIPT*/", () => script);
writeFileSync(process.argv[2] ?? "report.html", page);
