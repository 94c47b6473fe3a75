"""Pitboss, card games for programs: the rules engine. `pitboss_tournament` runs matches and tournaments with it.

A game is two objects: `Game` (no state) and `State` (mutable, the only thing that changes). Options, actions and views
are the game's own structs. People see the zones of the table (`game.render_state`), unless a state has a `render` of
its own. A state may have `evaluate`, an estimate of each seat's result; a search then need not play to the end. A game
may have positions: `State.position` writes a state as data, and `Game.setup` restores it. `TableState` and `TableGame`
are bases that have what most games share: zones declared as fields, the refusal of illegal actions, copies and worlds.
Where several seats decide at the same moment (`State.together`), `moments` tells what each of them may be shown.
"""

from __future__ import annotations

from pitboss.action_range import ActionRange
from pitboss.determinization.sampling import sample_world
from pitboss.errors import ConfigError, IllegalAction, OptionError, PitbossError, PositionError
from pitboss.game import AnyGame, AnyState, Game, PublicCount, PublicCounts, State
from pitboss.moved_modules import add_finder
from pitboss.options import CARD, IN_ORDER, SEAT, Action, CardFace, Options, SeatIndex
from pitboss.outcome import Outcome, Sides, competition_places, outcome_by_side, solo_sides
from pitboss.rendering.appearance import CardLook, ZoneHint
from pitboss.table.cards import Deck, Face
from pitboss.table.randomness import Random, StackedRandom
from pitboss.table.secrets import Secret
from pitboss.table.table import Table
from pitboss.table.turns import Seating, Turn
from pitboss.table.zone_fields import (
    Secrets,
    Zones,
    hand_each,
    pile,
    pile_each,
    piles,
    rack_each,
    secret,
    secret_each,
    spread,
    spread_each,
    spreads,
)
from pitboss.table.zones import EMPTY, Layout, Visibility, Zone
from pitboss.table_game import TableGame, TableState

__version__ = "0.1.0"

add_finder()

__all__ = [
    "CARD",
    "EMPTY",
    "IN_ORDER",
    "SEAT",
    "Action",
    "ActionRange",
    "AnyGame",
    "AnyState",
    "CardFace",
    "CardLook",
    "ConfigError",
    "Deck",
    "Face",
    "Game",
    "IllegalAction",
    "Layout",
    "OptionError",
    "Options",
    "Outcome",
    "PitbossError",
    "PositionError",
    "PublicCount",
    "PublicCounts",
    "Random",
    "SeatIndex",
    "Seating",
    "Secret",
    "Secrets",
    "Sides",
    "StackedRandom",
    "State",
    "Table",
    "TableGame",
    "TableState",
    "Turn",
    "Visibility",
    "Zone",
    "ZoneHint",
    "Zones",
    "competition_places",
    "hand_each",
    "outcome_by_side",
    "pile",
    "pile_each",
    "piles",
    "rack_each",
    "sample_world",
    "secret",
    "secret_each",
    "solo_sides",
    "spread",
    "spread_each",
    "spreads",
]
