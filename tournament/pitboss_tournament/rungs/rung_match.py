"""Games of a bot against rungs: which rung is met next, the plan of a match against it, and its blocks.

A rung holds all seats but one; in a game of partners the bot holds all seats of a side, and where all seats play
together, teams of the bot and of the rung play the same deals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from pitboss import Sides
from pitboss.game import find_sides, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import RUNG_PREFIX, GameRungs
from pitboss_tournament.config.entrants import disambiguate_names
from pitboss_tournament.config.versions import seat_sides
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.settings import ClockTable, TournamentFile
from pitboss_tournament.rungs.rung_estimate import NO_GAMES, RungBlock, estimate_rung
from pitboss_tournament.statistics.blocks import complete_blocks
from pitboss_tournament.statistics.scoring import GameResult

RUNG_MS: Final = 30_000  # for a decision: what a rung does is bounded by simulations, not by a clock
FIRST_BATCH_PART: Final = 8  # the first two batches have an eighth of the deals each
MIN_BATCH: Final = 2
BATCHES: Final = 5


def split_deals(deals: int) -> list[int]:
    """Return how many deals are played against one rung after the other: few first, to find out where to look."""
    first = min(max(MIN_BATCH, deals // FIRST_BATCH_PART), deals)
    second = min(first, deals - first)
    rest = deals - first - second
    later = BATCHES - 2
    shares = [rest // later + (number < rest % later) for number in range(later)]
    return [count for count in (first, second, *shares) if count]


def choose_rung(table: GameRungs, played: Mapping[int, Sequence[RungBlock]]) -> int:
    """Return the number of the rung that tells most of the bot: the one nearest to what is known of it.

    If half of the deals were against it, the nearest of the others is taken: no opponent alone decides.
    """
    count = len(table.rungs)
    if not played:
        return (count + 1) // 2
    strength = estimate_rung(table, played).strength
    nearest = sorted(range(1, count + 1), key=lambda number: abs(table.rungs[number - 1].strength - strength))
    whole = sum(map(len, played.values()))
    is_known = len(played) > 1 and 2 * len(played.get(nearest[0], ())) > whole
    return nearest[1] if is_known and count > 1 else nearest[0]


def find_rung_sides(table: GameRungs, registry: Registry) -> Sides:
    """Return the sides at a table of the rungs."""
    game = registry.find_game(table.name)
    return find_sides(game, table.seats, resolve_options(game, table.seats, table.preset))


def make_rung_settings(table: GameRungs, registry: Registry, deals: int, **others: Any) -> TournamentFile:  # noqa: ANN401
    """Return the settings of a match on the table's terms; `others`: the seed, the sandbox and the like."""
    if len(find_rung_sides(table, registry)) == 1:
        others = {"format": "teams", "seating": "rotations", "same_deals": True, **others}
    clock = ClockTable(decision_ms=RUNG_MS)
    return TournamentFile(game=table.name, preset=table.preset, seats=table.seats, deals=deals, clock=clock, **others)


def seat_rung(bot: Entrant, rung: Entrant, sides: Sides, seats: int) -> tuple[Entrant, ...]:
    """Return the entrants of a match, with names of their own: those of the bot are the first ones, or its side's."""
    if len(sides) == 1:
        return disambiguate_names([bot] * seats + [rung] * seats)
    return seat_sides([bot, *[rung] * (len(sides) - 1)], sides)


def read_rung_blocks(results: Sequence[GameResult], sides: Sides, seats: int, block_games: int) -> list[RungBlock]:
    """Return the complete blocks of a match of `seat_rung`, as the bot sees them."""
    if len(sides) == 1:
        return list(_compare_teams(results, seats))
    own = {*sides[0]}
    blocks = []
    for games in complete_blocks(results, block_games):
        block = NO_GAMES
        for game in games:
            side = _find_side(game, sides, own)
            block = block.add_game([one.place for one in game.seats], [one.points for one in game.seats], sides, side)
        blocks.append(block._replace(points=block.points / len(games)))
    return blocks


def _find_side(game: GameResult, sides: Sides, own: Collection[int]) -> Sequence[int]:
    """Return the side whose seats the bot has."""
    return next(side for side in sides if game.seats[side[0]].entrant in own)


def _compare_teams(results: Sequence[GameResult], seats: int) -> Iterator[RungBlock]:
    """Yield for each deal that both teams have played the difference of their points, as a block."""
    by_deal: dict[int, tuple[list[float], list[float]]] = {}
    for game in results:
        points = by_deal.setdefault(game.deal, ([], []))
        points[game.seats[0].entrant >= seats].append(fmean(seat.points for seat in game.seats))
    for _, (own, others) in sorted(by_deal.items()):
        if len(own) == len(others) > 0:
            lead = fmean(own) - fmean(others)
            yield RungBlock(int(lead > 0), int(lead < 0), int(lead == 0), lead)


def name_rung(number: int) -> str:
    """Return how people name a rung: rung:7."""
    return f"{RUNG_PREFIX}{number}"
