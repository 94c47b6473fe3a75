"""What all play-outs of a run show together: ties, and facts that hold in nearly all games."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from pitboss.outcome import Outcome
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.playouts import AT_RANDOM, EndedGame, PlayoutTally

MIN_BROKEN_TIES: Final = 12  # between equal points: all for the earlier seat by accident once in 4,096
MIN_NOTED_TIES: Final = 5  # all for one side by accident once in 16: a note
MIN_GAMES: Final = 50  # at random, before an exception is one
MAX_OTHER_TOTALS: Final = 0.1  # of the games at random; what more of them add up to is no exception
MAX_OTHER_ORDERS: Final = 0.2  # hardly a game is won by more points in some games, and by fewer in others


@check("all play-outs", advice="If the rules break ties so, all is well; else equal points share a place.")
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
    if len(broken) == 1 and broken.total() >= MIN_NOTED_TIES:
        [(which, count)] = broken.items()
        text = (
            f"{count} times two sides had equal points and different places, and always the {which} of them in the "
            f"order of the seats was better; {_describe(example)}"
        )
        raise CheckFailed(text) if count >= MIN_BROKEN_TIES else CheckNote(text)


@check("all play-outs", advice="If it is meant, all is well; else that game is the one to look at.")
def no_game_is_an_exception(tally: PlayoutTally) -> None:
    """What holds in nearly all games that are played at random holds in all games: the points of all seats add up to
    the same number, and places go by points.
    """
    totals = [(game, f"the points add up to {_total_of(game.outcome):g}") for game in tally.ended]
    orders = [(game, _order_of(game.outcome)) for game in tally.ended]
    order_facts = [(game, f"by points {order} is better") for game, order in orders if order != "either"]
    looked_at = [
        _expect_no_exception(facts, most)
        for facts, most in ((totals, MAX_OTHER_TOTALS), (order_facts, MAX_OTHER_ORDERS))
    ]
    if not any(looked_at):
        raise NotApplicable(f"fewer than {MIN_GAMES} games were played at random to their end")


def _expect_no_exception(facts: Sequence[tuple[EndedGame, str]], most: float) -> bool:
    """Note a game that is one of few for which a fact does not hold; return whether there were enough games to tell.

    Tables of which the same fact holds usually are taken together. Players who steer do what is rare often: how rare it
    is, games at random tell.
    """
    by_setup: defaultdict[CheckedSetup, list[tuple[EndedGame, str]]] = defaultdict(list)
    for game, fact in facts:
        by_setup[game.setup].append((game, fact))
    by_usual: defaultdict[str, list[tuple[EndedGame, str]]] = defaultdict(list)
    for some in by_setup.values():
        [(usual, _)] = Counter(fact for _, fact in some).most_common(1)
        by_usual[usual] += some
    is_enough = False
    for usual, some in by_usual.items():
        at_random = [fact for game, fact in some if game.style == AT_RANDOM]
        others = [one for one in some if one[1] != usual]
        is_enough |= len(at_random) >= MIN_GAMES
        rare = len(at_random) - at_random.count(usual) <= most * len(at_random)
        if others and rare and len(at_random) >= MIN_GAMES:
            game, other = others[0]
            raise CheckNote(
                f"in {len(some) - len(others):,} of {len(some):,} games {usual}; in {len(others):,} not: {other}, "
                f"{game.outcome!r}; {_describe(game)}"
            )
    return is_enough


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
