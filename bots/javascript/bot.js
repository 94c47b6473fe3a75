// A bot in JavaScript, for Node and without packages: in Rack-O it builds the longest ladder of rising cards.
//
// The function to change is `choose`. Below `racko` stands all that the wire needs. In a game that it does not know,
// the bot plays the first legal action. console.log would break the wire: print for yourself with console.error.

"use strict";

const SLOTS = 10;
// what a card in the ladder counts; how near the cards are to their ideal places decides between equals
const A_RUNG = 1000;

// Answer one question with an index into question.legal. Write your own bot here.
function choose(question, hello) {
  if (hello.game !== "racko") return 0;
  const wanted = racko(question.phase, question.view, hello.options.deck_size);
  return question.legal.findIndex((action) => action.do === wanted.do && action.slot === wanted.slot);
}

// Take the visible discard only for a longer ladder; place a drawn card for any improvement.
function racko(phase, view, deckSize) {
  if (phase === "declare") return { do: "declare" };
  const now = worth(view.rack, deckSize);
  if (phase === "place") {
    const best = bestPlace(view.drawn, view.rack, deckSize);
    return best.worth > now ? { do: "swap", slot: best.slot } : { do: "discard" };
  }
  const best = bestPlace(view.discard[view.discard.length - 1], view.rack, deckSize);
  return best.worth > now + A_RUNG / 2 ? { do: "take", slot: best.slot } : { do: "draw" };
}

function bestPlace(card, rack, deckSize) {
  let best = { worth: -Infinity, slot: 0 };
  for (let at = 0; at < SLOTS; at++) {
    const changed = rack.slice();
    changed[at] = card;
    const value = worth(changed, deckSize);
    if (value > best.worth) best = { worth: value, slot: 5 * (at + 1) };
  }
  return best;
}

// The longest ladder whose gaps can still be filled, and minus the distance of all cards from the middle of their tenth
// of the deck.
function worth(rack, deckSize) {
  const ladder = [];
  let distance = 0;
  for (let to = 0; to < SLOTS; to++) {
    const fits = rack[to] > to && rack[to] <= deckSize - SLOTS + 1 + to;
    ladder[to] = fits ? 1 : -SLOTS;
    for (let from = 0; fits && from < to; from++) {
      if (rack[to] - rack[from] >= to - from) ladder[to] = Math.max(ladder[to], ladder[from] + 1);
    }
    distance += Math.abs(rack[to] - ((to + 0.5) * deckSize) / SLOTS);
  }
  return A_RUNG * Math.max(...ladder) - distance;
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

let hello = {};

function hear(message) {
  if (message.type === "hello") {
    hello = message;
    say({ type: "ready", name: "ladder", version: "1" });
  } else if (message.type === "decide") {
    say({ type: "act", id: message.id, choose: choose(message, hello) });
  } else if (message.type === "bye") {
    process.stdin.destroy(); // nothing is left to wait for, so Node ends
  }
}

function say(message) {
  const taken = process.stdout.write(JSON.stringify(message) + "\n");
  if (!taken) {
    process.stdin.pause(); // the runner does not read at the moment: do not pile up answers
    process.stdout.once("drain", () => process.stdin.resume());
  }
}

// A chunk is not a line: it may hold half of one, or several. The encoding is set so that it never ends in the middle
// of a character.
let parts = [];
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = chunk.split("\n");
  parts.push(lines[0]);
  for (let next = 1; next < lines.length; next++) {
    const line = parts.join("");
    parts = [lines[next]];
    if (line !== "") hear(JSON.parse(line));
  }
});
process.stdout.on("error", () => process.exit()); // the runner has gone
