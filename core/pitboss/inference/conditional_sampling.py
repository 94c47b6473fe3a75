"""Supposing: worlds of a seat in which some cards have faces that are known from what happened later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.determinization.mixing_history import MixingHistory
from pitboss.determinization.sampling import sample_world_from_history
from pitboss.game import AnyState
from pitboss.table.cards import Face
from pitboss.table.constraints import CardDomain, Constraint
from pitboss.table.knowledge import has_only_public_groups
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY


def sample_world_given(
    state: AnyState,
    seat: int,
    rng: Random,
    required_faces: Mapping[int, Face],
    extra_domains: Sequence[CardDomain] = (),
) -> AnyState:
    """Return a world of a seat in which some cards have the faces that they need, and more is confined.

    Raises:
        TableError: no such world was found.
    """
    twin = state.copy()
    twin.table = ConditionedTable(state.table, required_faces, extra_domains)
    world = twin.imagine(seat, rng)
    world.table.card_domains = state.table.card_domains
    return world.copy()  # whose table is an ordinary one


class ConditionedTable(Table):
    """A table that imagines only worlds in which what is supposed is true."""

    __slots__ = ("required_faces",)

    def __init__(self, table: Table, required_faces: Mapping[int, Face], extra_domains: Sequence[CardDomain]) -> None:
        for slot in Table.__slots__ + Table.__mro__[1].__slots__:  # type: ignore[attr-defined]
            setattr(self, slot, getattr(table, slot))
        self.required_faces = required_faces
        self.card_domains = [*table.card_domains, *extra_domains]
        self.information_set = None

    def imagine(self, seat: int, rng: Random, also: Sequence[Constraint] = ()) -> Table:
        """Return a world in which all that is supposed is true.

        Raises:
            TableError: there is none, or none was found.
        """
        backs, copies = self.stands_for or range(len(self.known_by)), self.layout.deck.copies
        if has_only_public_groups(self.shuffle_groups):
            told = [
                CardDomain(frozenset(copies(face)), (backs.index(card),)) for card, face in self.required_faces.items()
            ]
            self.card_domains = [*self.card_domains, *told]
            return super().imagine(seat, rng, also)
        history = MixingHistory(self.shuffle_groups, self.known_by, 1 << seat)
        for card, face in self.required_faces.items():
            _pin_to_one_of(history, card, copies(face))
        return sample_world_from_history(self, history, rng, also)


def _pin_to_one_of(history: MixingHistory, card: int, copies: Sequence[int]) -> None:
    """Let one of some cards have come to lie where a card lies, and stay there."""
    token, now = history.last_track[card], history.current_cards()
    if history.cards[token] not in copies:
        free = [
            place
            for place, lies in enumerate(now[:-1])
            if lies in copies and history.pins[history.last_track[place]] == EMPTY
        ]
        for place in free:
            if _swap_tracks(history, token, history.last_track[place]):
                break
    if history.cards[token] in copies:
        history.pins[token] = history.cards[token]


def _swap_tracks(history: MixingHistory, one: int, two: int) -> bool:
    """Exchange two tokens of the table: let their cards have gone each other's way since they were last mixed together."""
    ways = [{history.source_group[token]: token for token in _trace_back(history, end)} for end in (one, two)]
    common = max(ways[0].keys() & ways[1].keys())
    return history.swap_paths(ways[0][common], ways[1][common])


def _trace_back(history: MixingHistory, track: int) -> list[int]:
    """Return the tokens that a card has been, the last one first."""
    way = []
    while track != EMPTY:
        way.append(track)
        track = history.predecessors[track]
    return way
