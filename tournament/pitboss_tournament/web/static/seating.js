// Where everything on a table lies, in pixels: seats around the table, with what they hold. Only numbers.

import { arrangeMiddle, widenFacts } from "./middle.js";
import { ARC, CARD, clamp, EDGE, GAP, INDEX, measureCards, putInRow, sumWidths } from "./zone_layout.js";

const PLATE = { wide: 50, phone: 38 }; // height
const LINE = { wide: 16, phone: 13 }; // height of a further line of counts on a plate
const WIDEST = { wide: 290, crowded: 230, phone: 250, low: 150 }; // plates, in pixels
const CROWD = 5; // others from which their plates are narrow
const CROWD_OF_PHONE = 3; // seats: with more, the plates of a phone have no disc
const FEW = 5; // cards of a hand that are drawn larger if its owner is the one who does not see them
const PEEP = 16; // height of what is seen of closed hands above their plates on a low board
const ROW_OF_LOW = 5; // others that sit in a row on a low board
const REACH = 24; // of a card that is seen, to be clicked
const LAST = 24; // height of the line with a seat's last move

/** Return the size of a plate that may be so wide; counts that do not fit into one line take more. */
function measurePlate(view, sizes, seat, most) {
  const { name, counts, parts } = view.plates[seat];
  const rims = sizes.isPhone ? 1 : view.text; // they grow with the text
  const extra = sizes.isPhone && seat !== view.near && view.seats > CROWD_OF_PHONE ? 26 : 78 * rims; // with its disc
  const isTall = counts + extra > most;
  const width = isTall ? most : Math.min(most, Math.max(sizes.isPhone ? 84 : 120, name + extra, counts + extra));
  const kind = sizes.isPhone ? "phone" : "wide";
  const more = isTall ? countLines(parts, most - extra) - 1 : 0;
  return { width, height: (PLATE[kind] + more * LINE[kind]) * (sizes.isPhone ? 1 : view.text), isTall };
}

function countLines(parts, room) {
  let [lines, left] = [1, room];
  for (const part of parts) {
    if (part > left && left < room) [lines, left] = [lines + 1, room];
    lines += Math.max(0, Math.ceil(part / room) - 1); // a long count is wrapped
    left -= part + 9;
  }
  return lines;
}

/**
 * Return where everything lies: `zones` (boxes by number), `seats` (plates and lines of last moves by seat), `felt`,
 * `facts`, `ownTop`.
 *
 * `text` is the size of text, 1 as usual. `zones` have a number, kind (a `ZoneKind`), owner, labels, count, reserve
 * (the most cards it ever holds), isHeld, isOpen, place, group, size and, in the middle, players (the seats whose cards
 * lie there).
 */
export function arrangeTable(view) {
  const sizes = measureCards(view);
  const found = {
    sizes,
    zones: new Map(),
    seats: [],
    felt: null,
    facts: null,
    ownTop: 0,
    isTopRow: false,
    podBottom: 0,
    shownBottom: 0,
  };
  const own = arrangeOwn(view, sizes, found);
  const pods = arrangeOthers(view, sizes, found, own);
  arrangeMiddle(view, sizes, found, pods);
  return found;
}

// ---- one's own place: at the lower rim

function arrangeOwn(view, sizes, found) {
  const { width, height, near } = view;
  const { isPhone, own } = sizes;
  const zones = view.zones.filter((zone) => zone.owner === near && zone.kind.takesPlace(zone));
  const held = zones.filter((zone) => zone.isHeld);
  const laid = zones.filter((zone) => !zone.isHeld).map((zone) =>
    zone.kind.lay(zone, Math.max(30, own * 0.46), { room: own * 2, most: INDEX })
  );
  const racks = held.filter((zone) => zone.kind.hasSlots).map((zone) =>
    zone.kind.lay(zone, own, { rows: sizes.rackRows })
  );
  const plate = measurePlate(
    view,
    sizes,
    near,
    sizes.isLow ? Math.min(WIDEST.low, width * 0.24) : (isPhone ? WIDEST.phone : WIDEST.wide) * view.text,
  );
  const laidWidth = sumWidths(laid, EDGE);
  const isAside = sizes.isLow && !racks.length; // plate, hand and what is laid down lie side by side
  const aside = { left: plate.width + 2 * EDGE, right: width - EDGE - (laid.length ? laidWidth + EDGE : 0) };
  const room = isAside ? aside.right - aside.left : isPhone ? width - 2 * EDGE : width * 0.72;
  const loose = held.filter((zone) => !zone.kind.hasSlots);
  const expected = loose.reduce((sum, zone) => sum + zone.kind.weigh(zone), 0);
  const hands = loose.map((zone) =>
    zone.kind.lay(isAside ? { ...zone, reserve: zone.count } : zone, own, {
      room: (room * zone.kind.weigh(zone)) / expected,
      most: 1.04,
    })
  );
  const bottom = height - EDGE - 2;
  const isStacked = isPhone && racks.length > 0 && hands.length > 0;
  const row = isStacked ? racks : [...racks, ...hands];
  putInRow(row, isAside ? (aside.left + aside.right) / 2 : width / 2, bottom, own * 0.12);
  let top = Math.min(bottom - own * CARD * 0.5, ...row.map((box) => box.y));
  const left = row.length ? row[0].x : width / 2;
  const isBeside = isAside || left > plate.width + 3 * EDGE;
  const end = row.length ? row.at(-1).x + row.at(-1).width : width / 2;
  const isLaidBeside = isAside || width - end > laidWidth + 3 * EDGE;
  let upper = 0;
  if (!isBeside) upper = plate.height;
  if (!isLaidBeside && laid.length) upper = Math.max(upper, ...laid.map((box) => box.height));
  if (isStacked) upper = Math.max(upper, own * CARD);
  const gap = view.isOpen ? EDGE : 22; // cards that are picked rise
  const rowTop = top - upper - (upper ? gap : 0);
  Object.assign(
    plate,
    isBeside
      ? { x: left - plate.width / 2 - (isAside ? 1 : 2) * EDGE, y: bottom - plate.height }
      : { x: plate.width / 2 + EDGE, y: top - gap - plate.height },
  );
  if (isStacked) putInRow(hands, isBeside ? width / 2 : width - own - EDGE * 2, top - gap, EDGE);
  if (laid.length) {
    putInRow(
      laid,
      isLaidBeside
        ? end + laidWidth / 2 + (isAside ? 1 : 2) * EDGE
        : width - laidWidth / 2 - EDGE - (isStacked ? own * 1.2 : 0),
      isLaidBeside ? bottom : top - gap,
      EDGE,
    );
  }
  top = Math.min(top, upper ? rowTop : top);
  for (const box of [...row, ...hands, ...laid]) found.zones.set(box.zone.number, box);
  const last = isBeside
    ? { x: plate.x - plate.width / 2 + 12, y: plate.y - LAST * view.text - 14 }
    : { x: plate.x + plate.width / 2 + 10, y: plate.y + 13 };
  found.seats[near] = { ...plate, angle: Math.PI, last: isPhone ? null : last };
  if (racks.length && !isBeside && (sizes.isLow || (isStacked && hands.length))) {
    found.gap = {
      x: plate.x + plate.width / 2 + EDGE,
      right: Math.min(width, ...[...hands, ...laid].filter((box) => box.y < row[0].y).map((box) => box.x)) - EDGE,
      bottom: row[0].y - gap,
    };
  }
  found.ownTop = top;
  found.ownRow = row.length ? Math.min(...row.map((box) => box.y)) : top;
  return { top };
}

// ---- the others: from the left over the top to the right

function arrangeOthers(view, sizes, found, own) {
  const { width, near, seats } = view;
  const others = Array.from({ length: seats - 1 }, (_, step) => (near + step + 1) % seats);
  const span = ((ARC[Math.min(others.length, ARC.length - 1)] * Math.PI) / 180) * (sizes.isPhone ? 0.98 : 1);
  const isTopRow = sizes.isPhone && others.length <= (sizes.isLow ? ROW_OF_LOW : 3);
  const pods = others.map((seat, at) => {
    const angle = others.length > 1 ? -span + (2 * span * at) / (others.length - 1) : 0;
    return makePod(view, sizes, seat, angle, others.length, isTopRow);
  });
  found.isTopRow = isTopRow;
  if (isTopRow) alignPods(pods);
  const podHeight = Math.max(0, ...pods.map((pod) => pod.height));
  const feltTop = sizes.isPhone ? Math.min(podHeight * 0.6, 84) : podHeight * 0.5 + 4;
  const feltSide = sizes.isPhone ? 24 : Math.max(56, width * 0.07);
  found.felt = {
    x: feltSide,
    y: feltTop,
    width: width - 2 * feltSide,
    height: (sizes.isPhone ? (found.gap?.bottom ?? own.top) : view.height - (view.height - found.ownRow) * 0.52) -
      feltTop,
  };
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
  found.podBottom = Math.max(
    EDGE,
    ...pods.filter((pod) => isTopRow || Math.cos(pod.angle) > 0.9).map((pod) => pod.y + pod.height / 2),
  );
  if (isTopRow) layShown(view, sizes, pods, found);
  return pods;
}

function makePod(view, sizes, seat, angle, count, isTopRow) {
  const { width } = view;
  const { isPhone, other } = sizes;
  const isAtTop = Math.abs(angle) < 0.5;
  const room = isPhone
    ? (isTopRow ? width / count - 12 : count > 7 ? 100 : 124)
    : isAtTop
    ? width * (count > 3 ? 0.24 : 0.34)
    : width * 0.24;
  const zones = view.zones.filter((zone) => zone.owner === seat && zone.kind.takesPlace(zone));
  const held = zones.filter((zone) => zone.isHeld && !(isTopRow && zone.isShown));
  const laid = zones.filter((zone) => !zone.isHeld).map((zone) =>
    zone.kind.lay(zone, other * 0.8, { room: other * 2, most: INDEX })
  );
  const left = room - (isPhone && laid.length ? sumWidths(laid, 6) + 6 : 0);
  const areOpen = view.zones.some((zone) => zone.owner !== view.near && zone.kind.hasSlots && zone.isOpen);
  const racks = held.filter((zone) => zone.kind.hasSlots).map((zone) => {
    const rows = sizes.rackRows;
    const columns = Math.ceil(zone.labels.length / rows) * (1 + GAP) + 0.3 + (held.length > 1 ? 1.1 : 0);
    return zone.kind.lay(zone, Math.min(other * (areOpen ? 1 : 0.8), left / columns), { rows });
  });
  const loose = held.filter((zone) => !zone.kind.hasSlots);
  const expected = loose.reduce((sum, zone) => sum + zone.kind.weigh(zone), 0);
  const rest = left - (racks.length ? sumWidths(racks, 6) + 6 : 0) - 6 * Math.max(0, loose.length - 1);
  const large = isPhone ? other * (sizes.isLow ? 1.2 : 1.5) : other; // of few cards that one sees and they do not
  const hands = loose.map((zone) =>
    zone.kind.lay(zone, racks.length ? racks[0].card : zone.isFaceUp && expected <= FEW ? large : other, {
      room: Math.max(other, (rest * zone.kind.weigh(zone)) / expected),
      most: zone.isOpen ? 0.64 : 0.24,
    })
  );
  const isFaceUp = loose.some((zone) => zone.isFaceUp);
  const hold = [...racks, ...hands, ...(isPhone ? laid : [])];
  const beside = isPhone ? [] : laid;
  const besideWidth = beside.length ? sumWidths(beside, 6) + 6 : 0;
  const holdHeight = Math.max(0, ...hold.map((box) => box.height));
  const most = isPhone
    ? (isTopRow ? width / count - 8 : count > 7 ? 102 : 122)
    : (count >= CROWD || view.hasBets ? WIDEST.crowded : WIDEST.wide) * view.text;
  const plate = measurePlate(view, sizes, seat, most);
  const overlap = racks.length || !hold.length || hands.some((box) => box.hasRows) || (isPhone && isFaceUp)
    ? 0
    : sizes.isLow && !zones.some((zone) => zone.isOpen)
    ? Math.max(0, holdHeight - PEEP)
    : Math.min(holdHeight * 0.3, plate.height * 0.5);
  return {
    seat,
    angle,
    hold,
    beside,
    besideWidth,
    plate,
    overlap,
    holdHeight,
    width: Math.max(plate.width + besideWidth, sumWidths(hold, 6)),
    height: holdHeight + plate.height - overlap + LAST * view.text,
  };
}

/** Lay a hand that lies open, as a dummy's, below its seat, over the whole width: each card must be within reach. */
function layShown(view, sizes, pods, found) {
  const facts = sizes.isLow ? widenFacts(view) + EDGE : 0;
  const y = found.podBottom + 2;
  for (const pod of pods) {
    const zones = view.zones.filter((zone) => zone.owner === pod.seat && zone.isShown);
    const room = view.width - facts - 2 * EDGE;
    const boxes = zones.map((zone) => {
      const card = clamp(38, Math.min(sizes.own * 0.72, room - REACH * (zone.count - 1)), 56);
      return zone.kind.lay({ ...zone, reserve: zone.count }, card, { room, most: 0.8 });
    });
    if (!boxes.length) continue;
    const half = sumWidths(boxes, EDGE) / 2;
    found.shownBottom = y + Math.max(...boxes.map((box) => box.height));
    putInRow(boxes, clamp(facts + half + EDGE, pod.x, view.width - half - EDGE), found.shownBottom, EDGE);
    for (const box of boxes) found.zones.set(box.zone.number, box);
  }
}

/** Let the plates of seats in a row stand in a row. */
function alignPods(pods) {
  const holdHeight = Math.max(0, ...pods.map((pod) => pod.holdHeight));
  const overlap = Math.min(...pods.map((pod) => pod.overlap));
  for (const pod of pods) {
    Object.assign(pod, {
      height: pod.height + holdHeight - pod.holdHeight + pod.overlap - overlap,
      holdHeight,
      overlap,
    });
  }
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
  const x = pod.x - pod.besideWidth / 2;
  const isUnder = pod.hold.some((box) => box.x + box.width > x + pod.plate.width / 2); // a hand reaches over it
  const besideHeight = Math.max(0, ...pod.beside.map((box) => box.height));
  const besideBottom = Math.max(plateTop + pod.plate.height, isUnder ? top + pod.holdHeight + 2 + besideHeight : 0);
  putInRow(pod.beside, x + (pod.plate.width + pod.besideWidth) / 2 + 3, besideBottom, 6);
  for (const box of pod.beside) found.zones.set(box.zone.number, box);
  found.seats[pod.seat] = {
    ...pod.plate,
    x,
    y: plateTop,
    angle: pod.angle,
    last: { x, y: plateTop + pod.plate.height + 2 },
  };
}
