"""Admission: before a tournament each new bot starts and plays, among random players, and who fails is left out.

A bot that crashes gives its opponents free wins, which distorts a Swiss most. The checks ask no more than what
each game of the tournament asks: its clock, its limits, its sandbox, and no forfeited game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import trio
from msgspec.structs import replace

from pitboss.game import AnyGame
from pitboss.open_actions import NOTHING_OPEN, OpenChoices
from pitboss.records.record import Incident
from pitboss.table.events import AnyEvent
from pitboss.text import truncate_text
from pitboss_tournament.bot_checks.watched_games import RandomSeat
from pitboss_tournament.match.bot_seat import BotSeat, close_all, settle_all
from pitboss_tournament.match.match import Match
from pitboss_tournament.match.model_link import choose_first
from pitboss_tournament.match.seat import Answer, Seat
from pitboss_tournament.plan.plan import Admission, Entrant, Plan
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.rounds.schedule import draw_bot_seeds, greet_entrant
from pitboss_tournament.running.worker import MAX_VOID_TRIES, VOID_PAUSE_SECONDS
from pitboss_tournament.statistics.scoring import score_game

LONGEST_REASON: Final = 200  # characters
FIRST_SECONDS: Final = 60.0  # for a first decision


def find_unfit(plan: Plan, game: AnyGame, admission: Admission, entrants: Sequence[Entrant]) -> dict[str, str]:
    """Return why bots are not admitted, by name; those that are, are not among them.

    Raises:
        MachineError: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_play_all, plan, game, admission, entrants)


def find_unable(plan: Plan, game: AnyGame, entrants: Sequence[Entrant]) -> dict[str, str]:
    """Return why bots cannot play on this machine, by name: each is started, and asked for its first decision.

    Raises:
        MachineError: the machine has no means to start a bot (in an exception group).
    """
    return {
        name: truncate_text(f"{one.fault.kind}: {one.fault.message}", LONGEST_REASON)
        for name, one in find_first_incidents(plan, game, entrants).items()
    }


def find_first_incidents(plan: Plan, game: AnyGame, entrants: Sequence[Entrant]) -> dict[str, Incident]:
    """Return the faults of bots at their starts or their first decisions, by name, each with its evidence.

    Raises:
        MachineError: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_ask_all, plan, game, entrants)


def find_first_fault(plan: Plan, game: AnyGame, admission: Admission, entrant: Entrant) -> Incident | None:
    """Return the first fault by which a bot forfeits a game of its admission, with its evidence; None if it is fit.

    Raises:
        MachineError: the machine has no means to start a bot (in an exception group).
    """

    async def play() -> Incident | None:
        async with open_supervisor(plan.sandbox, available_cpus(), ask_model=choose_first) as supervisor:
            return await _play_games(supervisor, plan, game, admission, entrant)

    return trio.run(play)


async def _ask_all(plan: Plan, game: AnyGame, entrants: Sequence[Entrant]) -> dict[str, Incident]:
    found: dict[str, Incident] = {}
    at_once = trio.CapacityLimiter(available_cpus())
    async with (
        open_supervisor(plan.sandbox, available_cpus(), ask_model=choose_first) as supervisor,
        trio.open_nursery() as nursery,
    ):

        async def ask(entrant: Entrant) -> None:
            async with at_once:
                if incident := await _ask_first_again(supervisor, plan, game, entrant):
                    found[entrant.name] = incident

        for entrant in entrants:
            nursery.start_soon(ask, entrant)
    return found


class _OnceAskedSeat(BotSeat):
    """A bot that is asked for one decision, by which a scope is left."""

    scope: trio.CancelScope
    incident: Incident | None = None

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer | Incident:
        """Keep the incident, if there is one, and leave the scope."""
        answer = await super().decide(phase, legal, view, events, together, beside)
        self.incident = answer if isinstance(answer, Incident) else None
        self.scope.cancel()
        await trio.lowlevel.checkpoint()
        return answer


async def _ask_first_again(supervisor: BotSupervisor, plan: Plan, game: AnyGame, entrant: Entrant) -> Incident | None:
    """Return the incident as `_ask_first` does; if the machine fails, ask again, as void games are played again."""
    for _ in range(MAX_VOID_TRIES - 1):
        with suppress(MachineError):
            return await _ask_first(supervisor, plan, game, entrant)
        await trio.sleep(VOID_PAUSE_SECONDS)
    return await _ask_first(supervisor, plan, game, entrant)


async def _ask_first(supervisor: BotSupervisor, plan: Plan, game: AnyGame, entrant: Entrant) -> Incident | None:
    """Return the incident of a bot at its start or its first decision; None too if it takes long."""
    seed = f"start/{entrant.name}"
    seeds = draw_bot_seeds(seed, plan.seats)
    hello = greet_entrant(plan, entrant, 0, seeds[0])
    bot = _OnceAskedSeat(supervisor, replace(entrant, memory=None), game, hello, plan.faults, opponents=plan.opponents)
    players: list[Seat] = [bot, *(RandomSeat(seat, seed) for seat in range(1, plan.seats))]
    try:
        with trio.move_on_after(FIRST_SECONDS) as bot.scope:
            played = await Match(game, plan.options, players, seed).play(0, seeds)
            return next(iter(played.record.incidents), None)
    finally:
        with trio.CancelScope(shield=True):
            await close_all([bot])
    return bot.incident


async def _play_all(plan: Plan, game: AnyGame, admission: Admission, entrants: Sequence[Entrant]) -> dict[str, str]:
    found: dict[str, str] = {}
    at_once = trio.CapacityLimiter(plan.games_at_once)
    async with (
        open_supervisor(plan.sandbox, available_cpus(), ask_model=choose_first) as supervisor,
        trio.open_nursery() as nursery,
    ):

        async def play(entrant: Entrant) -> None:
            async with at_once:
                if incident := await _play_games(supervisor, plan, game, admission, entrant):
                    fault = incident.fault
                    found[entrant.name] = truncate_text(f"not admitted: {fault.kind}: {fault.message}", LONGEST_REASON)

        for entrant in entrants:
            nursery.start_soon(play, entrant)
    return found


async def _play_games(
    supervisor: BotSupervisor, plan: Plan, game: AnyGame, admission: Admission, entrant: Entrant
) -> Incident | None:
    """Play games with a bot, each in another seat; return its first fault that forfeits one.

    After `admission.seconds` it is admitted as it is.
    """
    with trio.move_on_after(admission.seconds):
        for number in range(admission.games):
            seat, seed = number % plan.seats, f"admission/{entrant.name}/{number}"
            seeds = draw_bot_seeds(seed, plan.seats)
            hello = greet_entrant(plan, entrant, seat, seeds[seat])
            bot = BotSeat(supervisor, replace(entrant, memory=None), game, hello, plan.faults)
            players = [bot if one == seat else RandomSeat(one, seed) for one in range(plan.seats)]
            try:
                played = await Match(game, plan.options, players, seed).play(number, seeds)
                await settle_all([bot])
            finally:
                with trio.CancelScope(shield=True):
                    await close_all([bot])
            if score_game(played.record, tuple(range(plan.seats)))[seat].fault is not None:
                return played.record.incidents[-1]
    return None
