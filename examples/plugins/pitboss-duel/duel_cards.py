"""The fourteen cards of Ember Duel: section 2 of the rule book."""

from __future__ import annotations

from typing import Final, NamedTuple


class Card(NamedTuple):
    """A card: a unit if it has health, else a spell."""

    cost: int
    text: str
    power: int = 0
    health: int = 0
    guard: bool = False  # the units of the other player strike it first
    swift: bool = False  # it strikes in the turn in which it comes
    draw: int = 0  # cards for who plays it
    burn: int = 0  # damage to the other player
    bolt: int = 0  # damage to the strongest unit of the other player
    storm: int = 0  # damage to each unit of the other player
    heal: int = 0  # life for who plays it


CARDS: Final = {
    "fox": Card(1, "Ember Fox: a quick bite.", power=2, health=1),
    "hare": Card(1, "Moss Hare: hard to catch.", power=1, health=3),
    "spark": Card(1, "Spark: 2 damage to the other player.", burn=2),
    "wolf": Card(2, "Dusk Wolf: it hunts alone.", power=3, health=2),
    "badger": Card(2, "Stone Badger: a guard.", power=2, health=3, guard=True),
    "bolt": Card(2, "Bolt: 3 damage to the strongest unit of the other player.", bolt=3),
    "mend": Card(2, "Mend: 4 life.", heal=4),
    "study": Card(2, "Study: draw two cards.", draw=2),
    "heron": Card(3, "Brook Heron: draw a card.", power=2, health=2, draw=1),
    "ram": Card(3, "Thunder Ram: it strikes at once.", power=3, health=2, swift=True),
    "turtle": Card(3, "Moor Turtle: a guard.", power=1, health=6, guard=True),
    "stag": Card(4, "Antler Stag: it stands its ground.", power=4, health=5),
    "storm": Card(4, "Storm: 2 damage to each unit of the other player.", storm=2),
    "bear": Card(5, "Winter Bear: the largest of all.", power=6, health=6),
}
NAMES: Final = tuple(CARDS)
