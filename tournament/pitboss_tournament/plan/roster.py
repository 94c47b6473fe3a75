"""Who takes part: names of the versions of bots, and the rosters from which the rounds are made.

A bot that was changed is another version: `alice`, `alice@2`. Versions are numbered by their *entries*, in the order in
which they came; results and rosters give these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

_SIGN: Final = "@"  # before the number of a version; no bot is called so


class Roster(Struct, frozen=True, kw_only=True):
    """The entries that take part from a round on, in the order in which they are listed."""

    first_round: int  # in a static format the stage, from 1
    entries: tuple[int, ...]
    deals: int  # of each table, in a static format


def name_version(name: str, version: int) -> str:
    """Return the name of a version of a bot, as records and the seeds of games have it."""
    return name if version == 1 else f"{name}{_SIGN}{version}"


def find_base_name(bot: str) -> str:
    """Return the name that the versions of a bot have in common."""
    return bot.partition(_SIGN)[0]


def label_bots(bots: Sequence[str]) -> list[str]:
    """Return the names of versions as people read them: the first is `alice@1` if there are others."""
    several = {find_base_name(bot) for bot in bots if _SIGN in bot}
    return [f"{bot}{_SIGN}1" if bot in several else bot for bot in bots]


def find_version(name: str, bots: Sequence[str]) -> int | None:
    """Return the number of the version that a person means, the latest unless one is named; None: there is none."""
    labels = label_bots(bots)
    if name in labels:
        return labels.index(name)
    return max((number for number, bot in enumerate(bots) if find_base_name(bot) == name), default=None)
