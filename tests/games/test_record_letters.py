"""Records as learners see them: the letters that were chosen, and what their seats knew then."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.errors import ReplayDiffers
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.record_letters import RecordedLetter, read_letters
from pitboss.records.record import Decision, Record
from pitboss.simulation.random_play import choose_from_words


def play_record(game: LearningGame, seed: str) -> Record:
    """Return the record of a random game."""
    state, choose = game.deal(seed), choose_from_words(seed)
    decisions = []
    while (turn := state.turn) is not None:
        action = choose(state, state.legal())
        decisions.append(Decision(seat=turn.seat, action=msgspec.to_builtins(action)))
        state.play(action)
    plain = game.setup.game
    return Record(
        game=plain.name,
        game_version=plain.version,
        options=msgspec.to_builtins(game.setup.options),
        seed=seed,
        players=[f"bot {seat}" for seat in range(game.seats)],
        decisions=decisions,
        outcome=state.outcome(),
    )


def make_row(game: LearningGame) -> memoryview[float]:
    """Return a row for an observation."""
    return memoryview(bytearray(4 * game.encoder.size)).cast("f")


@pytest.mark.parametrize("name", ["lucky-maker", "hearts", "racko"])
def test_letters_of_a_record(name: str) -> None:
    """The letters choose the recorded actions again, and each row is what the seat knew before its letter."""
    game = prepare_game(name, options={"max_rounds": 1} if name == "racko" else None)
    record, row, own = play_record(game, "x"), make_row(game), make_row(game)
    state = game.deal("x")
    found = [(one, [*row]) for one in read_letters(game, record, row)]
    assert len(found) > 10

    for number, decision in enumerate(record.decisions):
        assert state.turn
        letters = [pair for pair in found if pair[0].decision == number]
        spelling = game.find_choice(state.copy()) if letters else None
        for one, seen in letters:
            assert spelling
            assert (one.seat, one.legal) == (decision.seat, spelling.letters)
            game.observe(state, one.seat, own, spelling)
            assert seen == [*own]
            action = spelling.add(one.letter)
        if letters:
            assert msgspec.to_builtins(action) == decision.action
        else:
            assert len(state.legal()) == 1
        state.play(msgspec.convert(decision.action, game.setup.game.Action))


def test_what_was_not_chosen_is_left_out() -> None:
    """The decisions of a seat that had failed were made for it."""
    game = prepare_game("lucky-maker")
    record, row = play_record(game, "x"), make_row(game)
    forced = [replace(decision, forced=decision.seat == 1) for decision in record.decisions]

    seats = {one.seat for one in read_letters(game, replace(record, decisions=forced), row)}

    assert seats == {0, 2}


def test_a_record_that_does_not_replay() -> None:
    """A record that does not replay is refused, also if only its end is missing."""
    game = prepare_game("lucky-maker")
    record, row = play_record(game, "x"), make_row(game)

    def read(wrong: Record) -> list[RecordedLetter]:
        return list(read_letters(game, wrong, row))

    with pytest.raises(ReplayDiffers, match="decision 1"):
        read(replace(record, seed="y"))
    with pytest.raises(ReplayDiffers, match="the game goes on"):
        read(replace(record, decisions=record.decisions[:-1]))
