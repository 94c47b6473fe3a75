"""Built-in formats: who meets whom. `selection` finds the format of a tournament."""

from __future__ import annotations

from typing import Final

from pitboss.plugins.formats import AnyFormat
from pitboss_tournament.formats.knockout import Knockout
from pitboss_tournament.formats.ladder import Ladder
from pitboss_tournament.formats.settle import Settle
from pitboss_tournament.formats.stages import Stages
from pitboss_tournament.formats.static_formats import Gauntlet, RoundRobin, Teams
from pitboss_tournament.formats.swiss import Swiss

FORMATS: Final[tuple[AnyFormat, ...]] = (
    Gauntlet(),
    Knockout(),
    Ladder(),
    RoundRobin(),
    Settle(),
    Stages(),
    Swiss(),
    Teams(),
)
