"""What games say of how everybody stands in the middle of them, for players who look ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from random import Random as Quick
from statistics import correlation, linear_regression
from typing import Final

import pytest

from pitboss import PositionError, Random
from pitboss.determinization.pooled_knowledge import pool_knowledge
from pitboss.game import Evaluable, resolve_options
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry
from pitboss.records.luck import measure_luck
from pitboss.testing.framework.expectations import require_positions
from pitboss_racko.game import Racko
from pitboss_racko.messages import Action, Draw, Position, RackoOptions
from pitboss_racko.rack import PACE, UNFILLABLE, RackFilling, least_turns
from pitboss_racko.state import RackoState
from tests.games.racko_states import make_options, set_up_game
from tests.marks import first_rows

pytestmark = pytest.mark.once

GAMES: Final = {
    name: game for name, game in Registry().games.items() if name in ("lucky-maker", "racko", "ragamaru", "rummy")
}


def lead_of_seat_0(name: str, position: dict[str, object], seats: int = 2, **given: object) -> float:
    """Return by how much seat 0 is ahead of seat 1."""
    game = require_positions(GAMES[name])
    written = convert_value(position, game.Position, "position", PositionError)
    state = game.setup(seats, resolve_options(game, seats, overrides=given), written, Random("p"))
    assert isinstance(state, Evaluable)
    first, second, *_ = state.evaluate()
    return first - second


GOOD: Final = [1, 5, 9, 14, 39, 28, 31, 36, 37, 40]
BAD: Final = [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]


def test_racks() -> None:
    """A rack that lacks one card is better than one that lacks many, by less than the points of the round.

    Both ways round the same.
    """
    rest: dict[str, object] = {"discard": [16], "turn": 0}
    margin = lead_of_seat_0("racko", {"racks": [GOOD, BAD], **rest})

    assert 20 < margin < 75
    assert lead_of_seat_0("racko", {"racks": [BAD, GOOD], **rest}) == pytest.approx(-margin)


def gap_turns(slots: int, low: int, high: int, below: Sequence[float], pace: float) -> float:
    """Return the turns to fill neighbouring slots between the kept cards `low` and `high`."""
    if not slots:
        return 0.0
    coming = below[high - 1] - below[low]
    if high - low <= slots or coming <= 0:
        return UNFILLABLE * slots
    return min(UNFILLABLE * slots, slots + pace * slots * slots / coming)


def deal_racks(rng: Quick, size: int) -> Iterator[tuple[list[int], list[float], float]]:
    """Yield racks, with the weights of the cards that may come and the pace."""
    for _ in range(100):
        below = [0.0, *accumulate(rng.choice((0.1, 0.4, 1.0)) for _ in range(size))]
        yield rng.sample(range(1, size + 1), 10), below, PACE * below[-1]


def test_slots_that_are_not_worth_a_look() -> None:
    """The fewest turns are those over all ways to keep cards: no way that is left out is better."""
    rng = Quick(7)
    for size in (40, 50, 60):
        for rack, below, pace in deal_racks(rng, size):
            walls, least = [0, *rack, size + 1], [0.0]
            for to in range(1, len(walls)):
                ways = [
                    least[at] + gap_turns(to - at - 1, walls[at], walls[to], below, pace)
                    for at in range(to)
                    if walls[at] < walls[to]
                ]
                least.append(min([UNFILLABLE * to, *ways]))

            assert least_turns(walls, below, pace) == pytest.approx(least, abs=1e-12)


@pytest.mark.long
def test_the_best_slot_of_a_card() -> None:
    """Of each card it is that of the rack which needs the fewest turns, and the turns are those of that rack."""
    rng = Quick(8)
    for rack, below, pace in deal_racks(rng, 40):
        cards = sorted(set(range(1, 41)).difference(rack))
        found = RackFilling(rack, below, pace, 40).find_slots(cards)
        for card, (turns, slot) in zip(cards, found, strict=True):
            racks = [rack, *([*rack[:at], card, *rack[at + 1 :]] for at in range(10))]
            expected = [least_turns([0, *one, 41], below, pace)[-1] for one in racks]

            assert turns == pytest.approx(min(expected))
            assert expected[slot] == pytest.approx(turns)


class RedrawnState(RackoState):
    """Rack-O that leaves it to redraws what a card is worth."""

    def evaluate_draws(self, cards: Sequence[int]) -> None:
        """Say nothing."""


class RedrawnRacko(Racko):
    """Rack-O with these states."""

    state = RedrawnState


def play_draws(game: Racko, options: RackoOptions) -> Iterator[RackoState]:
    """Yield the states of some games before each draw from the stock; each card is placed where it seems best."""
    for number in range(12):
        state = game.deal(2, options, Random(f"draw {number}"))
        while state.turn is not None and state.turns_done < 18:
            if state.turn.phase == "draw":
                yield state
                state.play(Draw())
            else:
                state.play(max(state.legal(), key=partial(lead_after, state)))


def lead_after(state: RackoState, action: Action) -> float:
    """Return the lead of who is on turn after an action."""
    seat, after = state.require_turn().seat, state.copy()
    after.play(action)
    values = after.evaluate()
    return values[seat] - values[1 - seat]


OPTIONS: Final[tuple[dict[str, object], ...]] = ({}, {"min_run": 3}, {"bonus_runs": True})


@first_rows(1)("given", OPTIONS)
def test_the_worth_of_all_cards_that_may_be_drawn(given: dict[str, object]) -> None:
    """The worth of a card does not depend on the card that was drawn, so the mean luck is zero."""
    for state in play_draws(Racko(), make_options(2, max_rounds=1, **given)):
        pooled, seat = state.copy(), state.require_turn().seat
        pool_knowledge(pooled.table)
        unseen = [card for card, seats in enumerate(pooled.table.known_by) if not seats]
        worlds = [pooled.imagine(seat, Random(f"{number}")) for number in range(4)]
        for world in worlds:
            world.play(Draw())
        first, *others = [world.evaluate_draws(unseen) for world in worlds]

        assert state.evaluate_draws(unseen) is None
        assert len(first or []) == len(unseen)
        assert others == [first] * 3


@pytest.mark.long
@pytest.mark.parametrize(
    "given", [OPTIONS[0], *(pytest.param(one, marks=[pytest.mark.once, pytest.mark.long]) for one in OPTIONS[1:])]
)
def test_the_luck_of_a_drawn_card(given: dict[str, object]) -> None:
    """The luck of a drawn card is close to the luck that redraws find, each placed best."""
    options = make_options(2, max_rounds=1, **given)
    at_once, redrawn = (
        [
            measure_luck(state, Draw(), f"{number}", 16) or [0.0, 0.0]
            for number, state in enumerate(play_draws(game, options))
        ]
        for game in (Racko(), RedrawnRacko())
    )
    leads = [[own - other for own, other in luck] for luck in (at_once, redrawn)]

    assert len(at_once) > 100
    assert correlation(*leads) > 0.7
    assert linear_regression(*leads).slope == pytest.approx(1, abs=0.4)


def test_a_card_that_completes_the_rack() -> None:
    """A card that completes the rack is worth a RACK-O, and the others score what they have in order."""
    racks: list[list[int | None]] = [[1, 5, 9, 14, 20, 40, 28, 31, 36, 39], [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]]
    state = set_up_game(2, Position(racks=racks, discard=[16], stock=[25], turn=0), first_dealer=0)
    state.play(Draw())

    assert state.evaluate_draws([24]) == [[75, 5]]


def test_a_run_that_is_needed() -> None:
    """Where a RACK-O needs a run, the rack that has one is ahead of one that is as good otherwise.

    Without the rule it is not.
    """
    racks = [[1, 5, 9, 14, 26, 27, 28, 34, 37, 40], [2, 6, 10, 13, 21, 24, 30, 33, 36, 39]]
    position: dict[str, object] = {"racks": racks, "discard": [16], "turn": 0, "phase": "draw"}

    assert lead_of_seat_0("racko", position, min_run=3, declare="choice") > 15
    assert abs(lead_of_seat_0("racko", position, declare="choice")) < 1


@pytest.mark.parametrize("scoring", ["winner", "chips", "penalty"])
def test_hands(scoring: str) -> None:
    """A player about to go out against a hand of court cards is ahead, whether points are won or charged."""
    hands = [["S5", "S6", "S7", "H5", "H6"], ["HK", "DQ", "CJ", "S10", "D8"]]

    assert lead_of_seat_0("rummy", {"hands": hands, "discard": ["D3"], "turn": 0}, scoring=scoring) > 10
    assert lead_of_seat_0("rummy", {"hands": hands[::-1], "discard": ["D3"], "turn": 0}, scoring=scoring) < -10


def test_cards_that_can_still_come() -> None:
    """A pair is worth less when the cards that would complete it lie in the discard pile."""
    position: dict[str, object] = {"hands": [["S9", "H9", "D2", "C5"], ["SK", "DQ", "C7", "H4"]], "turn": 1}

    assert lead_of_seat_0("rummy", {**position, "discard": ["S3", "H2", "DA"]}) > lead_of_seat_0(
        "rummy", {**position, "discard": ["D9", "C9", "DA"]}
    )


def test_a_discard_that_helps_the_next_player() -> None:
    """The top discard is worth more to a player on turn who needs the card."""
    position: dict[str, object] = {"hands": [["S9", "H9", "D2", "C5"], ["SK", "DQ", "C7", "H4"]], "turn": 0}

    assert lead_of_seat_0("rummy", {**position, "discard": ["DA", "D9"]}) > 1 + lead_of_seat_0(
        "rummy", {**position, "discard": ["D9", "DA"]}
    )


def test_a_stock_that_everybody_knows() -> None:
    """In a stock that was turned over, the estimate depends on whose the next cards are."""
    position: dict[str, object] = {
        "hands": [["S9", "H9", "D2"], ["SK", "HK", "D4"]],
        "turn": 0,
        "discard": ["DA"],
        "stock_public": True,
    }

    assert lead_of_seat_0("rummy", {**position, "stock": ["D9", "C7", "C8"]}) > lead_of_seat_0(
        "rummy", {**position, "stock": ["C7", "DK", "C8"]}
    )


def lucky_maker_evaluation(**position: object) -> Sequence[float]:
    """Return the prospects at a table of three of Lucky Maker."""
    game = require_positions(GAMES["lucky-maker"])
    written = convert_value(position, game.Position, "position", PositionError)
    state = game.setup(3, resolve_options(game, 3, overrides={"games": 1}), written, Random("p"))
    assert isinstance(state, Evaluable)
    return state.evaluate()


def test_a_trick_that_is_not_over() -> None:
    """The trick counts as it ends if the others play what is likely.

    Here the last cards, red decides by two to none, and the ten wins nine points.
    """
    expected = lucky_maker_evaluation(hands=[["R1Y10"], ["G5Y6"], []], master="R2B9", trick=["R10G1"], lead=2)

    assert expected == pytest.approx([0, 0, 9])


def test_cards_that_nobody_can_beat_any_more() -> None:
    """A nine is worth more where the ten has been played than where somebody holds it.

    In other tricks, as nothing has been played to this one.
    """
    rest = {"master": "B5G6", "masters": ["B2G9"], "lead": 0}
    others = ["G2Y9", "G3Y8"]

    held = lucky_maker_evaluation(hands=[["R9G2", "G5Y6"], ["R10B1", "G1Y10"], others], **rest)
    gone = lucky_maker_evaluation(hands=[["R9G2", "G5Y6"], ["R1B10", "G1Y10"], others], **rest)

    assert gone[0] > held[0] + 1


def test_who_leads_to_the_next_trick() -> None:
    """A seat that plays late can expect more than the same seat when it leads."""
    hands, piles = [["R9G2", "G5Y6"], ["R1B10", "G1Y10"], ["G2Y9", "G3Y8"]], {"master": "B5G6", "masters": ["B2G9"]}

    leads, plays_last = (
        lucky_maker_evaluation(hands=hands, lead=0, **piles),
        lucky_maker_evaluation(hands=hands, lead=1, **piles),
    )

    assert plays_last[0] > leads[0]
    assert plays_last[1] < leads[1]


def test_who_goes_out() -> None:
    """A player on turn whose last card fits is nearly sure to win; a last card that does not fit is worth little."""
    field = {"card": "R4"}

    out = lead_of_seat_0("ragamaru", {"hands": [["R9"], ["R7", "R8"]], "field": field, "turn": 0})
    not_yet = lead_of_seat_0("ragamaru", {"hands": [["B9"], ["K7", "Y8"]], "field": field, "turn": 0})
    feared = lead_of_seat_0("ragamaru", {"hands": [["B9"], ["R7"]], "field": field, "turn": 0})

    assert out > 0.9
    assert 0 < not_yet < 0.3
    assert feared < -0.2


def test_turns_that_hands_take() -> None:
    """Equal cards go together; a card that only answers attacks is worse than a number, a RAGAMARU is better.

    And an attack costs those who cannot answer it.
    """
    rest: dict[str, object] = {"field": {"card": "B1"}, "turn": 1}
    other = ["B2", "B3", "B4", "B5"]

    def against(hand: list[str], **more: object) -> float:
        return lead_of_seat_0("ragamaru", {"hands": [hand, other], **rest, **more})

    single, paired = against(["R6", "R7", "R8", "R9"]), against(["R6", "Y6", "R9", "Y9"])
    stuck, helped = against(["R6", "R7", "R8", "CV"]), against(["R6", "R7", "R8", "RAG"])
    attack: dict[str, object] = {"field": {"card": "R-PG"}, "phase": "defend", "pending": {"attack": "PG", "draw": 3}}

    assert stuck < single < paired
    assert helped > single
    assert against(["R6", "R7", "R8", "R9"], **attack) > single


def test_partners_go_out_for_each_other() -> None:
    """Of two sides with as many cards the one is ahead in which somebody is about to go out."""
    game = require_positions(GAMES["ragamaru"])
    hands = [["R9"], ["K2", "B5", "Y8"], ["K3", "B6", "Y10", "Y11", "Y12"], ["K4", "B7", "Y14"]]
    written = convert_value(
        {"hands": hands, "field": {"card": "R4"}, "turn": 3}, game.Position, "position", PositionError
    )
    state = game.setup(4, resolve_options(game, 4, overrides={"teams": 2}), written, Random("p"))

    assert isinstance(state, Evaluable)
    near, far, *partners = state.evaluate()
    assert near > far
    assert partners == [near, far]
