// The order in which the cards of a hand or a meld are shown.

/** Return cards sorted by `rank`; those of equal rank by token. */
export function sortHand(tokens, rank) {
  return tokens.slice().sort((one, other) => rank(one) - rank(other) || one - other);
}

/** Return a meld sorted by `rank`. A run that goes on from the highest to the lowest begins after its gap. */
export function sortMeld(tokens, rank) {
  const sorted = sortHand(tokens, rank);
  const steps = sorted.slice(1).map((token, at) => rank(token) - rank(sorted[at]));
  const isRun = steps.filter((step) => step === 1).length === steps.length - 1;
  const cut = isRun ? steps.findIndex((step) => step > 1) + 1 : 0;
  return [...sorted.slice(cut), ...sorted.slice(0, cut)];
}
