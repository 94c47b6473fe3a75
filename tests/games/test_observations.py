"""Observations: what a seat knows is in them, in any kind of field, and the check of games says what is not."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

import pytest
from msgspec import Meta, Struct

from pitboss.game import AnyState
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.view_fields import read_view_fields
from pitboss.options import IN_ORDER, IN_ZONES, LARGE, CardFace, SeatIndex, letters_of, phrases_of
from pitboss.simulation.game_setup import GameSetup, OptionVariant
from pitboss.testing.checks.learning import learners_see_views_apart
from pitboss.testing.framework.check import CheckFailed, CheckNote
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.played_game import choose_at_random, play_game
from pitboss_euchre.game import Euchre
from pitboss_euchre.messages import Call
from pitboss_euchre.messages import View as EuchreView
from pitboss_euchre.state import EuchreState

FACES: Final = ("A", "B", "B", "C")


def observe(game: LearningGame, state: AnyState) -> bytes:
    """Return what the seat on turn sees, after forced decisions."""
    spelling, row = game.find_choice(state), memoryview(bytearray(4 * game.encoder.size)).cast("f")
    assert state.turn
    game.observe(state, state.turn.seat, row, spelling)
    return row.tobytes()


def test_a_hint_is_seen_by_the_hinted_player() -> None:
    """Fireworks: after each of the hints that can be given, the other player sees something else."""
    game = prepare_game("fireworks", 2)
    seen = []
    for action in game.deal("hints").legal():
        if type(action).__name__ == "Hint":
            state = game.deal("hints")
            state.play(action)
            seen.append(observe(game, state))
    assert len(seen) == len(set(seen)) > 4


def test_who_plays_alone_is_seen() -> None:
    """Euchre: the first lead against a maker who plays alone is another situation than against two."""
    game = prepare_game("euchre", 4)
    seen = []
    for is_alone in (False, True):
        state = game.deal("alone")
        state.play(next(one for one in state.legal() if getattr(one, "alone", None) == is_alone))
        state.play(state.legal()[0])
        seen.append(observe(game, state))
    assert seen[0] != seen[1]


class CardsOfSeat(Struct, frozen=True, array_like=True):
    """Cards of a seat."""

    seat: SeatIndex
    cards: tuple[CardFace, ...] = ()


class SeatPhrase(Struct, frozen=True):
    """A phrase of a text."""

    seat: SeatIndex
    kind: Literal["a", "b"]
    to: int | None


class NumberKind(Struct, frozen=True, tag="one"):
    """A kind of struct."""

    number: int


class WordKind(Struct, frozen=True, tag="other"):
    """Another kind."""

    word: Literal["x", "y"]


class CountedCard(Struct, frozen=True):
    """A struct in a list without a bound."""

    card: CardFace
    number: int


ONE_CARD: Final = CardsOfSeat(1, ("A",))
COUNTED: Final = (CountedCard("A", 1), CountedCard("C", 1))
OTHER_COUNT: Final = CountedCard("A", 2)
PATTERN: Final = r"(?P<seat>\d)(?P<kind>[ab])(?P<to>\d*)"
Letter: TypeAlias = Literal["p", "q", "r"]
SomeLetters: TypeAlias = Annotated[list[Annotated[str, letters_of("xyz")]], Meta(max_length=2)]
FIELDS: Final[dict[str, tuple[Any, Any, Any]]] = {  # by kind: its type, and two values that have to differ
    "a card": (CardFace | None, None, "A"),
    "a text": (str, "A", "B"),
    "cards in another order": (list[CardFace], ["A", "B"], ["B", "A"]),
    "equal cards in another order": (list[CardFace], ["B", "A", "B"], ["B", "B", "A"]),
    "hidden cards": (list[CardFace | None], [None], [None, None]),
    "cards by slot": (Annotated[list[CardFace | None], IN_ORDER, Meta(max_length=3)], [None, "A"], ["A", None]),
    "cards with seats": (list[tuple[SeatIndex, CardFace]], [(0, "A"), (1, "C")], [(1, "A"), (0, "C")]),
    "tricks": (tuple[CardsOfSeat, ...], (CardsOfSeat(1, ("A", "C")),), (ONE_CARD, CardsOfSeat(1, ("C",)))),
    "a pass": (tuple[CardsOfSeat, ...], (ONE_CARD,), (ONE_CARD, CardsOfSeat(0))),
    "lists of pairs": (
        tuple[tuple[tuple[SeatIndex, CardFace], ...], ...],
        (((0, "A"),), ((1, "C"),)),
        (((0, "A"), (1, "C")),),
    ),
    "structs": (tuple[CountedCard, ...], COUNTED, COUNTED[::-1]),
    "structs with a bound": (Annotated[tuple[CountedCard, ...], Meta(max_length=2)], COUNTED[:1], (OTHER_COUNT,)),
    "kinds of structs": (NumberKind | WordKind | None, NumberKind(1), WordKind("x")),
    "a list of kinds": (Annotated[tuple[NumberKind | WordKind | None, ...], Meta(max_length=2)], (None,), (None, None)),
    "no struct": (NumberKind | None, None, NumberKind(0)),
    "seats": (tuple[SeatIndex, ...], (0, 1), (1, 0)),
    "numbers": (Annotated[list[int], Meta(max_length=3)], [0], [0, 0]),
    "a large number": (Annotated[int, LARGE], 1_000_000, 1_000_001),
    "a large negative number": (Annotated[int, LARGE], -1_000_000, -1_000_001),
    "letters": (Annotated[str, letters_of("xyz")], "x", "xz"),
    "lists of letters": (list[SomeLetters], [["x"], []], [[], ["x"]]),
    "words": (Annotated[list[Letter], Meta(max_length=400)], ["p", "q", "p"], ["q", "p", "p"]),
    "a tuple": (tuple[int, Letter], (1, "p"), (1, "q")),
    "a mapping": (dict[str, int], {"k": 1, "l": 2}, {"k": 2, "l": 1}),
    "phrases": (Annotated[str, phrases_of(SeatPhrase, PATTERN)], "0a 1b5", "0a 1b6"),
}  # fmt: skip


def write_value(kind: Any, value: Any, sample: Any, seat: int = 0) -> list[float]:  # noqa: ANN401
    """Return the numbers of a field, of a table of two seats."""
    view = type("View", (Struct,), {"__annotations__": {"field": kind}})(sample)
    found = read_view_fields(view, 2, FACES, {"field": (4,)} if "phrases" in str(kind) else None)
    [(_, writer)] = found.written
    row = memoryview(bytearray(4 * writer.size)).cast("f")
    writer.write(value, seat, row, 0)
    return [*row]


@pytest.mark.parametrize("name", FIELDS)
def test_two_values_have_different_numbers(name: str) -> None:
    """Two values of each kind of field are different numbers, from -1 to 1."""
    kind, one, other = FIELDS[name]
    sample = () if getattr(kind, "__args__", ())[-1:] == (...,) else one  # a tuple of any length is empty at the deal
    rows = [write_value(kind, value, sample) for value in (one, other)]
    assert rows[0] != rows[1]
    assert all(-1 <= number <= 1 for row in rows for number in row)


def test_a_list_of_cards_has_at_each_card_its_place() -> None:
    """The first card is 1, each later one half of a deck's share less; seats are those to the left."""
    assert write_value(list[CardFace], ["C", "B"], []) == [0.0, 0.875, 0.0, 1.0]
    assert write_value(list[tuple[SeatIndex, CardFace]], [(1, "A")], [], seat=1)[: len(FACES)] == [1.0, 0.0, 0.0, 0.0]


def test_fields_without_a_bound_are_named() -> None:
    """Lists of numbers that have no bound are not written, and cards that are in zones are left to them."""

    class MixedView(Struct):
        numbers: list[int]
        hand: Annotated[list[CardFace], IN_ZONES]
        by_seat: list[int]

    found = read_view_fields(MixedView([1, 2, 3], ["A"], [4, 5]), 2, FACES)
    assert found.unwritten == ["numbers"]
    assert found.in_zones == ["hand"]
    assert [field.name for field in found.written] == ["by_seat"]


class UnboundedEuchreView(EuchreView, frozen=True, kw_only=True):
    """A view whose calls and loners have no bound."""

    calls: tuple[Call | None, ...]
    loners: tuple[int, ...]


class UnboundedEuchreState(EuchreState):
    """A state of Euchre with this view."""

    def view(self, seat: int) -> UnboundedEuchreView:
        """Return the same fields."""
        view = super().view(seat)
        return UnboundedEuchreView(**{name: getattr(view, name) for name in view.__struct_fields__})


class UnboundedEuchre(Euchre):
    """Euchre, in which learners do not see who plays alone."""

    state = UnboundedEuchreState
    View = UnboundedEuchreView
    unlearned: ClassVar[dict[str, str]] = {}


class HonestEuchre(UnboundedEuchre):
    """The same, and the game says so."""

    unlearned: ClassVar[dict[str, str]] = {"calls": "all", "loners": "all", "trump": "all", "maker": "all"}


def test_the_check_names_what_learners_do_not_see() -> None:
    """Views with the same observation fail the check with their share and their fields, unless the game names them."""
    with pytest.raises(CheckFailed, match=r"views \(\d+\.\d%\) have the observation of another one.*'loners'"):
        check_views(UnboundedEuchre())
    with pytest.raises(CheckNote, match=r"in 'calls', 'loners': the game says so"):
        check_views(HonestEuchre())
    with pytest.raises(CheckFailed, match="`unlearned` names 'cards'"):
        check_views(type("WrongEuchre", (Euchre,), {"unlearned": {"cards": "all"}})())
    check_views(Euchre())


def check_views(game: Euchre) -> None:
    """Run the check on some games at random."""
    setup = CheckedSetup(GameSetup(game, 4, game.Options(deals=2).resolve(4), OptionVariant()))
    for number in range(4):
        learners_see_views_apart.function(play_game(setup, f"views/{number}", "at random", choose_at_random))
