"""`house:fireworks-literal`, a bot for Fireworks that reads nothing into hints but what they say.

It plays a card of which it knows that it fits; else it tells the next player who holds a card that fits, and does not
know it, its number or its colour; else it discards what it knows to be of no use, or its oldest card without a hint.
"""

from __future__ import annotations

from typing import Any

from pitboss.bot import Choice, Question, run
from pitboss_fireworks.cards import list_faces
from pitboss_fireworks.knowledge import TableKnowledge, choose_discard


def choose(question: Question) -> Choice:
    """Answer one question."""
    return question.legal.index(LiteralTurn(question).choose_action())


class LiteralTurn:
    """One decision."""

    def __init__(self, question: Question) -> None:
        view = question.view
        self.view, self.seat, self.legal = view, question.seat, question.legal
        self.table = TableKnowledge(question.hello.options, view["heights"], view["discards"])
        self.fitting = self.table.list_fitting()

    def choose_action(self) -> dict[str, Any]:
        """Return the action."""
        unseen = self.table.count_unseen(face for hand in self.view["hands"] for face in hand)
        hand = [{face for face in list_faces(signs) if unseen[face] > 0} for signs in self.view["possible"][self.seat]]
        for place, faces in enumerate(hand):
            if faces and faces <= self.fitting:
                return {"do": "play", "slot": place + 1}
        hint = self.find_hint()
        if hint is not None:
            return hint
        if any(action["do"] == "discard" for action in self.legal):
            dead = [place for place, faces in enumerate(hand) if all(map(self.table.is_dead, faces))]
            hinted = [bool(signs) for signs in self.view["hinted"][self.seat]]
            return {"do": "discard", "slot": choose_discard(hinted, dead) + 1}
        return next((action for action in self.legal if action["do"] == "hint"), self.legal[0])

    def find_hint(self) -> dict[str, Any] | None:
        """Return the number, or else the colour, of a card that fits and is not known to."""
        seats = len(self.view["hands"])
        for other in ((self.seat + step) % seats for step in range(1, seats)):
            rows = zip(self.view["hands"][other], self.view["possible"][other], self.view["hinted"][other], strict=True)
            for face, signs, hinted in rows:
                if face in self.fitting and not {*list_faces(signs)} <= self.fitting:
                    for sign in (face[1], face[0]):
                        wanted = {"do": "hint", "seat": other, "sign": sign}
                        if sign not in hinted and wanted in self.legal:
                            return wanted
        return None


if __name__ == "__main__":
    run(choose, name="house:fireworks-literal", version="1")
