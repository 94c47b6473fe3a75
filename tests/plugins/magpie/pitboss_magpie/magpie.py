"""Magpie: a small healthy game, made to be broken. Every kind of thing that a game can do to a table is in it.

Two to four players; a deck of eighteen cards A1 to C6 and three jokers. Each has a hand and a nest of two places; the
nests count at the end.

M1  Everybody gets a hand, then two cards into the nest; one card is turned up. A lot decides who begins.
M2  Draw: a card from the stock, or the top discard (no joker); or lay the top discard into the nest, the card there is
    discarded.
M3  Drop: a card from the hand, not the one just taken. On a joker, who holds one must drop a joker: who does not, holds
    none.
M4  With graves: a card that may be dropped may be buried instead, face down.
M5  Who then holds two fives or two sixes may boast, and the game ends. Nobody else learns that it could have been.
M6  When the stock is used up, the discards and the grave are shuffled and one card is turned up.
M7  After the last turn the nests are shown: a point for every three, four for a boast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import ClassVar, Final, Self

from pitboss import (
    Deck,
    Layout,
    Outcome,
    PublicCount,
    PublicCounts,
    Random,
    Sides,
    Table,
    TableGame,
    TableState,
    Turn,
    Visibility,
    outcome_by_side,
    solo_sides,
)
from pitboss.determinization.sampling import sample_world
from pitboss.game import GameBounds
from pitboss.plugins.hookspec import hookimpl
from pitboss.rendering.table_text import render_table
from pitboss.table.constraints import Constraint
from pitboss_magpie import messages
from pitboss_magpie.messages import (
    FACES,
    JOKER,
    NEST,
    PRESETS,
    Action,
    Boast,
    Bury,
    Draw,
    Drop,
    Lay,
    MagpieOptions,
    Phase,
    Position,
    Take,
    View,
    Wait,
)
from pitboss_magpie.position import card_number, has_pair, set_up_position, write_position

BOAST_POINTS: Final = 4


class MagpieBoard:
    """The zones for a number of players."""

    def __init__(self, seats: int) -> None:
        self.layout = Layout(Deck(FACES), seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)
        self.grave = self.layout.add_pile("grave", Visibility.NOBODY)
        self.hands = self.layout.add_hands("hand")
        self.nests = self.layout.add_racks("nest", NEST)


@lru_cache
def board_for(seats: int) -> MagpieBoard:
    """Return the board for a number of players."""
    return MagpieBoard(seats)


def holds_no_joker(cards: Iterable[int | None]) -> bool:
    """M3: tell whether these cards are surely no jokers."""
    return all(card is not None and FACES[card] != JOKER for card in cards)


def holds_pair(cards: Iterable[int | None]) -> bool:
    """M5: tell whether two of these cards are surely fives, or two are sixes."""
    return has_pair(FACES[card] for card in cards if card is not None)


def is_other_card(taken: int, cards: Iterable[int | None]) -> bool:
    """M3: tell whether the cards are surely others than the one just taken."""
    return all(card is not None and card != taken for card in cards)


def find_partners(seats: int, options: MagpieOptions) -> Sides:
    """M7: return the sides: of four with partners, those who sit opposite."""
    return ((0, 2), (1, 3)) if options.partners else solo_sides(seats)


class MagpieState(TableState[MagpieOptions, Action]):
    """A game of Magpie at one moment."""

    preset: ClassVar[str | None] = None  # that a mutant of it has to be played with
    players: ClassVar[int] = 3  # and by so many
    games: ClassVar[int] = 6  # until its fault should have shown

    board: MagpieBoard
    sides: tuple[tuple[int, ...], ...]
    first: int = 0
    turns_done: int = 0
    taken: int | None = None  # the card that may not be dropped in this turn
    boaster: int | None = None

    @classmethod
    def create(cls, seats: int, options: MagpieOptions, rng: Random) -> Self:
        """Return a state before the deal."""
        board = cls.make_board(seats)
        table = Table(board.layout, rng, board.stock)
        return cls(options=options, table=table, rng=rng, board=board, sides=find_partners(seats, options))

    @classmethod
    def make_board(cls, seats: int) -> MagpieBoard:
        """Return the board for a number of players."""
        return board_for(seats)

    def legal(self) -> Sequence[Action]:
        """M2 to M5: what the player on turn may do."""
        if self.turn is None:
            return []
        seat, phase = self.turn
        if phase == "draw":
            return self.draw_actions()
        if phase == "drop":
            return self.drop_actions(seat)
        return [Wait(), Boast()]

    def draw_actions(self) -> list[Action]:
        """M2: the stock, or the top discard."""
        top = self.table.faces(self.board.discard)[-1:]
        actions: list[Action] = [Draw()]
        if top and top[0] != JOKER:
            actions.append(Take())
        return actions + [Lay(place) for place in NEST] if top else actions

    def drop_actions(self, seat: int) -> list[Action]:
        """M3, M4: on a joker a joker, or else any card but the one just taken."""
        faces = self.table.layout.deck.faces
        held = self.table.zones[self.board.hands[seat]]
        if self.is_joker_up() and any(faces[card] == JOKER for card in held):
            return [Drop(JOKER)]
        free = sorted({str(faces[card]) for card in held if card != self.taken})
        dropped: list[Action] = [Drop(face) for face in free]
        return dropped + [Bury(face) for face in free] if self.options.graves else dropped

    def apply(self, action: Action) -> None:
        """Do a legal action, and all that follows up to the next decision."""
        self.apply_action(self.require_turn().seat, action)

    def apply_action(self, seat: int, action: Action) -> None:
        """Do a legal action of a seat."""
        table, board = self.table, self.board
        match action:
            case Draw():
                table.draw(board.stock, board.hands[seat])
                self.turn = Turn(seat, "drop")
            case Take():
                self.taken = table.draw(board.discard, board.hands[seat], "take")
                self.turn = Turn(seat, "drop")
            case Lay():
                table.swap(board.discard, board.nests[seat], action.place - 1, board.discard, "lay")
                self.after_drop(seat)
            case Drop() | Bury():
                card, is_forced = self.find_in_hand(seat, action.card), self.is_joker_up()
                pile, event = (board.discard, "drop") if isinstance(action, Drop) else (board.grave, "bury")
                table.move(card, board.hands[seat], pile, event)
                self.constrain_not_taken(card)
                if is_forced:
                    self.constrain_no_joker(seat, card)
                self.after_drop(seat)
            case Boast():
                self.boaster = seat
                table.reveal(board.hands[seat], "boast")
                self.end_game()
            case Wait():
                table.tell("wait", only=seat, seat=seat)
                self.end_turn(seat)

    def view(self, seat: int) -> View:
        """Return what a seat may know: everything that it has seen."""
        table, board = self.table, self.board
        is_player = seat < self.seats
        return View(
            hand=sorted(map(str, table.faces(board.hands[seat]))) if is_player else [],
            nest=list(map(str, table.faces(board.nests[seat]))) if is_player else [],
            discard=list(map(str, table.faces(board.discard))),
            stock=len(table.zones[board.stock]),
            grave=len(table.zones[board.grave]),
            hand_sizes=[len(table.zones[hand]) for hand in board.hands],
            known_hands=[
                sorted(str(face) for face in table.faces_known_to(hand, seat) if face is not None)
                for hand in board.hands
            ],
            known_nests=[
                [None if face is None else str(face) for face in table.faces_known_to(nest, seat)]
                for nest in board.nests
            ],
            turns_done=self.turns_done,
            first=self.first,
        )

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the zones, under how many turns have been played."""
        yield f"{self.turns_done} turns, {names[self.first]} began"
        yield from render_table(self.table, seat, names)

    def public_counts(self) -> PublicCounts:
        """Return how many turns have been played, and who began."""
        began = [(PublicCount("began"),) if seat == self.first else () for seat in range(self.seats)]
        return PublicCounts((PublicCount("turns", self.turns_done),), began)

    def evaluate(self) -> Sequence[float]:
        """Return what each side has laid down so far."""
        points = self.points()
        totals = {seat: float(sum(points[one] for one in side)) for side in self.sides for seat in side}
        return [totals[seat] for seat in range(self.seats)]

    def outcome(self) -> Outcome:
        """M7: the side with the most points wins."""
        points = self.points()
        return outcome_by_side([sum(points[seat] for seat in side) for side in self.sides], self.sides)

    def points(self) -> list[int]:
        """M7: a point for every three in the nest, four for a boast."""
        nests = [sum(map(card_number, self.table.faces(nest))) // 3 for nest in self.board.nests]
        return [points + (BOAST_POINTS if seat == self.boaster else 0) for seat, points in enumerate(nests)]

    def position(self) -> Position:
        """Write down everything but the past."""
        return write_position(self)

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one: who is asked to boast has a pair."""
        also = []
        if self.turn is not None and self.turn.phase == "boast":
            also.append(Constraint(holds_pair, tuple(self.table.zones[self.board.hands[self.turn.seat]])))
        return self.with_world(sample_world(self.table, seat, rng, also))

    def set_up(self, position: messages.Position) -> None:
        """Bring a fresh state to a position."""
        set_up_position(self, position)

    # ---- what follows

    def find_in_hand(self, seat: int, face: str) -> int:
        """Return a card with this face from a hand."""
        faces = self.table.layout.deck.faces
        return next(card for card in self.table.zones[self.board.hands[seat]] if faces[card] == face)

    def is_joker_up(self) -> bool:
        """Tell whether a joker lies on the discards."""
        return self.table.faces(self.board.discard)[-1:] == [JOKER]

    def constrain_no_joker(self, seat: int, dropped: int) -> None:
        """M3: who does not drop a joker on a joker holds none; a card that was buried then is none either."""
        if FACES[dropped] != JOKER:
            self.table.constrain(holds_no_joker, [*self.table.zones[self.board.hands[seat]], dropped])

    def constrain_not_taken(self, card: int) -> None:
        """M3: the card that was dropped, or buried, is not the one just taken."""
        if self.taken is not None:
            self.table.constrain(partial(is_other_card, self.taken), [card])

    def after_drop(self, seat: int) -> None:
        """M5: who holds a pair is asked, in secret, whether to boast."""
        self.taken = None
        self.turns_done += 1
        if has_pair(self.table.faces(self.board.hands[seat])):
            self.turn = Turn(seat, "boast")
        else:
            self.end_turn(seat)

    def end_turn(self, seat: int) -> None:
        """M6, M7: the next player, if there is another turn."""
        if self.turns_done == self.options.turns * self.seats:
            self.end_game()
            return
        if not self.table.zones[self.board.stock]:
            self.restock()
        self.turn = Turn((seat + 1) % self.seats, "draw")

    def restock(self) -> None:
        """M6: the discards and the grave are shuffled, and one card is turned up."""
        table, board = self.table, self.board
        table.turn_over(board.discard, board.stock, "restock")
        table.turn_over(board.grave, board.stock, "restock")
        table.shuffle(board.stock)
        table.draw(board.stock, board.discard, "up_card")

    def end_game(self) -> None:
        """M7: the nests are shown."""
        for nest in self.board.nests:
            self.table.reveal(nest, "nest")
        self.table.tell("end", points=list(self.points()), boaster=self.boaster)
        self.turn = None

    def start(self) -> None:
        """M1: shuffle and deal."""
        table, board = self.table, self.board
        table.shuffle(board.stock)
        self.first = table.draw_lot(self.seats)
        table.tell("first", seat=self.first)
        table.deal(board.stock, board.hands, self.options.hand or 0)
        table.deal(board.stock, board.nests, len(NEST), range(len(NEST)))
        table.draw(board.stock, board.discard, "up_card")
        self.turn = Turn(self.first, "draw")


class Magpie(TableGame[MagpieOptions, MagpieState]):
    """The game of Magpie, played with a class of states."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 3
    games: ClassVar[int] = 6
    name: str = "magpie"
    title: str = "Magpie"
    seats: Sequence[int] = (2, 3, 4)
    phases: Sequence[str] = ("draw", "drop", "boast")
    Options = MagpieOptions
    Action = Action
    View = View
    Position = Position
    presets: Mapping[str, MagpieOptions] = PRESETS

    def __init__(self, state: type[MagpieState] = MagpieState) -> None:
        self.state = state

    def bounds(self, seats: int, options: MagpieOptions) -> GameBounds | None:
        """Return the bounds: a turn is a draw, a drop and a boast at most; no deck has more than 60 points."""
        return GameBounds(3 * options.turns * seats, 0, 60)

    def sides(self, seats: int, options: MagpieOptions) -> Sides:
        """M7: the sides."""
        return find_partners(seats, options)


@hookimpl
def pitboss_games() -> Iterable[Magpie]:
    """Offer the game."""
    return [Magpie()]


__all__ = [
    "Magpie",
    "MagpieBoard",
    "MagpieState",
    "Phase",
    "board_for",
    "card_number",
    "has_pair",
    "holds_no_joker",
    "holds_pair",
]
