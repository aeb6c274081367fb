// SPDX-License-Identifier: Apache-2.0
// Draws the charts that are in view at once, the others when the browser has nothing else to do, and all of them before printing.
import type { Chart } from "./chart.ts";

const kMargin = 300;  // pixels beyond the screen that count as in view

export class DrawQueue {
  private readonly waiting = new Set<Chart>();
  private scheduled = false;

  constructor() {
    const look = () => void this.drawVisible();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look, { passive: true });
    // The browser waits for promises that need no timer, and drawing needs none.
    addEventListener("beforeprint", () => void this.draw([...this.waiting]));
  }

  add(charts: Iterable<Chart>): void {
    for (const chart of charts) this.waiting.add(chart);
    delete document.documentElement.dataset.drawn;
  }

  clear(): void {
    this.waiting.clear();
  }

  async drawVisible(): Promise<void> {
    await this.draw([...this.waiting].filter((chart) => {
      const place = chart.node.getBoundingClientRect();
      return place.bottom > -kMargin && place.top < innerHeight + kMargin;
    }));
    this.drawTheRest();
  }

  private async draw(charts: Chart[]): Promise<void> {
    for (const chart of charts) this.waiting.delete(chart);
    for (const chart of charts) await chart.draw();
  }

  private drawTheRest(): void {
    const [next] = this.waiting;
    if (!next) {
      document.documentElement.dataset.drawn = "yes";
      return;
    }
    if (this.scheduled) return;
    this.scheduled = true;
    const go = async () => {
      this.scheduled = false;
      const [chart] = this.waiting;
      if (chart) await this.draw([chart]);
      this.drawTheRest();
    };
    if ("requestIdleCallback" in window) requestIdleCallback(() => void go(), { timeout: 500 });
    else setTimeout(() => void go(), 50);
  }
}
