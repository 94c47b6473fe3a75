// High card: each player gets a hidden card and in turn folds (and loses 1) or stays (and loses 2); the highest card
// among those who stay wins what the others lose.
const states = new Map();

function see({ seats, cards, choices }, seat) { // without a seat: everything
  const isOpen = (i) => seat === undefined || i === seat || choices.length === seats;
  const shown = cards.map((card, i) => isOpen(i) ? card : "?");
  return ["cards", ...shown].join(" ") + choices.map((choice) => choice ? ", stay" : ", fold").join("");
}

function countPoints({ cards, choices }) {
  const best = Math.max(...cards.filter((_, i) => choices[i])); // -Infinity if all have folded
  if (best < 0) return cards.map(() => 0);
  const losses = cards.map((card, i) => card === best ? 0 : 1 + choices[i]);
  const pot = losses.reduce((sum, loss) => sum + loss);
  return losses.map((loss) => loss ? -loss : pot);
}

function tell(state) {
  const { seats, deck, cards, choices } = state;
  const seen = Array.from({ length: seats }, (_, seat) => see(state, seat));
  if (cards.length < seats) {
    const left = Array.from({ length: deck }, (_, i) => i + 1).filter((card) => !cards.includes(card));
    return { seen, chance: left.map((card) => [card, 1]) };
  }
  if (choices.length < seats) {
    return { seen, turns: [choices.length], moves: [[[0, "fold"], [1, "stay"]]] };
  }
  return { seen, points: countPoints(state) };
}

const answers = {
  hello: () => ({
    ...{ name: "high-card", title: "High card", version: "1", seats: [2, 3, 4] },
    ...{ decisions: 4, least: -2, most: 6, total: 0 },
    options: { cards: { default: 6, least: 4, most: 20, about: "Cards." } },
  }),
  deal({ state, seats, options }) {
    states.set(state, { seats, deck: options.cards, cards: [], choices: [] });
    return tell(states.get(state));
  },
  play({ state, to, numbers }) {
    const played = to === state ? states.get(state) : structuredClone(states.get(state));
    (played.cards.length < played.seats ? played.cards : played.choices).push(numbers[0]);
    states.set(to, played);
    return tell(played);
  },
  state: ({ state, seat }) => ({ text: see(states.get(state), seat) }),
  drop: ({ states: dropped }) => (dropped.forEach((state) => states.delete(state)), {}),
};

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n"); // several lines may have come at once
  rest = lines.pop();
  const replies = lines.map((line) => JSON.parse(line)).map((asked) => answers[asked.do](asked));
  process.stdout.write(replies.map((reply) => JSON.stringify(reply) + "\n").join(""));
});
