"""A failed game: the game in which a check failed, as a record to look at and to check again."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from pitboss.errors import RecordError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.open_actions import is_playable
from pitboss.options import convert_value
from pitboss.outcome import Outcome
from pitboss.records.record import BrokenGame, Decision, Record
from pitboss.simulation.game_setup import GameSetup, OptionVariant
from pitboss.table.randomness import Random
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint, PlayStep
from pitboss.testing.framework.played_game import PlayedGame, play_game

NOTE: Final = "check-game: "  # begins the note of the decision at which a check failed
MAX_KEPT_DECISIONS: Final = 2_000  # of a game that does not end


class FailedGame(NamedTuple):
    """A game in which a check failed, and the decision before which it did; None: the game as a whole."""

    game: PlayedGame
    number: int | None

    def make_record(self, text: str) -> Record:
        """Return the record of the game, whose decision before which the check failed has a note with a text.

        A game that has not ended is kept up to its last decision that could be shown, and says why.
        """
        game = self.game
        setup = game.setup
        count = len(game)
        broken: BrokenGame | UnsetType = UNSET
        if game.error is not None:
            count = max(0, count - 1)
            broken = BrokenGame(why=game.error, action=game.actions[-1] if game.actions else None)
        elif game.outcome is None:
            count = min(count, MAX_KEPT_DECISIONS)
            broken = BrokenGame(why=f"after {len(game):,} decisions it was not over")
        decisions = [
            Decision(seat=turn.seat, action=action)
            for turn, action in zip(game.turns[:count], game.actions[:count], strict=True)
        ]
        at = count - 1 if self.number is None else min(self.number, count - 1)
        if at >= 0:
            decisions[at] = replace(decisions[at], note=f"{NOTE}{text}")
        drawn = Outcome((0.0,) * setup.seats, (1,) * setup.seats, setup.sides)
        return Record(
            game=str(setup.game.name),
            game_version=setup.game.version,
            options=msgspec.to_builtins(setup.options),
            seed=game.seed,
            players=[f"seat {seat}" for seat in range(setup.seats)],
            decisions=decisions,
            outcome=game.outcome if broken is UNSET and game.outcome is not None else drawn,
            broken=broken,
        )


def find_failed_game(subject: object) -> FailedGame | None:
    """Return the game that a check was about; None if it was about no game that was played."""
    if isinstance(subject, PlayStep):
        subject = subject.point
    if isinstance(subject, DecisionPoint):
        return FailedGame(subject.played_game, subject.number)
    return FailedGame(subject, None) if isinstance(subject, PlayedGame) else None


def play_again(record: Record, game: AnyGame) -> tuple[PlayedGame, set[int]]:
    """Play a recorded game again, also the action that broke it off; return it, and its decisions that have a note.

    Raises:
        RecordError: the record is of another game, or its options are not an object.
        OptionError, ReplayDiffers: its options, or an action, are not of the game as it is now.
    """
    if record.game != game.name or not isinstance(record.options, dict):
        raise RecordError(f"this is a record of {record.game}, with options {record.options!r}, not one of {game.name}")
    seats = len(record.players)
    options = resolve_options(game, seats, overrides=record.options)
    setup = CheckedSetup(GameSetup(game, seats, options, OptionVariant()), record.seed)
    written = [decision.action for decision in record.decisions]
    if record.broken is not UNSET and record.broken.action is not None:
        written.append(record.broken.action)
    else:
        setup.max_decisions = min(setup.max_decisions, max(1, len(written)))
    actions = iter([convert_value(one, game.Action, f"game {game.name}", RecordError) for one in written])

    def repeat(state: AnyState, rng: Random) -> object:
        action = next(actions, None)
        legal = state.legal()
        return legal[0] if action is None or not is_playable(action, state, legal) else action

    noted = {number for number, one in enumerate(record.decisions) if (one.note or "").startswith(NOTE)}
    return play_game(setup, record.seed, "as recorded", repeat), noted
