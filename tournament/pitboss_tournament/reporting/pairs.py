"""Section on pairs: who beats whom, as a heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from pitboss_tournament.counting.pair_choice import MAX_PAIRED_BOTS
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.tally import Standing, heavy_tail_text
from pitboss_tournament.html.charts import draw_interval_bar
from pitboss_tournament.html.elements import Cell, Content, Markup, el, make_cell
from pitboss_tournament.html.number_format import DASH, format_chance, typeset_interval, typeset_signed
from pitboss_tournament.html.page_parts import Section, explain, note, section, table
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.cautions import pairs_caution
from pitboss_tournament.reporting.interval_rows import decimal_places, interval_axis
from pitboss_tournament.statistics.pairwise import EstimatedDifference
from pitboss_tournament.statistics.running_moments import Estimate

NumberedLine: TypeAlias = tuple[int, Standing]  # of the standings, with the number of its bot

TINTS: Final = 3  # of either colour of the heat map
MAX_WORDED: Final = 6  # bots; of more, cells are small and without words
MAX_NAMED_COLUMNS: Final = 14  # bots; of more, columns have no names on a phone


class _Meeting(NamedTuple):
    """A cell of the heat map."""

    blocks: int
    difference: EstimatedDifference
    text: str
    more_text: str | None  # the same by points, where places count


def pairs_section(statistics: ReportFindings) -> Section:
    """Return the section on pairs: by points, but by places where points have a heavy tail."""
    lines = statistics.numbered_standings[:MAX_PAIRED_BOTS]
    is_heavy = heavy_tail_text(line for _, line in statistics.numbered_standings) is not None
    met = _compare_both_ways(lines, statistics.compare_pair)
    digits = decimal_places([of_two.estimate.mean for _, of_two in met.values()])
    texts = {pair: typeset_signed(of_two.estimate.mean or 0.0, digits) for pair, (_, of_two) in met.items()}
    sign = -1 if statistics.tally.lowest_wins else 1
    by_points = texts
    if is_heavy:
        sign, met = 1, _compare_both_ways(lines, statistics.compare_pair_by_places)
        texts = {
            pair: f"{typeset_signed(100 * (of_two.estimate.mean or 0.0), 1)} %" for pair, (_, of_two) in met.items()
        }
    meetings = {
        pair: _Meeting(*both, texts[pair], f"{by_points[pair]} {statistics.score_name}" if is_heavy else None)
        for pair, both in met.items()
    }
    most = max((abs(of_two.estimate.mean or 0.0) for _, of_two in met.values()), default=0.0)
    by_values = f"{statistics.score_name} a game ahead"
    measure = "the share of opponents beaten less that of the other" if is_heavy else by_values
    caution = pairs_caution(sum(blocks > 0 for blocks, _ in met.values()) // 2)
    return section(
        "pairs",
        "Who beats whom",
        (_draw_words if len(lines) <= MAX_WORDED else _draw_map)(
            lines, meetings, sign / most if most else 0.0, measure
        ),
        note(_tell_left_out(len(statistics.names) - len(lines))) if len(lines) < len(statistics.names) else None,
        el("div", _colour_key(), class_="key"),
        explain(
            note(
                explanations.PAIR_EXPLANATION.format(measure=measure),
                explanations.PAIRS_BY_PLACES if is_heavy else explanations.PAIRS_BY_POINTS,
            ),
            note(caution) if caution else None,
        ),
    )


def bot_pairs_table(statistics: ReportFindings, entrant: int, name_bot: Callable[[int], Content]) -> Markup | None:
    """Return a table of the bots that a bot has met, and how far it is ahead of each; None if it has met nobody.

    `name_bot` returns what stands for a bot. Of a large field those that stand first are there.
    """
    is_heavy = heavy_tail_text(line for _, line in statistics.numbered_standings) is not None
    compare = statistics.compare_pair_by_places if is_heavy else statistics.compare_pair
    others = [other for other, _ in statistics.numbered_standings if other != entrant][:MAX_PAIRED_BOTS]
    met = {other: (blocks, of_two) for other in others for blocks, of_two in [compare(entrant, other)] if blocks}
    if not met:
        return None
    sign = -1 if statistics.tally.lowest_wins and not is_heavy else 1
    leads = {other: _scale_estimate(of_two.estimate, sign) for other, (_, of_two) in met.items()}
    axis = replace(interval_axis(list(leads.values())), left=2.0, right=2.0)
    digits = decimal_places([lead.mean for lead in leads.values()])
    rows = [
        (
            name_bot(other),
            draw_interval_bar(*_find_ends(leads[other]), axis),
            f"{typeset_interval(of_two.estimate, scale=100, has_sign=True)} %"
            if is_heavy
            else typeset_interval(of_two.estimate, digits=digits, has_sign=True),
            format_chance(of_two.chance),
            f"{blocks:,}",
            _tell_proof(blocks, of_two),
        )
        for other, (blocks, of_two) in met.items()
    ]
    measure = "Beaten" if is_heavy else "Points a game"
    return table(
        "bot-pairs",
        "Blocks in which both sat at one table. Right of the dashed line: ahead. Chance: that it is the better one. "
        "To be sure: how many more blocks that takes.",
        ("Against", "", measure, "Chance", "Blocks", "To be sure"),
        rows,
    )


def _scale_estimate(estimate: Estimate, factor: float) -> Estimate:
    return Estimate(None if estimate.mean is None else factor * estimate.mean, estimate.half_width)


def _find_ends(estimate: Estimate) -> tuple[float, float | None, float]:
    mean, half = estimate.mean or 0.0, estimate.half_width or 0.0
    return mean - half, estimate.mean, mean + half


def _draw_words(
    lines: Sequence[NumberedLine], meetings: dict[tuple[int, int], _Meeting], scale: float, measure: str
) -> Markup:
    """Return the heat map of few bots, with the numbers in its cells."""
    is_heavy = any(meeting.more_text for meeting in meetings.values())
    rows = [
        (
            line.name,
            *(
                _worded_cell(meetings[entrant, other], scale) if other != entrant else make_cell(DASH)
                for other, _ in lines
            ),
        )
        for entrant, line in lines
    ]
    caption = (
        f"Head to head, the row's bot against the column's: {measure}, chance that it is the better one, blocks still "
        f"needed{', points a game' if is_heavy else ''}. In bold: sure at 95 %."
    )
    return table("pairs-table", caption, ("Bot", *(line.name for _, line in lines)), rows, kind="heat")


def _draw_map(
    lines: Sequence[NumberedLine], meetings: dict[tuple[int, int], _Meeting], scale: float, measure: str
) -> Markup:
    """Return the heat map of many bots, which fits any width: its numbers are shown where one points at a cell."""
    rows = [
        (
            el("span", line.name),
            *(
                _small_cell(meetings[entrant, other], scale, f"{line.name} – {beside.name}")
                if other != entrant
                else make_cell(class_="self")
                for other, beside in lines
            ),
        )
        for entrant, line in lines
    ]
    is_many = len(lines) > MAX_NAMED_COLUMNS
    caption = (
        f"Head to head, the row's bot against the column's, by {measure}; with a dot: sure at 95 %. Point at a cell "
        f"for its numbers; standings --pairs has all.{' Columns have the order of the rows.' if is_many else ''}"
    )
    names = (el("span", line.name) for _, line in lines)
    return table("pairs-table", caption, ("Bot", *names), rows, kind="map many" if is_many else "map")


def _compare_both_ways(
    lines: Sequence[NumberedLine], compare: Callable[[int, int], tuple[int, EstimatedDifference]]
) -> dict[tuple[int, int], tuple[int, EstimatedDifference]]:
    """Return the number of blocks in which two bots met, and their difference, both ways round."""
    bots = sorted(entrant for entrant, _ in lines)
    found = {}
    for one, other in combinations(bots, 2):
        blocks, difference = compare(one, other)
        found[one, other], found[other, one] = (blocks, difference), (blocks, difference.reverse())
    return found


def _tell_left_out(bots: int) -> str:
    return (
        f"The other {bots:,} bots are left out. pitboss standings --pairs-of NAME compares one of them with all "
        "others, --pairs each with the next one below it that it met."
    )


def _worded_cell(meeting: _Meeting, scale: float) -> Cell:
    """Return a cell, coloured by the mean times `scale`, which is between -1 and 1."""
    if meeting.difference.estimate.mean is None:
        return make_cell(el("span", _tell_proof(meeting.blocks, meeting.difference)), class_="even")
    return make_cell(
        el("b", meeting.text),
        el("span", format_chance(meeting.difference.chance)),
        el("span", _tell_proof(meeting.blocks, meeting.difference)),
        el("span", meeting.more_text) if meeting.more_text else None,
        class_=_colour(meeting, scale),
    )


def _small_cell(meeting: _Meeting, scale: float, pair: str) -> Cell:
    """Return a coloured cell with its numbers in its title, and its mean for screen readers."""
    if meeting.difference.estimate.mean is None:
        return make_cell(title=f"{pair}: {_tell_proof(meeting.blocks, meeting.difference)}")
    said = [
        meeting.text,
        format_chance(meeting.difference.chance),
        _tell_proof(meeting.blocks, meeting.difference),
        meeting.more_text,
    ]
    return make_cell(meeting.text, class_=_colour(meeting, scale), title=f"{pair}: {', '.join(filter(None, said))}")


def _tell_proof(blocks: int, difference: EstimatedDifference) -> str:
    """Return whether the better bot is sure, or how many more blocks a proof takes."""
    if difference.estimate.mean is None:
        return DASH if blocks else "no complete block together"
    if difference.more_blocks is None:
        return "not to be told"
    return "sure" if difference.is_sure else f"{difference.more_blocks:,} more"


def _colour(meeting: _Meeting, scale: float) -> str:
    share = scale * (meeting.difference.estimate.mean or 0.0)
    tint = min(TINTS, int(abs(share) * TINTS + 0.999))
    kind = "even" if not tint else f"{'up' if share > 0 else 'down'}{tint}"
    return f"{kind} sure" if meeting.difference.is_sure else kind


def _colour_key() -> Iterator[Content]:
    yield el("span", "the row's bot is worse")
    kinds = (
        [f"down{TINTS - number}" for number in range(TINTS)] + ["even"] + [f"up{number + 1}" for number in range(TINTS)]
    )
    yield el("span", *(el("i", class_=kind) for kind in kinds), class_="keys", aria_hidden="true")
    yield el("span", "the row's bot is better")
