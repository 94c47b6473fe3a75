// Places for melds before the seats that have made them, in pixels. Only numbers.

import { EDGE, putInRow, sumWidths } from "./zone_layout.js";

export const CAPTION = 20; // height of a caption below what is laid down
const SMALLEST = 40; // pixels that a card is wide

/**
 * Return melds laid before the seats that have made them, as large as they fit; null if they do not. What was begun
 * with one card, or by two seats, is nobody's: a row that all build on.
 * `centre` is what lies in the middle.
 */
export function layBeforeSeats(view, found, pods, melds, centre, largest) {
  const makers = new Set(melds.map((zone) => zone.players[0]));
  if (makers.has(undefined) || melds.some((zone) => zone.players[0] !== zone.players[1])) return null;
  const seats = [...pods.map((pod) => ({ seat: pod.seat, box: grow(boxAround(pod), 0) })), {
    seat: view.near,
    box: { x: view.width * 0.3, y: found.ownTop - EDGE, width: view.width * 0.4, height: view.height },
  }];
  const taken = [...seats.map((one) => one.box), {
    x: 0,
    y: found.ownTop - EDGE,
    width: view.width,
    height: view.height,
  }, grow(centre, 12)];
  for (let card = largest; card >= SMALLEST; card -= 6) {
    const groups = seats.filter((one) => makers.has(one.seat)).map((one) => {
      const own = melds.filter((zone) => zone.players[0] === one.seat).map((zone) =>
        zone.kind.lay({ ...zone, reserve: 1 }, card, { room: card * 4, most: 0.44 })
      );
      return { seat: one.seat, box: one.box, own };
    });
    const placed = placeGroups(view, groups, taken, card * 0.3);
    if (placed) return placed;
  }
  return null;
}

/** Return the boxes of groups of melds, each near its seat and free of what is taken; null if there is no place. */
function placeGroups(view, groups, taken, gap) {
  const [occupied, done] = [[...taken], []];
  for (const { seat, box, own } of groups) {
    const spot = findSpot(view, seat, box, own, occupied, gap);
    if (!spot) return null;
    occupied.push(grow(spot, 6));
    done.push(...spot.boxes);
  }
  return done;
}

function findSpot(view, seat, box, own, occupied, gap) {
  for (let rows = 1; rows <= own.length; rows++) {
    const columns = Math.ceil(own.length / rows);
    const lines = Array.from(
      { length: Math.ceil(own.length / columns) },
      (_, at) => own.slice(at * columns, (at + 1) * columns),
    );
    const [width, line] = [Math.max(...lines.map((one) => sumWidths(one, gap))), own[0].height + CAPTION];
    const size = { width, height: line * lines.length };
    for (const [x, y] of listSpots(view, seat, box, size)) {
      const spot = { x, y, ...size };
      const isInside = x >= EDGE && x + width <= view.width - EDGE && y >= EDGE;
      if (!isInside || occupied.some((one) => overlaps(one, spot))) continue;
      lines.forEach((one, at) => putInRow(one, x + width / 2, y + line * (at + 1) - CAPTION, gap));
      return { ...spot, boxes: own };
    }
  }
  return null;
}

/** Return corners where a box of some size may lie before a seat, the best first. */
function listSpots(view, seat, { x, y, width, height }, size) {
  if (seat === view.near) {
    return [0.5, 0.28, 0.72].map((share) => [view.width * share - size.width / 2, y - size.height - 4]);
  }
  const isLeft = x + width / 2 < view.width / 2;
  const below = [
    x + (width - size.width) / 2,
    isLeft ? x + 40 : x + width - 40 - size.width,
    isLeft ? x + 90 : x + width - 90 - size.width,
  ].map((left) => [left, y + height + 4]);
  const beside = [[isLeft ? x + width + 10 : x - size.width - 10, y + (height - size.height) / 2], [
    isLeft ? x + width + 10 : x - size.width - 10,
    y + 8,
  ]];
  return [...below, ...beside];
}

function boxAround({ x, y, width, height }) {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function grow({ x, y, width, height }, by) {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function overlaps(one, other) {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height &&
    other.y < one.y + one.height;
}
