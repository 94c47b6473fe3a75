"""Fireworks: conformance, what hints tell, positions, ends of games, the estimate, the picture."""

from __future__ import annotations

import pytest

from pitboss import OptionError, PositionError, Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms
from pitboss_fireworks.cards import COPIES, is_about, list_faces, make_deck, narrow_signs, read_cards
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import Discard, FireworksAction, HeldCard, Hint, Play, Position
from pitboss_fireworks.state import FireworksState
from tests.games.trick_games import assert_narrow_pictures, correlate_estimate

GAME = Fireworks()
ANY = HeldCard()


def deal(seats: int, preset: str | None = None, seed: str = "deal", **given: object) -> FireworksState:
    """Return a game as it begins."""
    return GAME.deal(seats, resolve_options(GAME, seats, preset, given), Random(seed))


def set_up(position: Position, seats: int = 2, **given: object) -> FireworksState:
    """Return a game at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("position"))


def play_well(state: FireworksState, rng: Random) -> FireworksAction:
    """Play a card that fits, mostly; else do what costs no life: so games get far."""
    assert state.turn is not None
    cards, held = state.cards, state.table.zones[state.hands[state.turn.seat]]
    for slot, card in enumerate(held, 1):
        if state.heights[cards.rows[card]] + 1 == cards.numbers[card] and rng.randbelow(6):
            return Play(slot)
    legal = list(state.legal())
    return rng.choice([action for action in legal if not isinstance(action, Play)] or legal)


@pytest.mark.once
def test_it_conforms() -> None:
    """Small games, played at random and well, keep every promise."""
    assert_conforms(GAME, seats=[2], presets=["small"], games=1, player=play_well)


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and number of players does."""
    assert_conforms(GAME, games=1, player=play_well)


@pytest.mark.parametrize(
    ("given", "size", "of_the_last"),
    [((5, False, False), 50, 10), ((6, False, True), 55, 5), ((6, True, False), 60, 10), ((2, True, True), 15, 5)],
)
def test_the_cards(given: tuple[int, bool, bool], size: int, of_the_last: int) -> None:
    """Ten of each colour; of the last one five, where each number is there once."""
    faces = make_deck(*given).faces

    assert len(faces) == size
    assert sum(str(face)[0] == str(faces[-1])[0] for face in faces) == of_the_last
    assert sum(COPIES.values()) == 10


def test_what_hints_leave_of_a_card() -> None:
    """After any hints the real card is one of those that are left, and each hint was true of it or of none."""
    for seats, preset in ((2, "rainbow"), (5, "six")):
        state, rng = deal(seats, preset), Random(preset)
        while state.turn is not None:
            for hand, possible, hinted in zip(state.hands, state.possible, state.hinted, strict=True):
                for face, signs, marks in zip(state.faces(hand), possible, hinted, strict=True):
                    assert face in list_faces(signs)
                    assert all(is_about(mark, one) for mark in marks for one in list_faces(signs))
            state.play(play_well(state, rng))


def test_hints_narrow_a_card() -> None:
    """What was pointed out keeps the sign, and the rainbow with a colour; else it has neither."""
    assert narrow_signs("RYM12", "R", True) == "RM12"
    assert narrow_signs("RYM12", "R", False) == "Y12"
    assert narrow_signs("RYM12", "2", True) == "RYM2"
    assert narrow_signs("RYM12", "2", False) == "RYM1"


@pytest.mark.parametrize("preset", ["small", "rainbow", "perfect"])
def test_a_refusal_is_what_the_legal_list_says(preset: str) -> None:
    """An action can be played if, and only if, it stands in the list."""
    every: list[FireworksAction] = [*map(Play, range(1, 7)), *map(Discard, range(1, 7))]
    every += [Hint(seat, sign) for seat in range(3) for sign in ("R", "Y", "W", "P", "1", "5")]
    state, choose = deal(3, preset), choose_from(Random(preset))
    for _ in range(60):
        legal = list(state.legal())
        assert [state.is_legal(action) for action in every] == [action in legal for action in every]
        assert all(map(state.is_legal, legal))
        play_on(state, choose, 1)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(hands=[[ANY] * 5]), "hands has 1 entries"),
        (Position(hands=[[ANY] * 6, [ANY] * 5]), "seat 0 holds 6 cards; a hand has 5"),
        (Position(hands=[[HeldCard("R1", "YG12")], []]), "'R1' is not possible"),
        (Position(hands=[[HeldCard("R1", "GR1")], []]), "in this order"),
        (Position(hands=[[HeldCard("R1", "RY1", "R")], []]), "pointed out with 'R'"),
        (Position(hands=[[HeldCard(possible="R5"), HeldCard(possible="R5")], []]), "do not fit what was told"),
        (Position(hands=[[HeldCard("P1")], []]), "P1"),
        (Position(heights={"P": 1}), "heights names 'P'"),
        (Position(heights={"R": 5}, discards=["R5"]), "R5"),
        (Position(stock=["R1"]), "stock has 1 cards; 40 lie nowhere else"),
        (Position(last_turns=1), "a stock is left"),
        (Position(lives=0), "seat 0 is on turn, and the game is over"),
        (Position(lives=4), "lives is 4; there are 3"),
        (Position(turn=2), "turn 2 is no seat"),
    ],
)
def test_positions_that_are_none(position: Position, message: str) -> None:
    """What cannot be is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position)


def test_the_last_turns_of_a_position() -> None:
    """Without a stock the position says how many turns are left, unless it is played on."""
    gone: list[str] = [str(face) for face in make_deck(1, rainbow=False, single=False).faces if face != "R5"]
    written = Position(hands=[[HeldCard("R5")], []], discards=gone, stock=[])

    with pytest.raises(PositionError, match="last_turns says how many"):
        set_up(written, colours=1, hand=2)


@pytest.mark.parametrize("limit", [0, 3, 12, 30, 80])
@pytest.mark.parametrize("preset", ["standard", "rainbow", "perfect", "small"])
def test_a_position_is_written_and_set_up_again(preset: str, limit: int) -> None:
    """Everything that anybody sees is the same, after the end too, and worlds agree with what was told."""
    state, rng = deal(3, preset, f"position/{limit}"), Random("again")
    for _ in range(limit):
        if state.turn is not None:
            state.play(play_well(state, rng))
    again = GAME.setup(3, state.options, state.position(), Random("other"))

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(4)] == [state.view(seat) for seat in range(4)]
    assert (again.turn, again.outcome()) == (state.turn, state.outcome())
    world = again.imagine(0, Random("world"))
    for face, signs in zip(world.faces(world.hands[0]), again.possible[0], strict=True):
        assert face in list_faces(signs)


def test_open_places_fit_what_was_told() -> None:
    """A card of a position that is left open is dealt among those that are possible."""
    told = HeldCard(possible="RY5", hinted="5")
    for number in range(20):
        position = Position(hands=[[told, told, *[ANY] * 3], [HeldCard("W1")] * 2])
        state = GAME.setup(2, resolve_options(GAME, 2), position, Random(f"open/{number}"))
        assert sorted(state.faces(state.hands[0])[:2]) == ["R5", "Y5"]


def test_a_game_whose_seed_names_the_cards() -> None:
    """They are dealt in this order, one to each player in turn; cards of another game are left alone."""
    faces = [*map(str, make_deck(2, rainbow=False, single=False).faces)]
    state = deal(2, "small", f"deck:{''.join(faces)}")

    assert [state.faces(hand) for hand in state.hands] == [["R1", "R1"], ["R1", "R2"]]
    assert state.faces(state.stock)[-1] == faces[4]
    other = deal(2, "standard", f"deck:{''.join(faces)}")
    assert len(other.faces(other.stock)) == 40


def test_options_that_cannot_be() -> None:
    """Hands for which there are too few cards, and a rainbow alone."""
    with pytest.raises(OptionError, match=r"5 players can hold 3 each"):
        resolve_options(GAME, 5, None, {"colours": 2, "hand": 4})
    with pytest.raises(OptionError, match="no rainbow"):
        resolve_options(GAME, 2, None, {"colours": 1, "hand": 2, "rainbow": True})


def test_bounds_hold() -> None:
    """No game is longer, and none has more points."""
    for number in range(20):
        state, rng, decisions = deal(2 + number % 4, "standard", f"bounds/{number}"), Random(f"{number}"), 0
        while state.turn is not None:
            state.play(play_well(state, rng))
            decisions += 1
        bounds = GAME.bounds(state.seats, state.options)
        assert bounds.decisions is not None and decisions <= bounds.decisions
        assert bounds.least <= state.outcome().points[0] <= bounds.most


def test_the_estimate() -> None:
    """It agrees better and better with the points of the game."""
    found = correlate_estimate(lambda seed: deal(3, "lenient", seed), (0, 5, 15), deals=100)

    assert found[-1] > found[0]
    assert found[-1] > 0.5


def test_the_picture() -> None:
    """Every seat sees the hands of the others, and what was told of its own, within 60 columns."""
    assert_narrow_pictures(deal(5, "six"))
    state = set_up(Position(hands=[[HeldCard("R3", "R3", "R3"), HeldCard("Y1")], [HeldCard("W2", "RW12345", "")]]))
    lines = list(state.render(0, ["Ann", "Bob"]))
    assert lines[0] == "  points 0/25  hints 8/8  lives 3/3  stock 47"
    assert lines[2].split() == [">", "0", "Ann", "·", "·"]
    assert lines[3].split() == ["told", "R3", "??"]
    assert lines[4].split() == ["1", "Bob", "W2"]
    assert lines[5].split() == ["told", "RW?"]


def test_hints_in_words() -> None:
    """A hint is said as players say it; a card of the rainbow has a look of its own."""
    assert GAME.describe_action({"do": "hint", "seat": 1, "sign": "R"}, {}) == "tell seat 1 its red cards"
    assert GAME.describe_action({"do": "hint", "seat": 1, "sign": "2"}, {}) == "tell seat 1 its 2s"
    assert GAME.describe_action({"do": "play", "slot": 1}, {}) == "play card 1"
    look = GAME.card_look("M3")
    assert look is not None and look.name == "rainbow 3"
    assert GAME.card_look("R3") is None
    assert "".join(read_cards(make_deck(6, rainbow=True, single=False)).hints) == "RYGBW12345"
