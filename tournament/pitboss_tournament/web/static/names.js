// Names on a table: of players, zones and seats.

export function titleOf(place) {
  const name = place.owner === undefined ? place.name : place.name.replace(new RegExp(` ${place.owner}$`), "");
  return name.replaceAll("_", " ");
}

/** Return the last part of a name: "racko-2" of "house:racko-2". */
export function shortName(name) {
  return name.replace(/^.*[:/]/, "") || name;
}

/** Return the letter on a seat's disc: that of the short name, with the number at its end. */
export function initialOf(name) {
  const part = shortName(name);
  return [...part][0].toUpperCase() + (part.match(/[-_. ](\d)$/)?.[1] ?? "");
}
