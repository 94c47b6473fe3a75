"""What all play-outs of a run show together: ties, and facts that hold in nearly all games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from pitboss.outcome import Outcome
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.testing.framework.playouts import EndedGame, PlayoutTally

MIN_BROKEN_TIES: Final = 12  # between equal points: all for the earlier seat by accident once in 4,096
MIN_GAMES: Final = 100  # before an exception is one
MAX_EXCEPTIONS: Final = 0.02  # of the games; what more of them do is no exception


@check("all play-outs")
def ties_are_not_broken_by_seat(tally: PlayoutTally) -> None:
    """Two sides with equal points share a place, or something in the game decides: not always the earlier seat."""
    broken = Counter[str]()
    example: EndedGame | None = None
    for game in tally.ended:
        for first, second in _list_broken_ties(game.outcome):
            broken["first" if game.outcome.places[first] < game.outcome.places[second] else "second"] += 1
            example = example or game
    if not broken or example is None:
        raise NotApplicable("no two sides with equal points had different places")
    if broken.total() >= MIN_BROKEN_TIES and len(broken) == 1:
        [(which, count)] = broken.items()
        raise CheckFailed(
            f"{count} times two sides had equal points and different places, and always the {which} of them in the "
            f"order of the seats was better; {_describe(example)}"
        )


@check("all play-outs", advice="If it is meant, all is well; else that game is the one to look at.")
def no_game_is_an_exception(tally: PlayoutTally) -> None:
    """What holds in nearly all games holds in all: the points of all seats add up to the same number, and places go by
    points.
    """
    looked_at = 0
    for setup in dict.fromkeys(game.setup for game in tally.ended):
        games = [game for game in tally.ended if game.setup is setup]
        if len(games) < MIN_GAMES:
            continue
        looked_at += len(games)
        by_total = [(game, f"the points add up to {_total_of(game.outcome):g}") for game in games]
        by_order = [(game, f"by points {_order_of(game.outcome)} is better") for game in games]
        for facts in (by_total, by_order):
            _expect_no_exception([fact for fact in facts if not fact[1].startswith("by points either")])
    if not looked_at:
        raise NotApplicable(f"no table had {MIN_GAMES} games")


def _expect_no_exception(facts: Sequence[tuple[EndedGame, str]]) -> None:
    """Note a game that is one of few for which a fact does not hold."""
    counts = Counter(fact for _, fact in facts)
    if len(counts) < 2:
        return
    (usual, often), *_ = counts.most_common(1)
    rest = counts.total() - often
    if rest <= MAX_EXCEPTIONS * counts.total():
        game, other = next(one for one in facts if one[1] != usual)
        raise CheckNote(
            f"in {often:,} of {counts.total():,} games {usual}; in {rest} not: {other}, {game.outcome!r}; "
            f"{_describe(game)}"
        )


def _list_broken_ties(outcome: Outcome) -> Iterator[tuple[int, int]]:
    """Yield the first seats of two sides that have equal points and different places, the earlier one first."""
    firsts = sorted(min(side) for side in outcome.sides if side)
    for one, other in combinations(firsts, 2):
        if outcome.points[one] == outcome.points[other] and outcome.places[one] != outcome.places[other]:
            yield one, other


def _total_of(outcome: Outcome) -> float:
    return round(math.fsum(outcome.points), 6)


def _order_of(outcome: Outcome) -> str:
    """Return whether more points are better, or less; "either" if nothing tells, "neither" if it is neither."""
    found = set[str]()
    for one, other in combinations(range(len(outcome.points)), 2):
        points, places = outcome.points[one] - outcome.points[other], outcome.places[one] - outcome.places[other]
        if points and places:
            found.add("more" if (points > 0) == (places < 0) else "less")
        elif points and not places and (one, other) not in _partners(outcome):
            found.add("neither more nor less")
    return found.pop() if len(found) == 1 else "neither more nor less" if found else "either"


def _partners(outcome: Outcome) -> set[tuple[int, int]]:
    return {pair for side in outcome.sides for pair in combinations(sorted(side), 2)}


def _describe(game: EndedGame) -> str:
    return f"{game.setup}, seed {game.seed!r}, played {game.style}"
