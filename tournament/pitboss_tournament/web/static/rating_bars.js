// Intervals of ratings as bars, for tables of standings.

import { make } from "./elements.js";

/**
 * The lowest and the highest end of an interval of a rating.
 * @returns {[number, number]}
 */
export function ratingScale(lines) {
  const ends = lines.flatMap(({ rating, rating_comparison: half }) => {
    if ((rating?.mean ?? null) === null) return [];
    return [rating.mean - (half ?? 0), rating.mean + (half ?? 0)];
  });
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/** Return the interval of a rating as a bar, cut off at the ends of the scale; an empty one if it is not known. */
export function ratingBar({ rating, rating_comparison: half }, [low, high]) {
  const bar = make("span", { class: "bar" });
  if (rating.mean === null) return bar;
  const share = (value) => Math.max(0, Math.min(100, (100 * (value - low)) / (high - low || 1)));
  const whisker = make("span", { class: "whisker" });
  whisker.style.left = `${share(rating.mean - (half ?? 0))}%`;
  whisker.style.width = `${share(rating.mean + (half ?? 0)) - share(rating.mean - (half ?? 0))}%`;
  const dot = make("span", { class: "dot" });
  dot.style.left = `${share(rating.mean)}%`;
  bar.append(whisker, dot);
  return bar;
}
