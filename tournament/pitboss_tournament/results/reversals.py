"""Reversals: two bots of which one is proven better against this field, and the other one head to head.

Both can be true. A bully beats weak bots by far and loses to a solid one: over all games it scores more, and in the
blocks of the two it scores less. Head to head, places decide, by the sequential test of the two bots alone, as `sure`
in `--pairs` and the bounds of `compare` do.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from msgspec import Struct

from pitboss.text import format_count
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.proven_ranks import ProvenRanks, RankedNames

MAX_REVERSALS: Final = 4  # that are told; of more, their number


class Reversal(Struct, frozen=True):
    """Two bots, by their numbers, on which the two questions have contrary answers."""

    in_field: int  # better against this field
    in_pair: int  # better head to head
    blocks: int  # in which both sat at one table


def find_reversals(ranks: ProvenRanks, meetings: HeadToHead) -> Iterator[Reversal]:
    """Yield the reversals of the ranked bots, in the order of the ranking."""
    order = ranks.order
    for ahead, behind in sorted((two, one) for one, two in meetings.list_losses(order)):
        in_pair, in_field = order[ahead], order[behind]
        if ranks.is_better(in_field, in_pair) and meetings.judge_pair(in_pair, in_field) == "better":
            yield Reversal(in_field, in_pair, meetings.count_blocks(in_field, in_pair))


def tell_reversal(found: Reversal, names: RankedNames, basis: str) -> str:
    """Return both answers as a sentence. `basis`: what ranks go by, as "by places"."""
    in_field, in_pair = names[found.in_field], names[found.in_pair]
    blocks = f"in their {format_count(found.blocks, 'block')}"
    if len(names) == 2:
        return (
            f"Two measures, two answers: {in_field} is better than {in_pair} {basis}, which count by how much; "
            f"{in_pair} is better than {in_field} by places, which count how often, {blocks}."
        )
    return (
        f"Two questions, two answers: {in_field} is better than {in_pair} against this field, {basis}; {in_pair} is "
        f"better than {in_field} head to head, by places, {blocks} (95 % sure of this pair alone)."
    )


def reversal_lines(rated: Findings, pairs: Container[frozenset[int]] | None = None) -> Iterator[str]:
    """Yield a sentence on each reversal, or on those of some pairs of bots; of many, on the first ones."""
    if rated.is_cooperative:
        return
    found = [
        one
        for one in find_reversals(rated.rank_confidence, rated.meetings)
        if pairs is None or frozenset((one.in_field, one.in_pair)) in pairs
    ]
    basis = name_basis(rated.rank_confidence, rated.score_name)
    yield from (tell_reversal(one, rated.ranked_names, basis) for one in found[:MAX_REVERSALS])
    if len(found) > MAX_REVERSALS:
        more = format_count(len(found) - MAX_REVERSALS, "more pair")
        yield f"The two questions have contrary answers for {more} as well: see `pitboss standings FILE --pairs`."


def name_basis(ranks: ProvenRanks, counted: str) -> str:
    """Return what ranks go by: "by places", or by what is `counted`, as "by points"."""
    return "by places" if ranks.basis == "ratings" else f"by {counted}"
