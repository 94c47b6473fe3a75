"""Games that cannot be written down: positions, records and logs that are not the game."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from msgspec.structs import replace

from pitboss import PositionError, Random, Turn
from pitboss_magpie import messages
from pitboss_magpie.magpie import Magpie, MagpieState
from pitboss_magpie.messages import MagpieOptions
from pitboss_magpie.position import write_position


class PositionForgetsTakenCard(MagpieState):
    """The written position does not say which card was just taken."""

    def position(self) -> messages.Position:
        """Leave a field out."""
        return replace(write_position(self), taken=None)


class PositionForgetsTurns(MagpieState):
    """The written position does not say how many turns are done."""

    def position(self) -> messages.Position:
        """Leave a field out."""
        return replace(write_position(self), turns_done=0)


class ForgetsWhatIsOpen(MagpieState):
    """The written position does not say which cards everybody knows."""

    def position(self) -> messages.Position:
        """Leave fields out."""
        return replace(write_position(self), open_hands=None, open_nests=None)


class ForgetsThePhase(Magpie):
    """A position that is set up always begins with a draw."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Leave the phase out."""
        state = super().setup(seats, options, position, rng)
        state.turn = Turn(position.turn, "draw")
        return state


class ForgetsTheStock(MagpieState):
    """The written position leaves the order of the stock open: it is dealt anew."""

    def position(self) -> messages.Position:
        """Leave the stock out."""
        return replace(write_position(self), stock=None)


class WritesTheStockUpsideDown(MagpieState):
    """The stock is written from its top, and read from its bottom."""

    def position(self) -> messages.Position:
        """Turn the stock over."""
        plain = write_position(self)
        return replace(plain, stock=(plain.stock or [])[::-1])


class SetupIgnoresOptions(Magpie):
    """A position is set up with the default number of turns."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Use other options."""
        state = super().setup(seats, options, position, rng)
        state.options = replace(options, turns=options.turns + 1)
        return state


class CrashesOnAWrongSeat(Magpie):
    """A position whose player on turn does not exist gives an error of Python's."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Look at the hand first."""
        hands = position.hands or [[]] * seats
        len(hands[position.turn])
        return super().setup(seats, options, position, rng)


class AcceptsACardTwice(Magpie):
    """A position may name a card twice; another then lies nowhere."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Believe what is written about the discards."""
        discard = position.discard or []
        state = super().setup(seats, options, replace(position, discard=list(dict.fromkeys(discard))), rng)
        state.table.zones[state.board.discard] = state.table.layout.deck.find_cards([]) + [
            state.table.layout.deck.copies(face)[0] for face in discard
        ]
        return state


class AcceptsAnUnknownCard(Magpie):
    """A position may name a card that the deck does not hold, which gives an error of Python's."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Look the cards up."""
        faces = position_faces(position)
        for face in faces:
            messages.FACES.index(face)
        return super().setup(seats, options, position, rng)


class NeedsEveryHand(Magpie):
    """What a position leaves open gives an error of Python's, because the hands are looked through."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Look through the hands."""
        if any(len(hand) > 5 for hand in position.hands):  # type: ignore[union-attr]
            raise PositionError("a hand has at most five cards")
        return super().setup(seats, options, position, rng)


class WritesTuples(MagpieState):
    """The written position holds a tuple where its type says a list: read back it is another one."""

    def position(self) -> messages.Position:
        """Write a tuple."""
        plain = write_position(self)
        return replace(plain, discard=tuple(plain.discard or ()))


class TellsATuple(MagpieState):
    """The event at the end holds a tuple, which is a list when it is read again."""

    def end_game(self) -> None:
        """Tell a tuple."""
        super().end_game()
        self.table.tell("nests", worth=tuple(self.points()))


class TellsALivingList(MagpieState):
    """An event holds the game's own list, which goes on changing: the log is rewritten afterwards."""

    drops: list[int] = field(default_factory=list)

    def start(self) -> None:
        """Keep a list."""
        self.drops = [0] * self.seats
        super().start()

    def after_drop(self, seat: int) -> None:
        """Tell the list itself."""
        if self.drops and self.table.log is not None:
            self.drops[seat] += 1
            self.table.tell("drops", counts=self.drops)
        super().after_drop(seat)


class CutsTheLog(MagpieState):
    """The log is cut when the stock is made anew, to keep it short."""

    def restock(self) -> None:
        """Cut the log."""
        if self.table.log is not None:
            del self.table.log[2:]
        super().restock()


class DealsWithoutALog(MagpieState):
    """Cards are dealt while the log is switched off."""

    def start(self) -> None:
        """Deal in silence."""
        log, self.table.log = self.table.log, None
        super().start()
        self.table.log = log


class SwapsTheHandsInSilence(MagpieState):
    """When the stock is made anew the hands go round, and no event tells it."""

    def restock(self) -> None:
        """Pass the hands on."""
        super().restock()
        zones = self.table.zones
        first, second = self.board.hands[:2]
        zones[first], zones[second] = zones[second], zones[first]
        for hand in (first, second):
            for card in zones[hand]:
                self.table.known_by[card] |= hand.viewers


class ReopensEndedGames(Magpie):
    """The position of a game that is over is set up as a game with a turn left."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Let the next player draw."""
        if not position.over or not position.stock:
            return super().setup(seats, options, position, rng)
        turns_done = min(position.turns_done, options.turns * seats - 1)
        return super().setup(seats, options, replace(position, over=False, boaster=None, turns_done=turns_done), rng)


class ForgetsTheResult(Magpie):
    """A game that is over is set up with the right cards, but with another boaster: its outcome is another one."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Forget who has boasted, or believe that somebody has."""
        state = super().setup(seats, options, position, rng)
        if state.turn is None:
            state.boaster = None if state.boaster is not None else 0
        return state


class RefusesEndedGames(Magpie):
    """A position in which as many turns are done as there are is refused, also that of a game that is over."""

    def setup(self, seats: int, options: MagpieOptions, position: messages.Position, rng: Random) -> MagpieState:
        """Refuse it."""
        if position.over:
            raise PositionError(f"turns_done is {position.turns_done}; then the game is over")
        return super().setup(seats, options, position, rng)


def position_faces(position: messages.Position) -> list[str]:
    """Return all faces of a position."""
    lists = [*(position.hands or ()), *(position.nests or ()), position.discard or [], position.stock or []]
    return [face for faces in lists for face in faces]


MUTANTS: Final = (
    PositionForgetsTakenCard,
    PositionForgetsTurns,
    ForgetsWhatIsOpen,
    ForgetsThePhase,
    ForgetsTheStock,
    WritesTheStockUpsideDown,
    SetupIgnoresOptions,
    CrashesOnAWrongSeat,
    AcceptsACardTwice,
    AcceptsAnUnknownCard,
    NeedsEveryHand,
    WritesTuples,
    TellsATuple,
    TellsALivingList,
    CutsTheLog,
    DealsWithoutALog,
    SwapsTheHandsInSilence,
    ReopensEndedGames,
    ForgetsTheResult,
    RefusesEndedGames,
)
