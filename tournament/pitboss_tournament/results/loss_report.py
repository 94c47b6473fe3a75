"""Why a bot lost: its faults, its times, whom it lost to, its worst games and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import ReplayDiffers
from pitboss.game import AnyGame
from pitboss.records.regrets import rate_seat
from pitboss_tournament.counting.notable_games import ExtremeGames, NotableGames
from pitboss_tournament.counting.pair_choice import list_pairs_of
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.results.standings_rows import BotRow, PairRow, list_bot_rows, list_pair_rows
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.store.store import Store

DECISIONS_TOLD: Final = 5  # of all its worst games together
LOSS_SECONDS: Final = 12.0  # of processor time, for all its worst games together

RecordedAction: TypeAlias = dict[str, Any] | str | int | float | bool | list[Any] | None


class WorstGame(Struct, frozen=True):
    """A game without a forfeit in which the bot came out far below the mean of its table."""

    game_id: int
    seat: Annotated[int, Meta(description="Where the bot sat.")]
    margin: Annotated[
        float, Meta(description="Points above the mean of the table, less the luck of the draw where it is measured.")
    ]


class CostlyDecision(Struct, frozen=True):
    """A decision of the bot than which another action was better, by what the bot could know then."""

    game_id: int
    seat: int
    decision: Annotated[int, Meta(description="Its number in the game, from 1, as `pitboss replay` counts.")]
    action: Annotated[RecordedAction, Meta(description="As records have it.")]
    better: Annotated[RecordedAction, Meta(description="The best other legal action, as records have actions.")]
    cost: Annotated[
        float,
        Meta(
            description="By how many points the better action was worth more, on average over worlds that the bot "
            "could not tell from the true one; more than chance may explain."
        ),
    ]


class LossReport(Struct, frozen=True, kw_only=True):
    """Why a bot lost, or where it was worst."""

    bot: BotRow
    games: Annotated[int, Meta(description="Of the tournament, so far.")]
    decision_ms: Annotated[
        float | None,
        Meta(description="The limit of a decision; null: no clock ran, for a person, or in imported games."),
    ]
    pairs: Annotated[list[PairRow], Meta(description="The bot beside each other one, the strongest opponent first.")]
    verdict: Annotated[list[str], Meta(description="As `pitboss standings` says it.")]
    worst_games: Annotated[list[WorstGame], Meta(description="The worst first.")]
    costly_decisions: Annotated[list[CostlyDecision], Meta(description="Of these games, the costliest first.")]
    rated: Annotated[int, Meta(description="Decisions of these games that were rated.")]
    choices: Annotated[int, Meta(description="Decisions of these games in which something could be chosen.")]
    is_evaluated: Annotated[
        bool,
        Meta(description="Whether decisions have costs: the game has to be installed, and evaluate its states."),
    ]


def find_loss_reasons(summary: StoredFindings, notable: NotableGames, entrant: int, game: AnyGame | None) -> LossReport:
    """Return why a bot lost; without its game no decision has a cost.

    Raises:
        StoreError: a game cannot be read.
        RecordError: a record is not one of the game.
    """
    header, rows = summary.store.header, {row.name: row for row in list_bot_rows(summary)}
    pairs = summary.compare_pairs(list_pairs_of([entrant], range(len(header.bots))))
    own = [pair if pair.entrant == entrant else pair.reverse() for pair in pairs]
    sign = -1 if summary.tally.lowest_wins else 1
    worst = list(_list_worst_games(summary, notable, entrant))
    ratings = _rate_games(summary.store, game, worst) if game is not None else _Ratings([], 0, 0)
    return LossReport(
        bot=rows[summary.names[entrant]],
        games=summary.tally.games,
        decision_ms=None if header.entries[entrant].is_person else header.clock.decision_ms,
        pairs=sorted(list_pair_rows(summary, own), key=lambda row: sign * (row.points.estimate.mean or 0.0)),
        verdict=list(tell_verdict(summary, summary.team_scores)),
        worst_games=worst,
        costly_decisions=ratings.costly,
        rated=ratings.rated,
        choices=ratings.choices,
        is_evaluated=game is not None,
    )


def _list_worst_games(summary: StoredFindings, notable: NotableGames, entrant: int) -> Iterator[WorstGame]:
    extremes, lowest_wins = notable.extremes.get(entrant, ExtremeGames()), summary.tally.lowest_wins
    for value, number in extremes.highest if lowest_wins else extremes.lowest:
        players = summary.store.record(number).players
        yield WorstGame(number, players.index(summary.store.header.bots[entrant]), -value if lowest_wins else value)


class _Ratings(NamedTuple):
    """The decisions that cost most in some games, and how many were rated."""

    costly: list[CostlyDecision]
    rated: int
    choices: int


def _rate_games(store: Store, game: AnyGame, games: Sequence[WorstGame]) -> _Ratings:
    """Rate the decisions of the bot, for `LOSS_SECONDS` at most; what one game does not need the next ones have."""
    found, rated, choices, began = list[CostlyDecision](), 0, 0, process_time()
    for left, one in zip(range(len(games), 0, -1), games, strict=True):
        now = process_time()
        share = max(LOSS_SECONDS - (now - began), 0.1) / left

        def measure_used(since: float = now, share: float = share) -> float:
            return (process_time() - since) / share

        record = store.record(one.game_id)
        try:
            ratings = rate_seat(record, game, one.seat, measure_used)
        except ReplayDiffers:  # by the rules as they are now; `pitboss integrity --replay` says so
            continue
        if ratings is None:
            continue
        rated, choices = rated + ratings.rated, choices + ratings.choices
        for regret in ratings.regrets:
            played, better = record.decisions[regret.number - 1].action, msgspec.to_builtins(regret.better)
            found.append(CostlyDecision(one.game_id, one.seat, regret.number, played, better, regret.points))
    return _Ratings(sorted(found, key=lambda decision: -decision.cost)[:DECISIONS_TOLD], rated, choices)
