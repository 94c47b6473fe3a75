"""Two versions of a bot that are compared: what is played, how far the proofs have come, and the verdict."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from math import inf, isfinite

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.counting.team_standings import compare_stored_teams
from pitboss_tournament.plan.plan import StopBounds, require_bot
from pitboss_tournament.results.numbers import format_interval, hide_wide
from pitboss_tournament.results.reversals import reversal_lines
from pitboss_tournament.rounds.stop_monitor import BoundedComparison
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.statistics.blocks import Block, complete_blocks, score_block
from pitboss_tournament.statistics.bounded_test import BoundedTestResult, BoundedVerdict
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store


class PointDifference(Struct, frozen=True, kw_only=True):
    """Difference of two bots in rating points with its confidence sequence; None: infinite or unknown."""

    estimate: float | None  # after a verdict corrected for the stop
    low: float | None  # above this with probability 1 - alpha
    high: float | None  # below this with probability 1 - beta


class ComparisonReport(Struct, frozen=True, kw_only=True):
    """A finished comparison, as `pitboss compare --json` prints it."""

    verdict: BoundedVerdict
    sentence: str
    old: str
    new: str
    game: str
    seats: int
    seed: str
    bounds: StopBounds
    deals: int
    games: int
    most_games: int
    points: PointDifference
    proof_better: float
    proof_not_better: float
    faults: dict[str, dict[str, int]]
    store: str | None
    span: float | None = None  # of a cooperative game, where all points are its own: the most by which teams can differ
    met: int | None = None  # deals of a store with both bots; the test reads them in their order, up to the first proof
    points_ahead: Estimate | None = None  # of a store: by how many points a game NEW is ahead, against its field
    is_without_luck: bool = False  # of the draw: these points
    against_field: str | None = None  # of a store: the bot that is better against its field, if another is in the pair


def announce_comparison(tournament: Tournament) -> str:
    """Return what is compared, how, and how many games it may take."""
    plan, done = tournament.plan, tournament.games_before
    assert plan.stop and plan.stop.bounds
    bounds = plan.stop.bounds
    are_copies = plan.is_cooperative or plan.stop.has_own_partners
    compared = (plan.stop.bot, plan.stop.better_than)
    others = [] if are_copies else [name for name in plan.bots if name not in compared]
    return (
        f"{plan.game}: is {plan.stop.bot} better than {plan.stop.better_than}"
        f"{f', among {len(others)} × {others[0]}' if others else ''}? "
        f"Bounds {bounds.low:g} and {bounds.high:g} points, errors {100 * bounds.alpha:g} % and {100 * bounds.beta:g} "
        f"%, at most {tournament.total_games:,} games, seed {plan.seed!r}"
        + (f"; {done:,} games are already played" if done else "")
    )


def describe_comparison(tournament: Tournament, *, has_hint: bool = True) -> ComparisonReport:
    """Return the verdict with all that led to it; with `has_hint` its sentence says what carries on without one."""
    plan, monitor, tally = tournament.plan, tournament.stop_monitor, tournament.running_standings
    assert monitor and monitor.bounded and plan.stop and plan.stop.bounds and plan.stop.bot and plan.stop.better_than
    points, test = _measure_points(monitor.bounded), monitor.bounded.run_test()
    difference = format_difference(points, plan.stop.bounds, plan.stop.span)
    hint = carry_on_hint(tournament) if has_hint and monitor.verdict is None else ""
    return ComparisonReport(
        verdict=test.verdict,
        sentence=_tell(monitor.verdict, plan.stop.bot, plan.stop.better_than, difference, tally.games, plan.stop.span)
        + f"{hint}.",
        old=plan.stop.better_than,
        new=plan.stop.bot,
        game=plan.game,
        seats=plan.seats,
        seed=plan.seed,
        bounds=plan.stop.bounds,
        deals=test.blocks,
        games=tally.games,
        most_games=tournament.total_games,
        points=points,
        proof_better=test.proof_better,
        proof_not_better=test.proof_not_better,
        faults={line.name: line.faults for line in tally.standings()},
        store=str(plan.store) if plan.keeps_store else None,
        span=plan.stop.span,
    )


def judge_stored(
    store: Store, old: str, new: str, bounds: StopBounds, span: float | None = None, luck: SeatLuck | None = None
) -> ComparisonReport:
    """Return the verdict on two bots by games that were played: by their blocks, deal by deal, as many as it takes.

    `span`: of a cooperative game, the most by which the points of two teams can differ; the bounds are points then.
    `luck` is taken out of the points of the game.

    Raises:
        ConfigError: there is no such bot, the two are one, or they never met (or their teams on the same deals).
    """
    header = store.header
    bots = [require_bot(key, name, header.bots) for key, name in (("OLD", old), ("NEW", new))]
    other, bot = (header.bots.index(name) for name in bots if name is not None)
    if bot == other:
        raise ConfigError(f"OLD and NEW are both {header.labels[bot]}; they must be two bots, or versions of one")
    names = header.labels[bot], header.labels[other]
    findings = StoredFindings(store, luck=luck)
    sides = None if {bot, other} <= findings.first_partners.keys() else header.sides  # such sides are rated as one
    compared = BoundedComparison(bounds, sides, header.seats, span)
    verdict, blocks = None, complete_blocks(read_scored_results(store, with_times=False), header.block_size)
    games = met = 0
    for block in blocks if span is None else ():
        scored = score_block(block, header.sides)
        if bot in scored.place_scores and other in scored.place_scores:
            met += 1
            if verdict is None:
                games += len(block)
                compared.add(scored, bot, other)
                verdict = compared.verdict_text(*names)
    if span is not None:
        verdict, games = _judge_teams(header, blocks, compared, bot, other, span)
    if not games and span is not None:
        raise ConfigError(
            f"no deal here was played by teams with {names[0]} and without {names[1]}, and by teams the other way round"
        )
    if not games:
        raise ConfigError(
            f"{names[0]} and {names[1]} never played a whole deal at one table here; "
            "`pitboss standings` compares their ratings"
        )
    points, test = _measure_points(compared), compared.run_test()
    return ComparisonReport(
        verdict=test.verdict,
        sentence=f"{_tell(verdict, *names, format_difference(points, bounds, span), games, span)}.",
        old=names[1],
        new=names[0],
        game=header.game,
        seats=header.seats,
        seed=header.seed,
        bounds=bounds,
        deals=test.blocks,
        games=games,
        most_games=games,
        points=points,
        proof_better=test.proof_better,
        proof_not_better=test.proof_not_better,
        faults={line.name: line.faults for line in findings.standings if line.name in names},
        store=None,
        span=span,
        met=met if span is None else None,
        is_without_luck=luck is not None,
        points_ahead=_compare_points(findings, bot, other),
        against_field=next(reversal_lines(findings, {frozenset((bot, other))}), None),
    )


def _judge_teams(
    header: Header, blocks: Sequence[Block], compared: BoundedComparison, bot: int, other: int, span: float
) -> tuple[str | None, int]:
    """Return the verdict on two bots of a cooperative game, if there is one, and the games of teams with one of them.

    Raises:
        ConfigError: the teams did not play the same deals.
    """
    names = header.labels[bot], header.labels[other]
    verdict = None
    for scored in compare_stored_teams(header, blocks, span):
        if verdict is None and scored.place_scores.keys() == {bot, other}:
            compared.add(scored, bot, other)
            verdict = compared.verdict_text(*names)
    teams = [{seat.entrant for seat in block[0].seats} for block in blocks] if compared.run_test().blocks else []
    return verdict, header.block_size * sum((bot in team) != (other in team) for team in teams)


def _measure_points(compared: BoundedComparison) -> PointDifference:
    estimate, low, high = map(_finite, compared.points())
    return PointDifference(estimate=estimate, low=low, high=high)


def _tell(verdict: str | None, new: str, old: str, difference: str, games: int, span: float | None) -> str:
    """Return the verdict, or that there is none, with the difference, as a sentence without its end."""
    question = "Head to head, by places" if span is None else "By the points of their teams on the same deals"
    told = verdict or f"it is undecided after {games:,} games whether {new} is better than {old}"
    return f"{question}: {told}; the difference is {difference}"


def _compare_points(findings: StoredFindings, bot: int, other: int) -> Estimate | None:
    """Return by how many points a game the first bot is ahead, as more points are better; None if that is unknown."""
    compared = None if findings.is_cooperative else findings.point_differences.compare(bot, other, anytime=True)
    if compared is None or compared.estimate.mean is None:
        return None
    mean = -compared.estimate.mean if findings.tally.lowest_wins else compared.estimate.mean
    return hide_wide(Estimate(mean, compared.estimate.half_width), compared.blocks)


def comparison_lines(found: ComparisonReport) -> Iterator[str]:
    """Yield the verdict; of a store also its deals, and the better bot against the field if that is another."""
    yield found.sentence
    if found.met is not None:
        which = f"all {found.met:,}" if found.deals == found.met else f"the first {found.deals:,} of {found.met:,}"
        stop = "" if found.deals == found.met else ", up to the first proof"
        yield f"The verdict counts {which} deals with both bots at one table{stop}."
    if found.points_ahead is not None:
        ahead = format_interval(found.points_ahead, has_sign=True)
        luck = " without the luck of the draw" if found.is_without_luck else ""
        yield (
            f"Against this field, by points{luck}: {found.new} over {found.old} {ahead} a game "
            f"(below 0: {found.old} is ahead)."
        )
    if found.against_field is not None:
        yield found.against_field


def format_proofs(test: BoundedTestResult) -> str:
    """Return how far the proofs of the two verdicts have come: "proof of better 43 %, of not better 0 %"."""
    return f"proof of better {100 * test.proof_better:.0f} %, of not better {100 * test.proof_not_better:.0f} %"


def carry_on_hint(tournament: Tournament) -> str:
    """Return what carries on a comparison that has no verdict; nothing if its games are not kept."""
    if not tournament.plan.keeps_store:
        return ""
    more = "" if tournament.end_cause == "request" else " and more --games"
    return f"; the same command with --store {shlex.quote(str(tournament.plan.store))}{more} carries on"


def _finite(points: float | None) -> float | None:
    return round(points, 2) if points is not None and isfinite(points) else None


def format_difference(difference: PointDifference, bounds: StopBounds, span: float | None = None) -> str:
    """Return a difference in words: "+38 points (90 %: +9 to +67)"; with a `span` to a tenth of a point."""
    if difference.estimate is difference.low is difference.high is None:
        return "unknown"
    digits = 0 if span is None else 1
    middle = inf if difference.low is not None else -inf
    ends = f"{_format_number(difference.low, -inf, digits)} to {_format_number(difference.high, inf, digits)}"
    sure = f"{100 * (1 - bounds.alpha - bounds.beta):g} %"
    return f"{_format_number(difference.estimate, middle, digits)} points ({sure}: {ends})"


def _format_number(points: float | None, infinite: float, digits: int) -> str:
    rounded = infinite if points is None else round(points, digits) + 0.0  # no "-0"
    return f"{rounded:+.{digits}f}".replace("inf", "∞")
