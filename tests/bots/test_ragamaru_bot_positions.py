"""What `house:ragamaru` does in positions where a good player would not hesitate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from tests.bots.test_game_bots_positions import ask_game_bot

NOBODY_NEAR: Final = (7, 7, 7)
BESIDE_PARTNER: Final = [0, 2, 1, 3]  # seats clockwise: with two teams the partner of seat 0 is next


def position_on_turn(
    field: object, hand: list[str], counts: Sequence[int] = NOBODY_NEAR, **more: object
) -> dict[str, object]:
    """Return a position: seat 0 is on turn with this hand, the others hold so many cards."""
    top = {"card": field} if isinstance(field, str) else field
    return {"turn": 0, "field": top, "hands": [hand, *([None] * count for count in counts)], **more}


def ask_ragamaru_bot(position: dict[str, object], seats: int = 4, **given: object) -> object:
    """Return what the bot does at seat 0."""
    return ask_game_bot("ragamaru", position, seats, **given)


def play_action(*cards: str) -> dict[str, object]:
    """Return the action of playing cards."""
    return {"do": "play", "cards": list(cards)}


# ---- a way out


@pytest.mark.parametrize("hand", [["R5"], ["R5", "Y5"]])
def test_its_last_cards_fit(hand: list[str]) -> None:
    """The bot goes out with a number card, or with two of equal number at once."""
    assert ask_ragamaru_bot(position_on_turn("R9", hand)) == play_action(*hand)


def test_ragamaru_and_a_number_card() -> None:
    """The bot plays RAGAMARU, after which any number fits, and is out in one sweep, although nothing else fits the
    field.
    """
    assert ask_ragamaru_bot(position_on_turn("B2", ["RAG", "K9"])) == play_action("RAG")


def test_ragamaru_while_a_number_card_fits() -> None:
    """The bot keeps RAGAMARU to finish with as long as it can play something else."""
    assert ask_ragamaru_bot(position_on_turn("R9", ["RAG", "R2", "R3", "Y4"])) == play_action("R2")


def test_a_skip_with_two_players() -> None:
    """A Cut Pass brings the turn back, and the last card fits it: so it comes first."""
    assert ask_ragamaru_bot(position_on_turn("R9", ["R4", "R-CUT"], counts=(7,)), seats=2) == play_action("R-CUT")


@pytest.mark.parametrize("hand", [["R4", "R-CUT"], ["R5", "K5", "R-CUT"]])
def test_a_card_that_cannot_be_the_last(hand: list[str]) -> None:
    """The bot first plays the card that cannot be its last, and keeps a number card, or a pair of equal ones."""
    assert ask_ragamaru_bot(position_on_turn("R9", hand)) == play_action("R-CUT")


@pytest.mark.parametrize(
    ("decline", "turn_no", "does"), [("draw", 1, "draw"), ("free", 1, "pass"), ("free", 200, "draw")]
)
def test_its_only_number_card_fits_but_not_the_other(decline: str, turn_no: int, does: str) -> None:
    """The bot declines rather than keep a card that it can never go out with; where all may wait for ever, it does not
    decline for ever.
    """
    assert ask_ragamaru_bot(position_on_turn("R9", ["R5", "B-CUT"], turn_no=turn_no), decline=decline) == {"do": does}


# ---- what an Advantage is for


def test_an_advantage_beside_a_card_that_cannot_go() -> None:
    """The bot plays the Advantage before the number card, as TMO would never go otherwise."""
    assert ask_ragamaru_bot(position_on_turn("R9", ["R5", "B2", "R-ADV", "TMO"])) == play_action("R-ADV")


@pytest.mark.parametrize(
    ("hand", "away"),
    [(["R5", "K9", "TMO"], "TMO"), (["R5", "K-CUT", "CV"], "CV"), (["R5", "R-TRY", "K-CUT", "CV"], "K-CUT")],
)
def test_what_is_put_away(hand: list[str], away: str) -> None:
    """The bot puts away TMO or a Conversion, which hardly ever go; but not a Conversion that goes with a Try."""
    assert ask_ragamaru_bot(position_on_turn("R-ADV", hand, phase="discard", discards_left=1)) == {
        "do": "discard",
        "card": away,
    }


def test_a_pair_of_numbers_is_not_put_away() -> None:
    """The bot stops rather than put away one of two equal numbers, which go out together and fit more often
    than one.
    """
    assert ask_ragamaru_bot(position_on_turn("R-ADV", ["R5", "Y5"], phase="discard", discards_left=1)) == {"do": "stop"}


# ---- the next player is nearly out


NO_THREAT: Final = ["R3", "Y4", "B4", "R-ADV"]  # with these an Advantage is played, if nobody is nearly out


@pytest.mark.parametrize("card", ["R-PG", "R-CUT", "R-KICK", "R-RET", "SIN"])
def test_the_next_player_has_one_card(card: str) -> None:
    """The bot attacks a next player with one card, passes him over or sends him to rest, where it would otherwise play
    another card.
    """
    hand = [*NO_THREAT, card]

    assert ask_ragamaru_bot(position_on_turn("R9", hand)) == play_action("R-ADV")
    assert ask_ragamaru_bot(position_on_turn("R9", hand, counts=(1, 7, 7))) == play_action(card)


def test_a_rest_or_a_skip_for_the_next_player() -> None:
    """The bot sends a next player with one card to rest, which takes two turns from him, where a Cut Pass takes one."""
    hand = ["R3", "Y4", "B4", "R-CUT", "SIN"]

    assert ask_ragamaru_bot(position_on_turn("R9", hand)) == play_action("R-CUT")
    assert ask_ragamaru_bot(position_on_turn("R9", hand, counts=(1, 7, 7))) == play_action("SIN")


@pytest.mark.parametrize("card", ["R-KICK", "R-RET", "R-LOOP"])
def test_the_player_after_the_next_has_one_card(card: str) -> None:
    """The bot passes over a player with one card, if its card reaches so far, or plays before him; a Cut Pass would
    give him the turn.
    """
    assert ask_ragamaru_bot(position_on_turn("R9", [*NO_THREAT, card], counts=(7, 1, 7))) == play_action(card)
    assert ask_ragamaru_bot(position_on_turn("R9", [*NO_THREAT, "R-CUT"], counts=(7, 1, 7))) == play_action("R-ADV")


def test_the_next_two_players_have_one_card_each() -> None:
    """A Kick Pass skips both of them, a Cut Pass only one."""
    assert ask_ragamaru_bot(position_on_turn("R9", ["R2", "Y4", "R-CUT", "R-KICK"], counts=(1, 1, 7))) == play_action(
        "R-KICK"
    )


def test_the_player_before_has_one_card() -> None:
    """The bot reverses the direction of play, unless a player with one card would then be next."""
    hand = ["R2", "R3", "Y4", "B4", "R-TO"]

    assert ask_ragamaru_bot(position_on_turn("R9", hand)) == play_action("R-TO")
    assert ask_ragamaru_bot(position_on_turn("R9", hand, counts=(7, 7, 1))) == play_action("R2")


# ---- under attack


def position_under_attack(hand: list[str], **more: object) -> dict[str, object]:
    """Return a position in which seat 0 is to draw three cards."""
    pending = {"attack": "PG", "draw": 3, "converted": False}
    return position_on_turn("R-PG", hand, phase="defend", pending=pending, **more)  # type: ignore[arg-type]


def test_an_attack_that_can_be_answered() -> None:
    """The bot passes the attack on; it keeps TMO for an attack that has no other answer."""
    assert ask_ragamaru_bot(position_under_attack(["R3", "Y4", "K-PG", "TMO"])) == play_action("K-PG")
    assert ask_ragamaru_bot(position_under_attack(["R3", "Y4", "K-DG", "TMO"])) == play_action("TMO")


def test_an_attack_that_would_hit_the_partner() -> None:
    """The bot draws three cards itself rather than let the partner draw six."""
    assert ask_ragamaru_bot(position_under_attack(["R2", "R3", "Y4", "K-PG"], seating=BESIDE_PARTNER), teams=2) == {
        "do": "take"
    }


def test_a_sin_bin_that_can_be_passed_on() -> None:
    """The bot passes the Sin Bin on, so that the next player rests."""
    position = position_on_turn({"card": "SIN", "colour": "R"}, ["R3", "Y4", "SIN"], phase="bin", pending={"sin": 2})

    assert ask_ragamaru_bot(position) == play_action("SIN")


# ---- partners


def test_the_partner_is_next() -> None:
    """The bot plays a number card before its partner, where it would attack an opponent."""
    hand = ["R2", "R3", "Y4", "R-TRY"]

    assert ask_ragamaru_bot(position_on_turn("R9", hand, seating=BESIDE_PARTNER), teams=2) == play_action("R2")
    assert ask_ragamaru_bot(position_on_turn("R9", hand), teams=2) == play_action("R-TRY")


def test_the_partner_is_nearly_out() -> None:
    """The bot skips the opponent, so that the partner may go out."""
    assert ask_ragamaru_bot(
        position_on_turn("R9", ["R2", "R3", "Y4", "R-CUT"], counts=(7, 1, 7)), teams=2
    ) == play_action("R-CUT")


# ---- what it names


def test_the_colour_after_a_reserve() -> None:
    """The bot names the colour of which it holds most cards."""
    assert ask_ragamaru_bot(position_on_turn("RES", ["B5", "B7", "R-CUT", "TMO"], phase="colour")) == {
        "do": "colour",
        "colour": "B",
    }


def test_the_number_after_a_reserve() -> None:
    """The bot names the number of which it holds most in other colours than the field's, which fits anyway."""
    position = position_on_turn({"card": "RES", "colour": "B"}, ["B5", "R8", "K8"], phase="number")

    assert ask_ragamaru_bot(position) == {"do": "number", "number": 8}


def test_the_first_colour() -> None:
    """The bot names the colour of which it holds most cards, although another player begins."""
    position = position_on_turn("KO", ["R1", "Y1", "Y2", "Y3", "B1", "K9", "TMO"], phase="first_colour", starter=1)

    assert ask_ragamaru_bot(position) == {"do": "colour", "colour": "Y"}
