"""What bots answer to the same recorded questions: a copy answers as its original, in any language.

An answer that few give says more than one that most give. It is weighed by its surprise, as equal rare answers are in
exams (Wesolowsky 2000, *Detecting excessive similarity in answers on multiple choice exams*).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2
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


class CountedAnswer(NamedTuple):
    """An answer of a bot, and how many bots give it."""

    action: Any
    givers: int  # this bot included
    asked: int

    @property
    def others(self) -> int:
        """How many bots give it beside two that do."""
        return self.givers - 2

    @property
    def surprise(self) -> float:
        """The bits that it tells: the fewer bots give it, the more."""
        return log2(self.asked / self.givers)


CountedAnswers: TypeAlias = dict[AskedQuestion, CountedAnswer]  # of a bot, where the class is divided


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


def count_answers(answers: Mapping[str, Answers]) -> dict[str, CountedAnswers]:
    """Return the answers of each bot to the questions to which not all that were asked give the same answer."""
    given: dict[AskedQuestion, list[Any]] = {}
    for own in answers.values():
        for question, action in own.items():
            given.setdefault(question, []).append(action)
    counted = {
        label: {
            question: CountedAnswer(action, given[question].count(action), len(given[question]))
            for question, action in own.items()
        }
        for label, own in answers.items()
    }
    return {
        label: {question: one for question, one in own.items() if one.givers < one.asked}
        for label, own in counted.items()
    }


def weigh_agreement(one: CountedAnswers, other: CountedAnswers) -> float:
    """Return the share of equal answers among the questions that both have answered, weighed by their surprise."""
    both = [(answer, other[question]) for question, answer in one.items() if question in other]
    bits = [(own.surprise + its.surprise, own.action == its.action) for own, its in both]
    return sum(weight for weight, is_same in bits if is_same) / sum(weight for weight, _ in bits)
