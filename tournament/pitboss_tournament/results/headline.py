"""The headline of a tournament, one sentence: who has won and how sure that is, or who may; and the places to print.

Places follow the rule of the format, if the format ranks the bots and has ended. Otherwise they follow the proofs of
the verdict: the first place is shared by the bots than which none is proven better, the next one by those of which that
is true of the others, and so on. So the headline, the places and the verdict never contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.text import format_count, join_words
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.results.verdict import MAX_VERDICT_NAMES, format_rough_count, format_sureness, name_ranked
from pitboss_tournament.statistics.proven_ranks import ProvenRanks, RankedNames
from pitboss_tournament.statistics.rank_confidence import MIN_PLANNED_BLOCKS, RankConfidence
from pitboss_tournament.statistics.teams import TeamScores

HeadlineKind: TypeAlias = Literal["winner", "undecided", "nothing"]


class Place(Struct, frozen=True, kw_only=True):
    """The place of a bot, or of a team, to be printed."""

    bot: str
    place: Annotated[int, Meta(description="1 is the best; bots that share a place have the same one.")]
    last: Annotated[int, Meta(description="Of several that share a place, the last of their places; else `place`.")]
    tied_with: Annotated[list[str], Meta(description="The others who share the place.")]

    def __str__(self) -> str:
        """Say it: "3", or "3–5"."""
        return f"{self.place}" if self.place == self.last else f"{self.place}–{self.last}"


class FormatOrder(NamedTuple):
    """What the format of a tournament says about its end."""

    name: str  # of what is played: "knockout", "finals (knockout)"
    is_over: bool
    groups: Sequence[Sequence[int]] | None  # bots by place, those of one group share it; None: the format ranks nobody
    leaves_first_open: bool = False  # who of the first group is better is a question of proofs


class Headline(Struct, frozen=True, kw_only=True):
    """What a tournament has shown, in one sentence, and the places of its bots."""

    text: str
    kind: Annotated[
        HeadlineKind, Meta(description="There is a winner, or it is not decided, or too little has been played.")
    ]
    leaders: Annotated[list[str], Meta(description="The winner; undecided: those that may be the best.")]
    sureness: Annotated[
        float | None, Meta(description="That the winner is the best, 0.95 to 1; null: that is not proven.")
    ]
    more_games: Annotated[
        int | None, Meta(description="Undecided: about how many more games would show the best bot; null: unknown.")
    ]
    places: Annotated[list[Place], Meta(description="The best first; bots that have not played have none.")]


def make_headline(rated: Findings, teams: TeamScores | None = None, order: FormatOrder | None = None) -> Headline:
    """Return the headline of the games counted so far.

    `teams`: the scores of a cooperative game, whose winner is a team. `order`: of a format that chooses its rounds by
    results; None of any other.
    """
    tally = rated.tally
    if not tally.games or tally.forfeited_games == tally.games:
        why = "all games were forfeited" if tally.games else "no game has been played"
        return _say(f"No winner: {why}", "nothing")
    names = name_ranked(rated, teams)
    ranks = rated.rank_confidence if teams is None else teams.prove_ranks(anytime=rated.anytime)
    if order is not None and order.groups and teams is None:
        firsts = rated.first_partners
        placed = [[firsts.get(bot, bot) for bot in group if bot not in rated.unplaced] for group in order.groups]
        order = order._replace(groups=[[*dict.fromkeys(group)] for group in placed if group])
    headline = word_headline(ranks, names, tally.games, order)
    return headline if teams is not None else replace(headline, places=list(_place_partners(headline.places, rated)))


def word_headline(ranks: ProvenRanks, names: RankedNames, games: int, order: FormatOrder | None = None) -> Headline:
    """Return the headline after a number of games of the bots with these names, by number."""
    groups = ranks.layers()
    if order is not None and order.groups:
        if not order.leaves_first_open:
            return _follow_format(order, order.groups, ranks, names)
        unproven = [bot for bot in order.groups[0] if bot not in ranks.order]
        groups += [list(group) for group in (unproven, *order.groups[1:]) if group]
    if not groups or not ranks.order:
        return _say("No winner yet: no bot has a complete block", "nothing")
    best, places = groups[0], place_groups(groups, names)
    if order is not None and not order.is_over:
        return _say(f"Not decided yet: {order.name} is not over", "undecided", [], places)
    if len(ranks.order) == 1:
        return _say(f"Winner: {names[best[0]]}, the only one that is compared", "winner", [names[best[0]]], places)
    if not ranks.rank_range(best[0]).is_open:
        sure = "" if ranks.sureness is None else f", {format_sureness(ranks.sureness)} sure"
        return _say(f"Winner: {names[best[0]]}{sure}", "winner", [names[best[0]]], places, sureness=ranks.sureness)
    return _leave_open(ranks, best, names, places, games)


def place_groups(groups: Sequence[Sequence[int]], names: RankedNames) -> list[Place]:
    """Return the places of bots that are given in groups: the bots of a group share their places."""
    return list(_iter_places(groups, names))


def add_places(rows: Sequence[BotRow], headline: Headline) -> list[BotRow]:
    """Return rows of standings with their places."""
    places = {place.bot: place.place for place in headline.places}
    return [replace(row, place=places.get(row.name)) for row in rows]


def place_lines(headline: Headline) -> Iterator[str]:
    """Yield the places as lines, one a place, with who shares it: "3–4: ann and bea, tied"."""
    for _, group in groupby(headline.places, key=lambda place: place.place):
        places = list(group)
        who = join_words([place.bot for place in places], "and")
        yield f"{places[0]}: {who}{', tied' if places[0].tied_with else ''}"


def _iter_places(groups: Sequence[Sequence[int]], names: RankedNames) -> Iterator[Place]:
    first = 1
    for group in groups:
        for bot in group:
            tied = [names[other] for other in group if other != bot]
            yield Place(bot=names[bot], place=first, last=first + len(group) - 1, tied_with=tied)
        first += len(group)


def _place_partners(places: Iterable[Place], rated: Findings) -> Iterator[Place]:
    """Yield the places of bots, where some places are those of sides that are ranked as one."""
    members = {name: [rated.names[bot]] for bot, name in rated.ranked_names.items()}
    for bot, first in rated.first_partners.items():
        if bot != first:
            members[rated.ranked_names[first]].append(rated.names[bot])
    for place in places:
        tied = [bot for other in place.tied_with for bot in members[other]]
        yield from (replace(place, bot=bot, tied_with=tied) for bot in members[place.bot])


def _follow_format(
    order: FormatOrder, groups: Sequence[Sequence[int]], ranks: ProvenRanks, names: RankedNames
) -> Headline:
    """Return the headline of a format that has ranked the bots; what it leaves open, and what proofs add."""
    best, places = groups[0], place_groups(groups, names)
    leaders = [names[bot] for bot in best]
    if len(best) > 1:
        return _say(f"{_join_names(best, names)} share the first place of the {order.name}", "winner", leaders, places)
    won = f"Winner: {leaders[0]}, by the rule of the {order.name}"
    if ranks.order and ranks.best_bots() == list(best) and len(ranks.order) > 1 and ranks.sureness is not None:
        sure = f"{won}, and {format_sureness(ranks.sureness)} sure to be the best"
        return _say(sure, "winner", leaders, places, sureness=ranks.sureness)
    return _say(f"{won}; not proven to be the best", "winner", leaders, places)


def _leave_open(
    ranks: ProvenRanks, best: Sequence[int], names: RankedNames, places: list[Place], games: int
) -> Headline:
    """Return the headline of a tournament that has not shown its best bot."""
    said, more = f"Not decided between {_join_names(best, names)}", None
    if isinstance(ranks, RankConfidence) and ranks.basis == "ratings":
        if ranks.least_blocks < MIN_PLANNED_BLOCKS:
            said += f": fewer than {MIN_PLANNED_BLOCKS} blocks of a bot are played"
        elif ranks.outlook.has_cycle:
            said += ": some bots beat each other in a cycle"
        elif ranks.outlook.best is None:
            said += ": they are nearly equal, and no realistic number of games would decide"
        else:
            more = format_rough_count(ranks.outlook.best * games)
            said += f": about {more} more {'game' if more == '1' else 'games'}"
    leaders = [names[bot] for bot in best]
    return _say(said, "undecided", leaders, places, more_games=None if more is None else int(more.replace(",", "")))


def _join_names(bots: Sequence[int], names: RankedNames) -> str:
    if len(bots) > MAX_VERDICT_NAMES:
        return format_count(len(bots), "bot")
    return join_words([names[bot] for bot in bots], "and")


def _say(
    text: str,
    kind: HeadlineKind,
    leaders: Sequence[str] = (),
    places: Sequence[Place] = (),
    *,
    sureness: float | None = None,
    more_games: int | None = None,
) -> Headline:
    return Headline(
        text=f"{text}.",
        kind=kind,
        leaders=list(leaders),
        sureness=sureness,
        more_games=more_games,
        places=list(places),
    )
