"""The summary of a tournament as plain data: `pitboss standings --json`, and pages in a browser."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from pitboss.records.record import Incident
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.plan.plan import RankBy
from pitboss_tournament.results.headline import Headline, add_places
from pitboss_tournament.results.model_use import ModelUse, list_model_use
from pitboss_tournament.results.own_settings import list_run_levels
from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_bot_rows, list_pair_rows
from pitboss_tournament.results.verdict import detail_verdict, tell_verdict
from pitboss_tournament.rounds.round_replay import RoundTable, list_rounds
from pitboss_tournament.rounds.stored_headline import StageSummary, list_stages, read_headline
from pitboss_tournament.running.active_run import ActiveRun
from pitboss_tournament.statistics.control_variate import LuckRemoval
from pitboss_tournament.statistics.proven_ranks import RankedNames
from pitboss_tournament.statistics.rating_fit import RatingFit
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.teams import TeamStanding
from pitboss_tournament.statistics.time_histogram import quantile_ms
from pitboss_tournament.statistics.variance_reduction import VarianceReduction


class RunSummary(Struct, frozen=True):
    """A run that is on its way."""

    pid: Annotated[int | None, Meta(description="Null if its process cannot be seen.")]
    began: str | None
    played_before: int
    total: int | None
    games_per_second: float | None


class MisfitSummary(Struct, frozen=True):
    """Bots whose results the ratings do not fit."""

    better: Annotated[list[str], Meta(description="Those rated higher.")]
    worse: list[str]
    pairs: Annotated[int, Meta(description="Of places that differ.")]
    played: Annotated[float, Meta(description="The share of them in which the better ones were ahead.")]
    predicted: float


class FitSummary(Struct, frozen=True):
    """How well the ratings fit: how often the bot rated higher was ahead."""

    pairs: int
    played: float
    predicted: float
    misfits: list[MisfitSummary]


class LuckSummary(Struct, frozen=True):
    """What taking out the luck of the draw saved."""

    measured: Annotated[int, Meta(description="Games in which it was measured.")]
    points: VarianceReduction
    wins: VarianceReduction


class FavourSummary(Struct, frozen=True):
    """A bot that forfeited games with one opponent only."""

    bot: str
    opponent: str
    games: int


class GiftSummary(Struct, frozen=True, kw_only=True):
    """A bot that does better with another one at its table than the ratings explain."""

    giver: str
    gainer: str
    blocks: Annotated[int, Meta(description="Complete ones in which both sat at the table.")]
    gain: Annotated[
        Estimate, Meta(description="Of the share of beaten opponents, -1 to 1: with the giver, less without.")
    ]
    sureness: Annotated[
        float, Meta(description="That the gain is more than 0.05, of all pairs together; 0.95 or more.")
    ]
    rating: Annotated[Estimate, Meta(description="Of the gainer.")]
    rating_without: Annotated[
        Estimate, Meta(description="Of the gainer without the games of all these pairs; null: it has no others.")
    ]


class FaultSummary(Struct, frozen=True):
    """The first fault of a bot."""

    bot: str
    game_id: int
    incident: Annotated[Incident, Meta(description="As records have it.")]


class SummaryData(Struct, frozen=True, kw_only=True):
    """The results of a tournament, finished or on its way."""

    game: str
    seed: str | UnsetType = UNSET  # pages that anybody may open do not tell it
    seats: int
    deals: int
    played: Annotated[int, Meta(description="Games.")]
    decided: Annotated[
        str | None,
        Meta(description="Why it was over before all games were played, or the order in which its format ends."),
    ]
    anytime: Annotated[bool, Meta(description="Whether the intervals of the standings hold however often one looks.")]
    open_length: Annotated[str | None, Meta(description="Why: the number of games was not fixed beforehand.")]
    running: RunSummary | None
    lag_p50_ms: float | None
    lag_p99_ms: float | None
    voids: Annotated[dict[str, int], Meta(description="Games broken off without a fault of a bot, by cause.")]
    sandbox: Annotated[list[str], Meta(description="The level of the sandbox of each run; empty of imported games.")]
    rank: Annotated[RankBy, Meta(description="What ranks go by.")]
    test: Annotated[Literal["anytime", "holm"], Meta(description="By which places tell two bots apart.")]
    headline: Annotated[Headline, Meta(description="Who has won, in one sentence, and the places.")]
    stages: Annotated[list[StageSummary], Meta(description="That have begun, of a format that has several.")]
    verdict: Annotated[list[str], Meta(description="Its sentences.")]
    standings: list[BotRow]
    teams: Annotated[
        list[TeamStanding], Meta(description="Of a cooperative game: those who played at one table, most points first.")
    ]
    fit: Annotated[FitSummary | None, Meta(description="Null with two bots.")]
    seat_ratings: Annotated[
        list[Estimate],
        Meta(description="What each seat is worth above their mean; empty if none differs from the others at 95 %."),
    ]
    cycles: Annotated[
        list[list[str]], Meta(description="Three bots each, proven better than the next, the last than the first.")
    ]
    pairs: Annotated[
        list[PairRow],
        Meta(description="All of them; of more than 45 bots those that `pitboss standings --pairs` shows."),
    ]
    pairs_left_out: Annotated[int, Meta(description="How many pairs are not in `pairs`.")]
    rounds: Annotated[list[RoundTable], Meta(description="Of a format with several: the tables of each.")]
    duplicates: Annotated[VarianceReduction, Meta(description="What duplicate deals saved.")]
    luck: Annotated[LuckSummary | None, Meta(description="Null where it is not taken out.")]
    models: Annotated[list[ModelUse], Meta(description="What bots asked their language models; empty: none has one.")]
    favours: list[FavourSummary]
    gifts: Annotated[list[GiftSummary], Meta(description="Told by chance in at most 5 % of tournaments without gifts.")]
    first_faults: list[FaultSummary]


def collect_first_faults(summary: StoredFindings) -> dict[str, tuple[int, Incident]]:
    """Return the first fault of each bot that has one, with its game."""
    found = {}
    for entrant, by_kind in summary.tally.first_faults.items():
        game, seat = min(by_kind.values())
        incidents = [incident for incident in summary.store.record(game).incidents if incident.fault.seat == seat]
        if incidents:  # there are none only in a damaged store: see `pitboss integrity`
            found[summary.names[entrant]] = (game, incidents[0])
    return found


def describe_summary(summary: StoredFindings, running: ActiveRun | None, *, shows_seed: bool = True) -> SummaryData:
    """Return all that `pitboss standings --json` writes."""
    tally, header, names = summary.tally, summary.store.header, summary.names
    headline = read_headline(summary, summary.store, summary.team_scores)
    return SummaryData(
        game=header.game,
        seed=header.seed if shows_seed else UNSET,
        seats=header.seats,
        deals=header.deals,
        played=tally.games,
        decided=summary.store.end_reason(),
        anytime=summary.anytime,
        open_length=summary.open_length,
        sandbox=list_run_levels(summary.store),
        rank=header.rank,
        running=running and _describe_run(running, tally.games),
        lag_p50_ms=quantile_ms(tally.lag, 0.5),
        lag_p99_ms=quantile_ms(tally.lag, 0.99),
        voids=summary.voids,
        test="anytime" if summary.anytime else "holm",
        headline=headline,
        stages=list_stages(summary.store),
        verdict=[*tell_verdict(summary, summary.team_scores), *detail_verdict(summary, summary.team_scores)],
        standings=add_places(list_bot_rows(summary), headline),
        teams=summary.teams,
        fit=None if summary.ratings.fit is None else _describe_fit(summary.ratings.fit, summary.ranked_names),
        seat_ratings=summary.seat_ratings,
        cycles=[[names[bot] for bot in cycle] for cycle in summary.cycles],
        pairs=list_pair_rows(summary, summary.shown_comparisons),
        pairs_left_out=summary.pair_choice.left_out,
        rounds=list_rounds(summary.store),
        duplicates=summary.variance_reduction,
        luck=None if summary.luck_removal is None else _describe_luck(summary.luck_removal),
        models=list_model_use(summary.store),
        favours=[FavourSummary(names[one.bot], names[one.opponent], one.games) for one in summary.favours],
        gifts=list_gift_summaries(summary),
        first_faults=[
            FaultSummary(bot, game, incident) for bot, (game, incident) in collect_first_faults(summary).items()
        ],
    )


def list_gift_summaries(rated: Findings) -> list[GiftSummary]:
    """Return the gifts of a tournament with the names of its bots."""
    return [
        GiftSummary(
            giver=rated.names[gift.giver],
            gainer=rated.names[gift.gainer],
            blocks=gift.blocks,
            gain=gift.gain,
            sureness=gift.sureness,
            rating=rated.ratings.rating_of(gift.gainer).points,
            rating_without=rated.gifts.ratings[gift.gainer],
        )
        for gift in rated.gifts.found
    ]


def _describe_luck(removal: LuckRemoval) -> LuckSummary:
    return LuckSummary(len(removal.luck), removal.estimate_reduction("points"), removal.estimate_reduction("wins"))


def _describe_fit(fit: RatingFit, names: RankedNames) -> FitSummary:
    misfits = [
        MisfitSummary(
            **{
                **asdict(misfit),
                "better": [names[bot] for bot in misfit.better],
                "worse": [names[bot] for bot in misfit.worse],
            }
        )
        for misfit in fit.misfits
    ]
    return FitSummary(fit.pairs, fit.played, fit.predicted, misfits)


def _describe_run(run: ActiveRun, played: int) -> RunSummary:
    speed = (played - run.played_before) / run.seconds if run.seconds > 0 else None
    return RunSummary(run.pid, run.began, run.played_before, run.total, speed)
