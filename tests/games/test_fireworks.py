"""Fireworks: what hints tell, open places of positions, ends of games, and bounds."""

from __future__ import annotations

import pytest

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss_fireworks.cards import COPIES, SPECIAL_LETTERS, is_about, list_faces, make_deck, narrow_signs, read_cards
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import Discard, FireworksAction, HeldCard, Hint, Play, Position
from pitboss_fireworks.state import FireworksState
from pitboss_tournament.text.terminal_text import word_action
from tests.games.players import play_fireworks_well

GAME = Fireworks()
ANY = HeldCard()


def deal(seats: int, preset: str | None = None, seed: str = "deal", **given: object) -> FireworksState:
    """Return a game as it begins."""
    return GAME.deal(seats, resolve_options(GAME, seats, preset, given), Random(seed))


def set_up(position: Position, seats: int = 2, **given: object) -> FireworksState:
    """Return a game at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("position"))


@pytest.mark.parametrize(
    ("given", "size", "of_the_last"),
    [((5, False, False), 50, 10), ((6, False, True), 55, 5), ((6, True, False), 60, 10), ((2, True, True), 15, 5)],
)
def test_the_cards(given: tuple[int, bool, bool], size: int, of_the_last: int) -> None:
    """A pack has ten cards of each colour; a last colour of single cards has five."""
    faces = make_deck(*given).faces

    assert len(faces) == size
    assert sum(str(face)[0] == str(faces[-1])[0] for face in faces) == of_the_last
    assert sum(COPIES.values()) == 10


def test_what_hints_leave_of_a_card() -> None:
    """The real card is always among the cards that hints leave, and each hint is true of all of these or of none."""
    for seats, preset in ((2, "rainbow"), (5, "six")):
        state, rng = deal(seats, preset), Random(preset)
        while state.turn is not None:
            for hand, possible, hinted in zip(state.hands, state.possible, state.hinted, strict=True):
                for face, signs, marks in zip(state.faces(hand), possible, hinted, strict=True):
                    assert face in list_faces(signs)
                    assert all(is_about(mark, one) for mark in marks for one in list_faces(signs))
            state.play(play_fireworks_well(state, rng))


def test_hints_narrow_a_card() -> None:
    """A card that a hint points out keeps the sign (a rainbow card any colour); other cards lose the sign."""
    assert narrow_signs("RYM12", "R", True) == "RM12"
    assert narrow_signs("RYM12", "R", False) == "Y12"
    assert narrow_signs("RYM12", "2", True) == "RYM2"
    assert narrow_signs("RYM12", "2", False) == "RYM1"


@pytest.mark.parametrize("preset", ["small", "rainbow", "perfect"])
def test_a_refusal_is_what_the_legal_list_says(preset: str) -> None:
    """An action can be played if, and only if, the legal list has the action."""
    every: list[FireworksAction] = [*map(Play, range(1, 7)), *map(Discard, range(1, 7))]
    every += [Hint(seat, sign) for seat in range(3) for sign in ("R", "Y", "W", "P", "1", "5")]
    state, choose = deal(3, preset), choose_from(Random(preset))
    for _ in range(60):
        legal = list(state.legal())
        assert [state.is_legal(action) for action in every] == [action in legal for action in every]
        assert all(map(state.is_legal, legal))
        play_on(state, choose, 1)


def test_the_last_turns_of_a_position() -> None:
    """Without a stock the position says how many turns are left, unless it is played on."""
    gone: list[str] = [str(face) for face in make_deck(1, rainbow=False, single=False).faces if face != "R5"]
    written = Position(hands=[[HeldCard("R5")], []], discards=gone, stock=[])

    with pytest.raises(PositionError, match="last_turns says how many"):
        set_up(written, colours=1, hand=2)


@pytest.mark.parametrize("preset", ["standard", "rainbow", "perfect", "small"])
def test_worlds_after_a_position(preset: str) -> None:
    """In a position that is set up again, the own cards of a sampled world agree with what a player was told."""
    state, rng = deal(3, preset, "position"), Random("again")
    for _ in range(12):
        state.play(play_fireworks_well(state, rng))
    again = GAME.setup(3, state.options, state.position(), Random("other"))
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
    """The cards that a seed names are dealt in this order, one to each player in turn, unless the game has others."""
    faces = [*map(str, make_deck(2, rainbow=False, single=False).faces)]
    state = deal(2, "small", f"deck:{''.join(faces)}")

    assert [state.faces(hand) for hand in state.hands] == [["R1", "R1"], ["R1", "R2"]]
    assert state.faces(state.stock)[-1] == faces[4]
    other = deal(2, "standard", f"deck:{''.join(faces)}")
    assert len(other.faces(other.stock)) == 40


def test_bounds_hold() -> None:
    """No game has more decisions or other points than the bounds allow."""
    for number in range(20):
        state, rng, decisions = deal(2 + number % 4, "standard", f"bounds/{number}"), Random(f"{number}"), 0
        while state.turn is not None:
            state.play(play_fireworks_well(state, rng))
            decisions += 1
        bounds = GAME.bounds(state.seats, state.options)
        assert bounds.decisions is not None and decisions <= bounds.decisions
        assert bounds.least <= state.outcome().points[0] <= bounds.most


def test_hints_in_words() -> None:
    """A hint is said as players say it; a card of the rainbow has a look of its own."""
    assert word_action(GAME, Hint(1, "R"), names=["ann", "bob"]) == "tell bob which cards are red"
    assert word_action(GAME, Hint(1, "2")) == "tell seat 1 which cards are 2s"
    assert word_action(GAME, Play(1)) == "play card 1"
    look = GAME.card_look("M3")
    assert look is not None and look.name == "rainbow 3"
    assert GAME.card_look("R3") is None
    assert "".join(read_cards(make_deck(6, rainbow=True, single=False)).hints) == "RYGBW12345"


SPECIALS = ("colourless", "pink", "brown", "omni", "null", "prism", "light_pink", "muddy_rainbow")


@pytest.mark.parametrize(
    ("special", "by_colour", "by_number"),
    [
        ("colourless", "", "3"),
        ("pink", "K", "12345"),
        ("brown", "N", ""),
        ("omni", "RYGB", "12345"),
        ("null", "", ""),
        ("prism", "G", "3"),
        ("light_pink", "", "12345"),
        ("muddy_rainbow", "RYGB", ""),
    ],
)
def test_what_hints_are_about_a_special_card(special: str, by_colour: str, by_number: str) -> None:
    """F6: the table of special colours says which hints are about the 3 of the last colour."""
    cards = read_cards(make_deck(5, rainbow=False, single=False, special=special))
    face = f"{SPECIAL_LETTERS[special]}3"

    assert "".join(sign for sign in cards.hints if is_about(sign, face, cards.plain)) == by_colour + by_number
    assert cards.hints[:-5] == (*"RYGB", *by_colour) if special in ("pink", "brown") else tuple("RYGB")


def test_a_prism_goes_round() -> None:
    """F6: of four plain colours the 5 of a prism has the first again."""
    assert [sign for sign in "RYGB" if is_about(sign, "I5", 4)] == ["R"]
    assert [sign for sign in "RYGBW" if is_about(sign, "I5", 5)] == ["W"]


@pytest.mark.parametrize("special", SPECIALS)
def test_what_is_left_of_special_cards(special: str) -> None:
    """The colours and numbers that hints leave have those of the card, and a position is set up as it was written."""
    options = resolve_options(GAME, 3, None, {"special": special})
    state, rng = deal(3, seed=special, special=special), Random(f"{special}/moves")
    while state.turn is not None:
        for hand, possible in zip(state.hands, state.possible, strict=True):
            for face, signs in zip(state.faces(hand), possible, strict=True):
                assert face in list_faces(signs)
        written = state.position()
        assert GAME.setup(3, options, written, Random("again")).position() == written
        state.play(rng.choice(state.legal()))
