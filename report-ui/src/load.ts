// SPDX-License-Identifier: Apache-2.0
// The document of the page: embedded in it, or served beside it and updated while a training runs (README.md).
import { parseDocument, type ReportDocument } from "./document.ts";

export type LiveState = "connecting" | "live" | "lost" | "ended" | "missed";

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
  let complete = false;  // the end has been shown
  let wake = () => {};
  const token = location.search;  // "?token=…", where the server asks for one
  // One fetch at a time. Events that come meanwhile lead to one more; the end does not wait for its turn.
  const refresh = async () => {
    wanted = true;
    if (ended) wake();
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      try {
        const answer = await fetch(`data.json${token}`, { cache: "no-store" });
        if (!answer.ok) throw new Error(`data.json: ${answer.status}`);
        const isEnd = ended;
        await show(parseDocument(await answer.text()));
        complete = isEnd;
        state(now("live"));
      } catch {
        state(now("lost"));
      }
      await new Promise<void>((done) => {
        wake = done;
        setTimeout(done, kShortestPause);
      });
    }
    busy = false;
  };
  const now = (otherwise: LiveState): LiveState => (!ended ? otherwise : complete ? "ended" : "missed");
  const connect = () => {
    const events = new EventSource(`events${token}`);
    events.addEventListener("report", () => {
      ended = false;  // or the training was started again
      void refresh();
    });
    events.addEventListener("end", () => {
      ended = true;
      complete = false;
      void refresh();
    });
    events.addEventListener("error", () => {
      state(now("lost"));
      // The browser tries again after a lost connection, but not after an answer that refuses it.
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, 3 * kShortestPause);
    });
  };
  connect();
}
