"""Pass evidence with the option `decline` = `free` (D9): a player who passes at once holds a card that fits.

A drawn card joins a hand at its end, so the cards held at a pass are the first ones of the hand. The evidence is that
one of these cards fits. It holds until any card leaves the hand: the other players do not see whether that card was
held at the pass or drawn after it, so what the pass says of the cards that stay is not for them to know exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class PassEvidence(NamedTuple):
    """One of the first `prefix_size` cards of a hand, those held when its owner passed, is in the mask `fits`."""

    fits: int
    prefix_size: int

    def implies(self, other: PassEvidence) -> bool:
        """Whether `other` follows from this evidence."""
        return not self.fits & ~other.fits and self.prefix_size <= other.prefix_size


def add_evidence(known: tuple[PassEvidence, ...], new: PassEvidence) -> tuple[PassEvidence, ...]:
    """Return the evidence about a hand with a new pass, without what other evidence implies."""
    if any(old.implies(new) for old in known):
        return known
    return (*(old for old in known if not new.implies(old)), new)


def holds_fitting(bits: Sequence[int], fits: int, cards: Iterable[int | None]) -> bool:
    """Whether one of the cards is in the mask `fits`; None, an unknown card, counts as not."""
    return any(card is not None and bits[card] & fits for card in cards)
