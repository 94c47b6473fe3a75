"""The cases of Rack-O about numbers: a rack, a round, the standing of a game, the options."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from pitboss import Random, outcome_by_side
from pitboss_racko import rack as racks
from pitboss_racko.game import RackoState, is_over, round_points
from pitboss_racko.options import RackoOptions

from .comparing import Found, either
from .given import CaseError, Given
from .racko_dealer import next_dealer
from .racko_given import Asked


class RackGiven(Given, frozen=True):
    """One rack, slot #5 first."""

    rack: list[int]


def rack_found(given: RackGiven, asked: Asked) -> list[Found]:
    """Section 3. What a rack would score as a RACK-O is null if it is none; a RACK-O is one for the `min_run` that is asked for."""
    rack, options = given.rack, asked.of_a_rack()
    is_racko = racks.is_racko(rack, options.min_run)
    found: Found = {
        "progress": racks.progress(rack),
        "complete": racks.progress(rack) == len(rack),
        "racko": is_racko,
        "longest_run": racks.longest_run(rack),
        "points": racks.points(rack),
        "declarer_points": racks.declarer_points(rack, options.bonus_runs) if is_racko else None,
        "declarer_points_bonus": racks.declarer_points(rack, True) if is_racko else None,
        "bonus": racks.declarer_points(rack, True) - racks.RACKO_POINTS,
    }
    return [found]


class RoundGiven(Given, frozen=True):
    """All racks at the end of a round. No `declarer` (or `stalled`): the round is stalled."""

    racks: list[list[int]]
    declarer: int | None = None
    stalled: bool | None = None
    players: int | None = None
    scores: list[int] | None = None  # the totals before the round


def round_found(given: RoundGiven, asked: Asked) -> list[Found]:
    """Section 3: everybody's points, and those of the sides."""
    players = len(given.racks)
    if given.players not in (None, players) or given.stalled not in (None, given.declarer is None):
        raise CaseError("players and racks, or declarer and stalled, contradict each other")
    if given.declarer is not None and not 0 <= given.declarer < players:
        raise CaseError(f"declarer {given.declarer} is no seat; there are {players} racks")
    options, _ = asked.of_one_round(players)
    points = round_points(given.racks, given.declarer, options)
    sides = sides_of(players, options)
    side_points = [sum(points[seat] for seat in side) for side in sides]
    before = given.scores or [0] * len(sides)
    if len(before) != len(sides):
        raise CaseError(f"there are {len(before)} totals for {len(sides)} sides")
    totals = [old + new for old, new in zip(before, side_points, strict=True)]
    found: Found = {
        "points": list(points),
        "side_points": side_points,
        "totals": totals,
        "scores": totals,
        "declarer": given.declarer,
        "stalled": given.declarer is None,
    }
    return [found]


class GameGiven(Given, frozen=True):
    """The standing after a scored round; `scores` are the totals by side."""

    scores: list[int]
    rounds_played: int = 1
    players: int | None = None
    last_dealer: int | None = None


def game_found(given: GameGiven, asked: Asked) -> list[Found]:
    """2.4: tell whether the game is over, and who has won."""
    sides_of_two = asked.preset == "partners" or asked.options.get("partners") is True
    players = given.players or (4 if sides_of_two else len(given.scores))
    options = asked.resolved(players)
    sides = sides_of(players, options)
    if len(given.scores) != len(sides):
        raise CaseError(f"there are {len(given.scores)} totals for {len(sides)} sides")
    over = is_over(given.scores, given.rounds_played, options)
    found = {"over": over, **standing(given.scores, sides, over), "rounds_played": given.rounds_played, "totals": given.scores}
    if given.last_dealer is not None:
        found["next_dealer"] = None if over else next_dealer(given.last_dealer, players)
    return [found]


def standing(totals: Sequence[int], sides: Sequence[Sequence[int]], over: bool) -> dict[str, object]:
    """Return winners (none before the end) and ranks, by side as the rule book has them, or by seat."""
    outcome = outcome_by_side(totals, tuple(tuple(side) for side in sides))
    first = [number for number, side in enumerate(sides) if outcome.places[side[0]] == 1]
    return {
        "winners": either(first, list(outcome.winners)) if over else either([], None),
        "ranks": either([outcome.places[side[0]] for side in sides], list(outcome.places)),
        "sides": [list(side) for side in sides],
    }


def sides_of(players: int, options: RackoOptions) -> tuple[tuple[int, ...], ...]:
    """D15: return the seats of each side, as the game has them."""
    return RackoState(players, options, Random("sides")).sides


class OptionsGiven(Given, frozen=True):
    """Options for a table."""

    players: int | None = None


def options_found(given: OptionsGiven, asked: Asked) -> list[Found]:
    """Section 4: the options as resolved for the table."""
    options = asdict(asked.resolved(given.players))
    return [{**options, "options": options, "resolved": options, "valid": True}]
