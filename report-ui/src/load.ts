// SPDX-License-Identifier: Apache-2.0
// The document of the page: embedded in it, or served beside it and updated while a training runs (README.md).
import { parseDocument, type ReportDocument } from "./document.ts";

export type LiveState = "connecting" | "live" | "lost" | "ended";

const kShortestPause = 1000;  // ms between two fetches

export async function load(
  show: (report: ReportDocument) => Promise<void>,
  state: (now: LiveState) => void,
): Promise<void> {
  const embedded = document.getElementById("divns-report")?.textContent?.trim();
  if (embedded) return show(parseDocument(embedded));
  state("connecting");
  watch(show, state);
}

function watch(show: (report: ReportDocument) => Promise<void>, state: (now: LiveState) => void): void {
  let wanted = false;
  let busy = false;
  let ended = false;
  // One fetch at a time. Events that come meanwhile lead to one more.
  const refresh = async () => {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      try {
        const answer = await fetch("data.json", { cache: "no-store" });
        if (!answer.ok) throw new Error(`data.json: ${answer.status}`);
        await show(parseDocument(await answer.text()));
        state(ended ? "ended" : "live");
      } catch {
        state("lost");
      }
      await new Promise((done) => setTimeout(done, kShortestPause));
    }
    busy = false;
  };
  const events = new EventSource("events");
  events.addEventListener("open", () => void refresh());
  events.addEventListener("report", () => {
    ended = false;  // the training was started again
    void refresh();
  });
  events.addEventListener("end", () => {
    ended = true;
    void refresh();
  });
  events.addEventListener("error", () => state(ended ? "ended" : "lost"));
}
