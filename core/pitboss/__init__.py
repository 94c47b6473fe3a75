"""Pitboss: card games for programs. This package is the table; `pitboss_tournament` is the room around it."""

from __future__ import annotations

from pitboss.cards import Deck, Face
from pitboss.errors import ConfigError, IllegalAction, OptionError, PitbossError, PositionError
from pitboss.game import AnyGame, AnyState, Game, State
from pitboss.options import Options
from pitboss.outcome import Outcome, every_seat_alone, outcome_by_side, places
from pitboss.randomness import Random, StackedRandom
from pitboss.table import Table
from pitboss.turns import Seating, Turn
from pitboss.zones import EMPTY, Layout, Sight, Zone

__version__ = "0.1.0"

__all__ = [
    "EMPTY",
    "AnyGame",
    "AnyState",
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
    "Random",
    "Seating",
    "Sight",
    "StackedRandom",
    "State",
    "Table",
    "Turn",
    "Zone",
    "every_seat_alone",
    "outcome_by_side",
    "places",
]
