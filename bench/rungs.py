"""Measure the rungs of games: bots from a list play each other on duplicate deals, and a rating is fitted.

    python -m bench.rungs [GAME …] [--minutes N] [--quick] [--fit-only]

Each block, a deal in all its rotations, is appended to `bench/rung_blocks/GAME.tsv` as soon as it is played: the
command carries on where it was stopped. First neighbours in the list meet, those below the game's own bot first; then
the two neighbours by strength whose difference becomes more certain soonest. At the end the rungs are written to the
package of the house bots: from the game's own bot upwards and downwards, each bot that differs from the rung before at
95 %. Bots without a proven difference are left out.

The games are played in this process by the objects that bots of the same names run with, with no clock that could
break off a search: seeds alone decide the moves.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from time import monotonic, process_time
from typing import Final, Literal, NamedTuple

import msgspec

from pitboss import AnyGame, Outcome
from pitboss.game import find_sides, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import GameRungs
from pitboss.protocol.messages import Start
from pitboss.simulation.game_setup import GameSetup, OptionVariant
from pitboss_house_bots import plugin
from pitboss_house_bots.local_player import LocalPlayer, Player, greet_local_player, make_player
from pitboss_tournament.rungs.rung_estimate import NO_GAMES, RungBlock
from pitboss_tournament.rungs.rung_fit import RungRatings, build_table, measure_points, rate_bots, read_blocks

MEASURED: Final = Path(__file__).with_name("rung_blocks")
TABLES: Final = Path(plugin.__file__).with_name("rungs")
FIRST_BLOCKS: Final = 2  # of each two neighbours in the list
ROUND_BLOCKS: Final = 4  # of the two neighbours by strength that are chosen next
WIDEST: Final = 600.0  # half-width of a difference, in ratings, that counts as unknown
MIN_RUNGS: Final = 3  # of a table that is written


class Setup(NamedTuple):
    """At which tables a game is measured, and with which bots beside those of every game, the weakest first."""

    seats: int
    preset: str | None
    percents: Sequence[int] = (80, 60, 40, 25, 12)  # of house:handicap
    weak: Sequence[str] = ()  # bots that may be weaker than the game's own
    strong: Sequence[str] = ()


def list_searches(*worlds: int) -> list[str]:
    """Return house:search by these numbers of worlds, with time enough."""
    return [f"house:search?worlds={count}&ms=60000" for count in worlds]


def list_rollouts(*worlds: int) -> list[str]:
    """Return house:rollout by these numbers of worlds."""
    return [f"house:rollout?worlds={count}" for count in worlds]


SETUPS: Final = {
    "bridge": Setup(4, "single", weak=list_searches(16), strong=list_rollouts(2, 4)),
    "cribbage": Setup(2, "single", weak=list_searches(4, 16, 64), strong=list_rollouts(4, 8, 16)),
    "dou-dizhu": Setup(3, "standard", weak=list_searches(16), strong=list_rollouts(2, 4)),
    "eights": Setup(2, "single", weak=list_searches(4, 16), strong=[*list_searches(64, 256), *list_rollouts(4, 16)]),
    "euchre": Setup(4, "single", weak=list_searches(16), strong=list_rollouts(2, 4, 8)),
    "fireworks": Setup(2, "standard", weak=["house:fireworks-literal"]),
    "gin-rummy": Setup(2, "single", weak=list_searches(4, 16), strong=list_searches(64, 256)),
    "hearts": Setup(4, "single", strong=list_rollouts(2)),
    "lucky-maker": Setup(3, "single", weak=list_searches(4, 16), strong=[*list_searches(64, 256), *list_rollouts(4)]),
    "oh-hell": Setup(3, "single", weak=list_searches(16), strong=list_rollouts(2, 4)),
    "poker": Setup(2, "limit", weak=list_searches(4)),
    "racko": Setup(2, "short", weak=list_searches(4, 16), strong=list_searches(64, 256)),
    "ragamaru": Setup(2, "beginner", weak=list_searches(4, 16), strong=[*list_searches(64, 256), *list_rollouts(4)]),
    "rummy": Setup(2, "short", weak=list_searches(4, 16), strong=list_searches(64, 256)),
    "spades": Setup(4, "single", weak=list_searches(16), strong=list_rollouts(2, 4)),
}


class Bench:
    """The tables of one game."""

    def __init__(self, name: str) -> None:
        self.setup: Final = SETUPS[name]
        self.game: Final[AnyGame] = Registry().find_game(name)
        self.seats: Final = self.setup.seats
        self.options: Final = resolve_options(self.game, self.seats, self.setup.preset)
        self.sides: Final = find_sides(self.game, self.seats, self.options)
        self._setup = GameSetup(self.game, self.seats, self.options, OptionVariant(self.setup.preset, {}))
        self._players: dict[tuple[str, int], Player] = {}

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats are one side."""
        return len(self.sides) == 1

    def list_bots(self) -> list[str]:
        """Return the bots to measure, roughly the weakest first."""
        own = f"house:{self.game.name}"
        handicaps = [f"house:handicap?percent={percent}" for percent in self.setup.percents]
        return [
            "house:random",
            "house:first",
            *handicaps[:2],
            *self.setup.weak,
            *handicaps[2:],
            own,
            *self.setup.strong,
        ]

    def play_block(self, one: str, other: str, seed: str) -> RungBlock:
        """Play a deal with `one` on each side in turn and `other` on all others; teams of one side play one by one."""
        if self.is_cooperative:
            own, others = (sum(self.play_game([bot] * self.seats, seed).points) / self.seats for bot in (one, other))
            return RungBlock(own > others, own < others, own == others, own - others)
        total = NO_GAMES
        for side in self.sides:
            bots = [one if seat in side else other for seat in range(self.seats)]
            outcome = self.play_game(bots, seed)
            total = total.add_game(outcome.places, outcome.points, self.sides, side)
        return total._replace(points=total.points / len(self.sides))

    def play_game(self, bots: Sequence[str], seed: str) -> Outcome:
        """Play one game."""
        state = self._setup.deal(seed)
        seated = []
        for seat, bot in enumerate(bots):
            hello = greet_local_player(self._setup, seat, "rungs")
            key = (bot, seat)
            if key not in self._players:
                self._players[key] = make_player(bot, hello)
            start = Start(game_id=1, seat=seat, players=list(bots), seed=f"{seed}/{seat}")
            seated.append(LocalPlayer(self._players[key], self.game.Action, hello, start))
        while state.turn is not None:
            state.play(seated[state.turn.seat].choose(state, state.legal()))
        return state.outcome()


class Measurement:
    """The blocks of one game that have been played, in its file."""

    def __init__(self, bench: Bench) -> None:
        self.bench: Final = bench
        self.path: Final = MEASURED / f"{bench.game.name}.tsv"
        self.seconds: Final[dict[tuple[str, str], float]] = {}  # that a block took of the processor
        self.blocks: Final = read_blocks(self.path) if self.path.exists() else {}

    def play(self, one: str, other: str, count: int, end: float) -> None:
        """Play some more blocks, one at least, and no more once the time is over."""
        own = self.blocks.setdefault((one, other), [])
        began, before = process_time(), len(own)
        for _ in range(count):
            block = self.bench.play_block(one, other, f"rungs/{self.bench.game.name}/{one}/{other}/{len(own)}")
            own.append(block)
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\t".join((one, other, *(f"{value:g}" for value in block))) + "\n")
            self.seconds[one, other] = (process_time() - began) / (len(own) - before)
            if monotonic() > end:
                break

    def measure(self, minutes: float, bots: Sequence[str]) -> None:
        """Play some of the bots against each other for so long; a block that has begun is completed."""
        end = monotonic() + 60 * minutes
        middle = bots.index(f"house:{self.bench.game.name}")
        first = [*reversed(list(pairwise(bots[: middle + 1]))), *pairwise(bots[middle:])]
        for one, other in first:
            if monotonic() < end and not self.blocks.get((one, other)):
                self.play(one, other, FIRST_BLOCKS, end)
        while monotonic() < end:
            self.play(*self.find_next_pair(bots), ROUND_BLOCKS, end)

    def find_next_pair(self, bots: Sequence[str]) -> tuple[str, str]:
        """Return the two neighbours by strength whose difference becomes more certain soonest.

        By the square root of the seconds: else bots that take long would hardly play.
        """
        ratings = self.fit()
        known = [bot for bot in ratings.bots if bot in bots]
        pairs = [pair if pair[::-1] not in self.blocks else pair[::-1] for pair in pairwise(known)]

        def weigh(pair: tuple[str, str]) -> float:
            half_width = min(ratings.measure_difference(*pair)[1], WIDEST)
            return half_width**2 / (len(self.blocks.get(pair, ())) + 1) / sqrt(self.guess_seconds(pair))

        return max(pairs, key=weigh)

    def guess_seconds(self, pair: tuple[str, str]) -> float:
        """Return how long a block of two bots takes, as long as the slower of two that each has played at least."""
        spent = [min((took for of, took in self.seconds.items() if bot in of), default=1.0) for bot in pair]
        return self.seconds.get(pair, max(spent))

    def fit(self) -> RungRatings:
        """Return the strengths of all bots that have played, above the game's own bot."""
        fit = measure_points if self.bench.is_cooperative else rate_bots
        return fit(self.blocks, f"house:{self.bench.game.name}")

    def write_table(self) -> GameRungs:
        """Write the rungs into the package of the house bots, unless they are too few, and return them."""
        made = self.make_table()
        if len(made.rungs) >= MIN_RUNGS:
            TABLES.mkdir(exist_ok=True)
            text = msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
            text = re.sub(
                r"\{\n +(\"bot\".*?)\n +\}", lambda found: f"{{{' '.join(found[1].split())}}}", text, flags=re.DOTALL
            )
            (TABLES / f"{made.name}.json").write_text(f"{text}\n", encoding="utf-8")
        return made

    def make_table(self) -> GameRungs:
        """Return the rungs by what has been played."""
        setup = self.bench.setup
        unit: Literal["points", "rating"] = "points" if self.bench.is_cooperative else "rating"
        return build_table(self.bench.game.name, self.blocks, seats=setup.seats, preset=setup.preset, unit=unit)


def main() -> None:
    """Measure, and print each table as it is written."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", choices=[*SETUPS, []])
    parser.add_argument("--minutes", type=float, default=10, help="for each game (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="measure only bots that do not look ahead")
    parser.add_argument("--fit-only", action="store_true", help="write the tables from what has been played")
    given = parser.parse_args()
    MEASURED.mkdir(exist_ok=True)
    for name in given.games or SETUPS:
        measurement = Measurement(Bench(name))
        if not given.fit_only:
            bots = measurement.bench.list_bots()
            slow = ("house:search", "house:rollout")
            measurement.measure(given.minutes, [bot for bot in bots if not given.quick or not bot.startswith(slow)])
        table = measurement.write_table()
        print(f"{name}: {sum(map(len, measurement.blocks.values()))} deals; {table.deals} tell a rung")
        for number, rung in enumerate(table.rungs, 1):
            print(f"  {number:2} {rung.bot:40} {rung.strength:+8.1f} ±{rung.half_width or 0:.1f}  {rung.deals} deals")


if __name__ == "__main__":
    main()
