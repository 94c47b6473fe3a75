// Sizes of cards, and how the cards of a zone lie: fans, piles, racks. Only numbers.

export const CARD = 1.4; // height of a card, in widths
export const EDGE = 8; // from the rim of the board
export const INDEX = 0.42; // of a card's width: what of it must be seen, so that its index can be read
export const SMALL_FACE = 56; // pixels: a narrower card has a larger index, and one large sign
const SMALL_INDEX = 0.92; // height of the index of a small face, in widths
export const GAP = 0.06; // between the slots of a rack, in widths of a card
// by number of others: degrees from the top to the last seat
export const ARC = [0, 0, 58, 90, 104, 114, 120, 126, 130, 132];
const LIP = 0.26; // of a rack, in widths of a card: where its labels stand
export const PHONE = 620; // a narrower board is that of a phone
const LOW = 480; // a board that is lower, and wider than high, is that of a phone on its side

export const clamp = (least, value, most) => Math.max(least, Math.min(value, most));

/**
 * Return how many pixels wide cards are: one's own, those in the middle, those of others.
 * `slots` is the number of places of one's own rack; 0: none. `isOpen`: all hands are shown. `isLow`: what else lies in
 * rows lies side by side.
 */
export function measureCards({ width, height, slots, isOpen, hasSpreads }) {
  const isLow = height < LOW && height < width * 0.85;
  if (width < PHONE || isLow) {
    const own = isLow ? clamp(46, height * 0.17, 72) : clamp(50, width * 0.155, 72);
    const rackRows = isLow ? 1 : 2;
    return {
      isPhone: true,
      isLow,
      rackRows,
      own: slots
        ? Math.min(68, Math.max(52, height * 0.1), (width - 30) / (Math.ceil(slots / rackRows) * (1 + GAP) + 0.2))
        : own,
      mid: isLow ? clamp(48, height * 0.18, 68) : clamp(44, Math.min(width * 0.15, height * 0.115), 68),
      other: isOpen ? 30 : 27,
    };
  }
  const own = clamp(60, Math.min(width * 0.088, height * 0.15), 172);
  const mid = hasSpreads
    ? clamp(52, Math.min(width * 0.08, height * 0.145), 172)
    : clamp(60, Math.min(width * 0.1, height * 0.17), 190);
  const rack = slots ? (width - 28) / (slots * (1 + GAP) + 0.3 + 1.1) : Infinity; // beside it lies a drawn card
  return {
    isPhone: false,
    isLow: false,
    rackRows: 1,
    own: Math.min(own, Math.max(60, rack)),
    mid,
    other: clamp(32, Math.min(width * (isOpen ? 0.044 : 0.038), height * 0.075), 84),
  };
}

/**
 * Return the fan of a number of cards: the step from one to the next, the cards in a row, the drop of each further row.
 * `drop` is what of a card must be seen above the next row, in widths.
 */
function fan(count, card, room, most, drop) {
  if (count < 2) return { step: 0, columns: Math.max(1, count), drop: 0, width: card, height: card * CARD };
  const step = Math.min(card * most, (room - card) / (count - 1));
  if (step >= card * Math.min(most, INDEX - 0.02) || count < 6) {
    return { step, columns: count, drop: 0, width: card + step * (count - 1), height: card * CARD };
  }
  const longest = Math.max(3, 1 + Math.floor((room - card) / (card * Math.min(most, INDEX - 0.02)))); // of rows
  const rows = Math.max(2, Math.ceil(count / longest));
  const columns = Math.ceil(count / rows);
  const wider = Math.min(card * most, (room - card) / (columns - 1));
  const down = card * (card < SMALL_FACE ? Math.max(drop, SMALL_INDEX) : drop);
  return {
    step: wider,
    columns,
    drop: down,
    width: card + wider * (columns - 1),
    height: card * CARD + (rows - 1) * down,
  };
}

/** Return a zone laid out as a pile: its box, at the origin, and the place of each card in it. */
export function layPile(zone, card) {
  return { zone, card, width: card, height: card * CARD, cards: Array(zone.count).fill([0, 0]) };
}

/** Return a zone laid out as a row, or two, which may be `room` wide; cards lie `most` of a width apart at most. */
export function layRow(zone, card, room, most) {
  if (zone.size) room = card * most * zone.size;
  const reserved = fan(Math.max(zone.count, zone.size, zone.reserve ?? 1), card, room, most, zone.drop);
  const shape = zone.size ? reserved : fan(zone.count, card, room, most, zone.drop);
  const [width, height] = [Math.max(reserved.width, shape.width), Math.max(reserved.height, shape.height)];
  const [left, top] = [(width - shape.width) / 2, height - shape.height];
  const cards = Array.from(
    { length: zone.count },
    (_, at) => [left + shape.step * (at % shape.columns), top + Math.floor(at / shape.columns) * shape.drop],
  );
  const places = Array.from({ length: zone.size }, (_, at) => [left + shape.step * at, 0]);
  return { zone, card, width, height, cards, places, isTight: shape.step < card * 0.95, hasRows: reserved.drop > 0 };
}

/** Return a zone laid out as a rack: its places in some rows. */
export function layRack(zone, card, rows) {
  const columns = Math.ceil(zone.labels.length / rows);
  const [pad, rowHeight] = [card * 0.1, card * (CARD + LIP)];
  const cards = zone.labels.map((_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    return [pad + column * card * (1 + GAP), pad + row * (rowHeight + card * 0.06)];
  });
  return {
    zone,
    card,
    cards,
    isRack: true,
    width: columns * card * (1 + GAP) - card * GAP + 2 * pad,
    height: rows * (rowHeight + card * 0.06) + pad,
  };
}

/** Put boxes beside each other, their bottoms on a line, around `x`. */
export function putInRow(boxes, x, bottom, gap) {
  let left = x - (sumWidths(boxes, gap)) / 2;
  for (const box of boxes) {
    Object.assign(box, { x: left, y: bottom - box.height });
    left += box.width + gap;
  }
}

export function sumWidths(boxes, gap) {
  return boxes.reduce((sum, box) => sum + box.width, gap * Math.max(0, boxes.length - 1));
}
