"""The picture of a RAGAMARU table, as a person sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_ragamaru.game import Ragamaru
from pitboss_ragamaru.messages import Draw, Field, NameColour, Pending, Play, Position, Take
from pitboss_ragamaru.state import RagamaruState

GAME = Ragamaru()
NAMES = ("ann", "bob", "cleo", "dan")
HIDDEN: list[list[str | None]] = [[None] * 7] * 3
ATTACKED = Position(
    phase="defend",
    turn=1,
    turn_no=9,
    hands=[["R1", "Y2"], ["K-TRY", "TMO", "CV"], ["B4", "B5", "SIN"], ["RAG"]],
    stock=["K9", "K10"],
    pile=["R4", "R9"],
    discards=["B-ADV"],
    field=Field(card="R-TRY", colour="R"),
    pending=Pending(attack="TRY", draw=5, converted=False),
    sin=[0, 0, 2, 0],
    seating=[0, 2, 1, 3],
    direction=-1,
)


def set_up_picture(position: Position, seats: int = 4, **given: object) -> RagamaruState:
    """Return a table at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("picture"))


def play_pictured(seats: int, **given: object) -> Iterator[RagamaruState]:
    """Yield the states of a random game."""
    state, rng = (
        GAME.deal(seats, resolve_options(GAME, seats, None, {"max_turns": 200, **given}), Random("picture")),
        Random("players"),
    )
    while state.turn is not None:
        yield state
        state.play(rng.choice(state.legal()))
    yield state


def test_what_a_player_under_attack_sees() -> None:
    """The field and the attack, the order of turns, the piles, and each player's team, number of cards and rests."""
    assert list(set_up_picture(ATTACKED, teams=2).render(1, NAMES)) == [
        "  turn 9, phase defend",
        "  field    R-TRY: red or TRY",
        "  threat   TRY to draw 5",
        "  order    1 2 0 3 (the other way)",
        "  stock    2 cards",
        "  pile     3: R4 R9 R-TRY",
        "  discards 1: B-ADV",
        "  0 ann            team 0    2  2 cards",
        "> 1 bob            team 1    3  K-TRY CV TMO",
        "  2 cleo           team 0    3  3 cards",
        "                                rests 2",
        "  3 dan            team 1    1  1 card",
    ]


def test_every_card_of_a_ragamaru_table() -> None:
    """For None hands are open, in card order, and the stock has its top card last."""
    lines = list(set_up_picture(ATTACKED).render(None, NAMES))

    assert "  stock    K10 K9" in lines
    assert lines[-2:] == [f"{'':25}rests 2", "  3 dan               1  RAG"]


@pytest.mark.parametrize(
    ("phase", "field", "words"),
    [
        ("play", Field(card="R7", colour="R", number=7), "R7: red or 7"),
        ("play", Field(card="K-CUT", colour="K", kind="CUT"), "K-CUT: black or CUT"),
        ("play", Field(card="RES", colour="Y", number=12), "RES: yellow or 12"),
        ("play", Field(card="TMO", colour="B"), "TMO: blue"),
        ("play", Field(card="RAG", free=True), "RAG: anything"),
        ("colour", Field(card="RES"), "RES: nothing named yet"),
        ("number", Field(card="RES", colour="Y"), "RES: yellow"),
    ],
)
def test_what_can_be_matched(phase: str, field: Field, words: str) -> None:
    """2.1: the colour, the number or the kind, as far as there is one."""
    position = Position(phase="play", field=field) if phase == "play" else Position(phase="colour", field=field)
    if phase == "number":
        position = Position(phase="number", field=field)

    assert list(set_up_picture(position).render(0, NAMES))[1] == f"  field    {words}"


def test_a_sin_bin_that_is_on_its_way() -> None:
    """Rests that are pending are a threat as an attack is."""
    state = set_up_picture(Position(turn=0, field=Field(card="Y4"), hands=[["SIN", "R2"], *HIDDEN]))
    state.play(Play(("SIN",)))
    state.play(NameColour("B"))

    assert list(state.render(3, NAMES))[:3] == [
        "  turn 2, phase bin",
        "  field    SIN: blue",
        "  threat   SIN to rest 2",
    ]


def test_an_attack_that_was_taken() -> None:
    """Nothing threatens any more; the cards are in the hand."""
    state = set_up_picture(ATTACKED)
    state.play(Take())

    lines = list(state.render(0, NAMES))

    assert not any("threat" in line for line in lines)
    assert "> 1 bob               8  8 cards" in lines


def test_who_draws_is_seen_to_draw() -> None:
    """The phase tells that a card was just drawn, and the hidden hand has one more."""
    state = set_up_picture(Position(turn=0, field=Field(card="Y4"), hands=[["R2", "R3"], *HIDDEN]))
    state.play(Draw())

    lines = list(state.render(2, NAMES))

    assert lines[0] == "  turn 1, phase drawn"
    assert "> 0 ann               3  3 cards" in lines


def test_before_the_first_card() -> None:
    """Who names the colour is on turn; the line tells who will start."""
    state = set_up_picture(Position(phase="first_colour", turn=1, starter=3, field=Field(card="KO")))

    assert list(state.render(0, NAMES))[:2] == [
        "  turn 1, phase first_colour, 3 starts",
        "  field    KO: nothing named yet",
    ]


@pytest.mark.parametrize(
    ("result", "hands", "words"),
    [
        ("out", [[], ["R1"]], "somebody went out"),
        ("blocked", None, "nobody can play or draw"),
        ("limit", None, "the turns are used up"),
    ],
)
def test_how_the_game_ended(result: str, hands: list[list[str | None]] | None, words: str) -> None:
    """Section 3: who looks at the last table of a record reads why there is no more."""
    position = Position(result=result, hands=hands, field=Field(card="R5"))  # type: ignore[arg-type]

    assert (
        next(iter(set_up_picture(position, seats=2).render(None, NAMES[:2]))) == f"  turn 1, the game is over: {words}"
    )


@pytest.mark.parametrize("seats", [2, 4, 10])
@pytest.mark.parametrize("seat", [None, 0])
def test_no_line_of_a_table_is_longer_than_sixty_columns(seats: int, seat: int | None) -> None:
    """The picture fits a narrow terminal, with names and hands of any length, at ten seats and in teams."""
    names = ["long-names" * 5] * seats
    teams = 0 if seats == 2 else 2

    lines = [line for state in play_pictured(seats, teams=teams) for line in state.render(seat, names)]

    assert max(map(len, lines)) <= 60


def test_a_player_learns_nothing_from_the_picture() -> None:
    """It is the same for every table that the player cannot tell from the real one."""
    rng = Random("imagined")
    for number, state in enumerate(play_pictured(4)):
        if number % 10 == 0:
            seen = list(state.render(2, NAMES))
            assert list(state.imagine(2, rng).render(2, NAMES)) == seen
