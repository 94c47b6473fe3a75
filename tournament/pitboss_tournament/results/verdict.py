"""Verdict: what a tournament has shown, in sentences, and no more than it has shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import Final

from pitboss.text import join_words
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.results.numbers import MIN_SHOWN_BLOCKS, format_interval
from pitboss_tournament.results.reversals import name_basis, reversal_lines
from pitboss_tournament.statistics.proven_ranks import ProvenRanks, RankedNames, RankRange
from pitboss_tournament.statistics.rank_confidence import MIN_PLANNED_BLOCKS, RankConfidence
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.teams import TeamScores

MAX_CLAUSES: Final = 4  # on proven differences; of more, only the first and the last bots
MAX_VERDICT_NAMES: Final = 8  # of a list; of more bots, their number
BRACKET: Final = "knockout"
BRACKET_LIMITS: Final = (
    "A knockout finds a winner, and few proofs: a bot that loses early plays few games. A round-robin or a Swiss with "
    "as many games proves more differences."
)
FIELD_QUESTION: Final = (
    "it answers which bot is better against this field, over all games of this tournament. Which of two bots is better "
    "head to head, in the blocks in which both sat at one table, is another question: --pairs and `pitboss compare OLD "
    "NEW --from STORE` answer it."
)
TEAM_QUESTION: Final = "all seats play together, so it compares teams by their points."
OUTLOOK_ASSUMPTION: Final = (
    "The numbers of further games have a probability of 80 %, if the bots differ as much as they seem to."
)
SURENESS: Final = (
    "All statements of a verdict together are right in at least 95 of 100 tournaments, or in as many as it says."
)


def tell_verdict(rated: Findings, teams: TeamScores | None) -> Iterator[str]:
    """Yield the verdict on the games of a tournament, the most important sentence first; see `detail_verdict`.

    If all games were forfeited the verdict says this, and otherwise which bots are better than which. `teams`: the
    scores of a cooperative game, whose verdict compares teams; None of any other game.
    """
    tally = rated.tally
    if tally.games and tally.forfeited_games == tally.games:
        counts = ", ".join(f"{line.name} {sum(line.faults.values()):,}" for line in rated.standings if line.faults)
        yield f"Verdict: {_all_games(tally.games)} forfeited ({counts}); that tells nothing about how the bots play."
    elif teams is not None:
        names = name_ranked(rated, teams)
        yield from verdict_lines(_prove_ranks(rated, teams), names, tally.games, "team", rated.score_name)
    else:
        noun = "side" if rated.first_partners else "bot"
        yield from verdict_lines(rated.rank_confidence, rated.ranked_names, tally.games, noun, rated.score_name)
        yield from filter(None, [_tell_difference(rated)])
        yield from reversal_lines(rated)
    yield from out_lines(rated)


def out_lines(rated: Findings) -> Iterator[str]:
    """Yield a sentence on each bot that is out by the organizer's decision: why, and what becomes of its games."""
    for one in rated.header.out:
        games = "no game with it counts" if one.games == "void" else "its finished games count"
        yield f"Out: {one.bot}: {one.reason.rstrip('.')}; {games}, and it takes no place."


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


def verdict_lines(
    ranks: ProvenRanks, names: RankedNames, games: int, noun: str = "bot", counted: str = "points"
) -> Iterator[str]:
    """Yield the verdict after `games` games on the bots with these names, by number; `noun` is the word for a bot.

    The verdict says what was asked and what decides: places, or what is `counted`. Then come the proven differences,
    how sure they are, and the games that would prove the others.
    """
    if len(ranks.order) < 2:
        yield _tell_no_comparison(ranks, names, noun)
        return
    answers = f"Verdict {_name_question(ranks, names, noun)}, {name_basis(ranks, counted)}"
    proven = ranks.count_proven()
    if not proven or ranks.sureness is None:
        pair = len(ranks.order) == 2
        between = _list_names(ranks.order, names) if pair else f"the {len(ranks.order)} {noun}s"
        yield f"{answers}: no difference between {between} is proven yet."
    else:
        clauses = _list_proven_clauses(ranks, names)
        if clauses is None:
            count = len(ranks.order)
            clauses = [*_name_ends(ranks, names), f"{proven:,} of {count * (count - 1) // 2:,} differences are proven"]
        yield f"{answers}, {format_sureness(ranks.sureness)} sure: {'; '.join(clauses)}."
    if ranks.groups() and isinstance(ranks, RankConfidence) and ranks.basis == "ratings":
        yield from _outlook_sentences(ranks, games)


def detail_verdict(rated: Findings, teams: TeamScores | None) -> Iterator[str]:
    """Yield what a verdict leaves out: unproven differences, what its numbers of games assume, limits of the format."""
    tally = rated.tally
    if not tally.games or tally.forfeited_games == tally.games:
        return
    names = name_ranked(rated, teams)
    ranks = _prove_ranks(rated, teams)
    yield from filter(None, [unproven_line(ranks, names)])
    if teams is None:
        if any(line.startswith("About") for line in _outlook_sentences(rated.rank_confidence, tally.games)):
            yield OUTLOOK_ASSUMPTION
        if rated.header.format.name == BRACKET:
            yield BRACKET_LIMITS


def unproven_line(ranks: ProvenRanks, names: RankedNames) -> str | None:
    """Return which bots share ranks, by their names; None if no bots do, if nothing is proven, or of many bots."""
    groups = ranks.groups()
    if not groups or not ranks.count_proven() or len(ranks.order) > MAX_VERDICT_NAMES:
        return None
    return f"No difference is proven between {_list_groups(groups, names)}."


def explain_verdict(rated: Findings, teams: TeamScores | None) -> str:
    """Return what a verdict means, and by which test it is; with `teams` that on teams."""
    question = FIELD_QUESTION if teams is None else TEAM_QUESTION
    return f"Verdict: {question} {SURENESS} Here the proofs are {_name_test(_prove_ranks(rated, teams))}."


def name_ranked(rated: Findings, teams: TeamScores | None) -> RankedNames:
    """Return what those are called on which a verdict is, by number; with `teams` the teams."""
    return rated.ranked_names if teams is None else [team.name for team in teams.list_standings(rated.names)]


def _prove_ranks(rated: Findings, teams: TeamScores | None) -> ProvenRanks:
    return rated.rank_confidence if teams is None else teams.prove_ranks(anytime=rated.anytime)


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


def _tell_difference(rated: Findings) -> str | None:
    """Return by how much one of two bots is better, where a tournament has two that have met."""
    order = rated.rank_confidence.order
    names = rated.ranked_names
    if len(names) != 2 or len(order) != 2:
        return None
    one, other = order
    if rated.meetings.count_blocks(one, other) < MIN_SHOWN_BLOCKS:
        return None
    said = []
    if (points := rated.point_differences.compare(one, other, anytime=rated.anytime)) is not None:
        mean = (points.estimate.mean or 0.0) * (-1 if rated.tally.lowest_wins else 1)
        lead = Estimate(mean, points.estimate.half_width)
        said.append(f"{_format_lead(lead, 1 if abs(mean) >= 1 else 2)} {rated.score_name} a game")
    if not rated.anytime and not any(line.bound for line in rated.ratings.lines):
        said.append(f"{_format_lead(rated.ratings.difference(one, other), 0)} rating points")
    first, second = names[one], names[other]
    return f"{first} over {second}: {join_words(said, 'and')} (below 0: {second} is ahead)." if said else None


def _format_lead(lead: Estimate, digits: int) -> str:
    return format_interval(lead, digits=digits, has_sign=True)


def _tell_no_comparison(ranks: ProvenRanks, names: RankedNames, noun: str) -> str:
    """Return the verdict on one bot or none."""
    if not ranks.order:
        return "Verdict: there are too few games for a verdict."
    only = names[ranks.order[0]]
    if len(names) == 1:
        return f"Verdict: {only} is the only {noun}; there is no other {noun} to compare it with."
    return f"Verdict: {only} is the only {noun} with complete blocks that is not out; there is none to compare it with."


def _name_question(ranks: ProvenRanks, names: RankedNames, noun: str) -> str:
    if noun == "team":
        return "on the same deals" if ranks.basis == "same deals" else "on deals of their own"
    return "head to head" if len(names) == 2 else "against this field"


def _name_test(ranks: ProvenRanks) -> str:
    of = {"ratings": "", "points": " of points", "same deals": " of points on the same deals"}[ranks.basis]
    return f"by a test{of} that holds at any time" if ranks.anytime else f"by Holm's test{of}"


def _list_proven_clauses(ranks: ProvenRanks, names: RankedNames) -> list[str] | None:
    """Return clauses such as "a is better than b and c", which together tell all that is proven; None: too many."""
    is_settled = not any(ranks.rank_range(bot).is_open for bot in ranks.order)
    if 2 < len(ranks.order) <= MAX_VERDICT_NAMES and is_settled:
        ranked = sorted(ranks.order, key=lambda bot: ranks.rank_range(bot).best)
        return [f"each of {_list_names(ranked, names)} is better than the next"]
    by_worse: dict[tuple[int, ...], list[int]] = {}
    for bot in ranks.order:
        if worse := ranks.next_worse(bot):
            by_worse.setdefault(tuple(worse), []).append(bot)
        if len(by_worse) > MAX_CLAUSES:
            return None
    if len(ranks.order) > MAX_VERDICT_NAMES and len(by_worse) > 1:
        return None
    return [
        f"{_list_names(better, names)} {'is' if len(better) == 1 else 'are'} better than {_list_names(worse, names)}"
        for worse, better in by_worse.items()
    ]


def _name_ends(ranks: ProvenRanks, names: RankedNames) -> list[str]:
    """Return who may be the best, and who may be the last."""
    last = [bot for bot in ranks.order if ranks.rank_range(bot).worst == len(ranks.order)]
    return [
        f"{what} is {_list_some(bots, names)}" for what, bots in (("the best", ranks.best_bots()), ("the last", last))
    ]


def _list_some(bots: Sequence[int], names: RankedNames) -> str:
    return f"one of {len(bots)} bots" if len(bots) > MAX_VERDICT_NAMES else _list_names(bots, names, "or")


def _list_groups(groups: Sequence[Sequence[int]], names: RankedNames) -> str:
    return ", nor between ".join(_list_names(group, names) for group in groups)


def _outlook_sentences(ranks: RankConfidence, games: int) -> Iterator[str]:
    """Yield how many more games would show the best bot, and how many would settle all ranks, or why none would."""
    if ranks.least_blocks < MIN_PLANNED_BLOCKS:
        yield f"An estimate of the games needed appears after {MIN_PLANNED_BLOCKS} blocks per bot."
        return
    outlook = ranks.outlook
    if outlook.has_cycle:
        yield "No number of games would settle all ranks: some bots beat each other in a cycle, so no order is right."
        return
    if len(ranks.order) == 2:
        aims = {"show which bot is better": outlook.best}
    else:
        aims = {"show the best bot": outlook.best, "settle all ranks": outlook.all}
    if len(aims) == 2 and (len(ranks.best_bots()) == 1 or len(set(aims.values())) == 1):
        del aims["show the best bot"]
    known = {aim: format_rough_count(times * games) for aim, times in aims.items() if times is not None}
    if known:
        told = [f"about {more} more games would probably {aim}" for aim, more in known.items()]
        yield f"{', and '.join(told).capitalize()}."
    if len(known) < len(aims):
        never = " or ".join(aim for aim in aims if aim not in known)
        yield f"Some bots are nearly equal so far: no realistic number of games would {never}."


def _all_games(games: int) -> str:
    return "the only game was" if games == 1 else f"all {games:,} games were"


def _list_names(bots: Sequence[int], names: RankedNames, last: str = "and") -> str:
    if len(bots) > MAX_VERDICT_NAMES:
        named = bots[: MAX_VERDICT_NAMES - 1]
        return f"{', '.join(names[bot] for bot in named)} {last} {len(bots) - len(named)} more"
    return join_words([names[bot] for bot in bots], last)
