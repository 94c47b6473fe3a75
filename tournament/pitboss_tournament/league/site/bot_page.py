"""The page of a bot: its history by version, whom it met, cycles, thinking times, faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.html.charts import HistogramRow, draw_histograms, gather_bars, logarithmic_axis
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import DASH, format_duration, typeset_signed
from pitboss_tournament.league.ladder_columns import choose_ladder_columns
from pitboss_tournament.league.ladder_view import LadderLine, LadderView, PairVerdict
from pitboss_tournament.league.site.bot_cells import (
    CellContext,
    draw_cell,
    draw_heading,
    games_address,
    is_of_words,
    link_line,
)
from pitboss_tournament.league.site.feedback_page import feedback_address
from pitboss_tournament.league.site.ladder_drawings import (
    draw_history,
    draw_lead,
    join_content,
    scale_ratings,
)
from pitboss_tournament.league.site.page_frame import Viewer, data_table, facts
from pitboss_tournament.league.submission import ACTIVE
from pitboss_tournament.results.verdict import format_sureness
from pitboss_tournament.statistics.time_histogram import STEPS_PER_DOUBLING, TimeHistogram, quantile

MAX_THINKERS: Final = 6  # versions whose thinking times are drawn
VERDICTS: Final = {"better": "proven better", "worse": "proven worse", "open": "not proven"}
REVERSED: Final = {"better": "; but proven worse head to head", "worse": "; but proven better head to head", "open": ""}
OPPOSITE: Final[Mapping[PairVerdict, PairVerdict]] = {"better": "worse", "worse": "better", "open": "open"}


def bot_content(view: LadderView, versions: Sequence[LadderLine], viewer: Viewer) -> Iterator[Content]:
    """Yield the content of the page of a bot by its versions, the latest first; one or more."""
    shown = next((line for line in versions if line.submission.state in ACTIVE), versions[0])
    by = viewer.name_owner(shown.submission.owner, shown.by)
    whose = "an anchor" if shown.is_anchor else f"by {by}" if by else None
    yield el("h1", shown.submission.bot, " ", el("small", whose) if whose else None)
    yield version_facts(shown)
    if said := _say_place(shown):
        yield el("p", said, class_="lead")
    yield _say_beaten(shown)
    yield draw_history(versions)
    yield el("h2", "Versions")
    yield _versions_table(versions)
    yield from _head_to_head(view, shown)
    yield _cycles_with(view, {line.number for line in versions})
    yield from thinking_times(view, versions)
    yield from fault_section(versions, viewer.may_see(shown.submission.owner))
    is_own = not shown.is_anchor and viewer.may_see(shown.submission.owner)
    yield el(
        "p",
        el("a", "Games of all versions", href=games_address(shown.submission.bot)),
        (" · ", el("a", "Where it loses points", href=feedback_address(shown.number))) if is_own else None,
    )


def version_facts(line: LadderLine, has_state: bool = True) -> Markup:
    """Return the numbers of a version, with its state or without."""
    columns = [one for one in choose_ladder_columns("facts", [line]) if has_state or one.shown.key != "state"]
    heads = [el("span", column.shown.heading, title=column.shown.meaning) for column in columns]
    return facts(*zip(heads, (draw_cell(column, line) for column in columns), strict=True))


def _say_beaten(line: LadderLine) -> Markup | None:
    """Return which anchors a version is proven to beat; None if none."""
    beaten = [f"{name}: {format_sureness(sure)} sure" for name, sure in line.beats.items() if line.has_beaten(name)]
    return el("p", "It beats ", "; ".join(beaten), ".", class_="beaten") if beaten else None


def _say_place(line: LadderLine) -> str:
    if line.is_anchor:
        return "It is a bot of the house, which never changes: it plays along, and takes no place."
    if line.row.left and line.submission.state not in ACTIVE:
        return f"It plays no more: {line.row.left}. It keeps its rating."
    if line.row.is_out:
        return "It is out: it has forfeited too many games."
    if line.place is None:
        return "It finds its place: it is not ranked before it has played enough games."
    return ""


def _versions_table(versions: Sequence[LadderLine]) -> Markup:
    columns, context = choose_ladder_columns("versions", versions), CellContext(scale_ratings(versions))
    return data_table(
        f"{format_count(len(versions), 'version')} tried; retired ones keep their ratings.",
        [draw_heading(column) for column in columns],
        [[draw_cell(column, line, context) for column in columns] for line in versions],
        words=[number for number, column in enumerate(columns) if is_of_words(column)],
    )


def _head_to_head(view: LadderView, shown: LadderLine) -> Iterator[Content]:
    """Yield whom a version has met, those first that are highest on the ladder."""
    found = []
    for pair in view.pairs:
        if shown.number == pair.one:
            found.append((pair.other, pair.blocks, pair.score, pair.verdict, pair.is_reversed))
        elif shown.number == pair.other:
            found.append((pair.one, pair.blocks, -pair.score, OPPOSITE[pair.verdict], pair.is_reversed))
    if not found:
        return
    order = {line.number: position for position, line in enumerate(view.lines)}
    lines = {line.number: line for line in view.lines}
    columns = choose_ladder_columns("opponents", [lines[other] for other, *_ in found])
    rows = [
        (
            link_line(lines[other]),
            f"{typeset_signed(100 * score, 0)} %",
            draw_lead(score),
            el(
                "div",
                el("span", VERDICTS[verdict], class_=f"verdict {verdict}"),
                el("small", REVERSED[verdict]) if is_reversed else None,
            ),
            f"{blocks:,}",
            *(draw_cell(column, lines[other]) for column in columns),
        )
        for other, blocks, score, verdict, is_reversed in sorted(found, key=lambda one: order[one[0]])
    ]
    yield el("h2", "Head to head")
    yield data_table(
        f"The bots that {shown.label} met. Ahead is head to head: in the blocks of both, the share of the others at "
        "the table that it is placed before, less that of the other bot. Against the field is the ladder's answer: who "
        "is better over the games with all. A block is one deal in all seat orders.",
        ("Against", "Ahead", "", "Against the field", "Blocks", *map(draw_heading, columns)),
        rows,
        words=(0, 3),
    )


def _cycles_with(view: LadderView, numbers: set[int]) -> Markup | None:
    own = [cycle for cycle in view.cycles if numbers & set(cycle)]
    if not own:
        return None
    lines = {line.number: line for line in view.lines}
    said = []
    for cycle in own:
        chain = [link_line(lines[number]) for number in (*cycle, cycle[0])]
        said.append(el("li", join_content(chain, " → ")))
    about = el("p", "Each is proven better than the next: no order of them is right.")
    return el("section", el("h2", "Cycles"), about, el("ul", *said))


def thinking_times(view: LadderView, versions: Sequence[LadderLine]) -> Iterator[Content]:
    """Yield a picture of the thinking times of versions, if they have any."""
    known = [(line, view.think[line.number]) for line in versions if view.think.get(line.number)][:MAX_THINKERS]
    if not known:
        return
    steps = [step for _, times in known for step in (min(times), max(times))]
    axis = logarithmic_axis([2 ** (step / STEPS_PER_DOUBLING) for step in steps], format_duration)
    rows = [_thinking_row(f"@{line.submission.version}", times) for line, times in known]
    yield el("h2", "Thinking time")
    picture = draw_histograms("thinking", "Thinking time of each decision", rows, axis)
    caption = "Decisions by thinking time; the upright lines are at p50 and p99."
    yield el("figure", picture, el("figcaption", caption), class_="times")


def _thinking_row(label: str, times: TimeHistogram) -> HistogramRow:
    marks = {name: quantile(times, share) or 1.0 for name, share in (("p50", 0.5), ("p99", 0.99))}
    text = " · ".join(f"{name} {format_duration(us)}" for name, us in marks.items())
    bars = gather_bars(
        times,
        bin_of=lambda step: step // 4,
        low_end=lambda number: (number * 4 - 0.5) / STEPS_PER_DOUBLING * log10(2),
    )
    return HistogramRow(label, text, bars, {name: log10(us) for name, us in marks.items()})


def fault_section(versions: Sequence[LadderLine], may_see_all: bool) -> Iterator[Content]:
    """Yield the faults of versions, by kind; the first game of each kind has the evidence, for the owner."""
    rows = [
        (
            f"@{line.submission.version}",
            kind,
            f"{line.row.faults.get(kind, 0):,}",
            f"{line.row.substituted.get(kind, 0):,}",
            _link_first(line, kind, may_see_all),
        )
        for line in versions
        for kind in dict.fromkeys((*line.row.faults, *line.row.substituted))
    ]
    if not rows:
        return
    yield el("h2", "Faults")
    heads = ("Version", "Kind", "Games forfeited", "Decisions substituted", "First in")
    yield data_table("Faults by kind.", heads, rows, words=(0, 1))


def _link_first(line: LadderLine, kind: str, may_see_all: bool) -> Content:
    game = line.first_faults.get(kind)
    if game is None:
        return DASH
    return el("a", f"game {game}", ", with its log" if may_see_all else None, href=f"/games/{game}")
