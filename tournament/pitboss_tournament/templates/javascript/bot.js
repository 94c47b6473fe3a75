// A bot in JavaScript, for Node and without packages. It plays any game of Pitboss, at random.
//
// The function to change is choose(), below: it gets a question and returns the index of one of its legal actions.
// What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
//
//     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
//     pitboss match GAME . house:random     let it play
//
// Standard output is the wire, so console.log would break it. Print for yourself with console.error(...); `pitboss log`
// shows it.

"use strict";

let hello = {}; // of this process: game, options, seats, clock
let start = {}; // of this game: players, seed

// Answer a question with an index into question.legal. Write your own bot here.
//
// `question` has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may choose
// from), view (all that you may know now) and clock (the time left). `hello` and `start` have the rest.
// For example, the first action that plays, else the first of all:
//
//     const at = question.legal.findIndex((action) => action.do === "play");
//     return Math.max(at, 0);
//
// A bot that draws may state the probabilities that it drew with (docs: stated policies):
//
//     return { choose: at, policy: [[0, 0.25], [1, 0.75]] };
//
// Where question.open names kinds of action that are not listed (docs: open actions), it may do one of them:
//
//     return { action: { do: "offer", books: 2 } };
function choose(question) {
  return Math.floor(luck() * question.legal.length);
}

// ---- luck: a number from 0 to 1 (mulberry32), begun from the seed of each game, so that a game can be played again

let state = 0;

function beginLuck(seed) {
  state = 0;
  for (const letter of seed) state = (Math.imul(state, 31) + letter.codePointAt(0)) | 0;
}

function luck() {
  state = (state + 0x6d2b79f5) | 0;
  let drawn = Math.imul(state ^ (state >>> 15), state | 1);
  drawn ^= drawn + Math.imul(drawn ^ (drawn >>> 7), drawn | 61);
  return ((drawn ^ (drawn >>> 14)) >>> 0) / 2 ** 32;
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

function hear(message) {
  if (message.type === "hello") {
    hello = message;
    say({ type: "ready", ...(hello.policy && { policy: true }), ...(hello.open && { open: true }) });
  } else if (message.type === "start") {
    start = message;
    beginLuck(start.seed);
  } else if (message.type === "decide") {
    say({ type: "act", id: message.id, ...answer(choose(message)) });
  } else if (message.type === "bye") {
    process.stdin.destroy(); // nothing is left to wait for, so Node ends
  }
}

// What `act` says of a choice: a policy only to a runner that takes policies.
function answer(choice) {
  if (typeof choice === "number") return { choose: choice };
  const { policy, ...chosen } = choice;
  return hello.policy && policy ? choice : chosen;
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n"); // to a pipe Node writes at once
}

// A chunk is not a line: it may hold half of one, or several. With an encoding it never ends within a character.
let begun = [];
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = chunk.split("\n");
  const rest = lines.pop();
  for (const line of lines) {
    const whole = begun.join("") + line;
    begun = [];
    hear(JSON.parse(whole));
  }
  begun.push(rest);
});
process.stdout.on("error", () => process.exit()); // the runner has gone
