"""Whom drafts may be tried against: bots of the house, their owner's own versions, the best ones of the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.entrants import apply_limits, resolve_entrant
from pitboss_tournament.league.ladder_view import LadderView
from pitboss_tournament.league.league_field import enter_version
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.plan.plan import Entrant

FIRST_OPPONENT: Final = "house:random"
VERSION_PREFIX: Final = "version:"  # and the number of a submission


class TrialOpponent(NamedTuple):
    """Somebody to try a draft against."""

    word: str  # the name of a bot of the house, or VERSION_PREFIX with a number
    shown: str


@cache
def list_house_bots(game: str) -> list[TrialOpponent]:
    """Return the bots of the house that play a game, the one at random first."""
    bots = Registry().bots
    names = [name for name, bot in bots.items() if bot.games is None or game in bot.games]
    names.sort(key=lambda name: (name != FIRST_OPPONENT, name != f"house:{game}", name))
    return [TrialOpponent(name, name.removeprefix("house:").replace(game, "the house's bot")) for name in names]


def list_opponents(league: League, view: LadderView, own: Sequence[Submission], owner: str) -> list[TrialOpponent]:
    """Return whom an owner may try a draft against, by the rules of the league; `own` are the owner's versions."""
    versions_alone = (line.submission for line in view.ranked if not line.is_anchor)
    best = [*islice(versions_alone, league.file.trials.ladder_bots)]
    versions = {one.number: one for one in (*own, *best) if one.state in ACTIVE}
    return [
        *list_house_bots(league.game.name),
        *(
            TrialOpponent(
                f"{VERSION_PREFIX}{one.number}", f"{one.label} ({'yours' if one.owner == owner else 'of the ladder'})"
            )
            for one in versions.values()
        ),
    ]


def enter_opponent(league: League, word: str, submissions: Sequence[Submission]) -> Entrant:
    """Return an opponent as an entrant.

    Raises:
        ConfigError: it does not play any more, or cannot be entered.
    """
    if not word.startswith(VERSION_PREFIX):
        entrant = resolve_entrant(word, Registry(), Path("/"), league.game.name)
        return replace(apply_limits(entrant, league.limits), hidden=league.folder.secret)
    number = word.removeprefix(VERSION_PREFIX)
    found = next((one for one in submissions if str(one.number) == number and one.state in ACTIVE), None)
    if found is None:
        raise ConfigError("this opponent does not play any more; choose another one")
    return enter_version(league, found, found.label)
