"""Gin Rummy against OpenSpiel's `gin_rummy`: one deal in both, legal actions at every step and points at the end.

Every second deal is Oklahoma, and every third has other bonuses. There a card that was just taken may be discarded,
with a knock too (D2 of the rule book): such actions are left out here and counted (`compared_apart`), and so are deals
that end there because 50 discards were taken (D6). Its melds and layoffs are decisions of their own: the knocker lays
down the same melds, and of all that the other can do there the best leaves what ours leaves (D3, D4). Where both have
as much loose there nobody scores. It also misses knocks (`is_knock_missed`): it takes melds that leave the least of all
eleven cards, and only then the discard, where other melds and another discard leave less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyspiel

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.melds import iter_places, mask_of
from pitboss_gin_rummy.game import GinRummy
from pitboss_gin_rummy.messages import CARD_OF, Discard, Draw, GinRummyAction, Knock, Pass, Take
from pitboss_gin_rummy.state import DEADWOOD, NO_CARD, GinRummyState, faces_of
from tests.openspiel.deals import choose_named, number_actions

GAME: Final = GinRummy()
NAMES: Final = {Pass: "Pass", Draw: "Draw stock", Take: "Draw upcard"}
TAKES: Final = 50

compared_apart = {"retaken": 0, "missed": 0, "ended": 0, "even": 0}


def their_card(face: str) -> str:
    """Return a card as OpenSpiel's Gin Rummy writes it."""
    return face[1:].replace("10", "T") + face[0].lower()


def say(theirs: Any, words: str) -> None:  # noqa: ANN401
    """Do the action of these words."""
    choose_named(theirs, f"Player: {theirs.current_player()} Action: {words}")


def deal_card(theirs: Any, face: str) -> None:  # noqa: ANN401
    """Let chance deal a card."""
    choose_named(theirs, f"Chance outcome: {their_card(face)}")


def compare_gin_rummy(number: int) -> int:
    """Play a deal of Gin Rummy; return the number of decisions compared."""
    rng = Random(f"gin/{number}")
    bonuses = {"gin_bonus": 20, "undercut_bonus": 10} if number % 3 == 0 else {}
    knock = 10 if number % 2 else (5 + number % 6)
    is_oklahoma = number % 2 == 1
    theirs: Any = pyspiel.load_game(
        "gin_rummy", {"oklahoma": is_oklahoma, "knock_card": knock, **bonuses}
    ).new_initial_state()
    given = {"oklahoma": "gin" if is_oklahoma else "no", "knock": knock, "last_discard": True, **bonuses}
    ours = GAME.deal(2, resolve_options(GAME, 2, "single", given), rng.spawn("deal"))
    for hand in ours.hands:
        for face in ours.faces(hand):
            deal_card(theirs, face)
    deal_card(theirs, ours.faces(ours.discards)[0])
    compared = 0
    while ours.turn is not None:
        if theirs.is_terminal():
            assert ours.takes == TAKES and theirs.returns() == [0, 0], str(theirs)
            compared_apart["ended"] += 1
            return compared
        action = choose_well(ours, compare_legal(ours, theirs), rng)
        if isinstance(action, Knock):
            compare_knock(ours, theirs, action)
            return compared + 1
        if isinstance(action, Discard):
            ours.play(action)
            say(theirs, their_card(action.card))
        else:
            say(theirs, "Knock" if ours.turn.phase == "wall" and isinstance(action, Take) else NAMES[type(action)])
            seat = ours.turn.seat
            ours.play(action)
            if isinstance(action, Draw):
                deal_card(theirs, ours.faces(ours.hands[seat])[-1])
        compared += 1
    assert theirs.is_terminal() and theirs.returns() == [0, 0] == ours.totals, str(theirs)
    return compared


def compare_legal(ours: GinRummyState, theirs: Any) -> Sequence[GinRummyAction]:  # noqa: ANN401
    """Compare the legal actions, and return those that both allow; which cards may go with a knock comes later."""
    assert ours.turn is not None and ours.turn.seat == theirs.current_player(), (ours.turn, str(theirs))
    if ours.has_taken_last():
        return ours.legal()
    legal, told = ours.legal(), {name.rpartition(" Action: ")[2] for name in number_actions(theirs)}
    names = {their_card(action.card) for action in legal if isinstance(action, Discard)}
    if any(isinstance(action, Knock) for action in legal) or (ours.turn.phase == "wall" and Take() in legal):
        names.add("Knock")
    names |= {NAMES[type(action)] for action in legal if type(action) in NAMES} - (
        {"Draw upcard"} if ours.turn.phase == "wall" else set()
    )
    retaken = {"Knock"} if ours.taken != NO_CARD or ours.turn.phase == "wall" else set()
    if ours.taken != NO_CARD:
        retaken.add(their_card(faces_of(1 << ours.taken)[0]))
    assert names - told <= {"Knock"} and told - names <= retaken, (names, told, str(theirs))
    compared_apart["retaken"] += bool(told - names)
    if names <= told:
        return legal
    assert is_knock_missed(ours), str(theirs)
    compared_apart["missed"] += 1
    left_out = Take if ours.turn.phase == "wall" else Knock
    return [action for action in legal if not isinstance(action, left_out)]


def is_knock_missed(ours: GinRummyState) -> bool:
    """Return whether melds that leave the least of eleven cards leave too much after the best discard."""
    assert ours.turn is not None
    held = mask_of(ours.table.zones[ours.hands[ours.turn.seat]])
    if ours.turn.phase == "wall":
        held |= mask_of(ours.table.zones[ours.discards][-1:])
    loose = [held ^ sum(melds) for melds in DEADWOOD.iter_arrangements(held)]
    return any(
        DEADWOOD.count_all(cards) - max(DEADWOOD.count_all(1 << card) for card in iter_places(cards)) > ours.limit
        for cards in loose
    )


def choose_well(ours: GinRummyState, legal: Sequence[GinRummyAction], rng: Random) -> GinRummyAction:
    """Return an action: half of the knocks are made, and most discards leave little loose."""
    knocks = [action for action in legal if isinstance(action, Knock)]
    discards = [action for action in legal if isinstance(action, Discard)]
    if knocks and (not discards or rng.randbelow(2)):
        return rng.choice(knocks)
    if discards and rng.randbelow(4):
        assert ours.turn is not None
        held = mask_of(ours.table.zones[ours.hands[ours.turn.seat]])
        return min(discards, key=lambda one: DEADWOOD.find_least(held ^ mask_of([CARD_OF[one.card]])))
    return rng.choice(discards or legal)


def compare_knock(ours: GinRummyState, theirs: Any, action: Knock) -> None:  # noqa: ANN401
    """Knock in both, lay down the same melds, and compare the points where the other does its best there."""
    assert ours.turn is not None
    seat, taken = ours.turn.seat, ours.taken
    cards = {their_card(one.card) for one in ours.legal() if isinstance(one, Knock)}
    held = mask_of(ours.table.zones[ours.hands[seat]]) ^ mask_of([CARD_OF[action.card]])
    ours.play(action)
    melds = next(DEADWOOD.iter_arrangements(held))
    if ours.turn is not None and ours.turn.phase == "arrange":
        melds = tuple(ours.list_arrangements(seat)[-1])
        ours.play(ours.legal()[-1])
    if any(name.endswith("Knock") for name in number_actions(theirs)):
        say(theirs, "Knock")
    told = {name.rpartition(" ")[2] for name in number_actions(theirs)}
    retaken = set() if taken == NO_CARD else {their_card(faces_of(1 << taken)[0])}
    assert cards <= told and told - cards <= retaken, (cards, told, str(theirs))
    say(theirs, their_card(action.card))
    for meld in melds:
        for part in split_meld(faces_of(meld)):
            melding = "".join(map(their_card, sorted(part, key=by_their_suit)))
            say(theirs, melding)
    say(theirs, "Pass")
    best = find_best(theirs, 1 - seat)
    difference = ours.totals[1 - seat] - ours.totals[seat]
    if best == 0:
        compared_apart["even"] += 1
        assert difference == ours.options.undercut_bonus, (ours.totals, str(theirs))
    else:
        assert difference == best, (ours.totals, best, str(theirs))


def by_their_suit(face: str) -> int:
    """Return the place of the suit of a card in OpenSpiel's order."""
    return "SCDH".index(face[0])


def split_meld(faces: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return melds of at most five cards, as there are no longer ones there."""
    if len(faces) <= 5:
        return [faces]
    first = 5 if len(faces) >= 8 else 3
    return [faces[:first], *split_meld(faces[first:])]


def find_best(theirs: Any, seat: int) -> float:  # noqa: ANN401
    """Return the most that a seat can get by laying off and melding."""
    if theirs.is_terminal():
        return float(theirs.returns()[seat])
    assert theirs.current_player() == seat, str(theirs)
    return max(find_best(theirs.child(action), seat) for action in theirs.legal_actions())
