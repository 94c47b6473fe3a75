"""The sections of a report, in their order. Plugins add theirs by the hook `pitboss_report_sections`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.html.page_parts import Section
from pitboss_tournament.reporting import configuration, outcomes, times_and_faults
from pitboss_tournament.reporting.history import history_section
from pitboss_tournament.reporting.loadouts import loadout_sections
from pitboss_tournament.reporting.models import models_sections
from pitboss_tournament.reporting.pairs import pairs_section
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.reporting.rounds import rounds_sections
from pitboss_tournament.reporting.standings import standings_section
from pitboss_tournament.reporting.teams import teams_section
from pitboss_tournament.reporting.travellers import travellers_sections
from pitboss_tournament.store.store import Store

CONFIGURATION: Final = "configuration"  # the section that tells the seed


class ReportInput(NamedTuple):
    """What a section is made from."""

    store: Store
    statistics: ReportFindings
    replays: ReplayLinks | None = None  # pages of games that it may link

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats play together, so that there are teams, and nobody is placed before anybody."""
        return self.store.header.is_cooperative


class ReportSection(Struct, frozen=True, kw_only=True):
    """A section of every report, or none of one that it has nothing to say to."""

    name: str
    summary: str
    place: float  # sections are in the order of their places: the first built-in one has 10, the last one 110
    make: Callable[[ReportInput], Iterable[Section]]


SECTIONS: Final = (
    ReportSection(
        name="standings",
        summary="Ratings and ranks of the bots.",
        place=10,
        make=lambda given: [standings_section(given.statistics, given.replays)],
    ),
    ReportSection(
        name="teams",
        summary="The points of the teams, where all play together.",
        place=15,
        make=lambda given: [teams_section(given.statistics, given.store)] if given.is_cooperative else [],
    ),
    ReportSection(
        name="history",
        summary="Ratings over time.",
        place=20,
        make=lambda given: [] if given.is_cooperative else [history_section(given.statistics)],
    ),
    ReportSection(
        name="pairs",
        summary="Who beats whom.",
        place=30,
        make=lambda given: [] if given.is_cooperative else [pairs_section(given.statistics)],
    ),
    ReportSection(
        name="loadouts",
        summary="Which decks and other loadouts win, and by which parts.",
        place=35,
        make=lambda given: loadout_sections(given.statistics),
    ),
    ReportSection(
        name="rounds",
        summary="Who met whom, in a format of several rounds.",
        place=40,
        make=lambda given: rounds_sections(given.store),
    ),
    ReportSection(
        name="travellers",
        summary="What each side scored on each deal of a file.",
        place=45,
        make=lambda given: travellers_sections(given.store),
    ),
    ReportSection(
        name="thinking",
        summary="Thinking times.",
        place=50,
        make=lambda given: [times_and_faults.thinking_section(given.statistics)],
    ),
    ReportSection(
        name="models",
        summary="What bots asked their language models, and what it cost.",
        place=55,
        make=lambda given: models_sections(given.store),
    ),
    ReportSection(
        name="lengths",
        summary="Lengths of the games.",
        place=60,
        make=lambda given: [times_and_faults.lengths_section(given.statistics)],
    ),
    ReportSection(
        name="seats",
        summary="What each seat is worth.",
        place=70,
        make=lambda given: [outcomes.seats_section(given.statistics)],
    ),
    ReportSection(
        name="faults",
        summary="The faults of bots, with the evidence.",
        place=80,
        make=lambda given: [times_and_faults.faults_section(given.statistics, given.store)],
    ),
    ReportSection(
        name="reduction",
        summary="What duplicate deals saved.",
        place=90,
        make=lambda given: [outcomes.reduction_section(given.statistics)],
    ),
    ReportSection(
        name="notable",
        summary="Games worth a look.",
        place=100,
        make=lambda given: [times_and_faults.notable_section(given.statistics, given.store, given.replays)],
    ),
    ReportSection(
        name=CONFIGURATION,
        summary="What was played.",
        place=110,
        make=lambda given: [configuration.configuration_section(given.store)],
    ),
)
