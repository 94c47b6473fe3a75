"""`house:eights`, a bot for Crazy Eights.

It plays a card whenever it can, one that is dear, and of a suit or rank of which it holds more. It keeps eights until
nothing else fits, and names the suit that it holds most. Cards that make the next player draw or miss a turn it keeps
for a player with few cards left. It announces its last card.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import convert

from pitboss.bot import Choice, Question, run
from pitboss.plugins.packs import rank_of, suit_of
from pitboss_eights.messages import EightsOptions
from pitboss_eights.state import EIGHT, count_card, count_due, is_action

FEW_CARDS: Final = 3  # of the next player, whose win has to be prevented
EIGHT_COST: Final = 30.0  # of an eight that is played while the hand is large
FOLLOW_WORTH: Final = 4.0  # of each card of the hand that could follow
ACTION_COST: Final = 3.0  # of an action card that is played against many cards
ATTACK_WORTH: Final = 12.0  # of one that is played against few


def choose(question: Question) -> Choice:
    """Answer one question."""
    options = convert(question.hello.options, EightsOptions)
    return choose_action(question.legal, question.view, question.seat, question.hello.seats, options)


def choose_action(
    legal: list[dict[str, Any]], view: dict[str, Any], seat: int, seats: int, options: EightsOptions
) -> int:
    """Return the index of the best card, announced if it is the last but one; else of what there is."""
    plays = [action for action in legal if action["do"] == "play"]
    if not plays:
        return len(legal) - 1
    few = view["counts"][(seat + view["direction"]) % seats] <= FEW_CARDS
    best = max(plays, key=lambda action: (worth_of(action, view["hand"], few, options), action.get("last", False)))
    return legal.index(best)


def worth_of(action: dict[str, Any], hand: list[str], few: bool, options: EightsOptions) -> float:
    """Return how good it is to play a card; `few`: the next player has few cards left."""
    face: str = action["card"]
    rest = [*hand]
    rest.remove(face)
    suit = action.get("suit") or suit_of(face)
    following = sum(suit_of(other) == suit or rank_of(other) == rank_of(face) for other in rest)
    worth = count_card(face, options) + FOLLOW_WORTH * following
    if rank_of(face) == EIGHT:
        return worth - count_card(face, options) - (0.0 if few else EIGHT_COST)
    if is_action(face, options):
        worth += ATTACK_WORTH * (1 + count_due(face, options) / 2) if few else -ACTION_COST
    return worth


if __name__ == "__main__":
    run(choose, name="house:eights", version="1")
