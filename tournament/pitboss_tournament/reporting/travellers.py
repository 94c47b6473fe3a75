"""The section on given deals: a travelling table, with what each side has scored on each deal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

from pitboss.outcome import solo_sides
from pitboss_tournament.counting.scored_results import name_score, read_scored_results
from pitboss_tournament.html.number_format import typeset_signed
from pitboss_tournament.html.page_parts import Section, note, section, table
from pitboss_tournament.store.store import Store

MAX_SIDES: Final = 24  # columns
MAX_SHOWN_DEALS: Final = 200  # rows

SideScores: TypeAlias = Mapping[tuple[int, ...], Mapping[int, list[float]]]  # by the bots of a side, then by deal


def travellers_sections(store: Store) -> list[Section]:
    """Return the section, if a file gives the deals."""
    header = store.header
    if header.given_deals is None:
        return []
    scores = collect_side_scores(store)
    means = {side: fmean([one for some in by_deal.values() for one in some]) for side, by_deal in scores.items()}
    ranked = sorted(scores, key=lambda side: (-means[side], side))[:MAX_SIDES]
    count = min(len(header.given_deals.seeds), MAX_SHOWN_DEALS)
    rows = [
        *((f"{deal + 1}", *(_format_mean(scores[side].get(deal, ())) for side in ranked)) for deal in range(count)),
        ("all", *(typeset_signed(means[side]) for side in ranked)),
    ]
    labels = header.labels
    heads = ("Deal", *(" + ".join(labels[bot] for bot in side) for side in ranked))
    shown = f"The first {MAX_SHOWN_DEALS} deals and {MAX_SIDES} sides, at most. "
    is_cut = count < len(header.given_deals.seeds) or len(ranked) < len(scores)
    caption = f"{shown if is_cut else ''}The mean {name_score(header)} of each side on each deal of the file."
    return [
        section(
            "travellers",
            "Deal by deal",
            table("travellers-table", caption, heads, rows),
            note(f"The deals are {header.given_deals}."),
        )
    ]


def collect_side_scores(store: Store) -> SideScores:
    """Return what each side has scored in the games of each given deal, as the tournament scores them."""
    header = store.header
    given = 0 if header.given_deals is None else len(header.given_deals.seeds)
    sides = header.sides or solo_sides(header.seats)
    found: defaultdict[tuple[int, ...], defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in read_scored_results(store, with_times=False):
        if result.deal < given:
            for side in sides:
                bots = tuple(sorted(result.seats[seat].entrant for seat in side))
                found[bots][result.deal].append(result.seats[side[0]].points)
    return found


def _format_mean(scores: Sequence[float]) -> str:
    return typeset_signed(fmean(scores)) if scores else ""
