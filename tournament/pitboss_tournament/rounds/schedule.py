"""The schedule: the games of a tournament and the seeds they are dealt by.

A *pairing* is a set of entrants that fits a table. Each pairing plays a number of *deals* of its own, each deal once in
every order of the seat design (`plan/seating`). A deal in all its orders is a *block*. A bot has a process for each
seat, and another one for orders in which it has that seat again, so that no process sees a deal twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

import msgspec

from pitboss.protocol.messages import Hello
from pitboss.table.randomness import Random
from pitboss_tournament.match.match import MatchResult
from pitboss_tournament.plan.plan import Entrant, Plan, TableRules
from pitboss_tournament.statistics.scoring import GameResult, score_game
from pitboss_tournament.store.header import Header


class ScheduledGame(NamedTuple):
    """A game to play."""

    game_id: int
    pairing: int
    deal: int  # counts the deals of the pairing, over all rounds
    rotation: int  # number of the seat order among those of the deal
    entrants: tuple[int, ...]  # by seat: indexes into the plan's entrants
    common_deal: str  # names the deal among those of all tables, if all are dealt the same


# Played in a row at one table; an entrant that sits in the same seat again has the same process
GameBatch: TypeAlias = tuple[ScheduledGame, ...]


class SeededGame(NamedTuple):
    """A game to play, with the seeds of its cards and of the bot in each seat."""

    game: ScheduledGame
    seed: str
    bot_seeds: Sequence[str]


def split_by_order(batch: GameBatch) -> list[GameBatch]:
    """Return the games of a batch by who sits where: in each part a bot has one process, and none waits for a seat."""
    parts: dict[tuple[int, ...], list[ScheduledGame]] = {}
    for game in batch:
        parts.setdefault(game.entrants, []).append(game)
    return list(map(tuple, parts.values()))


def deal_seed(tournament: Plan | Header, game: ScheduledGame) -> str:
    """Return the seed of a game's cards: the same for all orders, another for each deal and, by default, pairing.

    The first deals of a pairing are those that a file gives, if there is one.
    """
    if tournament.given_deals is not None and game.deal < len(tournament.given_deals.seeds):
        return tournament.given_deals.seeds[game.deal]
    seed = _name_deal(tournament, game)
    return sha256(seed.encode()).hexdigest() if tournament.seals_deals else seed


def _name_deal(tournament: Plan | Header, game: ScheduledGame) -> str:
    if tournament.same_deals:
        return f"{tournament.seed}//{game.common_deal}"  # no bot has an empty name
    known = tournament.dealt_names
    names = sorted(known[entrant] for entrant in game.entrants)
    if tournament.escapes_names:
        names = [name.replace("%", "%25").replace("+", "%2B") for name in names]
    return f"{tournament.seed}/{'+'.join(names)}/{game.deal}"


def bot_seeds(tournament: Plan | Header, game_id: int) -> Sequence[str]:
    """Return the seed of each seat's bot for a game. It tells nothing about the cards."""
    return draw_bot_seeds(f"{tournament.seed}/bots/{game_id}", tournament.seats)


def draw_bot_seeds(seed: str, count: int) -> Sequence[str]:
    """Return seeds for `count` bots, in the one form that bots are told: 16 hexadecimal digits."""
    return [f"{word:016x}" for word in Random(seed).draw_words(count)]


def seed_games(plan: Plan, batch: GameBatch) -> tuple[SeededGame, ...]:
    """Return the games of a batch with their seeds."""
    return tuple(SeededGame(game, deal_seed(plan, game), bot_seeds(plan, game.game_id)) for game in batch)


def takes_tables(entrant: Entrant) -> bool:
    """Whether a bot may be asked at many tables at once: not one with a memory, a model, or a process for each game."""
    return entrant.process == "batch" and entrant.memory is None and entrant.model is None


def greet_entrant(rules: Plan | TableRules, entrant: Entrant, seat: int, seed: str, *, tables: int = 1) -> Hello:
    """Return the greeting of an entrant in a seat; `seed` is its own in the game that its process plays first.

    It offers policies where results are shown without luck: nothing else uses them. It offers more than one of `tables`
    to bots that may take them.
    """
    return Hello(
        game=rules.game,
        options=msgspec.to_builtins(rules.options),
        seats=rules.seats,
        seat=seat,
        seed=seed,
        clock=entrant.clock.apply_to(rules.clock),
        policy=True if rules.reduce == "luck" else msgspec.UNSET,
        tables=tables if tables > 1 and takes_tables(entrant) else msgspec.UNSET,
    )


def is_result_of(game: ScheduledGame, result: GameResult) -> bool:
    """Tell whether a result is one of this game."""
    said = (result.game_id, result.pairing, result.deal, result.rotation)
    return said == game[:4] and tuple(seat.entrant for seat in result.seats) == game.entrants


def make_result(game: ScheduledGame, played: MatchResult) -> GameResult:
    """Return the result of a finished game, as standings and store want it."""
    seats = score_game(played.record, game.entrants)
    return GameResult(game.game_id, game.pairing, game.deal, game.rotation, seats, played.lag)
