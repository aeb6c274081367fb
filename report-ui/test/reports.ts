// SPDX-License-Identifier: Apache-2.0
// Reports to look at: a study, ten samplers with five seeds, and one whose names attack the page.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Run = (...words: string[]) => Buffer;

export function makeStudy(run: Run, scratch: string): string {
  run("data", "synth", "--users", "300", "--items", "200", "--pairs", "8000", "--quiet", "-o", "small.divns");
  run("compare", "--data", "small.divns", "--samplers", "rns,dns,divns", "--baselines", "popularity,ials", "--seeds", "2",
    "--epochs", "12", "--quiet", "--out", "study");
  return join(scratch, "study", "report.html");
}

export function makeDatasets(run: Run, scratch: string): string {
  run("data", "synth", "--users", "200", "--items", "150", "--pairs", "5000", "--seed", "2", "--quiet", "-o", "other.divns");
  run("compare", "--data", "small.divns,other.divns", "--samplers", "rns,dns", "--seeds", "2", "--epochs", "6", "--quiet", "--out", "datasets");
  return join(scratch, "datasets", "report.html");
}

// Runs of other samplers and seeds are made by renaming: how long they are is what counts.
export function makeLarge(run: Run, scratch: string): string {
  run("train", "--data", "small.divns", "--epochs", "3", "--quiet", "--out", "model");
  const folders: string[] = [];
  const event = JSON.parse(readFileSync(join(scratch, "model", "events.jsonl"), "utf8").split("\n")[0] ?? "{}") as object;
  for (let sampler = 0; sampler < 10; ++sampler)
    for (let seed = 1; seed <= 5; ++seed) {
      const folder = join(scratch, "large", `${sampler}-${seed}`);
      mkdirSync(folder, { recursive: true });
      const about = JSON.parse(readFileSync(join(scratch, "model", "run.json"), "utf8")) as Record<string, unknown>;
      delete about.content_hash;
      writeFileSync(join(folder, "run.json"), JSON.stringify({ ...about, sampler: `sampler ${sampler}`, seed }));
      writeFileSync(join(folder, "config.toml"), `model = "mf"\nsampler = "sampler ${sampler}"\nseed = ${seed}\n`);
      const lines = Array.from({ length: 400 }, (_, epoch) =>
        JSON.stringify({ ...event, epoch, mean_loss: 1 / (1 + epoch) + sampler / 50, ...(epoch % 5 === 4 ? { "recall@20": 0.1 + epoch / 5000 + seed / 900 } : {}) }));
      writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n`);
      folders.push(folder);
    }
  run("report", ...folders, "--quiet", "-o", "large.html");
  return join(scratch, "large.html");
}

export function makeHostile(run: Run, scratch: string): string {
  const attack = '</script><script>taken=true</script><img src=x onerror="taken=true"><b>bold</b>\u202e\u200f\u2028\u001b[31m';
  const names = [attack, "x".repeat(10_000), "=cmd|' /C calc'!A0", '"quoted" & <i>', "datum.value", "a.b[0]"];
  const pairs = Array.from({ length: 1200 }, (_, i) => `u${i % 60}\ti${(i * 7 + Math.floor(i / 60)) % 50}`);
  writeFileSync(join(scratch, "pairs.tsv"), `${pairs.join("\n")}\n`);
  // A title is one field of a line, so it cannot hold a tab or a line break.
  const titles = Array.from({ length: 50 }, (_, i) => `i${i}\t${names[i % names.length]}`);
  writeFileSync(join(scratch, "titles.tsv"), `${titles.join("\n")}\n`);
  run("data", "prepare", "pairs.tsv", "--item-names", "titles.tsv", "--quiet", "-o", "hostile.divns");
  writeFileSync(join(scratch, "variants.toml"), `[mf.${JSON.stringify(attack.replace(/[\u0000-\u001f]/g, ""))}]\nsampler = "dns"\n[mf.rns]\n`);
  run("compare", "--data", "hostile.divns", "--samplers", "variants.toml", "--seeds", "1", "--epochs", "3", "--quiet", "--out", "hostile");
  return join(scratch, "hostile", "report.html");
}
