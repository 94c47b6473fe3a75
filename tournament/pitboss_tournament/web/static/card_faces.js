// Faces of cards as drawings in a box of 100 by 140 units, so that nothing is cut at any size.

import { draw, make } from "./elements.js";
import { SMALL_FACE } from "./zone_layout.js";

const SUITS = { // by sign, in a box of 100 by 100 units around the origin
  "♠":
    "M0-45C12-27 43-8 43 14C43 29 32 37 21 37C13 37 6 33 2 26C3 36 7 42 14 46H-14C-7 42-3 36-2 26C-6 33-13 37-21 37" +
    "C-32 37-43 29-43 14C-43-8-12-27 0-45Z",
  "♥":
    "M0 44C-12 28-45 6-45-17C-45-34-33-43-22-43C-11-43-3-36 0-27C3-36 11-43 22-43C33-43 45-34 45-17C45 6 12 28 0 44Z",
  "♦": "M0-47Q13-21 36 0Q13 21 0 47Q-13 21-36 0Q-13-21 0-47Z",
  "♣":
    "M-3 6C-6 32-10 40-16 46H16C10 40 6 32 3 6C8 19 17 26 26 26A20 20 0 0 0 26-14C22-14 18-13 15-10A20 20 0 1 0-15-10" +
    "C-18-13-22-14-26-14A20 20 0 0 0-26 26C-17 26-8 19-3 6Z",
};
const PIPS = { // by rank: columns l c r and rows in tenths of the height
  2: "c2.5 c11.5",
  3: "c2.5 c7 c11.5",
  4: "l2.5 r2.5 l11.5 r11.5",
  5: "l2.5 r2.5 c7 l11.5 r11.5",
  6: "l2.5 r2.5 l7 r7 l11.5 r11.5",
  7: "l2.5 r2.5 c4.7 l7 r7 l11.5 r11.5",
  8: "l2.5 r2.5 c4.7 l7 r7 c9.3 l11.5 r11.5",
  9: "l2.5 r2.5 l5.5 r5.5 c7 l8.5 r8.5 l11.5 r11.5",
  10: "l2.5 r2.5 c4 l5.5 r5.5 l8.5 r8.5 c10 l11.5 r11.5",
};
const COLUMNS = { l: 34, c: 50, r: 66 };
const COURTS = { // the upper half of a figure: robe, collar, face, hair, hat; colours by class
  K: [
    ["M22 70L27 56Q38 48 50 48T73 56L78 70Z", "robe"],
    ["M42 49L50 70L58 49Z", "gold"],
    ["M41 34H59V44Q59 53 50 53T41 44Z", "skin"],
    ["M41 42Q43 47 50 46T59 42V48Q57 58 50 60T41 48Z", "hair"],
    ["M37 34L34 19L43 25L50 15L57 25L66 19L63 34Z", "gold"],
  ],
  Q: [
    ["M22 70Q28 50 50 50T78 70Z", "robe"],
    ["M38 62Q33 40 42 31H58Q67 40 62 62Z", "hair"],
    ["M42 34H58V44Q58 54 50 54T42 44Z", "skin"],
    ["M41 54Q50 63 59 54L56 70H44Z", "gold"],
    ["M39 34L37 23L45 28L50 19L55 28L63 23L61 34Q50 30 39 34Z", "gold"],
  ],
  J: [
    ["M22 70L28 58Q38 50 50 50T72 58L78 70Z", "gold"],
    ["M30 70L50 53L70 70Z", "robe"],
    ["M40 48Q37 38 42 32H58Q63 38 60 48Z", "hair"],
    ["M42 35H58V44Q58 53 50 53T42 44Z", "skin"],
    ["M36 36Q36 23 51 23T64 35Q50 31 36 36Z", "robe"],
    ["M59 26Q66 13 73 19Q71 28 62 31Z", "gold"],
  ],
};
const SHAPES = { // beside its colour each colour has a shape
  red: "M0-7A7 7 0 1 1 0 7A7 7 0 1 1 0-7Z",
  yellow: "M0-8L8 6H-8Z",
  blue: "M-6.5-6.5H6.5V6.5H-6.5Z",
  black: "M0-9L8 0L0 9L-8 0Z",
  green: "M-2.5-8H2.5V-2.5H8V2.5H2.5V8H-2.5V2.5H-8V-2.5H-2.5Z",
  purple: "M-7-3L0-9L7-3L4.500 7H-4.500Z",
  orange: "M-8 0L-4-7H4L8 0L4 7H-4Z",
  white: "M0-9L2.500-3H9L4 1L6 8L0 4L-6 8L-4 1L-9-3H-2.500Z",
  brown: "M-8-4H8V4H-8Z",
};
const WIDE_WORD = 84; // units that a word in the middle may take

const made = new Map();

/** Return the drawing of a look; null: the back of a card. One of a card less than `SMALL_FACE` wide says less. */
export function drawFace(look, width) {
  const isSmall = width < SMALL_FACE;
  const key = `${look === null ? "" : JSON.stringify(look)}${isSmall}`;
  if (!made.has(key)) {
    made.set(key, draw("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" }, ...drawParts(look, isSmall)));
  }
  return made.get(key).cloneNode(true);
}

function drawParts(look, isSmall) {
  if (look === null) return drawBack();
  if (look.second) return drawHalves(look, isSmall);
  if (look.text in SUITS && look.corner) {
    return [paper(), draw("g", { class: `ink-${look.colour ?? "black"}` }, ...drawSuited(look, isSmall))];
  }
  return look.is_filled ? drawFilled(look, isSmall) : [paper(), ...drawPlain(look, isSmall)];
}

function paper() {
  return draw("rect", { x: 0.7, y: 0.7, width: 98.6, height: 138.6, rx: 7, class: "paper" });
}

/** Return a text; one that would be wider than `room` units is set narrower. */
function write(text, x, y, size, room, attributes = {}) {
  const long = text.length * size * 0.56 > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
  return draw("text", { x, y, "font-size": size, ...long, ...attributes }, text);
}

/** Return a drawing and the same turned by half a turn. */
function twice(...parts) {
  const turned = parts.map((part) => part.cloneNode(true));
  return [...parts, draw("g", { transform: "rotate(180 50 70)" }, ...turned)];
}

function suit(sign, x, y, scale, isTurned = false) {
  return draw("path", {
    d: SUITS[sign],
    transform: `translate(${x} ${y})${isTurned ? " rotate(180)" : ""} scale(${scale})`,
    fill: "currentColor",
  });
}

// ---- suits and ranks

function drawSuited({ text: sign, corner: rank }, isSmall) {
  const middle = { "text-anchor": "middle" };
  if (isSmall) {
    return [
      write(rank, 24, 46, 50, 40, middle),
      suit(sign, 24, 72, 0.4),
      draw("g", { class: "large" }, suit(sign, 66, 104, 0.6)),
    ];
  }
  const index = twice(write(rank, 14, 25, 26, 23, middle), suit(sign, 14, 39, 0.2));
  if (rank in COURTS) return [...index, ...drawCourt(sign, rank)];
  if (rank in PIPS) return [...index, ...drawPips(sign, rank)];
  return [...index, suit(sign, 50, 70, 0.52)];
}

function drawPips(sign, rank) {
  const scale = +rank > 6 ? 0.165 : 0.19;
  return PIPS[rank].split(" ").map((place) =>
    suit(sign, COLUMNS[place[0]], 10 * +place.slice(1), scale, +place.slice(1) > 7.5)
  );
}

function drawCourt(sign, rank) {
  const figure = COURTS[rank].map(([d, kind]) => draw("path", { d, class: `court-${kind}` }));
  const frame = draw("rect", { x: 27, y: 12, width: 46, height: 116, rx: 3, class: "court-frame" });
  return [
    frame,
    ...twice(
      draw(
        "svg",
        { x: 28, y: 12, width: 44, height: 58, viewBox: "22 8 56 62", preserveAspectRatio: "none" },
        ...figure,
      ),
      suit(sign, 35, 22, 0.11),
    ),
  ];
}

// ---- numbers and words

function drawPlain(look, isSmall) {
  const { text, level } = look;
  const ink = { class: `narrow ink-${look.colour ?? "black"}`, "text-anchor": "middle" };
  if (level === undefined && isSmall && text.length < 3) return twice(write(text, 26, 48, 50, 44, ink));
  const parts = level === undefined ? twice(write(text, 14, 25, 26, 23, ink)) : drawLevel(level);
  const size = isSmall ? 66 : text.length > 2 ? 42 : 56;
  const y = level === undefined ? 70 + size * 0.36 : isSmall ? 60 : 54;
  return [...parts, write(text, 50, y, size, 88, ink)];
}

/** Return how a number stands among all cards, as a fill: a rack of slots reads as a bar chart. */
function drawLevel(share) {
  const [y, hue] = [122 - 60 * share, 215 - 205 * share];
  return [
    draw("rect", { x: 1.4, y, width: 97.2, height: 138.6 - y, fill: `hsl(${hue} 70% 55%)`, opacity: 0.28 }),
    draw("path", { d: `M1.4 ${y}H98.6`, stroke: `hsl(${hue} 70% 42%)`, "stroke-width": 3 }),
  ];
}

function drawFilled(look, isSmall) {
  const colour = look.colour ?? "black";
  const { text } = look;
  const shape = (x, y, scale) =>
    draw("path", { d: SHAPES[colour], transform: `translate(${x} ${y}) scale(${scale})`, class: `on-${colour}` });
  const ground = [
    draw("rect", { width: 100, height: 140, rx: 8, class: `fill-${colour}` }),
    draw("rect", { x: 1.5, y: 1.5, width: 97, height: 137, rx: 6.5, class: "rim" }),
  ];
  const index = { class: `narrow on-${colour}` };
  if (isSmall) {
    return [
      ...ground,
      write(text, 8, 46, text.length < 3 ? 48 : 36, text.length < 3 ? 60 : 62, index),
      draw("g", { class: "large" }, shape(50, 100, 2.5)),
      draw("g", { class: "covered" }, shape(20, 74, 1.7)),
    ];
  }
  const isWord = text.length > 2;
  const corner = twice(write(text, 8, isWord ? 27 : 31, isWord ? 22 : 30, 52, index), shape(16, isWord ? 41 : 45, 1));
  const large = (...parts) => draw("g", { class: "large" }, ...parts);
  if (!isWord) {
    return [
      ...ground,
      ...corner,
      large(
        write(text, 50, text.length < 2 ? 91 : 87, text.length < 2 ? 58 : 48, WIDE_WORD, {
          "text-anchor": "middle",
          ...index,
        }),
      ),
    ];
  }
  const size = text.length < 4 ? 40 : Math.max(12, 150 / text.length);
  return [
    ...ground,
    ...corner,
    large(
      draw("rect", { x: 7, y: 51, width: 86, height: 38, rx: 8, class: "band" }),
      write(text, 50, 70 + size * 0.36, size, WIDE_WORD - 6, {
        "text-anchor": "middle",
        class: `narrow ink-${colour}`,
      }),
    ),
  ];
}

/** Return a card of two halves: each with its colour, its shape and its number at the left, where a hand shows it. */
function drawHalves(look, isSmall) {
  const parts = [look, look.second].flatMap((half, at) => {
    const colour = half.colour ?? "black";
    const top = at * 70;
    const ink = { class: `narrow on-${colour}` };
    const shape = (x, y, scale) =>
      draw("path", {
        d: SHAPES[colour],
        transform: `translate(${x} ${top + y}) scale(${scale})`,
        class: `on-${colour}`,
      });
    const ground = draw("path", {
      d: at ? "M0 71H100V132Q100 140 92 140H8Q0 140 0 132Z" : "M0 69H100V8Q100 0 92 0H8Q0 0 0 8Z",
      class: `fill-${colour}`,
    });
    if (isSmall) {
      return [
        ground,
        write(half.text, 6, top + 50, half.text.length > 1 ? 44 : 52, 42, ink),
        draw("g", { class: "large" }, shape(74, 36, 2)),
      ];
    }
    return [
      ground,
      write(half.text, 8, top + 28, 25, 28, ink),
      shape(16, 44, 1),
      draw(
        "g",
        { class: "large" },
        write(half.text, half.text.length > 1 ? 66 : 62, top + 53, half.text.length > 1 ? 40 : 50, 56, {
          "text-anchor": "middle",
          ...ink,
        }),
      ),
    ];
  });
  return [...parts, draw("rect", { x: 1.5, y: 1.5, width: 97, height: 137, rx: 6.5, class: "rim" })];
}

// ---- the back

function drawBack() {
  const lines = [];
  for (let at = -130; at <= 100; at += 13) lines.push(`M${at} 10l120 120M${at} 130l120-120`);
  const net = draw(
    "svg",
    { x: 10, y: 10, width: 80, height: 120, viewBox: "10 10 80 120" },
    draw("path", { d: lines.join(""), class: "back-net" }),
  );
  return [
    draw("rect", { width: 100, height: 140, rx: 7, class: "back-rim" }),
    draw("rect", { x: 5, y: 5, width: 90, height: 130, rx: 6, class: "back-ground" }),
    net,
    draw("rect", { x: 10, y: 10, width: 80, height: 120, rx: 4, class: "back-frame" }),
    draw("path", { d: "M50 44L68 70L50 96L32 70Z", class: "back-frame back-ground" }),
    draw("path", { d: "M50 56L59 70L50 84L41 70Z", class: "back-sign" }),
  ];
}

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RANK = "(?:10|[2-9TJQKA])";
const RANK_FIRST = `${RANK}[SHDCshdc♠♥♦♣]`; // "QS", "Th"
const SUIT_FIRST = `[SHDC♠♥♦♣]${RANK}`; // "SQ"
const WRITTEN = new RegExp( // cards with nothing between them: "4s5s"
  `(?<![\\p{L}\\p{N}._-])(?:(?:${RANK_FIRST})+|(?:${SUIT_FIRST})+)(?![\\p{L}\\p{N}_-])`,
  "gu",
);
const HONOUR = /10|[TJQKA]/; // one is among the cards, so that squares of a board ("D4") are none

/** Tell whether a text has cards in it: four of them, of two suits, with an honour. */
export function hasCards(text) {
  const cards = [...text.matchAll(WRITTEN)].flatMap(([run]) => readRun(run));
  return new Set(cards.map(({ rank, sign }) => rank + sign)).size >= 4 &&
    new Set(cards.map(({ sign }) => sign)).size >= 2 && cards.some(({ rank }) => HONOUR.test(rank));
}

/** Return a text as nodes, in which each card has the sign of its suit, and that of a red one is red. */
export function markCards(text) {
  const nodes = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(WRITTEN)) {
    nodes.push(text.slice(end, index));
    for (const { rank, sign } of readRun(run)) {
      const isRed = sign === "♥" || sign === "♦";
      nodes.push(make("span", { class: isRed ? "written-card red" : "written-card" }, rank + sign));
    }
    end = index + run.length;
  }
  return [...nodes, text.slice(end)];
}

function readRun(run) {
  return run.match(new RegExp(`${RANK_FIRST}|${SUIT_FIRST}`, "gu")).map((card) => {
    const letter = /[2-9TJQKA1]/.test(card[0]) ? card.at(-1) : card[0];
    return { rank: card.replace(letter, ""), sign: SIGNS[letter.toUpperCase()] ?? letter };
  });
}
