// SPDX-License-Identifier: Apache-2.0
type Attributes = Record<string, string | number | boolean | undefined>;
export type Child = Node | string | null | undefined;

// An element with attributes and children. Text stays text: nothing here parses HTML.
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  for (const child of children) if (child != null) node.append(child);
  return node;
}

export function button(label: string, title: string, action: () => void): HTMLButtonElement {
  const node = element("button", { type: "button", title }, label);
  node.addEventListener("click", action);
  return node;
}

// Says a short sentence to people who see the page and to those who hear it.
export function announce(sentence: string): void {
  const status = document.getElementById("status");
  if (!status) return;
  status.textContent = sentence;
  setTimeout(() => {
    if (status.textContent === sentence) status.textContent = "";
  }, 4000);
}

// Call it before a new version of an element is made. What it returns gives the focus to the same place in the new version.
export function rememberFocus(old: Element): (fresh: Element) => void {
  const focused = document.activeElement;
  if (!focused || focused === old || !old.contains(focused)) return () => {};
  const path: number[] = [];
  for (let node = focused; node !== old && node.parentElement; node = node.parentElement)
    path.unshift(Array.from(node.parentElement.children).indexOf(node));
  return (fresh) => {
    let node: Element | undefined = fresh;
    for (const index of path) node = node?.children[index];
    if (node instanceof HTMLElement) node.focus({ preventScroll: true });
  };
}

export function download(name: string, address: string): void {
  element("a", { href: address, download: name }).click();
}

export function downloadText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  download(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// "Quality against time" as quality-against-time.
export function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "divns";
}
