"""The summary of a tournament as plain data: `pitboss standings --json`, and pages in a browser."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from pitboss.records.record import Incident
from pitboss_tournament.playing.played_rounds import list_rounds
from pitboss_tournament.results.summary import TournamentSummary
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.showing.active_run import ActiveRun
from pitboss_tournament.statistics.control_variate import MEASURES, LuckRemoval
from pitboss_tournament.statistics.pairwise import Comparison
from pitboss_tournament.statistics.rating_fit import RatingFit
from pitboss_tournament.statistics.time_histogram import quantile_ms


def collect_first_faults(summary: TournamentSummary) -> dict[str, tuple[int, Incident]]:
    """Return the first fault of each bot that has one, with its game."""
    found = {}
    for entrant, by_kind in summary.tally.first_faults.items():
        game, seat = min(by_kind.values())
        incidents = [incident for incident in summary.store.record(game).incidents if incident.fault.seat == seat]
        if incidents:  # there are none only in a damaged store: see `pitboss integrity`
            found[summary.names[entrant]] = (game, incidents[0])
    return found


def describe_summary(summary: TournamentSummary, running: ActiveRun | None) -> dict[str, object]:
    """Return all that `pitboss standings --json` writes."""
    tally, header = summary.tally, summary.store.header
    return {
        **{key: getattr(header, key) for key in ("game", "seed", "seats", "deals")},
        "played": tally.games,
        "decided": summary.store.end_reason(),
        "anytime": summary.anytime,
        "running": running and _run_json(running, tally.games),
        "lag_p50_ms": quantile_ms(tally.lag, 0.5),
        "lag_p99_ms": quantile_ms(tally.lag, 0.99),
        "voids": summary.voids,
        "test": "anytime" if summary.anytime else "holm",
        "verdict": list(tell_verdict(summary)),
        "standings": summary.plain_standings(),
        "fit": summary.ratings.fit and _fit_json(summary.ratings.fit, summary.names),
        "seat_ratings": summary.seat_ratings,
        "cycles": [[summary.names[bot] for bot in cycle] for cycle in summary.cycles],
        "pairs": [_pair_json(summary, pair) for pair in summary.comparisons],
        "rounds": list_rounds(summary.store),
        "duplicates": summary.variance_reduction,
        "luck": summary.luck_removal and _luck_json(summary.luck_removal),
        "favours": [
            {"bot": summary.names[one.bot], "opponent": summary.names[one.opponent], "games": one.games}
            for one in summary.favours
        ],
        "first_faults": [
            {"bot": bot, "game_id": game, "incident": incident}
            for bot, (game, incident) in collect_first_faults(summary).items()
        ],
    }


def _luck_json(removal: LuckRemoval) -> dict[str, object]:
    return {
        "measured": len(removal.luck),
        **{str(measure): removal.estimate_reduction(measure) for measure in MEASURES},
    }


def _fit_json(fit: RatingFit, names: Sequence[str]) -> dict[str, object]:
    misfits = [
        {
            **asdict(misfit),
            "better": [names[bot] for bot in misfit.better],
            "worse": [names[bot] for bot in misfit.worse],
        }
        for misfit in fit.misfits
    ]
    return {**asdict(fit), "misfits": misfits}


def _run_json(run: ActiveRun, played: int) -> dict[str, object]:
    plain = run._asdict()
    seconds = plain.pop("seconds")
    return {**plain, "games_per_second": (played - run.played_before) / seconds if seconds > 0 else None}


def _pair_json(summary: TournamentSummary, pair: Comparison) -> dict[str, object]:
    return {
        "bot": summary.names[pair.entrant],
        "other": summary.names[pair.other],
        "blocks": pair.blocks,
        "points": pair.points,
        "places": pair.places,
        "rating": summary.ratings.difference(pair.entrant, pair.other),
        "rating_chance": summary.ratings.chance_better(pair.entrant, pair.other),
    }
