"""Pitboss, card games for programs: the rules engine. `pitboss_tournament` runs matches and tournaments with it."""

from __future__ import annotations

from pitboss.action_range import ActionRange
from pitboss.determinization.sampling import sample_world
from pitboss.errors import ConfigError, IllegalAction, OptionError, PitbossError, PositionError
from pitboss.game import AnyGame, AnyState, Game, PublicCount, PublicCounts, State
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
