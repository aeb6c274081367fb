// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom.ts";
import { load } from "./load.ts";
import { Page } from "./page.ts";
import { watchTheme } from "./theme.ts";

const root = document.getElementById("page") ?? document.body;
const page = new Page(root);
let ready = false;
watchTheme(() => {
  if (ready) void page.redraw();
});
load(async (report) => {
  await page.show(report);
  ready = true;
  document.documentElement.dataset.ready = "yes";
}, (state) => page.showState(state)).catch((problem: unknown) => {
  root.replaceChildren(element("p", { class: "problem", role: "alert" },
    problem instanceof Error ? problem.message : String(problem)));
  document.documentElement.dataset.ready = "failed";
});
