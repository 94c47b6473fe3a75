// A bot in TypeScript, for Node and without packages. It plays any game of Pitboss, at random.
//
// The function to change is choose(), below: it gets a question and returns the index of one of its legal actions.
// What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
//
//     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
//     pitboss match GAME . house:random     let it play; it is built again whenever a file of this folder has changed
//
// Standard output is the wire, so console.log would break it. Print for yourself with console.error(...); `pitboss log`
// shows it.

export {}; // a module: what is declared below stands in nobody's way

interface Hello {
  game: string;
  options: Record<string, unknown>;
  seats: number;
  clock: { start_ms: number; decision_ms: number; game_ms: number | null; increment_ms: number; margin_ms: number };
}

interface Start {
  seat: number;
  players: string[];
  seed: string;
}

/** An action of your game: give it its own type, as `type Action = { do: "play"; card: number } | { do: "pass" }`. */
type Action = Record<string, unknown>;

/** What you may know: give it the type of your game's view. */
type View = Record<string, unknown>;

interface Question {
  id: number;
  seat: number; // yours, from 0, clockwise
  phase: string; // what is to be decided
  legal: Action[]; // all actions that you may choose from
  view: View; // all that you may know now
  clock: { decision_ms: number; game_ms: number | null }; // the time left
}

// Answer a question with an index into question.legal. Write your own bot here.
// For example, the first action that plays, else the first of all:
//
//     const at = question.legal.findIndex((action) => action.do === "play");
//     return Math.max(at, 0);
function choose(question: Question, hello: Hello, start: Start): number {
  return Math.floor(luck() * question.legal.length);
}

// ---- luck: a number from 0 to 1 (mulberry32), begun from the seed of each game, so that a game can be played again

let state = 0;

function beginLuck(seed: string): void {
  state = 0;
  for (const letter of seed) state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) | 0;
}

function luck(): number {
  state = (state + 0x6d2b79f5) | 0;
  let drawn = Math.imul(state ^ (state >>> 15), state | 1);
  drawn ^= drawn + Math.imul(drawn ^ (drawn >>> 7), drawn | 61);
  return ((drawn ^ (drawn >>> 14)) >>> 0) / 2 ** 32;
}

// ---- the wire: one JSON object a line; types and fields that are not known here are ignored

// As much of Node as is used here, so that no package with its types is needed.
declare const process: {
  exit(): never;
  stdin: { setEncoding(name: string): void; on(event: "data", hear: (chunk: string) => void): void; destroy(): void };
  stdout: { write(text: string): boolean; on(event: "error", hear: () => void): void };
};

type Message =
  | ({ type: "hello" } & Hello)
  | ({ type: "start" } & Start)
  | ({ type: "decide" } & Question)
  | { type: "bye" };

let hello: Hello;
let start: Start;

function hear(message: Message): void {
  if (message.type === "hello") {
    hello = message;
    say({ type: "ready" });
  } else if (message.type === "start") {
    start = message;
    beginLuck(start.seed);
  } else if (message.type === "decide") {
    say({ type: "act", id: message.id, choose: choose(message, hello, start) });
  } else if (message.type === "bye") {
    process.stdin.destroy(); // nothing is left to wait for, so Node ends
  }
}

function say(message: { type: "ready" } | { type: "act"; id: number; choose: number }): void {
  process.stdout.write(JSON.stringify(message) + "\n"); // to a pipe Node writes at once
}

// A chunk is not a line: it may hold half of one, or several. With an encoding it never ends within a character.
let begun: string[] = [];
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = chunk.split("\n");
  const rest = lines.pop() ?? "";
  for (const line of lines) {
    const whole = begun.join("") + line;
    begun = [];
    hear(JSON.parse(whole) as Message);
  }
  begun.push(rest);
});
process.stdout.on("error", () => process.exit()); // the runner has gone
