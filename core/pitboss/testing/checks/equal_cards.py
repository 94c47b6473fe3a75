"""Equal cards: which copy of a face a player holds or plays is seen by nobody, whatever number the card has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pitboss.game import AnyState, find_public_counts
from pitboss.open_actions import is_playable
from pitboss.table.cards import Deck
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import PlayStep
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import describe_first_difference

MAX_COMPARED: Final = 400  # decisions of a game
PLAY_BY_FACE: Final = "play a card by its face (`Table.play_face`, `Table.lay_faces`)"


@check("played game")
def equal_cards_are_alike(played_game: PlayedGame) -> None:
    """Dealt again with the equal cards of the deck exchanged, and played with the same actions, a game shows every seat
    the same: turn, legal list, view, counts, events, and the cards that it knows.
    """
    state, setup = played_game.replay_to(0), played_game.setup
    deck = state.table.layout.deck
    if not deck.has_copies:
        raise NotApplicable("no two cards of the deck are equal")
    orders = [event for event in played_game.chance if isinstance(event, tuple)]
    other = setup.game.deal(setup.seats, setup.options, CopyExchange(played_game.seed, CopyOrders(deck, orders)))
    compared = [0, 0]  # entries of each log
    for number, action in enumerate([*played_game.actions[:MAX_COMPARED], None]):
        shown = [_show(one, since) for one, since in zip((state, other), compared, strict=True)]
        for (what, real), (_, exchanged) in zip(*shown, strict=True):
            if real != exchanged:
                raise CheckFailed(
                    f"before decision {number} {what} depends on which of two equal cards is which: "
                    f"{describe_first_difference(real, exchanged)} in the same deal with equal cards exchanged; "
                    f"{PLAY_BY_FACE}"
                )
        if action is None or not is_playable(action, other):
            return
        compared = [len(one.table.log or ()) for one in (state, other)]
        state.play(action)
        other.play(action)


@check("step")
def copies_that_stay_tell_nothing(step: PlayStep) -> None:
    """Who knows an equal card in a hand that a card has left knows one fewer there, and cannot tell which has left."""
    table, deck = step.state.table, step.state.table.layout.deck
    if not deck.has_copies:
        raise NotApplicable("no two cards of the deck are equal")
    entries = step.new_entries
    touched = {zone for entry in entries for zone in (entry.target, *entry.zones) if zone is not None}
    sources = {entry.source for entry in entries if entry.source is not None and entry.source.hides_places}
    for zone in sorted(sources - touched):
        held, before = table.zones[zone], step.zones_before[zone]
        for first, count in Counter(deck.copies_of[card][0] for card in before if card not in held).items():
            copies = deck.copies(deck.faces[first])
            for seat in range(table.layout.seats + 1):
                knew = sum(step.known_before[card] >> seat & 1 for card in copies if card in before)
                knows = sum(table.known_by[card] >> seat & 1 for card in copies if card in held)
                if not zone.viewers >> seat & 1 and knows > max(0, knew - count):
                    raise CheckFailed(
                        f"seat {seat} knew {knew} cards {deck.faces[first]!r} in {zone.name}, {count} of them left it, "
                        f"and knows {knows} there now: it is told which of them left; {PLAY_BY_FACE}"
                    )


class CopyOrders:
    """The orders that the shuffles of a game gave, to come."""

    def __init__(self, deck: Deck, orders: list[tuple[int, ...]]) -> None:
        self._deck = deck
        self._orders = orders[::-1]

    def arrange(self, items: list[int]) -> None:
        """Put shuffled cards where the next order has their faces: the highest of equal ones where the lowest was.

        Items that are not the cards of that order stay as they are: it is the order of another shuffle.
        """
        faces = self._deck.faces
        order = self._orders[-1] if self._orders else ()
        if any(item not in range(len(faces)) for item in items):
            return
        if sorted(map(self._first_copy, order)) != sorted(map(self._first_copy, items)):
            return
        self._orders.pop()
        by_face: dict[object, list[int]] = {}
        for item in sorted(items):
            by_face.setdefault(faces[item], []).append(item)  # the highest is taken first
        new_card = {card: by_face[faces[card]].pop() for card in sorted(order)}
        items[:] = [new_card[card] for card in order]

    def _first_copy(self, card: int) -> int:
        return self._deck.copies_of[card][0]


class CopyExchange(Random):
    """A stream like another one whose shuffles leave the same faces in each place, and equal cards exchanged."""

    __slots__ = ("copy_orders",)

    def __init__(self, seed: str, copy_orders: CopyOrders, draws: int = 0) -> None:
        super().__init__(seed, draws)
        self.copy_orders = copy_orders

    def copy(self) -> CopyExchange:
        """Return an independent stream with the same future draws."""
        return CopyExchange(self.seed, self.copy_orders, self.draws)

    def spawn(self, name: str) -> CopyExchange:
        """Return the substream `name` of this stream's seed."""
        return CopyExchange(f"{self.seed}/{name}", self.copy_orders)

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into the order of faces that the other stream gives, with equal cards exchanged."""
        super().shuffle(items)
        self.copy_orders.arrange(items)


def _show(state: AnyState, since: int) -> Iterator[tuple[str, bytes]]:
    """Yield (name, JSON) of all that seats are shown. Lists of plain values are sorted: an order tells no copy."""
    table = state.table
    shown: list[tuple[str, object]] = [
        ("the turn", state.turn),
        ("the legal list", sorted(msgspec.json.encode(_sort_lists(action)) for action in state.legal())),
        ("the counts", find_public_counts(state)),
    ]
    for seat in range(table.layout.seats + 1):
        known = {zone.name: table.faces_known_to(zone, seat) for zone in table.layout.zones}
        shown += [
            (f"view({seat})", state.view(seat)),
            (f"what seat {seat} knows", known),
            (f"what seat {seat} observes", table.events(seat, since)),
        ]
    for what, value in shown:
        yield what, msgspec.json.encode(_sort_lists(value))


def _sort_lists(value: object) -> Any:  # noqa: ANN401 - plain data
    """Return a value as plain data in which lists without lists or objects in them are sorted."""
    plain = msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value
    match plain:
        case dict():
            return {name: _sort_lists(part) for name, part in plain.items()}
        case list() | tuple():
            parts = [_sort_lists(part) for part in plain]
            return parts if any(isinstance(part, list | dict) for part in parts) else sorted(parts, key=repr)
        case _:
            return plain
