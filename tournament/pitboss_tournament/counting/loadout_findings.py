"""What the games of a tournament show of loadouts: which beat which, in the hands of which program, and by which parts.

All is computed from the meetings of bots, for tables of two players. A loadout is what bots bring under one name; a
program is a bot without its loadout.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from pitboss.errors import OptionError
from pitboss.loadouts import LoadoutParts, takes_loadouts
from pitboss.options import convert_value
from pitboss.plugins.registry import load_namesake
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.plan.plan import LOADOUT_SIGN, label_bots
from pitboss_tournament.statistics.cycles import compute_alpha_ranks
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.part_effects import PartEffects, estimate_part_effects
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.store.header import Entry, Header

SHOWN_DIGEST: Final = 6  # digits of a digest, behind a name that two loadouts have


class LoadoutLine(Struct, frozen=True, kw_only=True):
    """A loadout in a tournament."""

    name: str
    digest: Annotated[str, Meta(description="SHA-256 of the loadout.")]
    wins: Annotated[Estimate, Meta(description="Share of the wins against other loadouts, 0 to 1.")]
    blocks: int
    alpha_rank: Annotated[
        float, Meta(description="Share of the time in which a population plays it that changes to what is better.")
    ]


class CrossCell(Struct, frozen=True):
    """Results of a row against a column, or with it."""

    wins: Estimate  # share, 0 to 1
    blocks: int


class LoadoutFindings(Struct, frozen=True, kw_only=True):
    """The tables of a tournament with loadouts."""

    lines: list[LoadoutLine]
    programs: list[str]
    by_program: Annotated[
        list[list[CrossCell]], Meta(description="By program, then by loadout: against all other bots.")
    ]
    against: Annotated[list[list[CrossCell]], Meta(description="By loadout, then by the loadout of the other.")]
    effects: Annotated[PartEffects | None, Meta(description="What parts are worth; null: the game does not say parts.")]


def compare_loadouts(findings: Findings) -> LoadoutFindings | None:
    """Return the tables; None if the tables are not of two players, or fewer than two loadouts have played."""
    header = findings.header
    brought = {bot: entry.own.loadout for bot, entry in enumerate(header.entries) if entry.own.loadout is not None}
    texts = list(dict.fromkeys(loadout.text for loadout in brought.values()))
    if header.seats != 2 or header.is_cooperative or len(texts) < 2:
        return None
    meetings, bots = findings.meetings, range(len(header.entries))
    groups = [texts.index(brought[bot].text) if bot in brought else None for bot in bots]
    grouped = meetings.merge_groups(groups, len(texts))
    ranks = compute_alpha_ranks(grouped, range(len(texts)))
    programs = {bot: name_program(header, bot) for bot in brought}
    names = _name_loadouts(header, texts)
    kinds = sorted(set(programs.values()))

    def sum_up(pairs: Sequence[tuple[int, int]], source: HeadToHead) -> CrossCell:
        moments = RunningMoments()
        for one, other in pairs:
            for difference, count in source.count_differences(one, other).items():
                moments.add_equal((1 + difference) / 2, count)
        return CrossCell(moments.estimate(1.0, anytime=findings.anytime), moments.count)

    numbers = range(len(texts))
    overall = [sum_up([(one, other) for other in numbers if other != one], grouped) for one in numbers]
    order = sorted(numbers, key=lambda one: (-(overall[one].wins.mean or 0.0), names[one]))
    return LoadoutFindings(
        lines=[
            LoadoutLine(
                name=names[one],
                digest=_find_digest(header.entries, texts[one]),
                wins=overall[one].wins,
                blocks=overall[one].blocks,
                alpha_rank=ranks[one],
            )
            for one in order
        ],
        programs=kinds,
        by_program=[
            [
                sum_up(
                    [
                        (bot, other)
                        for bot in brought
                        if programs[bot] == kind and groups[bot] == one
                        for other in bots
                        if other != bot
                    ],
                    meetings,
                )
                for one in order
            ]
            for kind in kinds
        ],
        against=[[sum_up([(one, other)] if one != other else [], grouped) for other in order] for one in order],
        effects=_find_effects(findings, programs),
    )


def name_program(header: Header, bot: int) -> str:
    """Return the name of a bot without its loadout, and with its version."""
    entry = header.entries[bot]
    suffix = "" if entry.own.loadout is None else f"{LOADOUT_SIGN}{entry.own.loadout.name}"
    return label_bots(header.bots)[bot].replace(entry.name, entry.name.removesuffix(suffix), 1)


def _name_loadouts(header: Header, texts: Sequence[str]) -> list[str]:
    """Return a name for each loadout: that of its file; with a digest if others have the name too."""
    first = {
        entry.own.loadout.text: entry.own.loadout for entry in reversed(header.entries) if entry.own.loadout is not None
    }
    plain = [first[text].name for text in texts]
    return [
        name if plain.count(name) == 1 else f"{name} {first[text].digest[:SHOWN_DIGEST]}"
        for name, text in zip(plain, texts, strict=True)
    ]


def _find_digest(entries: Sequence[Entry], text: str) -> str:
    return next(e.own.loadout.digest for e in entries if e.own.loadout is not None and e.own.loadout.text == text)


def _find_effects(findings: Findings, programs: dict[int, str]) -> PartEffects | None:
    """Return what parts are worth; None if the game is not installed, or its loadouts have no parts."""
    game = load_namesake(findings.header.game)
    parts: object = game
    if not takes_loadouts(game) or not isinstance(parts, LoadoutParts):
        return None
    counted = {}
    for bot in programs:
        loadout = findings.header.entries[bot].own.loadout
        assert loadout is not None
        try:
            counted[bot] = parts.count_parts(convert_value(loadout.content, game.Loadout, "the loadout"))
        except OptionError:  # it is one of another version of the game
            return None
    return estimate_part_effects(findings.meetings, counted, programs, anytime=findings.anytime)
