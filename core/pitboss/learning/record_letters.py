"""A finished game as learners see it: every letter that a player chose, with what its seat knew then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.errors import ReplayDiffers
from pitboss.learning.learning_game import LearningGame
from pitboss.learning.spelling import Spelling
from pitboss.options import convert_value
from pitboss.records.record import Record, replay_states


class RecordedLetter(NamedTuple):
    """A letter that a player chose."""

    decision: int  # the number of the decision in the record, from 0
    seat: int
    legal: list[int]  # the letters that were legal, ascending
    letter: int


def read_letters(game: LearningGame, record: Record, row: memoryview[float]) -> Iterator[RecordedLetter]:
    """Yield the letters of a record in their order; each time `row` holds what the seat knew before it chose.

    Decisions without a choice have no letters, nor have those that were made for a seat that failed, nor have
    open actions. Of a range the letter is that of the nearest number.

    Raises:
        ReplayDiffers: the record does not replay.
    """
    plain = game.setup.game
    states = replay_states(record, plain)
    for number, (decision, state) in enumerate(zip(record.decisions, states, strict=False)):
        if number == 0:
            state.table.stop_logging()
        if decision.forced:
            continue
        spelling = Spelling(game.alphabet, state.legal())
        if spelling.forced is not None:
            continue
        action = convert_value(decision.action, plain.Action, f"decision {number + 1}", ReplayDiffers)
        try:
            letters = spelling.spell(action)
        except ValueError:
            continue  # it is open; or illegal: to replay it fails, and says where
        for letter in letters:
            game.observe(state, decision.seat, row, spelling)
            yield RecordedLetter(number, decision.seat, spelling.letters, letter)
            spelling.add(letter)
    for _ in states:  # the end, which is compared with the outcome
        pass
