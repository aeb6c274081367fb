// SPDX-License-Identifier: Apache-2.0
"use strict";

const byId = (id) => document.getElementById(id);
const questions = { user: "User id", history: "Item ids with commas between", similar: "Item id" };

function way() {
  return document.querySelector("input[name=way]:checked").value;
}

function ids(text) {
  return text.split(",").map((id) => id.trim()).filter((id) => id !== "");
}

function request() {
  const text = byId("ids").value.trim();
  const k = Number(byId("k").value);
  if (way() === "similar") return { path: `v1/items/${encodeURIComponent(text)}/similar?k=${k}` };
  const body = { k };
  if (byId("deny").value.trim() !== "") body.deny = ids(byId("deny").value);
  if (byId("keep").checked) body.keep_seen = true;
  if (way() === "user") body.user = text;
  else body.history = ids(text);
  return { path: "v1/recommendations", body };
}

async function ask(path, body) {
  const headers = {};
  if (byId("token").value !== "") headers.Authorization = `Bearer ${byId("token").value}`;
  const options = { headers };
  if (body) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  const answer = await fetch(path, options);
  const document_ = await answer.json();
  if (answer.status === 401) byId("token-row").hidden = false;
  if (!answer.ok) throw new Error(document_.error);
  return document_;
}

// Ids and titles are text of strangers: they enter the page as text, never as HTML.
function show(answer) {
  const body = byId("list").tBodies[0];
  body.replaceChildren(...answer.list.map((entry, rank) => {
    const row = document.createElement("tr");
    for (const value of [rank + 1, entry.item, entry.name ?? "", entry.score.toFixed(4)]) {
      const cell = document.createElement("td");
      cell.textContent = value;
      row.append(cell);
    }
    return row;
  }));
  byId("caption").textContent = answer.list.length === 0 ? "No item is left." : `${answer.list.length} items`;
  byId("list").hidden = false;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function showCommand({ path, body }) {
  const url = quoted(new URL(path, location.href).href);
  byId("curl").textContent = body ? `curl -s ${url} -d ${quoted(JSON.stringify(body))}` : `curl -s ${url}`;
  byId("curl").hidden = byId("curl-title").hidden = false;
}

async function describe() {
  try {
    const model = await ask("v1/model");
    byId("model").textContent =
      `${model.model} trained with ${model.sampler}: ${model.users} users, ${model.items} items, ${model.columns} columns`;
    byId("keep").disabled = !model.leaves_out_seen;
  } catch (error) {
    byId("model").textContent = error.message;
  }
}

byId("form").addEventListener("change", () => {
  byId("what").textContent = questions[way()];
  byId("deny").disabled = way() === "similar";
});
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("problem").textContent = "";
  const asked = request();
  try {
    show(await ask(asked.path, asked.body));
    showCommand(asked);
  } catch (error) {
    byId("list").hidden = true;
    byId("problem").textContent = error.message;
  }
});
describe();
