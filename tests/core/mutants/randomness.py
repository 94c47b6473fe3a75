"""Games whose chance does not come from the stream that they were given."""

from __future__ import annotations

import random
from typing import ClassVar, Final

from msgspec.structs import replace

from pitboss import Random
from pitboss_magpie import messages
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_magpie.messages import MagpieOptions


class BeginsAtRandom(MagpieState):
    """Who begins is drawn from Python's own random numbers."""

    def start(self) -> None:
        """Use the global stream."""
        super().start()
        self.first = random.randrange(self.seats)
        self.turn = None if self.turn is None else self.turn._replace(seat=self.first)


class ShufflesAtRandom(MagpieState):
    """The stock is made anew with Python's own shuffle."""

    def restock(self) -> None:
        """Use the global stream."""
        super().restock()
        random.shuffle(self.table.zones[self.board.stock])


class IgnoresTheSeed(Magpie):
    """Every game is dealt from the same stream."""

    def deal(self, seats: int, options: MagpieOptions, rng: Random) -> MagpieState:
        """Use a stream of its own."""
        return super().deal(seats, options, Random("magpie"))


class DeniesItsChance(Magpie):
    """It says that it leaves nothing to chance, and shuffles."""

    def has_chance(self, seats: int, options: MagpieOptions) -> bool:
        """Say so."""
        return False


class BeginsByHash(MagpieState):
    """Who begins is the first of a set of names, whose order depends on the process."""

    def start(self) -> None:
        """Go through a set."""
        super().start()
        first = next(iter({f"player {seat}" for seat in range(self.seats)}))
        self.first = int(first[-1])
        self.turn = None if self.turn is None else self.turn._replace(seat=self.first)


class DrawsALotInSecret(MagpieState):
    """The lot is drawn from the stream itself, past the table, which cannot tell how the game came about."""

    def start(self) -> None:
        """Go past the table."""
        super().start()
        self.first = self.table.rng.randbelow(self.seats)
        self.turn = None if self.turn is None else self.turn._replace(seat=self.first)


class KeepsStateInTheGame(Magpie):
    """The game object remembers the state it dealt last, and sets its turn counter for the next."""

    def deal(self, seats: int, options: MagpieOptions, rng: Random) -> MagpieState:
        """Remember."""
        state = super().deal(seats, options, rng)
        state.turns_done = getattr(self, "dealt", 0) % 2
        self.dealt = getattr(self, "dealt", 0) + 1
        return state


class CountsInTheClass(MagpieState):
    """The counter of turns is a variable of the class, shared by all games."""

    done: ClassVar[list[int]] = [0]

    def start(self) -> None:
        """Begin to count."""
        self.done[0] = 0
        super().start()

    def view(self, seat: int) -> messages.View:
        """Show the common counter."""
        return replace(super().view(seat), turns_done=self.done[0])

    def after_drop(self, seat: int) -> None:
        """Count."""
        self.done[0] += 1
        super().after_drop(seat)


class ShufflesTheSetup(Magpie):
    """A position that is set up has its stock shuffled."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Shuffle."""
        state = super().setup(seats, options, position, rng)
        state.table.shuffle(state.board.stock)
        return state


MUTANTS: Final = (
    BeginsAtRandom,
    ShufflesAtRandom,
    IgnoresTheSeed,
    DeniesItsChance,
    BeginsByHash,
    DrawsALotInSecret,
    KeepsStateInTheGame,
    CountsInTheClass,
    ShufflesTheSetup,
)
