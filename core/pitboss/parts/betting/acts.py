"""Acts that many games have: lay cards away, with new ones or without; pass cards on; show cards; say a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pitboss.parts.betting.messages import Declare, Discard, GiveCards, ShowCards
from pitboss.parts.betting.pots import seats_from
from pitboss.parts.betting.variant import HandAct


def choose_faces(state: Any, seat: int, least: int, most: int) -> list[tuple[str, ...]]:  # noqa: ANN401 - any state
    """Return all choices of `least` to `most` cards of a hand, the smallest first, cards in the order of the hand."""
    held = state.faces(state.hands[seat])
    return [chosen for count in range(least, min(most, len(held)) + 1) for chosen in combinations(held, count)]


@dataclass(frozen=True, kw_only=True)
class DiscardAct(HandAct):
    """Each lays away `least` to `most` cards of its hand, unseen; with `draws` it gets as many new ones at once.

    With `once` a player that has laid away any in this hand is not asked again.
    """

    least: int = 0
    most: int = 1
    draws: bool = False
    once: bool = False
    name: str = "discard"
    letter: str = "d"

    @property
    def drawn(self) -> int:  # type: ignore[override]
        """The cards that a player gets by it at the most."""
        return self.most if self.draws else 0

    def list_actions(self, state: Any, seat: int) -> Sequence[Discard]:  # noqa: ANN401
        """Return a `Discard` for each choice of cards, to keep all first."""
        if self.once and any(giver == seat and count for giver, count in state.find_notes(self.letter)):
            return ()
        return [Discard(cards) for cards in choose_faces(state, seat, self.least, self.most)]

    def apply(self, state: Any, seat: int, action: Discard) -> int | None:  # noqa: ANN401
        """Lay the cards away, deal new ones, and tell everybody how many."""
        count = len(action.cards)
        if not count:
            state.table.tell("keep", seat=seat)
            return 0
        state.table.lay_faces(action.cards, state.hands[seat], state.discards[seat], self.name)
        if self.draws:
            state.table.deal(state.stock, (state.hands[seat],), count, event="draw")
        return count


@dataclass(frozen=True, kw_only=True)
class PassAct(HandAct):
    """Each gives `count` cards of its hand to a player with a hand, `to` places to its left, all at the same time."""

    count: int = 1
    to: int = 1
    name: str = "pass"
    letter: str = "p"

    def list_actions(self, state: Any, seat: int) -> Sequence[GiveCards]:  # noqa: ANN401
        """Return a `GiveCards` for each choice of cards."""
        return [GiveCards(cards) for cards in choose_faces(state, seat, self.count, self.count)]

    def apply(self, state: Any, seat: int, action: GiveCards) -> int | None:  # noqa: ANN401
        """Lay the cards aside until all have chosen."""
        state.table.lay_faces(action.cards, state.hands[seat], state.discards[seat], self.name)
        return None

    def end(self, state: Any) -> None:  # noqa: ANN401
        """Give each player the cards that were passed to it."""
        for giver, _ in state.find_notes(self.letter, only_street=True):
            others = seats_from(state.live, giver)
            cards = state.table.zones[state.discards[giver]][-self.count :]
            target = others[(self.to - 1) % len(others)]
            state.table.lay(cards, state.discards[giver], state.hands[target], "receive")


@dataclass(frozen=True, kw_only=True)
class ShowAct(HandAct):
    """Each shows `least` to `most` cards of its hand to everybody."""

    least: int = 0
    most: int = 1
    name: str = "show"
    letter: str = "s"

    def list_actions(self, state: Any, seat: int) -> Sequence[ShowCards]:  # noqa: ANN401
        """Return a `ShowCards` for each choice of cards, to show none first."""
        return [ShowCards(cards) for cards in choose_faces(state, seat, self.least, self.most)]

    def apply(self, state: Any, seat: int, action: ShowCards) -> int | None:  # noqa: ANN401
        """Show the cards."""
        if action.cards:
            hand = state.hands[seat]
            state.table.reveal(hand, "shown", state.table.choose_cards(hand, action.cards))
        else:
            state.table.tell("keep", seat=seat)
        return len(action.cards)


@dataclass(frozen=True, kw_only=True)
class DeclareAct(HandAct):
    """Each says one of some words, which everybody hears; the history has the number of the word, from 0."""

    words: tuple[str, ...]
    name: str = "declare"
    letter: str = "w"

    def list_actions(self, state: Any, seat: int) -> Sequence[Declare]:  # noqa: ANN401
        """Return a `Declare` for each word."""
        return [Declare(word) for word in self.words]

    def apply(self, state: Any, seat: int, action: Declare) -> int | None:  # noqa: ANN401
        """Tell everybody the word."""
        state.table.tell(self.name, seat=seat, word=action.word)
        return self.words.index(action.word)
