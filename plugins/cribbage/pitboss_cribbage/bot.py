"""`house:cribbage`, a bot for Cribbage.

It lays away what leaves it the most points on average over all starters, together with what the crib is worth to its
owner. In the play it takes what a card makes, less what the next opponent is likely to make with its answer, more what
it can make then itself. With muggins it counts its hands, and the cards that it plays, right.
"""

from __future__ import annotations

from typing import Any

from pitboss.bot import Choice, Question, run
from pitboss_cribbage.scoring import DECK, count_play, count_show
from pitboss_cribbage.state import CARD_OF
from pitboss_cribbage.strategy import RANKS, Rival, choose_laid_away, measure_play


def choose(question: Question) -> Choice:
    """Answer one question."""
    legal, view, seat = question.legal, question.view, question.seat
    if len(legal) == 1:
        return 0
    match question.phase:
        case "lay_away":
            is_own = view["dealer"] in (seat, (seat + 2) % question.hello.seats if question.hello.seats == 4 else seat)
            laid = choose_laid_away([CARD_OF[face] for face in view["hand"]], len(legal[0]["cards"]), is_own)
            wanted = {str(DECK.faces[card]) for card in laid}
            return next(number for number, action in enumerate(legal) if {*action["cards"]} == wanted)
        case "play":
            return choose_play(legal, view, seat, question.hello.seats)
        case _:
            points = count_own_play(view) if view["series"] else count_own_show(view, seat)
            return next(number for number, action in enumerate(legal) if action["points"] == points)


def choose_play(legal: list[dict[str, Any]], view: dict[str, Any], seat: int, seats: int) -> int:
    """Return the number of the card that makes the most, the answer to it considered."""
    hand = [CARD_OF[face] >> 2 for face in view["hand"]]
    series = [CARD_OF[face] >> 2 for _, face in view["series"]]
    rival = read_rival(view, seat, seats)
    worths = []
    for action in legal:
        rank = CARD_OF[action["card"]] >> 2
        rest = [*hand]
        rest.remove(rank)
        worths.append(measure_play(rank, series, view["count"], rest, rival))
    return worths.index(max(worths))


def read_rival(view: dict[str, Any], seat: int, seats: int) -> Rival:
    """Return the next opponent that has cards and has not said "go", and the cards that are unseen."""
    seen = [*view["hand"], *view["laid_away"], view["starter"], *(face for row in view["played"] for face in row)]
    unseen = [4 - sum(CARD_OF[face] >> 2 == rank for face in seen) for rank in RANKS]
    dealt = len(view["hand"]) + len(view["played"][seat])
    for step in range(1, seats):
        other = (seat + step) % seats
        cards = dealt - len(view["played"][other])
        if cards and other not in view["gone"] and not (seats == 4 and step == 2):
            return Rival(cards, unseen)
    return Rival(0, unseen)


def count_own_play(view: dict[str, Any]) -> int:
    """Return what the last card of the series makes."""
    return count_play([CARD_OF[face] >> 2 for _, face in view["series"]], view["count"])


def count_own_show(view: dict[str, Any], seat: int) -> int:
    """Return what the cards are worth that are to be counted: the crib if it lies open, else the hand."""
    crib = view["crib"]
    cards = crib or [*view["hand"], *view["played"][seat]]
    return count_show([CARD_OF[face] for face in cards], CARD_OF[view["starter"]], is_crib=bool(crib))


if __name__ == "__main__":
    run(choose, name="house:cribbage", version="1")
