"""What bots answer to the same recorded questions: a copy answers as its original, in any language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

from pitboss.action_range import sample_actions
from pitboss.game import AnyGame
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.reask.reask import ReaskRequest, reask_games
from pitboss_tournament.reask.recorded_game import RecordedGame, load_recorded_game
from pitboss_tournament.reask.reference_choices import shuffle_by_seed
from pitboss_tournament.store.store import Store

MAX_SEATS_ASKED: Final = 12  # seats of games, whose questions are asked
MAX_SEAT_QUESTIONS: Final = 60  # of a seat of a game: the first ones
BOT_SECONDS: Final = 60.0  # after which a bot is asked about no further game


class AskedQuestion(NamedTuple):
    """A decision of a recorded game: both as `pitboss replay` counts."""

    game: int
    decision: int


Answers: TypeAlias = dict[AskedQuestion, Any]  # the actions that a bot chooses, where it has a choice


def choose_questions(store: Store, game: AnyGame, sandbox: SandboxLevel) -> list[tuple[RecordedGame, ReaskRequest]]:
    """Return the last question to ask in a seat of each of some games, drawn by the seed of the store.

    Raises:
        StoreError: a game cannot be read.
    """
    seats = [(result.game_id, seat) for result in store.results(with_times=False) for seat in range(len(result.seats))]
    shuffle_by_seed(seats, f"similar/{store.header.seed}")
    return list(_take_games(store, game, sandbox, seats))


def _take_games(
    store: Store, game: AnyGame, sandbox: SandboxLevel, seats: Sequence[tuple[int, int]]
) -> Iterator[tuple[RecordedGame, ReaskRequest]]:
    seen = set[int]()
    for number, seat in seats:
        if number in seen:
            continue
        recorded = load_recorded_game(store.path, number)
        record = recorded.record
        asked = recorded.decisions_asked(seat)[:MAX_SEAT_QUESTIONS]
        choices = [at for at in asked if not record.decisions[at - 1].forced]
        if choices and (record.game, record.game_version) == (game.name, game.version):
            seen.add(number)
            yield recorded, ReaskRequest(seat=seat, decision=choices[-1], sandbox=sandbox)
        if len(seen) == MAX_SEATS_ASKED:
            return


def collect_answers(game: AnyGame, asked: Sequence[tuple[RecordedGame, ReaskRequest]], entrant: Entrant) -> Answers:
    """Return what a bot answers to the questions of some games, each with those before it, in the time it has.

    Raises:
        ConfigError: the bot asks a language model.
        MachineError: the machine cannot start the bot (in an exception group).
    """
    began = monotonic()
    sessions = reask_games(game, asked, entrant, lambda: monotonic() - began > BOT_SECONDS)
    return {
        AskedQuestion(recorded.game_id, one.original.number): one.action
        for (recorded, _), session in zip(asked, sessions, strict=False)
        for one in (() if session is None else (*session.earlier, session.asked))
        if one.action is not None and len(sample_actions(one.legal)) > 1
    }


def find_contested(answers: Mapping[str, Answers]) -> frozenset[AskedQuestion]:
    """Return the questions to which not all of the bots that were asked give the same answer."""
    given: dict[AskedQuestion, list[Any]] = {}
    for own in answers.values():
        for question, action in own.items():
            given.setdefault(question, []).append(action)
    return frozenset(question for question, actions in given.items() if any(action != actions[0] for action in actions))
