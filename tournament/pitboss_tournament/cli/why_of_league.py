"""`pitboss why URL`: a league looks into the games of one's bot."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Final

from pitboss.errors import ConfigError
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.league.league_client import LeagueClient

if TYPE_CHECKING:
    from pitboss_tournament.reask.feedback_bundle import FeedbackBundle

LOOK_POLL_SECONDS: Final = 2.0


def find_league_bundle(url: str, bot: str, token: str | None) -> FeedbackBundle:
    """Return what a league finds of a bot's games; wait until it has looked into them.

    Raises:
        ConfigError: there is no token or no such bot, or the league has found nothing.
        LeagueUnreachable: the league does not answer.
    """
    if token is None:
        raise ConfigError("a token is needed: --token, or the variable PITBOSS_TOKEN; the host of the league has one")
    client = LeagueClient(url, token)
    number = _find_version(client, bot)
    found = client.find_feedback(number)
    if found.state == "done":
        print_note(f"found before; {url.rstrip('/')}/versions/{number}/why looks into newer games")
    elif found.state in ("none", "failed"):
        found = client.ask_feedback(number)
    while found.state in ("waiting", "working"):
        sleep(LOOK_POLL_SECONDS)
        found = client.find_feedback(number)
    if found.bundle is None:
        raise ConfigError(f"the league has found nothing: {found.why}")
    return found.bundle


def _find_version(client: LeagueClient, bot: str) -> int:
    """Return the number of a bot's newest version, or of the version that is named."""
    name, at, version = bot.rpartition("@")
    if not (at and version.isdecimal()):
        name, version = bot, ""
    known = client.find_feed().versions
    own = [one for one in known if one.name.casefold() == name.casefold()]
    meant = [one for one in own if version in ("", f"{one.version}")]
    if not meant:
        labels = [f"{one.name}@{one.version}" for one in own]
        near = f"; there are {join_words(labels)}" if own else suggest_nearest(name, {one.name for one in known})
        raise ConfigError(f"the league has no bot {bot!r} that plays or did{near}")
    return max(meant, key=lambda one: one.version).number
