"""Supposing: worlds of a seat in which some cards have faces that are known from what happened later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.cards import Face
from pitboss.constraints import Confinement, Constraint
from pitboss.game import AnyState
from pitboss.histories import History
from pitboss.imagining import world_at_end
from pitboss.knowledge import is_plain
from pitboss.randomness import Random
from pitboss.table import Table
from pitboss.zones import EMPTY


def supposed(state: AnyState, seat: int, rng: Random, needs: Mapping[int, Face], also: Sequence[Confinement] = ()) -> AnyState:
    """Return a world of a seat in which some cards have the faces that they need, and more is confined.

    Raises:
        TableError: no such world was found.
    """
    twin = state.copy()
    twin.table = Supposing(state.table, needs, also)
    world = twin.imagine(seat, rng)
    world.table.confined = state.table.confined
    return world.copy()  # whose table is an ordinary one


class Supposing(Table):
    """A table that imagines only worlds in which what is supposed is true."""

    __slots__ = ("needs",)

    def __init__(self, table: Table, needs: Mapping[int, Face], also: Sequence[Confinement]) -> None:
        for slot in Table.__slots__ + Table.__mro__[1].__slots__:  # type: ignore[attr-defined]
            setattr(self, slot, getattr(table, slot))
        self.needs = needs
        self.confined = [*table.confined, *also]
        self.outlook = None

    def imagine(self, seat: int, rng: Random, also: Sequence[Constraint] = ()) -> Table:
        """Return a world in which all that is supposed is true.

        Raises:
            TableError: there is none, or none was found.
        """
        backs, copies = self.backs or range(len(self.known)), self.layout.deck.copies
        if is_plain(self.batches):
            told = [Confinement(frozenset(copies(face)), (backs.index(card),)) for card, face in self.needs.items()]
            self.confined = [*self.confined, *told]
            return super().imagine(seat, rng, also)
        history = History(self.batches, self.known, 1 << seat)
        for card, face in self.needs.items():
            _pin(history, card, copies(face))
        return world_at_end(self, history, rng, also)


def _pin(history: History, card: int, copies: Sequence[int]) -> None:
    """Let one of some cards have come to lie where a card lies, and stay there."""
    token, now = history.last[card], history.now()
    if history.cards[token] not in copies:
        free = [place for place, lies in enumerate(now[:-1]) if lies in copies and history.pins[history.last[place]] == EMPTY]
        for place in free:
            if _exchanged(history, token, history.last[place]):
                break
    if history.cards[token] in copies:
        history.pins[token] = history.cards[token]


def _exchanged(history: History, one: int, two: int) -> bool:
    """Exchange two tokens of the table: let their cards have gone each other's way since they were last mixed together."""
    ways = [{history.maker[token]: token for token in _way(history, end)} for end in (one, two)]
    common = max(ways[0].keys() & ways[1].keys())
    return history.exchange(ways[0][common], ways[1][common])


def _way(history: History, token: int) -> list[int]:
    """Return the tokens that a card has been, the last one first."""
    way = []
    while token != EMPTY:
        way.append(token)
        token = history.before[token]
    return way
