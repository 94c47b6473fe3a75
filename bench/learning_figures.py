"""The figures of `bench/learning_table.py`, and the table of docs/learning.md that they make.

    python bench/learning_figures.py

It prints the table from `bench/learning_table.tsv`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

MEASURED: Final = Path(__file__).with_name("learning_table.tsv")
UNIT: Final = {"exploitability": "chips", "wins": "%", "points": "points"}
BASELINES: Final = {"random": "random play", "house": "bot of the house"}
LEARNERS: Final = {
    "train.py": "`train.py`",
    "maskable-ppo": "MaskablePPO",
    "nfsp": "NFSP",
    "outcome-sampling": "outcome sampling",
}


class LearnedTable(NamedTuple):
    """A table that is learned. Without a game of ours it is one of OpenSpiel's."""

    title: str
    game: str  # ours, or OpenSpiel's
    seats: int = 2
    preset: str = ""
    options: Mapping[str, int] = {}
    figure: str = "exploitability"
    opponents: Sequence[str] = ("",)
    is_own: bool = True

    @property
    def is_short(self) -> bool:
        """Whether its whole tree can be walked through."""
        return self.figure == "exploitability"


HAND: Final = {"hands": 1}
TABLES: Final = {
    "kuhn": LearnedTable("Kuhn poker", "poker", preset="kuhn", options=HAND),
    "kuhn-openspiel": LearnedTable("Kuhn poker of OpenSpiel", "kuhn_poker", is_own=False),
    "leduc": LearnedTable("Leduc poker", "poker", preset="leduc", options=HAND),
    "leduc-openspiel": LearnedTable("Leduc poker of OpenSpiel", "leduc_poker", is_own=False),
    "racko": LearnedTable(
        "Rack-O, `short`", "racko", preset="short", figure="wins", opponents=("house:random", "house:racko")
    ),
    "lucky-maker": LearnedTable(
        "Lucky Maker, `single`, 3 players",
        "lucky-maker",
        3,
        "single",
        figure="wins",
        opponents=("house:random", "house:lucky-maker"),
    ),
    "fireworks": LearnedTable("Fireworks, `small`", "fireworks", preset="small", figure="points"),
}
PLAYED_BY: Final = {"racko": "house:racko", "lucky-maker": "house:lucky-maker", "fireworks": "house:fireworks"}


class Figure(NamedTuple):
    """A line of the file."""

    table: str
    learner: str
    seed: int
    minutes: float  # of one processor, for which it learned
    opponents: str
    value: float
    error: float  # half of a 95 % interval; 0: the value is exact
    steps: int  # what it had taken: letters, or iterations of sampling


def read_figures(path: Path = MEASURED) -> list[Figure]:
    """Return the figures of the file, none if there is no file."""
    with suppress(FileNotFoundError), path.open(encoding="utf-8", newline="") as lines:
        return [read_figure(line) for line in csv.DictReader(lines, delimiter="\t")]
    return []


def read_figure(line: Mapping[str, str]) -> Figure:
    """Return a line of the file."""
    table, learner, seed, minutes, opponents, value, error, steps = (line[name] for name in Figure._fields)
    return Figure(table, learner, int(seed), float(minutes), opponents, float(value), float(error), int(steps))


def print_page(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the lines of the table of docs/learning.md."""
    heads = ["game", "minutes", *BASELINES.values(), *LEARNERS.values()]
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    seen = {(one.table, one.opponents, one.learner, one.minutes): one for one in figures}
    minutes = sorted({one.minutes for one in figures if one.learner in LEARNERS})
    for name, table in TABLES.items():
        for opponents in table.opponents:
            against = f", {UNIT[table.figure]} against `{opponents}`" if opponents else f", {UNIT[table.figure]}"
            for at, spent in enumerate(minutes):
                cells = [seen.get((name, opponents, one, 0.0)) if at == 0 else None for one in BASELINES]
                cells += [seen.get((name, opponents, one, spent)) for one in LEARNERS]
                title = f"{table.title}{against}" if at == 0 else ""
                yield f"| {' | '.join([title, f'{spent:g}', *map(show_figure, cells)])} |"


def show_figure(figure: Figure | None) -> str:
    """Return a cell of the table."""
    if figure is None:
        return ""
    if TABLES[figure.table].is_short:
        return f"{figure.value:.2f}" if figure.value >= 0.1 else f"{figure.value:.3f}"
    digits = 1 if TABLES[figure.table].figure == "wins" else 2
    return f"{figure.value:.{digits}f} ± {figure.error:.{digits}f}"


if __name__ == "__main__":
    print("\n".join(print_page(read_figures())))
