"""Worlds of a table with equal cards, by brute force: a seat sees faces, and cannot tell copies apart."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from pitboss import Deck, Layout, Random, Table, Visibility
from pitboss.determinization.sampling import sample_world

Cards: TypeAlias = tuple[tuple[int, ...], ...]  # by zone: stock, pile, and the hands, which are in ascending order
Faces: TypeAlias = tuple[tuple[str, ...], ...]
STOCK: Final = 0
PILE: Final = 1  # open
FIRST_HAND: Final = 2


class CopyStep(NamedTuple):
    """One step: `shuffle` the stock, `draw` to a zone, `play` a face from a hand, or `restock` with the pile."""

    verb: str
    zone: int = STOCK
    face: str = ""


class CopyTable:
    """A stock, an open pile, and three hands."""

    def __init__(self, faces: str, seats: int = 3) -> None:
        self.faces = faces
        self.layout = Layout(Deck(faces), seats)
        self.layout.add_pile("stock", Visibility.NOBODY)
        self.layout.add_pile("pile", Visibility.EVERYBODY)
        self.layout.add_hands()

    def deal(self, seed: str) -> Table:
        """Return a real table with all cards in the stock."""
        return Table(self.layout, Random(seed), self.layout.zones[STOCK])

    def apply_step(self, table: Table, step: CopyStep) -> None:
        """Do a step on a real table; the copy with the lowest number is played."""
        zones = table.layout.zones
        match step.verb:
            case "shuffle":
                table.shuffle(zones[STOCK])
            case "draw":
                table.draw(zones[STOCK], zones[step.zone])
            case "play":
                card = min(card for card in table.zones[step.zone] if self.faces[card] == step.face)
                table.move(card, zones[step.zone], zones[PILE], "play")
            case "restock":
                table.turn_over(zones[PILE], zones[STOCK])
                table.shuffle(zones[STOCK])

    def enumerate_worlds(self, seed: str, script: Sequence[CopyStep], seat: int) -> Counter[Faces]:
        """Return the worlds of a seat by their faces, each with the number of deals that lead to it."""
        table = self.deal(seed)
        ways: Counter[Cards] = Counter([self._read_cards(table)])
        for step in script:
            self.apply_step(table, step)
            seen = self._observe(self._read_cards(table), seat)
            following: Counter[Cards] = Counter()
            for cards, count in ways.items():
                for after in self._successors(cards, step):
                    if self._observe(after, seat) == seen:
                        following[after] += count
            ways = following
        worlds: Counter[Faces] = Counter()
        for cards, count in ways.items():
            worlds[self.name_faces(cards)] += count
        return worlds

    def sample_worlds(
        self, seed: str, script: Sequence[CopyStep], seat: int, count: int, depth: int = 1
    ) -> Counter[Faces]:
        """Return worlds that a seat samples after the steps, or within worlds that it has sampled."""
        table, rng = self.deal(seed), Random(f"{seed}/worlds")
        for step in script:
            self.apply_step(table, step)
        drawn: Counter[Faces] = Counter()
        for _ in range(count):
            world = table
            for _ in range(depth):
                world = sample_world(world, seat, rng)
            drawn[self.name_faces(self._read_cards(world))] += 1
        return drawn

    def name_faces(self, cards: Cards) -> Faces:
        """Return the faces of the cards in all zones; hands are sorted."""
        named = [tuple(self.faces[card] for card in zone) for zone in cards]
        return (*named[:FIRST_HAND], *(tuple(sorted(hand)) for hand in named[FIRST_HAND:]))

    def _successors(self, cards: Cards, step: CopyStep) -> Iterator[Cards]:
        zones = [list(zone) for zone in cards]
        match step.verb:
            case "draw":
                zones[step.zone].append(zones[STOCK].pop())
            case "play":
                copies = [card for card in zones[step.zone] if self.faces[card] == step.face]
                if not copies:
                    return
                zones[step.zone].remove(min(copies))
                zones[PILE].append(min(copies))
            case _:
                mixed = zones[STOCK] + (zones[PILE] if step.verb == "restock" else [])
                zones[PILE] = [] if step.verb == "restock" else zones[PILE]
                for order in itertools.permutations(mixed):
                    zones[STOCK] = list(order)
                    yield _sort_hands(zones)
                return
        yield _sort_hands(zones)

    def _observe(self, cards: Cards, seat: int) -> list[object]:
        faces = self.name_faces(cards)
        return [
            faces[zone] if zone in (PILE, FIRST_HAND + seat) else len(faces[zone])
            for zone in range(len(self.layout.zones))
        ]

    def _read_cards(self, table: Table) -> Cards:
        return _sort_hands(table.zones)


def _sort_hands(zones: Sequence[Sequence[int]]) -> Cards:
    return (*map(tuple, zones[:FIRST_HAND]), *(tuple(sorted(hand)) for hand in zones[FIRST_HAND:]))
