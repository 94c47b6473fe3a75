"""`house:gin-rummy`, a bot for Gin Rummy.

It takes a discard that leaves it better off than the stock would on average, and most often only if that makes a meld.
It discards what costs least: points that are loose now and after another draw, and melds that the card may complete for
the other. It knocks as soon as it can, but with many points loose late in a deal it waits for better; of several
choices of melds it lays down those on which least can be laid off.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.melds import BITS, CARDS, iter_places, mask_of
from pitboss_gin_rummy.messages import CARD_OF, FACES
from pitboss_gin_rummy.state import DEADWOOD
from pitboss_gin_rummy.strategy import HandProspects

TAKE_GAIN: Final = 1.0  # how much better than a draw a discard has to be
KNOCK_ALWAYS: Final = 5  # points loose with which to knock late in a deal too
EARLY_STOCK: Final = 16  # cards of the stock from which on any knock is good
EVERY_CARD: Final = (1 << CARDS) - 1


def choose(question: Question) -> Choice:
    """Answer one question."""
    legal = question.legal
    return legal.index(GinRummyReading(question.view, question.seat).choose(legal, question.phase))


class GinRummyReading:
    """A decision as the bot sees it."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        first, second = view["players"]
        self.view = view
        self.held = read_mask(view["hand"])
        known = read_mask(view["known"][first + second - seat])
        self.prospects = HandProspects(EVERY_CARD & ~(self.held | known | read_mask(view["discards"])), known)

    def choose(self, legal: list[dict[str, Any]], phase: str) -> dict[str, Any]:
        """Return the action."""
        if len(legal) == 1:
            return legal[0]
        match phase:
            case "discard":
                return self.choose_discard(legal)
            case "arrange":
                return min(legal, key=self.count_layoffs)
            case _:
                return legal[-1] if self.is_better_taken(phase) else legal[0]

    def is_better_taken(self, phase: str) -> bool:
        """Return whether to take the top discard: it allows a knock, or makes a meld and leaves less than a draw."""
        top = CARD_OF[self.view["discards"][-1]]
        with_top = min(DEADWOOD.find_least((self.held | BITS[top]) ^ BITS[card]) for card in iter_places(self.held))
        if phase == "wall":
            return True
        if with_top <= self.view["limit"]:
            return True
        return with_top < self.prospects.hope_of(self.held, DEADWOOD.find_least(self.held)) - TAKE_GAIN

    def choose_discard(self, legal: list[dict[str, Any]]) -> dict[str, Any]:
        """Return a knock if there is one that is good enough, else the best discard."""
        if legal[-1]["do"] == "big_gin":
            return legal[-1]
        knocks = [action for action in legal if action["do"] == "knock"]
        discards = [action for action in legal if action["do"] == "discard"]
        if knocks:
            knock = min(knocks, key=lambda action: self.loose_without(action["card"]))
            if not discards or self.is_knock_good(self.loose_without(knock["card"])):
                return knock
        card = self.prospects.choose_discard(self.held, [CARD_OF[action["card"]] for action in discards])
        return next(action for action in discards if action["card"] == FACES[card])

    def loose_without(self, face: str) -> int:
        """Return what is loose after a discard."""
        return DEADWOOD.find_least(self.held ^ BITS[CARD_OF[face]])

    def is_knock_good(self, loose: int) -> bool:
        """Return whether to knock with so much loose."""
        stock: int = self.view["stock"]
        return loose <= KNOCK_ALWAYS or stock >= EARLY_STOCK

    def count_layoffs(self, action: dict[str, Any]) -> int:
        """Return how many points can be laid off on the melds of an action."""
        return self.prospects.count_layoffs(map(read_mask, action["melds"]))


def read_mask(faces: Iterable[str]) -> int:
    """Return the mask of some cards."""
    return mask_of(map(CARD_OF.__getitem__, faces))


if __name__ == "__main__":
    run(choose, name="house:gin-rummy", version="1")
