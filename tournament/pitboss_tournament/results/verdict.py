"""Verdict: what a tournament has shown, in sentences for people, and no more than it has shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import Final

from pitboss.text import format_count, join_words
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.results.numbers import format_interval
from pitboss_tournament.statistics.proven_ranks import ProvenRanks, RankRange
from pitboss_tournament.statistics.rank_confidence import MIN_PLANNED_BLOCKS, RankConfidence
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.teams import TeamScores

MAX_CLAUSES: Final = 4  # on who is better than whom; where it takes more, only who is first and who is last
MAX_VERDICT_NAMES: Final = 8  # of a list; of more bots, their number
MAX_GROUPS: Final = 6
EXPLANATION: Final = (
    "Verdict: all that it says, of all bots together, is right in 95 of 100 tournaments, or in as many as it says. If "
    "the number of games was fixed beforehand it is by Student's t and Holm's test; if not, by a test that holds also "
    "if you look again after each deal and stop when you like, and that takes more games. Where ranks go by points "
    '(rank = "points"), the same tests are of the differences of points on the same deals. Where all play together it '
    "is of teams, by the differences of their points on the same deals, or, where each has deals of its own, of their "
    "means."
)


def tell_verdict(rated: Findings, teams: TeamScores | None) -> Iterator[str]:
    """Yield the verdict on the games of a tournament: where all are forfeited that, else who is better than whom.

    `teams`: of a cooperative game, in which teams are told apart, and no bots; None of any other.
    """
    tally = rated.tally
    if tally.games and tally.forfeited_games == tally.games:
        counts = ", ".join(f"{line.name} {sum(line.faults.values()):,}" for line in rated.standings if line.faults)
        yield f"Verdict: {_all_games(tally.games)} forfeited ({counts}); that tells nothing about how the bots play."
    elif teams is not None:
        names = [team.name for team in teams.list_standings(rated.names)]
        yield from verdict_lines(teams.prove_ranks(anytime=rated.anytime), names, tally.games, "team")
    else:
        yield from verdict_lines(rated.rank_confidence, rated.names, tally.games)


def favour_lines(rated: Findings) -> Iterator[str]:
    """Yield a remark on each bot that forfeited games with one opponent only, which gained by it."""
    for favour in rated.favours:
        bot, opponent = rated.names[favour.bot], rated.names[favour.opponent]
        yield (
            f"All {favour.games:,} games that {bot} forfeited were with {opponent}, which gained by them. "
            "It met others too, and forfeited no game without it. Look at these games."
        )


def gift_lines(rated: Findings) -> Iterator[str]:
    """Yield a sentence on each bot that gains by another one at its table, and its rating without these games."""
    gifts = rated.gifts
    for gift in gifts.found:
        share = gift.gain.scale(100)
        yield (
            f"{rated.names[gift.gainer]} gains by {rated.names[gift.giver]}: in their {gift.blocks:,} blocks it beats "
            f"{format_interval(share, digits=0)} % more of its opponents than the ratings explain, "
            f"{format_sureness(gift.sureness)} sure of all pairs together: a gift, or a style that suits it."
        )
    for gainer, without in gifts.ratings.items():
        givers = [rated.names[gift.giver] for gift in gifts.found if gift.gainer == gainer]
        rating = rated.ratings.rating_of(gainer).points
        yield (
            f"Without its games with {join_words(givers, 'and')} the rating of {rated.names[gainer]} is "
            f"{_format_rating(without)}; with them it is {_format_rating(rating)}."
        )


def _format_rating(rating: Estimate) -> str:
    return "unknown" if rating.mean is None else format_interval(rating, digits=0, has_sign=True)


def verdict_lines(ranks: ProvenRanks, names: Sequence[str], games: int, noun: str = "bot") -> Iterator[str]:
    """Yield the verdict on bots, or what else `noun` calls them, with these names, by number, after so many games.

    Who is better than whom, and how sure that is; who cannot be told apart; how many more games would tell.
    """
    if len(ranks.order) == 1:
        yield f"Verdict: {names[ranks.order[0]]} is the only {noun} that is not out."
        return
    if not ranks.order:
        yield "Verdict: there are too few games to tell who is better."
        return
    proven = _list_proven_clauses(ranks, names)
    groups = ranks.groups()
    if proven and ranks.sureness is not None:
        yield f"Verdict, {format_sureness(ranks.sureness)} sure {_name_test(ranks)}: {'; '.join(proven)}."
        if groups:
            yield f"Cannot be told apart: {_list_groups(ranks, names)}."
    elif len(ranks.order) == 2:
        yield f"Verdict: {_list_names(ranks.order, names)} cannot be told apart yet."
    else:
        yield f"Verdict: no two of the {len(ranks.order)} {noun}s can be told apart yet."
    if groups and isinstance(ranks, RankConfidence) and ranks.basis == "ratings":
        yield from _outlook_sentences(ranks, games)


def rank_text(span: RankRange) -> str:
    """Return the ranks that a bot may have: "3", "3–5"."""
    return f"{span.best}–{span.worst}" if span.is_open else f"{span.best}"


def format_sureness(sureness: float) -> str:
    """Return a probability from 0.95 on in percent, rounded down, never 100: "95 %", "99.9 %", "more than 99.99 %"."""
    if sureness > 0.9999:
        return "more than 99.99 %"
    digits = 0 if sureness < 0.99 else 1 if sureness < 0.999 else 2
    return f"{floor(100 * sureness * 10**digits + 1e-9) / 10**digits:.{digits}f} %"


def format_rough_count(number: float) -> str:
    """Return a number with two significant digits: "7", "43", "1,200"."""
    step = 10 ** max(0, floor(log10(max(number, 1))) - 1)
    return f"{max(1, round(number / step)) * step:,}"


def _name_test(ranks: ProvenRanks) -> str:
    of = {"ratings": "", "points": " of points", "same deals": " of points on the same deals"}[ranks.basis]
    return f"by a test{of} that holds at any time" if ranks.anytime else f"by Holm's test{of}"


def _list_proven_clauses(ranks: ProvenRanks, names: Sequence[str]) -> list[str]:
    """Return clauses such as "a is better than b and c", which together tell all that is proven.

    With more than MAX_CLAUSES of them, two others: who may be the best, and who may be the last.
    """
    if len(ranks.order) > 2 and not any(ranks.rank_range(bot).is_open for bot in ranks.order):
        ranked = sorted(ranks.order, key=lambda bot: ranks.rank_range(bot).best)
        return [f"each of {_list_names(ranked, names)} is better than the next"]
    by_worse: dict[tuple[int, ...], list[int]] = {}
    for bot in ranks.order:
        if worse := ranks.next_worse(bot):
            by_worse.setdefault(tuple(worse), []).append(bot)
        if len(by_worse) > MAX_CLAUSES:
            break
    if len(by_worse) > MAX_CLAUSES:
        last = [bot for bot in ranks.order if ranks.rank_range(bot).worst == len(ranks.order)]
        return [
            f"the best is {_list_names(ranks.best_bots(), names, 'or')}",
            f"the last is {_list_names(last, names, 'or')}",
        ]
    return [
        f"{_list_names(better, names)} {'is' if len(better) == 1 else 'are'} better than {_list_names(worse, names)}"
        for worse, better in by_worse.items()
    ]


def _list_groups(ranks: ProvenRanks, names: Sequence[str]) -> str:
    groups = ranks.ranked_groups()
    told = [f"{_list_names(group, names)} ({rank_text(span)})" for span, group in groups[:MAX_GROUPS]]
    more = len(groups) - len(told)
    return "; ".join([*told, *([format_count(more, "more group")] if more else [])])


def _outlook_sentences(ranks: RankConfidence, games: int) -> Iterator[str]:
    """Yield how many more games would tell who is best, and how many would settle all ranks, or why none would."""
    if ranks.least_blocks < MIN_PLANNED_BLOCKS:
        yield f"How many more games it takes can be told after {MIN_PLANNED_BLOCKS} blocks of each bot."
        return
    outlook = ranks.outlook
    if outlook.has_cycle:
        yield "No number of games would settle all ranks: some bots beat each other in a cycle, so no order is right."
        return
    if len(ranks.order) == 2:
        aims = {"tell them apart": outlook.best}
    else:
        aims = {"tell who is best": outlook.best, "settle all ranks": outlook.all}
    if len(aims) == 2 and (len(ranks.best_bots()) == 1 or len(set(aims.values())) == 1):
        del aims["tell who is best"]
    known = {aim: format_rough_count(times * games) for aim, times in aims.items() if times is not None}
    if known:
        told = [f"about {more} more games would {aim}" for aim, more in known.items()]
        yield f"{', and '.join(told).capitalize()}, with a probability of 80 % if the bots differ as much as it seems."
    if len(known) < len(aims):
        never = " or ".join(aim for aim in aims if aim not in known)
        yield f"No number of games to plan for would {never}: some bots are as good as equal so far."


def _all_games(games: int) -> str:
    return "the only game was" if games == 1 else f"all {games:,} games were"


def _list_names(bots: Sequence[int], names: Sequence[str], last: str = "and") -> str:
    if len(bots) > MAX_VERDICT_NAMES:
        named = bots[: MAX_VERDICT_NAMES - 1]
        return f"{', '.join(names[bot] for bot in named)} {last} {len(bots) - len(named)} more"
    return join_words([names[bot] for bot in bots], last)
