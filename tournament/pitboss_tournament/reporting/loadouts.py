"""Section on loadouts: which beat which, how programs do with them, and which of their parts win games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pitboss.text import format_count
from pitboss_tournament.counting.loadout_findings import CrossCell, LoadoutFindings, compare_loadouts
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.html.charts import draw_interval_bar
from pitboss_tournament.html.elements import Cell, Content, Markup, make_cell
from pitboss_tournament.html.number_format import DASH, typeset_interval, typeset_number, typeset_share
from pitboss_tournament.html.page_parts import Section, explain, note, section, table
from pitboss_tournament.reporting.interval_rows import interval_axis
from pitboss_tournament.statistics.part_effects import PartEffect, PartEffects
from pitboss_tournament.statistics.running_moments import Estimate

TINTS: Final = 3  # of either colour of the heat map
FULL_TINT: Final = 0.25  # share of the wins above or below a half that has the strongest colour
NOTES: Final = (
    "A loadout is what a bot brings to each game, such as a deck; a program is a bot without its loadout. Shares of "
    "the wins are in percent, draws half, with 95 % intervals over blocks: the same deal in both orders of the seats.",
    "Alpha-rank: the share of the time in which a population plays a loadout, if it always changes to one that is "
    "proven better, and as often as not where neither is. It is the field's equilibrium; where one loadout beats all "
    "others it has nearly all of it.",
)
EFFECT_NOTE: Final = (
    "Worth: how many points of the share of wins one more copy adds against one opponent{relative}, by a regression of "
    "the results of blocks on what the loadouts differ in, with the program held equal. Proven: all {count} together, "
    "so that of 100 tournaments in which no part matters at most 5 prove one. Visible: the smallest worth that such a "
    "tournament proves 80 times of 100. The model adds parts up: that two are better together it does not see."
)


def loadout_sections(statistics: ReportFindings) -> Iterator[Section]:
    """Yield the section; nothing where fewer than two loadouts have played."""
    found = compare_loadouts(statistics)
    if found is None:
        return
    yield section(
        "loadouts",
        "Loadouts",
        _draw_lines(found),
        _draw_programs(found) if len(found.programs) > 1 else None,
        _draw_against(found),
        *([] if found.effects is None else draw_effects(found.effects)),
        explain(*map(note, NOTES)),
    )


def _draw_lines(found: LoadoutFindings) -> Markup:
    rows = [
        (line.name, typeset_share(line.wins), f"{100 * line.alpha_rank:.0f} %", f"{line.blocks:,}", line.digest[:12])
        for line in found.lines
    ]
    caption = "All loadouts, by their share of the wins against the others."
    return table("loadout-lines", caption, ("Loadout", "Wins, %", "Alpha-rank", "Blocks", "Digest"), rows, words=(4,))


def _draw_programs(found: LoadoutFindings) -> Markup:
    rows = [(program, *map(_heat_cell, cells)) for program, cells in zip(found.programs, found.by_program, strict=True)]
    caption = "Programs with loadouts: share of the wins against all other bots, in percent."
    return table("loadout-programs", caption, ("Program", *(line.name for line in found.lines)), rows, kind="heat")


def _draw_against(found: LoadoutFindings) -> Markup:
    rows = [
        (line.name, *(_heat_cell(cell) if cell.blocks else make_cell(DASH) for cell in cells))
        for line, cells in zip(found.lines, found.against, strict=True)
    ]
    caption = "Loadout against loadout: the row's share of the wins, in percent, over all programs."
    return table("loadout-pairs", caption, ("Loadout", *(line.name for line in found.lines)), rows, kind="heat")


def _heat_cell(cell: CrossCell) -> Cell:
    """Return a cell that is coloured by how far the share is from a half."""
    if cell.wins.mean is None:
        return make_cell(DASH)
    share = (cell.wins.mean - 0.5) / FULL_TINT
    tint = min(TINTS, int(abs(share) * TINTS + 0.5))
    ends = cell.wins.clip(0.0, 1.0)
    is_sure = ends is not None and not ends[0] <= 0.5 <= ends[1]
    colour = "even" if not tint else f"{'up' if share > 0 else 'down'}{tint}"
    return make_cell(
        typeset_interval(cell.wins, scale=100),
        class_=f"{colour} sure" if is_sure else colour,
        title=f"{format_count(cell.blocks, 'block')}",
    )


def draw_effects(effects: PartEffects) -> Iterator[Content]:
    """Yield the table of what parts are worth, and notes on it."""
    told = [part for part in effects.parts if part.effect.mean is not None]
    lacking = [part.name for part in effects.parts if part.effect.mean is None]
    if told:
        scaled = [part.effect.scale(100) for part in told]
        axis = replace(interval_axis(scaled), left=2.0, right=2.0)
        rows = [
            (
                part.name,
                draw_interval_bar(*_find_ends(effect), axis),
                typeset_interval(effect, has_sign=True),
                "yes" if part.is_proven else "no",
                _write_error(part),
                typeset_number(100 * (part.visible or 0.0)),
                str(part.loadouts),
            )
            for part, effect in zip(told, scaled, strict=True)
        ]
        yield table(
            "part-effects",
            f"Which part wins: the worth of one more copy, from {format_count(effects.blocks, 'block')}.",
            ("Part", "", "Worth, points of %", "Proven", "Chance if no part matters", "Visible", "Loadouts"),
            rows,
        )
        relative = " in place of a copy of an average part" if effects.is_relative else ""
        yield explain(note(EFFECT_NOTE.format(relative=relative, count=len(told))))
    if lacking:
        yield note(tell_untold(effects))


def tell_untold(effects: PartEffects) -> str:
    """Return why some parts have no effect here, and what to do."""
    lacking = [part for part in effects.parts if part.effect.mean is None]
    some = "" if effects.identified else "any of "
    return (
        f"The loadouts that were played do not show the effect of {some}{len(lacking)} of {len(effects.parts)} parts: "
        "it takes more different loadouts than parts, in which each part is in some and not in others. pitboss study "
        "plays with loadouts at random."
    )


def _write_error(part: PartEffect) -> str:
    if part.error is None:
        return DASH
    return "< 0.1 %" if part.error < 0.001 else f"{typeset_number(100 * part.error)} %"


def _find_ends(estimate: Estimate) -> tuple[float, float | None, float]:
    mean, half = estimate.mean or 0.0, estimate.half_width or 0.0
    return mean - half, estimate.mean, mean + half
