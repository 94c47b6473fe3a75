// Where the middle of a table lies, in pixels: piles, a trick or a board, melds, bets. Only numbers.

import { CAPTION, layBeforeSeats } from "./meld_places.js";
import { ARC, CARD, clamp, EDGE, INDEX, putInRow, sumWidths } from "./zone_layout.js";

const WAYS = ["left", "above", "together"]; // piles beside a trick
const BELOW_BLOCK = 12; // pixels between the instruments and the cards
const LEAST_SCALE = 0.6; // of the cards beside instruments

export function arrangeMiddle(view, sizes, found, pods) {
  const zones = view.zones.filter((zone) => zone.owner === undefined);
  const melds = zones.filter((zone) => isMeld(zone) && zone.count);
  const middles = listMiddles(view, sizes, found, pods);
  const chooseLarger = (best, one) => {
    if (one.place !== best.place) return one.place < best.place ? one : best; // of the block of instruments
    return one.scale > best.scale + 0.04 ? one : best;
  };
  const fill = (some) => middles.flatMap((box) => fillMiddle(view, sizes, some, box)).reduce(chooseLarger);
  const piles = fill(zones.filter((zone) => !isMeld(zone)));
  const laid = melds.length && !sizes.isPhone
    ? layBeforeSeats(view, found, pods, melds, boundMiddle(piles), Math.min(sizes.mid * 0.8, 92))
    : [];
  for (const box of laid ?? []) found.zones.set(box.zone.number, box);
  const middle = laid && (laid.length || !melds.length) ? piles : fill(zones);
  const bounds = boundMiddle(middle);
  let { y } = bounds;
  found.facts = sizes.isLow
    ? { x: EDGE + widenFacts(view) / 2, y: found.podBottom, width: widenFacts(view) }
    : { x: middle.box.x + middle.box.width / 2, y, width: middle.box.width };
  y += middle.facts;
  found.block = middle.block &&
    { way: middle.block, x: middle.box.x + middle.box.width / 2, y, width: middle.box.width };
  if (middle.block) y += middle.block.height + BELOW_BLOCK;
  found.middle = middle.rows.length ? bounds : null;
  for (const row of middle.rows) {
    putInRow(row.boxes, middle.box.x + middle.box.width / 2 + (row.shift ?? 0), y + row.height - row.caption, row.gap);
    for (const one of row.boxes) found.zones.set(one.zone.number, one);
    y += row.height + 10;
  }
  placeBets(view, sizes, found, pods, middle.box);
}

/** Return what the filled middle takes. */
function boundMiddle({ box, rows, facts, block }) {
  const height = facts + blockHeight(block) + rows.reduce((sum, row) => sum + row.height + 10, -10);
  const width = Math.max(0, block?.width ?? 0, ...rows.map((row) => row.width));
  return { x: box.x + (box.width - width) / 2, y: box.y + Math.max(0, (box.height - height) / 2), width, height };
}

function blockHeight(block) {
  return block ? block.height + BELOW_BLOCK : 0;
}

/**
 * Return the middle filled in each way that there is: the block of instruments, laid out in the first way for which
 * there is room, and zones in rows, as large as they fit.
 */
function fillMiddle(view, sizes, zones, box) {
  const facts = factsHeight(view, box, sizes);
  const blocks = [...view.blocks, null];
  const fill = (block, place) =>
    WAYS.map((way) => {
      const taken = facts + blockHeight(block);
      let scale = 1;
      let rows = layMiddle(view, sizes, zones, box, scale, way);
      while (scale > 0.4 && !fits(rows, box, taken)) rows = layMiddle(view, sizes, zones, box, scale -= 0.05, way);
      const isRoomy = scale > LEAST_SCALE && (block?.width ?? 0) <= box.width && taken <= box.height + BELOW_BLOCK;
      return { box, rows, facts, block, scale, place, isRoomy };
    });
  for (const [place, block] of blocks.entries()) {
    const filled = fill(block, place);
    if (!block || filled.some((one) => one.isRoomy)) return filled;
  }
  return [];
}

/** Return where the middle may be: between the seats at the sides, or between two rows of them. */
function listMiddles(view, sizes, found, pods) {
  const { width } = view;
  const bottom = found.ownTop - EDGE - (view.hasBets ? 40 : 0);
  const isTop = (pod) => Math.abs(Math.sin(pod.angle)) <= 0.5 || found.isTopRow;
  const top =
    Math.max(found.felt.y + 10, found.shownBottom, ...pods.filter(isTop).map((pod) => pod.y + pod.height / 2)) + 8;
  const sides = pods.filter((pod) => !isTop(pod));
  const bets = view.hasBets && !sizes.isPhone ? 84 : 0;
  const rim = sizes.isPhone ? found.felt.x - 2 : found.felt.x * 0.6;
  const facts = sizes.isLow && view.facts.length ? widenFacts(view) + EDGE : 0; // beside what lies in the middle
  const left =
    Math.max(facts, rim, ...sides.filter((pod) => pod.x < width / 2).map((pod) => pod.x + pod.width / 2 + bets)) +
    12;
  const right =
    Math.min(width - rim, ...sides.filter((pod) => pod.x > width / 2).map((pod) => pod.x - pod.width / 2 - bets)) - 12;
  const between = { x: left, y: top, width: right - left, height: bottom - top };
  const { gap: own } = found; // beside one's own plate, where a rack leaves room
  if (own) return [between, { x: own.x, y: top, width: own.right - own.x, height: own.bottom - top }];
  if (!sides.length) return [between];
  const rims = sides.flatMap((pod) => [pod.y - pod.height / 2, pod.y + pod.height / 2]);
  const edges = [top, ...rims, bottom].sort((one, other) => one - other);
  let gap = { x: 10, y: top, width: width - 20, height: 0 };
  for (let at = 1; at < edges.length; at++) {
    const [from, to] = [edges[at - 1], edges[at]];
    const isFree = !sides.some((pod) => pod.y - pod.height / 2 < to - 1 && pod.y + pod.height / 2 > from + 1);
    if (isFree && to - from > gap.height) gap = { ...gap, y: from + 4, height: to - from - 8 };
  }
  return [between, gap];
}

function factsHeight(view, box, sizes) {
  if (!view.facts.length || sizes.isLow) return 0;
  const lines = Math.ceil(view.facts.reduce((sum, one) => sum + one * view.text + 8, 0) / Math.max(120, box.width));
  return lines * (sizes.isPhone ? 27 : 34 * view.text) + (view.hasPot ? 10 : 0) + 8;
}

/** Return the width of a column of counts, at the left of a low board. */
export function widenFacts(view) {
  return clamp(60, Math.max(0, ...view.facts) * 0.8, 130);
}

function fits(rows, box, facts) {
  const height = rows.reduce((sum, row) => sum + row.height + 10, facts);
  return height <= box.height && rows.every((row) => row.width <= box.width);
}

/**
 * Return rows of zones: piles, tricks and boards first, then what has been laid down, in as many rows as it takes.
 * A trick lies in the middle, with piles at its left or above it; or both are in the middle together.
 */
function layMiddle(view, sizes, zones, box, scale, way) {
  const mid = sizes.mid * scale;
  const isNarrow = box.width < 240; // what lies beside has no room then
  const isLater = (zone) => view.isBidding && zone.kind.isLaidOut && !zone.size && !zone.count; // a trick
  const isFirst = (zone) => !isMeld(zone) && !(isNarrow && zone.place === "beside") && !isLater(zone);
  const first = zones.filter(isFirst).map((zone) => layCentral(view, sizes, zone, mid, box));
  const [piles, tricks] = [first.filter((one) => !one.isTrick), first.filter((one) => one.isTrick)];
  const makeRow = (boxes, gap, caption) => ({
    boxes,
    gap,
    caption,
    width: sumWidths(boxes, gap),
    height: Math.max(0, ...boxes.map((one) => one.height)) + caption,
  });
  const gap = Math.max(
    mid * 0.22,
    ...piles.slice(1).map((one, at) => {
      const before = piles[at];
      return (one.zone.caption + before.zone.caption - one.width - before.width) / 2 + 10;
    }),
  );
  const rows = [];
  if (tricks.length && piles.length && way !== "above") {
    const row = makeRow([...piles, ...tricks], gap, 22);
    const shift = way === "left" ? -(sumWidths(piles, gap) + gap) / 2 : 0; // so that the trick stays in the middle
    rows.push({ ...row, shift, width: row.width - 2 * shift });
  } else rows.push(makeRow(piles, gap, 22), makeRow(tricks, gap, 12));
  const card = Math.min(Math.max(24, mid * 0.8), sizes.isPhone ? 46 : 92);
  if (sizes.isLow && way === "together") return layOneRow(zones, rows, card, makeRow);
  let melds = [];
  for (const zone of zones.filter((one) => isMeld(one) && one.count)) {
    const laid = zone.kind.lay({ ...zone, reserve: 1 }, card, { room: card * 4, most: 0.44 });
    if (melds.length && sumWidths([...melds, laid], card * 0.32) > box.width) {
      rows.push(makeRow(melds, card * 0.32, CAPTION));
      melds = [];
    }
    melds.push(laid);
  }
  rows.push(makeRow(melds, card * 0.32, CAPTION));
  return rows.filter((one) => one.boxes.length);
}

/** Return rows of zones with what has been laid down beside the last of them, where there is no height for more. */
function layOneRow(zones, rows, card, makeRow) {
  const laid = zones.filter((one) => isMeld(one) && one.count).map((zone) =>
    zone.kind.lay({ ...zone, reserve: 1 }, card, { room: card * 4, most: 0.44 })
  );
  const { boxes, gap } = rows.filter((one) => one.boxes.length).at(-1) ?? { boxes: [], gap: card * 0.32 };
  return [makeRow([...boxes, ...laid], Math.min(gap, card * 0.6), 22)];
}

function isMeld(zone) {
  return zone.kind.isLaidOut && zone.isOneOfMany;
}

function layCentral(view, sizes, zone, mid, box) {
  if (zone.place === "beside") {
    const room = zone.kind.isLaidOut ? Math.max(mid * 1.6, box.width * 0.32) : mid * 1.6;
    return zone.kind.lay(zone, Math.max(24, mid * 0.6), { room, most: INDEX });
  }
  const hasOneEach = new Set(zone.players).size === zone.players.length;
  if (zone.kind.isLaidOut && !zone.size && zone.reserve <= view.seats && hasOneEach) {
    return layTrick(view, sizes, zone, mid);
  }
  return zone.kind.lay(zone, mid, { room: box.width * 0.9, most: 1.08 });
}

/** Return a trick: each card on the side of who played it; on a low board in a row, one's own last. */
function layTrick(view, sizes, zone, mid) {
  const others = view.seats - 1;
  if (sizes.isLow) {
    const cards = zone.players.map((seat, at) => [
      mid * 1.4 * (seat === undefined ? at : (seat - view.near - 1 + view.seats) % view.seats),
      0,
    ]);
    return { zone, card: mid, cards, isTrick: true, width: mid * (1.4 * others + 1), height: mid * CARD };
  }
  const [across, down] = [mid * (others > 3 ? 1.5 : 1.08), mid * (view.height < 560 ? 0.45 : 0.66)];
  const span = (ARC[Math.min(others, ARC.length - 1)] * Math.PI) / 180;
  const cards = zone.players.map((seat, at) => {
    const step = seat === undefined ? at : (seat - view.near + view.seats) % view.seats;
    const angle = step === 0 ? Math.PI : others > 1 ? -span + (2 * span * (step - 1)) / (others - 1) : 0;
    return [across + Math.sin(angle) * across, down - Math.cos(angle) * down];
  });
  return { zone, card: mid, cards, isTrick: true, width: 2 * across + mid, height: 2 * down + mid * CARD };
}

/** Put bets before their seats, on the line to the middle, beside what lies in the middle. */
function placeBets(view, sizes, found, pods, box) {
  if (!view.hasBets) return;
  const half = { x: sizes.isPhone ? 30 : 42, y: 17 };
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (const pod of pods) {
    const isAtSide = sizes.isPhone && pods.length > 3 && Math.abs(Math.sin(pod.angle)) > 0.5;
    const [dx, dy] = [centre.x - pod.x, isAtSide ? 0 : centre.y - pod.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const reach = (x, y) => Math.min(Math.abs(x / ux) || 1e9, Math.abs(y / uy) || 1e9);
    const way = reach(pod.width / 2, pod.height / 2) + reach(half.x, half.y) + 2;
    if (isAtSide) found.seats[pod.seat].bet = { x: pod.x + Math.sign(dx) * (pod.width / 2 + half.x), y: pod.y + 6 };
    else {found.seats[pod.seat].bet = {
        x: clamp(half.x + 4, pod.x + ux * way, view.width - half.x - 4),
        y: pod.y + uy * way,
      };}
  }
  found.seats[view.near].bet = { x: view.width / 2, y: found.ownTop - 26 };
}
