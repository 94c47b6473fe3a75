"""The cases of Rack-O about numbers: a rack, a round, the standing of a game, the options."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from pitboss import Random, outcome_by_side
from pitboss_racko import rack as racks
from pitboss_racko.messages import RackoOptions
from pitboss_racko.state import RackoState, is_over, round_points
from tests.rules.case_input import CaseError, CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.racko_case_options import RackoCaseOptions
from tests.rules.racko_dealer import next_dealer


class RackInput(CaseInput, frozen=True):
    """One rack, slot #5 first."""

    rack: list[int]


def score_rack(given: RackInput, asked: RackoCaseOptions) -> CaseFacts:
    """Section 3. What a rack would score as a RACK-O is null if it is none.

    A RACK-O is one for the `min_run` that is asked for.
    """
    rack, options = given.rack, asked.resolve_for_rack()
    is_racko = racks.is_racko(rack, options.min_run)
    return {
        "progress": racks.progress(rack),
        "complete": racks.progress(rack) == len(rack),
        "racko": is_racko,
        "longest_run": racks.longest_run(rack),
        "points": racks.points(rack),
        "declarer_points": racks.declarer_points(rack, options.bonus_runs) if is_racko else None,
        "declarer_points_bonus": racks.declarer_points(rack, True) if is_racko else None,
        "bonus": racks.declarer_points(rack, True) - racks.RACKO_POINTS,
    }


class RoundInput(CaseInput, frozen=True):
    """All racks at the end of a round. No `declarer`: the round is stalled."""

    racks: list[list[int]]
    declarer: int | None = None
    scores: list[int] | None = None  # the totals before the round


def score_round(given: RoundInput, asked: RackoCaseOptions) -> CaseFacts:
    """Section 3: everybody's points, and those of the sides."""
    players = len(given.racks)
    if given.declarer is not None and not 0 <= given.declarer < players:
        raise CaseError(f"declarer {given.declarer} is no seat; there are {players} racks")
    options = asked.resolve(players, max_rounds=1)
    points = round_points(given.racks, given.declarer, options)
    sides = sides_for(players, options)
    side_points = [sum(points[seat] for seat in side) for side in sides]
    before = given.scores or [0] * len(sides)
    if len(before) != len(sides):
        raise CaseError(f"there are {len(before)} totals for {len(sides)} sides")
    totals = [old + new for old, new in zip(before, side_points, strict=True)]
    return {
        "points": list(points),
        "side_points": side_points,
        "totals": totals,
        "declarer": given.declarer,
        "stalled": given.declarer is None,
    }


class RackoStandingInput(CaseInput, frozen=True):
    """The standing after a scored round; `scores` are the totals by side."""

    scores: list[int]
    rounds_played: int = 1
    players: int | None = None
    last_dealer: int | None = None


def score_game(given: RackoStandingInput, asked: RackoCaseOptions) -> CaseFacts:
    """2.4: tell whether the game is over, and who has won."""
    sides_of_two = asked.preset == "partners" or asked.options.get("partners") is True
    players = given.players or (4 if sides_of_two else len(given.scores))
    options = asked.resolve(players)
    sides = sides_for(players, options)
    if len(given.scores) != len(sides):
        raise CaseError(f"there are {len(given.scores)} totals for {len(sides)} sides")
    over = is_over(given.scores, given.rounds_played, options)
    found = {
        "over": over,
        **standing_facts(given.scores, sides, over),
        "rounds_played": given.rounds_played,
        "totals": given.scores,
    }
    if given.last_dealer is not None:
        found["next_dealer"] = None if over else next_dealer(given.last_dealer, players)
    return found


def standing_facts(totals: Sequence[int], sides: Sequence[Sequence[int]], over: bool) -> dict[str, object]:
    """Return winners (none before the end) and ranks, by side as the rule book has them."""
    outcome = outcome_by_side(totals, tuple(tuple(side) for side in sides))
    first = [number for number, side in enumerate(sides) if outcome.places[side[0]] == 1]
    return {
        "winners": first if over else [],
        "ranks": [outcome.places[side[0]] for side in sides],
        "sides": [list(side) for side in sides],
    }


def sides_for(players: int, options: RackoOptions) -> tuple[tuple[int, ...], ...]:
    """D15: return the seats of each side, as the game has them."""
    return RackoState.create(players, options, Random("sides")).sides


class RackoOptionsInput(CaseInput, frozen=True):
    """Options for a table."""

    players: int | None = None


def resolve_case_options(given: RackoOptionsInput, asked: RackoCaseOptions) -> CaseFacts:
    """Section 4: the options as resolved for the table."""
    options = asdict(asked.resolve(given.players))
    return {**options, "options": options}
