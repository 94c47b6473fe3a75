"""Games that are framed while they are played: the sequence is that of the finished record, and shows no decision
before the moment is over at which it is made.
"""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
import trio

from pitboss.game import AnyGame, resolve_options
from pitboss.moments import MomentTracker
from pitboss.plugins.registry import Registry
from pitboss.records.record import Decision, Record
from pitboss.table.randomness import Random
from pitboss_tournament.match.match import Match
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.play.journal import JournalHeader, PlayJournal
from pitboss_tournament.play.person_seat import PersonLeft
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.play.terminal.terminal_person import TerminalPerson
from pitboss_tournament.web.live_game import LiveGame
from pitboss_tournament.web.replay_page import make_replay_data
from tests.core.sealed_bids import SealedBids
from tests.tournament.match.test_simultaneous import RecordingSeat
from tests.tournament.small_tournaments import make_plan, zoo_entrant

SEATS = 3
NAMES = ["a", "b", "c"]
MAX_DECISIONS = 300


def follow_game(game: AnyGame, seed: str) -> tuple[LiveGame, Record]:
    """Play a random game and sequence it for all; return the sequence and the record. In a moment nothing is shown."""
    options = resolve_options(game, SEATS)
    state = game.deal(SEATS, options, Random(seed))
    live = LiveGame(game, options, NAMES, seed, [None, *range(SEATS + 1)])
    moments, rng = MomentTracker(state), random.Random(seed)
    decisions: list[Decision] = []
    while state.turn is not None and len(decisions) < MAX_DECISIONS:
        moment = moments.follow(state)
        if moment.log_end < len(state.table.log or ()):
            assert all(len(sequence.decisions) < len(decisions) for sequence in live.sequences.values())
        decision = Decision(seat=state.turn.seat, action=rng.choice(list(state.legal())), us=7)
        state.play(decision.action)
        decisions.append(decision)
        live.add(msgspec.convert(msgspec.to_builtins(decision), Decision))
    assert state.turn is None
    record = Record(
        game=game.name,
        game_version=game.version,
        options=msgspec.to_builtins(options),
        seed=seed,
        players=NAMES,
        decisions=decisions,
        outcome=state.outcome(),
    )
    return live, record


@pytest.mark.parametrize("game", [SealedBids(), Registry().find_game("lucky-maker")], ids=lambda game: str(game.name))
def test_the_sequence_is_that_of_the_record(game: AnyGame) -> None:
    """The sequence of a game in play is that of its record, frame by frame, for every viewer."""
    for number in range(5):
        live, record = follow_game(game, f"seed {number}")
        for viewer, sequence in live.sequences.items():
            data = make_replay_data(record, game, 0, viewer)
            assert (sequence.frames, sequence.decisions) == (data.sequence.frames, data.decisions)


def test_a_person_is_told_nothing_within_a_moment(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """At the terminal nobody reads that the others have chosen before one has chosen oneself."""
    game = SealedBids()
    plan = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b"))
    journal = PlayJournal(tmp_path / "x.unfinished", JournalHeader(plan=plan, game_id=0))
    names = ["player 0", "player 1", "You"]
    person = TerminalPerson(
        game, Entrant(name="You", command=()), 2, names, PlayTerminal(is_plain=True), journal, None, str
    )
    match = Match(
        game, resolve_options(game, SEATS), [RecordingSeat(0), RecordingSeat(1), person], "together", journal=person
    )
    with pytest.raises(PersonLeft):  # nothing can be read
        trio.run(match.play, 0, ["a", "b", "c"])
    told = capfd.readouterr().out
    journal.close()

    assert "Your turn (bid)" in told
    assert "player 0: roll" in told and "player 0: bid" not in told
    assert len((tmp_path / "x.unfinished").read_text().splitlines()) == 3
