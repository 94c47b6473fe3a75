"""Crazy Eights: conformance, who knows what, the stock, positions, the estimate, the picture."""

from __future__ import annotations

import pytest

from pitboss import OptionError, PositionError, Random
from pitboss.game import resolve_options
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms, check_game
from pitboss_eights.game import Eights
from pitboss_eights.messages import Draw, Pass, Play, Position
from pitboss_eights.state import EightsState

GAME = Eights()
SINGLE = resolve_options(GAME, 2, "single")


def set_up(position: Position, seats: int = 2, **given: object) -> EightsState:
    """Return a state at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("position"))


@pytest.mark.once
def test_it_conforms() -> None:
    """A deal with stacked twos, skips and turns of direction keeps every promise."""
    report = check_game(GAME, seats=[3], presets=["actions"], options={"deals": 1, "max_turns": 30}, games=1)

    assert not report.failures, "\n".join(map(str, report.causes))


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and option does, at tables of two, six and ten."""
    assert_conforms(GAME, seats=[2, 6, 10], games=2)


@pytest.mark.parametrize("limit", [0, 1, 5, 30, 10_000])
@pytest.mark.parametrize(("seats", "preset"), [(2, "until"), (3, "actions"), (7, "penalty")])
def test_a_position_is_written_and_set_up_again(seats: int, preset: str, limit: int) -> None:
    """Cards, points and what is to follow are the same, after the end too."""
    options = resolve_options(GAME, seats, preset, {"deals": 2, "max_turns": 50})
    state = GAME.deal(seats, options, Random("again"))
    play_on(state, choose_from(Random("again/choices")), limit)
    again = GAME.setup(seats, options, state.position(), Random("other"))

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(seats + 1)] == [state.view(seat) for seat in range(seats + 1)]
    assert (again.turn, again.totals, again.outcome()) == (state.turn, state.totals, state.outcome())


def test_all_know_the_cards_of_a_stock_that_was_made_again() -> None:
    """In every world the stock holds the cards that were played, and a card that is drawn is one of them."""
    rest = ["S8", "H8", "D8", "C8"]
    plain = [face for face in map(str, STANDARD_PACK.faces) if face[1:] != "8"]
    suits = [[face for face in plain if face[0] == suit] for suit in "SHDC"]
    hands = [suits[0] + suits[1], suits[2] + suits[3][1:]]
    state = set_up(Position(hands=[[*hand] for hand in hands], played=[*rest[:3], "CA"], stock=["C8"]))
    state.play(Draw())
    state.play(Pass())
    state.play(Draw())

    assert state.view(0).stock == 2
    for number in range(10):
        world = state.imagine(0, Random(f"stock/{number}"))
        drawn = {*world.faces(world.hands[1])} - {*hands[1]}
        assert {*world.faces(world.stock), *drawn} == {*rest[:3]}


def test_what_is_drawn_is_seen_by_its_player_alone() -> None:
    """Two cards after a two: the next player knows them, and nobody else."""
    state = set_up(Position(hands=[["H2", "C3", "C4"], ["SK"], ["SQ"]], played=["H5"]), seats=3, draw_two="2")
    state.play(Play("H2"))

    assert state.turn == (2, "play")
    assert [len(state.view(1).hand), state.view(2).counts[1]] == [3, 3]
    assert len({tuple(sorted(state.imagine(0, Random(str(number))).view(1).hand)) for number in range(9)}) > 5


def test_an_eight_is_not_turned_up() -> None:
    """Another card is turned up over it; nobody has to name a suit."""
    seed = next(str(n) for n in range(99) if len(GAME.deal(2, SINGLE, Random(str(n))).view(0).played) > 1)
    state = GAME.deal(2, SINGLE, Random(seed))

    assert state.view(0).played[0][1:] == "8" and state.view(0).played[-1][1:] != "8"
    assert state.suit == state.view(0).played[-1][0]


def test_the_first_card_acts() -> None:
    """A skip that is turned up skips the first player, and a two makes it draw."""
    turns = set()
    options = resolve_options(GAME, 3, "actions", {"deals": 1})
    for number in range(120):
        state = GAME.deal(3, options, Random(f"first/{number}"))
        rank = state.view(0).played[-1][1:]
        turns.add((rank, state.turn) if rank in ("Q", "A", "2") else ("other", state.turn))

    assert turns == {("Q", (1, "play")), ("A", (1, "play")), ("2", (0, "due")), ("other", (0, "play"))}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(turn=2), "turn 2 is no seat; 2 play"),
        (Position(hands=[["H9"]]), "hands has 1 entries; 2 play"),
        (Position(hands=[["H9"], []]), "seat 1 holds no card"),
        (Position(played=[]), "no card was played"),
        (Position(deal_no=21), "the match has 20 deals"),
        (Position(totals=[100, 0]), "it goes to 100"),
        (Position(due=2), "that needs the option stack"),
        (Position(draws=2), "a turn has 1 at most"),
        (Position(passes=1), "the stock is empty if any have passed"),
        (Position(turns=200), "a deal has 200"),
        (Position(over=True), "the match is not over"),
    ],
)
def test_positions_that_are_none(position: Position, message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position)


@pytest.mark.parametrize(
    ("seats", "given", "message"),
    [
        (10, {"packs": 1, "hand": 6}, "it is 1 to 5"),
        (2, {"skip": "A", "reverse": "A"}, "a rank does one of these"),
        (2, {"stack": True}, "it needs draw_two or draw_five"),
    ],
)
def test_options_that_do_not_go_together(seats: int, given: dict[str, object], message: str) -> None:
    """One sentence says what is allowed."""
    with pytest.raises(OptionError, match=message):
        resolve_options(GAME, seats, None, given)


@pytest.mark.parametrize("scoring", ["winner", "penalty"])
def test_the_estimate(scoring: str) -> None:
    """Who holds fewer cards is ahead, and an eight counts less than a card; at the end it is what was scored."""
    state = set_up(Position(hands=[["H9", "C2"], ["S3", "S4", "S5", "S6"]], played=["H5"]), scoring=scoring, deals=1)
    with_eight = set_up(Position(hands=[["H9", "C8"], ["S3", "S4", "S5", "S6"]], played=["H5"]), scoring=scoring)
    first, second = state.evaluate()

    assert first > second + 5
    assert scoring == "penalty" or with_eight.evaluate()[0] > first
    while state.turn is not None:
        state.play(state.legal()[0])
    assert list(state.evaluate()) == [total * (1 if scoring == "winner" else -1) for total in state.totals]


def test_what_a_silent_player_does() -> None:
    """It draws, and then passes."""
    state = set_up(Position(hands=[["H9", "C2"], ["S3"]], played=["H5"], stock=["H7"]))
    for action in (Draw(), Pass()):
        assert state.neutral() == action
        state.play(action)


def test_the_picture() -> None:
    """What follows is told, within 60 columns, at the largest table too."""
    options = resolve_options(GAME, 10, "actions", {"deals": 1})
    state, choose = GAME.deal(10, options, Random("picture")), choose_from(Random("picture"))
    names = ["a-long-name" * 3] * 10
    while state.turn is not None:
        assert all(len(line) <= 60 for line in state.render(state.turn.seat, names))
        play_on(state, choose, 5)
    told = set_up(Position(hands=[["D8", "H2"], ["C3"]], played=["H5"]))
    told.play(Play("D8", "C"))
    assert "suit clubs" in next(iter(told.render(0, names)))
