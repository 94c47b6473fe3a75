"""`house:bridge`, a bot for Bridge.

It bids by points and suits, as `bidding` says, without conventions but takeout doubles and a strong opening of two
clubs. As the declarer it draws trumps, takes finesses and develops long suits; as a defender it leads sequences and its
partner's suit, plays low in second place and high in third (`card_play`).
"""

from __future__ import annotations

from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss_bridge.bidding import Bidder
from pitboss_bridge.card_play import CardTurn

WORDS: Final = {"pass": "pass", "double": "X", "redouble": "XX"}


def choose(question: Question) -> Choice:
    """Answer one question."""
    if question.phase == "call":
        words = [name_call(action) for action in question.legal]
        return words.index(Bidder(question.view, question.seat).choose_call(words))
    cards = [action["card"] for action in question.legal]
    turn = CardTurn(question.view, question.seat, cards, is_dummys=question.phase == "dummy")
    return cards.index(turn.choose_card())


def name_call(action: dict[str, Any]) -> str:
    """Return the word for a call: "1NT", "X"."""
    return WORDS.get(action["do"]) or f"{action['level']}{action['strain']}"


if __name__ == "__main__":
    run(choose, name="house:bridge", version="1")
