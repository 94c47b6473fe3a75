"""The costliest decisions of a person in a game that is over, in words."""

from __future__ import annotations

import threading
from time import perf_counter, thread_time
from typing import Final, NamedTuple

import trio

from pitboss.records.regrets import Regret, SeatRatings, rate_seat
from pitboss.rendering.appearance import find_looks, word_faces
from pitboss.table.randomness import Random
from pitboss.text import describe_exception
from pitboss_tournament.play.browser.play_messages import CostlyMove
from pitboss_tournament.play.play_session import FinishedTable
from pitboss_tournament.text.terminal_text import escape_line, word_action

RATING_SECONDS: Final = 20.0  # of processor time
MAX_WAIT: Final = 60.0  # seconds, on a machine that is busy with something else
MOVES_TOLD: Final = 3


class RatedMoves(NamedTuple):
    """What a page says of a person's decisions."""

    costly: list[CostlyMove]
    told: str


async def rate_moves(finished: FinishedTable, seat: int) -> RatedMoves:
    """Rate the decisions of a seat in a thread, for about `RATING_SECONDS` of processor time, `MAX_WAIT` at most."""
    stopped = threading.Event()
    try:
        return await trio.to_thread.run_sync(_rate, finished, seat, stopped, abandon_on_cancel=True)
    finally:
        stopped.set()  # a thread that is abandoned ends soon


def _rate(finished: FinishedTable, seat: int, stopped: threading.Event) -> RatedMoves:
    game, began, used = finished.table.game, perf_counter(), thread_time()

    def share_used() -> float:
        if stopped.is_set():
            return 1.0
        return max((thread_time() - used) / RATING_SECONDS, (perf_counter() - began) / MAX_WAIT)

    try:
        found = rate_seat(finished.record, game, seat, share_used)
        if found is None:
            return RatedMoves([], f"{game.title} cannot be rated: the game does not evaluate its states.")
        costly = _word_regrets(finished, found.regrets[:MOVES_TOLD])
    except Exception as error:  # noqa: BLE001 - a plugin's code is called
        return RatedMoves([], escape_line(f"This game could not be rated: {describe_exception(error)}"))
    return RatedMoves(costly, _word_extent(found))


def _word_regrets(finished: FinishedTable, regrets: list[Regret]) -> list[CostlyMove]:
    game, names = finished.table.game, finished.record.players
    options, seats = finished.table.plan.options, len(names)
    deck = game.deal(seats, options, Random(finished.record.seed)).table.layout.deck
    faces = word_faces(find_looks(game, deck))

    def word(action: object) -> str:
        return escape_line(word_action(game, action, faces, names))

    return [CostlyMove(one.number, word(one.played), word(one.better), _word_points(one.points)) for one in regrets]


def _word_points(points: float) -> str:
    rounded = f"{points:,.0f}" if points >= 10 else f"{points:.1f}" if points >= 0.1 else f"{points:.2g}"
    return f"{rounded} {'point' if rounded == '1' else 'points'}"


def _word_extent(found: SeatRatings) -> str:
    """Return what limits the ratings."""
    if not found.choices:
        return "There was nothing to choose."
    part = "" if found.rated == found.choices else f" {found.rated:,} of your {found.choices:,} decisions were rated."
    if found.regrets:
        return part.strip()
    return f"No decision cost you more than chance may explain.{part}"
