// The pages of a league: renewed when something has changed, tables sorted, uploads packed.

import { packFolder } from "./tar.js";

const JITTER_MS = 1500; // within which pages ask for news: not all in the same moment
const LOGGED_OUT = 401;

// ---- what a page gets once it is there, and again whenever it was renewed

function dress(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) {
      time.title = time.dateTime;
      /** @type {Intl.DateTimeFormatOptions} */
      const zoned = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" };
      time.textContent = time.dataset.zone
        ? at.toLocaleString(undefined, { ...zoned, timeZoneName: "short" })
        : at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    }
  }
  for (const address of root.querySelectorAll(".address")) address.textContent = location.origin;
  root.querySelectorAll("table").forEach(makeSortable);
}

// ---- tables

const sorted = new Map(); // by number of a table: the heading by which it is sorted, and the direction

function valueOf(cell) {
  if (cell?.dataset.value !== undefined) return +cell.dataset.value;
  const text = cell?.textContent.trim() ?? "";
  const number = parseFloat(text.replaceAll(",", "").replace("−", "-").replace(/^[@#]/, ""));
  return Number.isNaN(number) ? (text === "–" ? -Infinity : text.toLowerCase()) : number;
}

function compare(one, other) {
  if (typeof one === typeof other) return one < other ? -1 : one > other ? 1 : 0;
  return typeof one === "number" ? -1 : 1;
}

function makeSortable(table, number) {
  const heads = [...table.querySelectorAll("thead th")];
  table.order = [...table.tBodies].map((body) => [body, [...body.rows]]);
  heads.forEach((head, column) => {
    if (head.querySelector("svg") || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = sorted.get(number);
      const next = before?.column !== column ? "descending" : before.direction === "descending" ? "ascending" : null;
      if (next === null) sorted.delete(number);
      else sorted.set(number, { column, direction: next });
      sortTable(table, heads, sorted.get(number));
    });
  });
  if (sorted.has(number)) sortTable(table, heads, sorted.get(number));
}

/** Sort the rows of a table, whose bands are hidden then; without an order, as it came. */
function sortTable(table, heads, order) {
  heads.forEach((head, column) => {
    if (order?.column === column) head.setAttribute("aria-sort", order.direction);
    else head.removeAttribute("aria-sort");
  });
  for (const [body, rows] of table.order) {
    body.append(...rows);
    for (const row of rows) if (row.classList.contains("band")) row.hidden = order !== undefined;
  }
  if (order === undefined) return;
  const sign = order.direction === "ascending" ? 1 : -1;
  const rows = table.order.flatMap(([, all]) => all).filter((row) => !row.classList.contains("band"));
  rows.sort((one, other) => sign * compare(valueOf(one.cells[order.column]), valueOf(other.cells[order.column])));
  table.order[0][0].append(...rows);
}

// ---- news

/** A name for an element that stays the same when the page is renewed. */
const nameOf = (node) => node.querySelector("summary")?.textContent;

async function renew(main) {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (next === null || main.contains(document.activeElement?.closest("input"))) return;
  const shown = new Map([...main.querySelectorAll("details")].map((one) => [nameOf(one), one.open]));
  const scrolled = [...main.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  const focused = [...main.querySelectorAll("a, button, summary, .scroll")].indexOf(document.activeElement);
  main.replaceChildren(...next.childNodes);
  main.dataset.stamp = next.dataset.stamp;
  dress(main);
  for (const one of main.querySelectorAll("details")) one.open = shown.get(nameOf(one)) ?? one.open;
  main.querySelectorAll(".scroll").forEach((one, number) => (one.scrollLeft = scrolled[number] ?? 0));
  if (focused >= 0) main.querySelectorAll("a, button, summary, .scroll")[focused]?.focus({ preventScroll: true });
}

function listen(main) {
  const said = document.querySelector(".connection");
  let latest = main.dataset.stamp;
  let isAsking = false;

  async function catchUp() {
    if (isAsking || latest === main.dataset.stamp) return;
    isAsking = true;
    try {
      await renew(main);
    } catch {
      said.textContent = "The league does not answer; trying again …";
    } finally {
      isAsking = false;
    }
  }

  let events = null;

  /** Listen as long as the page is seen: a browser has six connections to a server for all its pages together. */
  function follow() {
    if (document.hidden) {
      events?.close();
      events = null;
    } else if (events === null) {
      events = new EventSource("/events");
      events.addEventListener("message", (event) => {
        said.textContent = "";
        latest = JSON.parse(event.data).stamp;
        setTimeout(catchUp, Math.random() * JITTER_MS);
      });
      events.addEventListener("error", () => (said.textContent = "The league does not answer; trying again …"));
    }
  }

  document.addEventListener("visibilitychange", follow);
  follow();
}

// ---- uploads

async function upload(form) {
  const said = form.querySelector(".said");
  const button = form.querySelector("button");
  const archive = form.elements.archive.files[0] ?? null;
  const chosen = form.elements.folder.files.length > 0 ? form.elements.folder.files : form.elements.files.files;
  if (archive === null && chosen.length === 0) {
    said.textContent = "Choose an archive, a folder, or files.";
    return;
  }
  button.disabled = true;
  said.className = "said";
  said.textContent = "It is being sent …";
  try {
    const body = archive ?? (await packFolder(chosen));
    const name = encodeURIComponent(form.elements.bot.value.trim());
    const answer = await fetch(`/submit/${name}`, {
      method: "POST",
      body,
      headers: { "x-form-token": document.body.dataset.formToken },
    });
    const found = await answer.json();
    if (answer.ok) return location.assign(`/versions/${found.number}`);
    said.textContent = answer.status === LOGGED_OUT
      ? "You are not logged in any more: log in again."
      : `Refused: ${found.error}.`;
  } catch (error) {
    said.textContent = `It could not be sent: ${error.message}.`;
  }
  said.className = "said error";
  button.disabled = false;
}

const main = document.getElementById("main");
dress(main);
if (main.dataset.live) listen(main);
const form = document.getElementById("upload");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  upload(form);
});
