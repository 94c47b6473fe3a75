// Where everything on a table lies, in pixels: sizes, seats around the table, fans of cards, the middle. Only numbers.

export const CARD = 1.4; // height of a card, in widths
const PHONE = 620; // a narrower board is that of a phone
const ARC = [0, 0, 58, 90, 104, 114, 120, 126, 130, 132]; // by number of others: degrees from the top to the last seat
const INDEX = 0.42; // of a card's width: what of it must be seen, so that its index can be read
const LIP = 0.26; // of a rack, in widths of a card: where its labels stand
const GAP = 0.06; // between the slots of a rack, likewise
const PLATE = { wide: 50, phone: 38 }; // height
const LAST = 24; // height of the line with a seat's last move
const EDGE = 8; // from the rim of the board

const clamp = (least, value, most) => Math.max(least, Math.min(value, most));

/**
 * Return how many pixels wide cards are: one's own, those in the middle, those of others.
 * `slots` is the number of places of one's own rack; 0: none. `isOpen`: all hands are shown.
 */
export function measureCards({ width, height, slots, isOpen, hasSpreads }) {
  if (width < PHONE) {
    const own = clamp(50, width * 0.155, 72);
    return { isPhone: true, own: slots ? Math.min(68, (width - 30) / (Math.ceil(slots / 2) * (1 + GAP) + 0.2)) : own, mid: clamp(44, Math.min(width * 0.15, height * 0.115), 68), other: isOpen ? 30 : 27 };
  }
  const own = clamp(60, Math.min(width * 0.088, height * 0.15), 172);
  const mid = hasSpreads ? clamp(52, Math.min(width * 0.08, height * 0.145), 172) : clamp(60, Math.min(width * 0.1, height * 0.17), 190);
  const rack = slots ? (width - 28) / (slots * (1 + GAP) + 0.3 + 1.1) : Infinity; // beside it lies a drawn card
  return { isPhone: false, own: Math.min(own, Math.max(60, rack)), mid, other: clamp(32, Math.min(width * (isOpen ? 0.044 : 0.038), height * 0.075), 84) };
}

/**
 * Return a fan of so many cards: the step from one to the next, the cards in a row, how far the second row is below.
 * `drop` is what of a card must be seen above the second row, in widths.
 */
function fan(count, card, room, most, drop) {
  if (count < 2) return { step: 0, columns: Math.max(1, count), drop: 0, width: card, height: card * CARD };
  const step = Math.min(card * most, (room - card) / (count - 1));
  if (step >= card * Math.min(most, INDEX - 0.02) || count < 6) return { step, columns: count, drop: 0, width: card + step * (count - 1), height: card * CARD };
  const columns = Math.ceil(count / 2);
  const wider = Math.min(card * most, (room - card) / (columns - 1));
  return { step: wider, columns, drop: card * drop, width: card + wider * (columns - 1), height: card * (CARD + drop) };
}

/** Return a zone laid out: its box, at the origin, and the place of each card in it. */
function layZone(zone, card, { room = 0, most = 1, rows = 1 }) {
  if (zone.kind === "slots") return layRack(zone, card, rows);
  if (zone.kind === "pile") return { zone, card, width: card, height: card * CARD, cards: Array(zone.count).fill([0, 0]) };
  if (zone.size) room = card * most * zone.size;
  const reserved = fan(Math.max(zone.count, zone.size, zone.reserve ?? 1), card, room, most, zone.drop);
  const shape = zone.size ? reserved : fan(zone.count, card, room, most, zone.drop);
  const [width, height] = [Math.max(reserved.width, shape.width), Math.max(reserved.height, shape.height)];
  const left = (width - shape.width) / 2;
  const cards = Array.from({ length: zone.count }, (_, at) => [left + shape.step * (at % shape.columns), at < shape.columns ? 0 : shape.drop]);
  const places = Array.from({ length: zone.size }, (_, at) => [left + shape.step * at, 0]);
  return { zone, card, width, height, cards, places, isTight: shape.step < card * 0.95, hasRows: reserved.drop > 0 };
}

function layRack(zone, card, rows) {
  const columns = Math.ceil(zone.labels.length / rows);
  const [pad, rowHeight] = [card * 0.1, card * (CARD + LIP)];
  const cards = zone.labels.map((_, at) => [pad + (at % columns) * card * (1 + GAP), pad + Math.floor(at / columns) * (rowHeight + card * 0.06)]);
  return { zone, card, cards, isRack: true, width: columns * card * (1 + GAP) - card * GAP + 2 * pad, height: rows * (rowHeight + card * 0.06) + pad };
}

/** Put boxes beside each other, their bottoms on a line, around `x`. */
function putInRow(boxes, x, bottom, gap) {
  let left = x - (sumWidths(boxes, gap)) / 2;
  for (const box of boxes) {
    Object.assign(box, { x: left, y: bottom - box.height });
    left += box.width + gap;
  }
}

function sumWidths(boxes, gap) {
  return boxes.reduce((sum, box) => sum + box.width, gap * Math.max(0, boxes.length - 1));
}

/**
 * Return where everything lies: `zones` (boxes by number), `seats` (plates and lines of last moves by seat), `felt`,
 * `facts`, `ownTop`.
 *
 * `text` is the size of text, 1 as usual. `zones` have a number, kind, owner, labels, count, reserve (the most cards it ever holds), isHeld, isOpen, place,
 * group, size and, in the middle, players (the seats whose cards lie there).
 */
export function arrangeTable(view) {
  const sizes = measureCards(view);
  const found = { sizes, zones: new Map(), seats: [], felt: null, facts: null, ownTop: 0 };
  const own = arrangeOwn(view, sizes, found);
  const pods = arrangeOthers(view, sizes, found, own);
  arrangeMiddle(view, sizes, found, pods);
  return found;
}

// ---- one's own place: at the lower rim

function arrangeOwn(view, sizes, found) {
  const { width, height, near } = view;
  const { isPhone, own } = sizes;
  const held = view.zones.filter((zone) => zone.owner === near && zone.isHeld);
  const laid = view.zones.filter((zone) => zone.owner === near && !zone.isHeld).map((zone) => layZone(zone, Math.max(30, own * 0.46), { room: own * 2, most: INDEX }));
  const racks = held.filter((zone) => zone.kind === "slots").map((zone) => layZone(zone, own, { rows: isPhone ? 2 : 1 }));
  const room = isPhone ? width - 2 * EDGE : width * 0.72;
  const hands = held.filter((zone) => zone.kind !== "slots").map((zone) => layZone(zone, own, { room: room / Math.max(1, held.length - racks.length), most: 1.04 }));
  const bottom = height - EDGE - 2;
  const isStacked = isPhone && racks.length > 0 && hands.length > 0;
  const row = isStacked ? racks : [...racks, ...hands];
  putInRow(row, width / 2, bottom, own * 0.12);
  let top = Math.min(bottom - own * CARD * 0.5, ...row.map((box) => box.y));
  const plate = { width: view.plates[near], height: isPhone ? PLATE.phone : PLATE.wide * view.text };
  const left = row.length ? row[0].x : width / 2;
  const isBeside = left > plate.width + 3 * EDGE;
  const laidWidth = sumWidths(laid, EDGE);
  const isLaidBeside = left > laidWidth + 3 * EDGE;
  let upper = 0;
  if (!isBeside) upper = plate.height;
  if (!isLaidBeside && laid.length) upper = Math.max(upper, ...laid.map((box) => box.height));
  if (isStacked) upper = Math.max(upper, own * CARD);
  const gap = view.isOpen ? EDGE : 22; // cards that are picked rise
  const rowTop = top - upper - (upper ? gap : 0);
  Object.assign(plate, isBeside ? { x: left - plate.width / 2 - 2 * EDGE, y: bottom - plate.height } : { x: plate.width / 2 + EDGE, y: top - gap - plate.height });
  if (isStacked) putInRow(hands, isBeside ? width / 2 : width - own - EDGE * 2, top - gap, EDGE);
  if (laid.length) putInRow(laid, width - laidWidth / 2 - EDGE - (isStacked ? own * 1.2 : 0), isLaidBeside ? bottom : top - gap, EDGE);
  top = Math.min(top, upper ? rowTop : top);
  for (const box of [...row, ...hands, ...laid]) found.zones.set(box.zone.number, box);
  const right = laid.length ? width : row.length ? row.at(-1).x + row.at(-1).width : width / 2;
  found.seats[near] = { ...plate, angle: Math.PI, last: isPhone ? null : right + 150 < width ? { x: right + 14, y: bottom - 40 } : { x: plate.x + plate.width / 2 + 10, y: plate.y + 13 } };
  found.ownTop = top;
  found.ownRow = row.length ? Math.min(...row.map((box) => box.y)) : top;
  return { top };
}

// ---- the others: from the left over the top to the right

function arrangeOthers(view, sizes, found, own) {
  const { width, near, seats } = view;
  const others = Array.from({ length: seats - 1 }, (_, step) => (near + step + 1) % seats);
  const span = ((ARC[Math.min(others.length, ARC.length - 1)] * Math.PI) / 180) * (sizes.isPhone ? 0.98 : 1);
  const isTopRow = sizes.isPhone && others.length <= 3;
  const pods = others.map((seat, at) => {
    const angle = others.length > 1 ? -span + (2 * span * at) / (others.length - 1) : 0;
    return makePod(view, sizes, seat, angle, others.length, isTopRow);
  });
  const podHeight = Math.max(0, ...pods.map((pod) => pod.height));
  const feltTop = sizes.isPhone ? Math.min(podHeight * 0.6, 84) : podHeight * 0.5 + 4;
  const feltSide = sizes.isPhone ? 24 : Math.max(56, width * 0.07);
  found.felt = { x: feltSide, y: feltTop, width: width - 2 * feltSide, height: (sizes.isPhone ? own.top : view.height - (view.height - found.ownRow) * 0.52) - feltTop };
  const [rx, ry] = [width / 2 - feltSide - 4, (own.top - feltTop) / 2 - 2];
  const curve = (value) => Math.sign(value) * Math.abs(value) ** 0.78;
  pods.forEach((pod, at) => {
    pod.x = isTopRow ? (width * (at + 0.5)) / pods.length : width / 2 + rx * curve(Math.sin(pod.angle));
    pod.y = isTopRow ? EDGE / 2 + pod.height / 2 : (feltTop + own.top) / 2 - ry * curve(Math.cos(pod.angle));
    pod.x = clamp(pod.width / 2 + EDGE, pod.x, width - pod.width / 2 - EDGE);
    pod.y = clamp(pod.height / 2 + EDGE / 2, pod.y, own.top - pod.height / 2 - EDGE);
  });
  if (!isTopRow) separatePods(pods, own.top);
  for (const pod of pods) placePod(pod, found);
  return pods;
}

function makePod(view, { isPhone, other }, seat, angle, count, isTopRow) {
  const { width } = view;
  const isAtTop = Math.abs(angle) < 0.5;
  const room = isPhone ? (isTopRow ? width / count - 12 : count > 7 ? 100 : 124) : isAtTop ? width * (count > 3 ? 0.24 : 0.34) : width * 0.24;
  const zones = view.zones.filter((zone) => zone.owner === seat);
  const held = zones.filter((zone) => zone.isHeld);
  const laid = zones.filter((zone) => !zone.isHeld).map((zone) => layZone(zone, other * 0.8, { room: other * 2, most: INDEX }));
  const left = room - sumWidths(laid, 6) - (laid.length ? 6 : 0);
  const racks = held.filter((zone) => zone.kind === "slots").map((zone) => {
    const rows = isPhone ? 2 : 1;
    const columns = Math.ceil(zone.labels.length / rows) * (1 + GAP) + 0.3 + (held.length > 1 ? 1.1 : 0);
    return layZone(zone, Math.min(other * (zone.isOpen ? 1 : 0.8), left / columns), { rows });
  });
  const hands = held.filter((zone) => zone.kind !== "slots").map((zone) =>
    layZone(zone, racks.length ? racks[0].card : other, { room: Math.max(other, left - sumWidths(racks, 6)), most: zone.isOpen ? 0.64 : 0.24 }));
  const hold = [...racks, ...hands, ...laid];
  const holdHeight = Math.max(0, ...hold.map((box) => box.height));
  const plate = { width: Math.min(view.plates[seat], isPhone ? (isTopRow ? width / count - 8 : count > 7 ? 102 : 122) : 250 * view.text), height: isPhone ? PLATE.phone : PLATE.wide * view.text };
  const overlap = racks.length || !hold.length || hands.some((box) => box.hasRows) ? 0 : Math.min(holdHeight * 0.3, plate.height * 0.5);
  return {
    seat, angle, hold, plate, overlap, holdHeight,
    width: Math.max(plate.width, sumWidths(hold, 6)), height: holdHeight + plate.height - overlap + LAST * view.text,
  };
}

/** Push seats apart that would lie on each other: those at the sides up or down, those at the top sideways. */
function separatePods(pods, bottom) {
  const isLeft = (pod) => Math.sin(pod.angle) < -0.5;
  const isRight = (pod) => Math.sin(pod.angle) > 0.5;
  for (const column of [pods.filter(isLeft), pods.filter(isRight)]) {
    column.sort((one, other) => other.y - one.y); // from below
    let limit = bottom - EDGE;
    for (const pod of column) {
      pod.y = Math.min(pod.y, limit - pod.height / 2);
      limit = pod.y - pod.height / 2 - 4;
    }
    let least = EDGE / 2;
    for (const pod of column.toReversed()) {
      pod.y = Math.max(pod.y, least + pod.height / 2);
      least = pod.y + pod.height / 2 + 4;
    }
  }
  const top = pods.filter((pod) => !isLeft(pod) && !isRight(pod)).sort((one, other) => one.x - other.x);
  for (let at = 1; at < top.length; at++) {
    const over = top[at - 1].x + top[at - 1].width / 2 + EDGE - (top[at].x - top[at].width / 2);
    if (over > 0) {
      for (const pod of top.slice(0, at)) pod.x -= over / 2;
      for (const pod of top.slice(at)) pod.x += over / 2;
    }
  }
}

function placePod(pod, found) {
  const top = pod.y - pod.height / 2;
  putInRow(pod.hold, pod.x, top + pod.holdHeight, 6);
  for (const box of pod.hold) found.zones.set(box.zone.number, box);
  const plateTop = top + pod.holdHeight - pod.overlap;
  found.seats[pod.seat] = { ...pod.plate, x: pod.x, y: plateTop, angle: pod.angle, last: { x: pod.x, y: plateTop + pod.plate.height + 2 } };
}

// ---- the middle

function arrangeMiddle(view, sizes, found, pods) {
  const zones = view.zones.filter((zone) => zone.owner === undefined);
  const { box, rows, facts } = listMiddles(view, sizes, found, pods)
    .map((one) => fillMiddle(view, sizes, zones, one))
    .reduce((best, one) => (one.scale > best.scale ? one : best));
  const total = facts + rows.reduce((sum, row) => sum + row.height + 10, -10);
  let y = box.y + Math.max(0, (box.height - total) / 2);
  found.facts = { x: box.x + box.width / 2, y, width: box.width };
  found.middle = { x: box.x + box.width / 2, y: y + total / 2, ...box };
  y += facts;
  for (const row of rows) {
    putInRow(row.boxes, box.x + box.width / 2, y + row.height - row.caption, row.gap);
    for (const one of row.boxes) found.zones.set(one.zone.number, one);
    y += row.height + 10;
  }
  placeBets(view, sizes, found, pods, box);
}

/** Return the middle filled: zones in rows, as large as they fit. */
function fillMiddle(view, sizes, zones, box) {
  const facts = factsHeight(view, box, sizes);
  let scale = 1;
  let rows = layMiddle(view, sizes, zones, box, scale);
  while (scale > 0.4 && !fits(rows, box, facts)) rows = layMiddle(view, sizes, zones, box, scale -= 0.05);
  return { box, rows, facts, scale };
}

/** Return where the middle may be: between the seats at the sides, or between two rows of them. */
function listMiddles(view, sizes, found, pods) {
  const { width } = view;
  const bottom = found.ownTop - EDGE - (view.hasBets ? 40 : 0);
  const isTop = (pod) => Math.abs(Math.sin(pod.angle)) <= 0.5 || (sizes.isPhone && pods.length <= 3);
  const top = Math.max(found.felt.y + 10, ...pods.filter(isTop).map((pod) => pod.y + pod.height / 2)) + 8;
  const sides = pods.filter((pod) => !isTop(pod));
  const bets = view.hasBets && !sizes.isPhone ? 84 : 0;
  const left = Math.max(found.felt.x * 0.6, ...sides.filter((pod) => pod.x < width / 2).map((pod) => pod.x + pod.width / 2 + bets)) + 12;
  const right = Math.min(width - found.felt.x * 0.6, ...sides.filter((pod) => pod.x > width / 2).map((pod) => pod.x - pod.width / 2 - bets)) - 12;
  const between = { x: left, y: top, width: right - left, height: bottom - top };
  if (!sides.length || between.width > width * 0.5) return [between];
  const edges = [top, ...sides.flatMap((pod) => [pod.y - pod.height / 2, pod.y + pod.height / 2]), bottom].sort((one, other) => one - other);
  let gap = { x: 10, y: top, width: width - 20, height: 0 };
  for (let at = 1; at < edges.length; at++) {
    const [from, to] = [edges[at - 1], edges[at]];
    const isFree = !sides.some((pod) => pod.y - pod.height / 2 < to - 1 && pod.y + pod.height / 2 > from + 1);
    if (isFree && to - from > gap.height) gap = { ...gap, y: from + 4, height: to - from - 8 };
  }
  return [between, gap];
}

function factsHeight(view, box, sizes) {
  if (!view.facts.length) return 0;
  const lines = Math.ceil(view.facts.reduce((sum, one) => sum + one * view.text + 8, 0) / Math.max(120, box.width));
  return lines * (sizes.isPhone ? 27 : 34 * view.text) + (view.hasPot ? 10 : 0) + 8;
}

function fits(rows, box, facts) {
  const height = rows.reduce((sum, row) => sum + row.height + 10, facts);
  return height <= box.height && rows.every((row) => row.width <= box.width);
}

/** Return rows of zones: piles, tricks and boards first, then what has been laid down, in as many rows as it takes. */
function layMiddle(view, sizes, zones, box, scale) {
  const mid = sizes.mid * scale;
  const isNarrow = box.width < 240; // what lies beside has no room then
  const first = zones.filter((zone) => !isMeld(zone) && !(isNarrow && zone.place === "beside"));
  const row = (boxes, gap, caption) => ({ boxes, gap, caption, width: sumWidths(boxes, gap), height: Math.max(0, ...boxes.map((one) => one.height)) + caption });
  const rows = [row(first.map((zone) => layCentral(view, zone, mid, box)), mid * 0.22, 22)];
  const card = Math.min(mid * 0.8, sizes.isPhone ? 46 : 92);
  let melds = [];
  const gap = card * 0.32;
  for (const zone of zones.filter((one) => isMeld(one) && one.count)) {
    const laid = layZone({ ...zone, reserve: 1 }, card, { room: card * 4, most: 0.44 });
    if (melds.length && sumWidths([...melds, laid], gap) > box.width) {
      rows.push(row(melds, gap, 20));
      melds = [];
    }
    melds.push(laid);
  }
  if (melds.length) rows.push(row(melds, gap, 20));
  return rows.filter((one) => one.boxes.length);
}

function isMeld(zone) {
  return zone.kind === "spread" && zone.isOneOfMany;
}

function layCentral(view, zone, mid, box) {
  if (zone.place === "beside") return layZone(zone, mid * 0.6, { room: mid * 1.6, most: INDEX });
  if (zone.kind === "spread" && !zone.size && zone.reserve <= view.seats) return layTrick(view, zone, mid);
  return layZone(zone, mid, { room: box.width * 0.9, most: 1.08 });
}

/** Return a trick: each card on the side of who played it. */
function layTrick(view, zone, mid) {
  const others = view.seats - 1;
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
    const isAtSide = sizes.isPhone && Math.abs(Math.sin(pod.angle)) > 0.5;
    const [dx, dy] = [centre.x - pod.x, isAtSide ? 0 : centre.y - pod.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const reach = (x, y) => Math.min(Math.abs(x / ux) || 1e9, Math.abs(y / uy) || 1e9);
    const way = reach(pod.width / 2, pod.height / 2) + reach(half.x, half.y) + 2;
    if (isAtSide) found.seats[pod.seat].bet = { x: pod.x + Math.sign(dx) * (pod.width / 2 + half.x), y: pod.y + 6 };
    else found.seats[pod.seat].bet = { x: clamp(half.x + 4, pod.x + ux * way, view.width - half.x - 4), y: pod.y + uy * way };
  }
  found.seats[view.near].bet = { x: view.width / 2, y: found.ownTop - 26 };
}
