// The list of tournaments: state, progress, leaders with their tiers, games of the last hour.

import { draw, make } from "./elements.js";

const LIST_MS = 2000; // between looks at the list
const HOUR = 60; // minutes
const CURVE = { width: 240, height: 40 };

/** Show the list in an element, and again and again. `fetchJson` fetches an address. */
export async function showList(root, fetchJson) {
  try {
    const tournaments = await fetchJson("/tournaments.json");
    const focused = document.activeElement?.getAttribute("href");
    const items = tournaments.map(listItem);
    root.replaceChildren(
      items.length ? make("ul", { class: "tournaments" }, ...items) : make("p", {}, "There is no store here yet."),
    );
    if (focused) [...root.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  } catch (error) {
    root.replaceChildren(make("p", { class: "error", role: "alert" }, error.message));
  }
  setTimeout(() => showList(root, fetchJson), LIST_MS);
}

function listItem(one) {
  const link = make("a", { href: `/t/${encodeURIComponent(one.name)}/` }, one.name);
  if (one.error) return make("li", { class: "broken" }, link, make("span", { class: "error" }, one.error));
  return make(
    "li",
    {},
    make("div", { class: "line" }, link, make("span", { class: `state ${one.state}` }, one.state)),
    make("span", {}, one.title),
    one.total && one.state !== "over"
      ? make("progress", { max: one.total, value: one.played, "aria-label": `games played of ${one.name}` })
      : null,
    make("span", { class: "soft" }, one.state === "playing" ? one.progress : tellPlayed(one)),
    listLeaders(one.best),
    drawHour(one.course),
  );
}

/** The games of a tournament that is not being played; how it ended stands on its page. */
function tellPlayed({ played, total, state }) {
  return `${played.toLocaleString("en")}${
    state === "paused" && total ? ` of ${total.toLocaleString("en")}` : ""
  } games played`;
}

function listLeaders(best) {
  if (!best.length) return null;
  return make(
    "ol",
    { class: "best", "aria-label": "in front" },
    ...best.map(({ name, tier }) =>
      make(
        "li",
        { class: tier ? `tier${tier}` : "" },
        tier ? make("span", { class: "tier-name" }, `Tier ${tier}`) : null,
        " ",
        make("bdi", { dir: "auto" }, name),
      )
    ),
  );
}

/** Return a curve of the games of the last hour; null if there were none. */
function drawHour(course) {
  if (course.length < 2) return null;
  const most = course.at(-1)[1];
  const points = course.map(([minutes, games]) =>
    `${(CURVE.width * (HOUR - minutes)) / HOUR},${(CURVE.height - 3 - (CURVE.height - 6) * (games / most)).toFixed(1)}`
  );
  const told = `${Math.round(most).toLocaleString("en")} ${Math.round(most) === 1 ? "game" : "games"} in the last hour`;
  const [first] = course[0];
  const area = `${(CURVE.width * (HOUR - first)) / HOUR},${CURVE.height} ${
    points.join(" ")
  } ${CURVE.width},${CURVE.height}`;
  const picture = draw(
    "svg",
    {
      viewBox: `0 0 ${CURVE.width} ${CURVE.height}`,
      class: "hour",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": told,
    },
    draw("polygon", { points: area }),
    draw("polyline", { points: points.join(" ") }),
  );
  return make("figure", {}, picture, make("figcaption", { "aria-hidden": "true" }, told));
}
