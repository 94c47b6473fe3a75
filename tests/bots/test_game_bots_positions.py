"""What the bots that come with a game do in positions where a good player would not hesitate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import pytest

from pitboss import PositionError, Random
from pitboss.bot import Choice, Question
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Hello, Start
from pitboss.testing.framework.expectations import require_positions
from pitboss_lucky_maker.bot import choose as choose_in_lucky_maker
from pitboss_racko.bot import choose as choose_in_racko
from pitboss_ragamaru.bot import choose as choose_in_ragamaru
from pitboss_rummy.bot import choose as choose_in_rummy
from tests.bots.blocking_runner import GENEROUS_CLOCK, NAMES

GAMES: Final = Registry().games
CHOOSERS: Final = {
    "racko": choose_in_racko,
    "rummy": choose_in_rummy,
    "lucky-maker": choose_in_lucky_maker,
    "ragamaru": choose_in_ragamaru,
}
SEED: Final = "bot"


def ask_game_bot(name: str, written: Mapping[str, object], seats: int = 2, **given: object) -> object:
    """Set up a position and return the action that the bot of the game chooses, as it would be told over the wire."""
    game = require_positions(GAMES[name])
    options = resolve_options(game, seats, None, given)
    state = game.setup(
        seats, options, convert_value(dict(written), game.Position, "position", PositionError), Random("position")
    )
    assert state.turn is not None
    seat = state.turn.seat
    legal: list[Any] = to_json_value(list(state.legal()))
    choice = CHOOSERS[name](
        Question(
            legal=legal,
            view=to_json_value(state.view(seat)),
            events=[],
            seat=seat,
            phase=state.turn.phase,
            decision_ms=1000,
            game_ms=None,
            hello=Hello(
                game=name, options=to_json_value(options), seats=seats, seat=seat, seed=SEED, clock=GENEROUS_CLOCK
            ),
            start=Start(game_id=1, seat=seat, players=list(NAMES[:seats]), seed=SEED),
        )
    )
    return resolve_choice(legal, choice)


def to_json_value(value: object) -> Any:  # noqa: ANN401 - whatever it was
    """Return a value as it comes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def resolve_choice(legal: list[Any], choice: Choice) -> object:
    """Return the action that was chosen, by its index or by itself."""
    return legal[choice] if isinstance(choice, int) else legal[legal.index(choice)]


# ---- Rack-O: slot 25 alone is wrong; what lies between 14 and 28 would do

ONE_CARD_MISSING: Final = [1, 5, 9, 14, 39, 28, 31, 36, 37, 40]
OTHER: Final = [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]


@pytest.mark.parametrize("top", [15, 23, 26])
def test_the_discard_completes_the_rack(top: int) -> None:
    """The bot takes the card that makes the RACK-O and puts it where it belongs."""
    position = {"racks": [ONE_CARD_MISSING, OTHER], "discard": [16, top], "stock": [6, 7, 10], "turn": 0}

    assert ask_game_bot("racko", position) == {"do": "take", "slot": 25}


def test_the_drawn_card_completes_the_rack() -> None:
    """The bot puts the drawn card into the one wrong slot."""
    position = {
        "racks": [ONE_CARD_MISSING, OTHER],
        "discard": [16],
        "stock": [6, 7, 10],
        "turn": 0,
        "phase": "place",
        "drawn": 23,
    }

    assert ask_game_bot("racko", position) == {"do": "swap", "slot": 25}


@pytest.mark.parametrize("drawn", [6, 34])
def test_a_drawn_card_that_would_spoil_the_rack(drawn: int) -> None:
    """With one card lacking the bot discards a drawn card that would only make the rack tighter."""
    stock = [card for card in (6, 7, 10) if card != drawn]
    position = {
        "racks": [ONE_CARD_MISSING, OTHER],
        "discard": [16],
        "stock": stock,
        "turn": 0,
        "phase": "place",
        "drawn": drawn,
    }

    assert ask_game_bot("racko", position) == {"do": "discard"}


@pytest.mark.parametrize(("stock", "said"), [([23, 7, 6], {"do": "draw"}), ([6, 7, 23], {"do": "take", "slot": 20})])
def test_a_known_stock(stock: list[int], said: object) -> None:
    """The bot remembers a stock that was turned over: it draws the card that makes the RACK-O, but not one that is of
    no use; then the 10 widens the gap.
    """
    position = {
        "racks": [ONE_CARD_MISSING, OTHER],
        "discard": [16, 10],
        "stock": stock,
        "stock_public": True,
        "turn": 0,
    }

    assert ask_game_bot("racko", position) == said


@pytest.mark.parametrize(("turns_done", "said"), [(2, "wait"), (24, "declare")])
def test_a_complete_rack_one_card_from_a_run(turns_done: int, said: str) -> None:
    """The bot waits for a bonus of 50 while the others have only begun; late in the round it declares, before somebody
    else finishes.
    """
    position = {
        "racks": [[1, 5, 9, 14, 15, 17, 18, 30, 32, 34], [8, 3, 12, 2, 31, 19, 27, 33, 35, 38]],
        "discard": [4],
        "turn": 0,
        "phase": "declare",
        "turns_done": turns_done,
    }

    assert ask_game_bot("racko", position, bonus_runs=True) == {"do": said}


# ---- Rummy


def test_the_last_cards_are_a_meld() -> None:
    """The bot goes out when it can."""
    position = {
        "hands": [["S5", "S6", "S7"], ["HK", "D4"]],
        "phase": "play",
        "drawn": "S7",
        "discard": ["D3"],
        "turn": 0,
    }

    assert ask_game_bot("rummy", position) == {"do": "meld", "cards": ["S5", "S6", "S7"]}


def test_the_discard_lets_it_go_out() -> None:
    """The bot takes the discard with which it can meld all its cards."""
    position = {"hands": [["S5", "S6"], ["HK", "D4"]], "discard": ["D3", "S7"], "turn": 0}

    assert ask_game_bot("rummy", position) == {"do": "take"}


def test_a_discard_that_is_of_no_use() -> None:
    """The bot draws when the discard goes with none of its cards."""
    position = {"hands": [["S5", "S6", "H9"], ["HK", "D4", "C2"]], "discard": ["D3", "CK"], "turn": 0}

    assert ask_game_bot("rummy", position) == {"do": "draw"}


def test_out_by_layoffs_and_a_discard() -> None:
    """The bot sees that two layoffs and the discard empty its hand, and discards no card that can be laid off."""
    position = {
        "hands": [["D5", "H7", "HJ"], ["SQ", "S3"]],
        "phase": "play",
        "drawn": "D5",
        "discard": ["D3"],
        "turn": 0,
        "melds": [{"owner": 1, "cards": ["H8", "H9", "H10"]}],
        "active": [False, True],
    }

    said = ask_game_bot("rummy", position)

    assert said in ({"do": "layoff", "card": "H7", "meld": 1}, {"do": "layoff", "card": "HJ", "meld": 1})


def test_a_card_that_the_next_player_can_lay_off() -> None:
    """The bot that may not lay off discards another card that costs as much."""
    position = {
        "hands": [["S5", "S6", "CK", "HJ", "D2"], ["SQ", "S3"]],
        "phase": "play",
        "drawn": "D2",
        "discard": ["D3"],
        "turn": 0,
        "melds": [{"owner": 1, "cards": ["H8", "H9", "H10"]}],
        "active": [False, True],
    }

    assert ask_game_bot("rummy", position, layoff_needs_meld=True) == {"do": "discard", "card": "CK"}


@pytest.mark.parametrize(("collected", "thrown"), [(["D10", "C10"], "HK"), (["DK", "CK"], "S10")])
def test_a_card_that_the_next_player_collects(collected: list[str], thrown: str) -> None:
    """Of two cards that cost the same the bot discards the one that makes no meld with the known cards of the next
    player.
    """
    position = {
        "hands": [["S10", "HK", "D4", "D5"], [*collected, "S3", "H2"]],
        "phase": "play",
        "drawn": "D4",
        "discard": ["D3"],
        "turn": 0,
        "known": [[], collected],
    }

    assert ask_game_bot("rummy", position) == {"do": "discard", "card": thrown}


def test_a_meld_while_the_others_have_begun_nothing() -> None:
    """Among four the bot keeps its first meld in the hand, as nobody can lay off there; with one meld a turn it has no
    time for that.
    """
    hand = ["S5", "S6", "S7", "H2", "D9", "C4", "DQ", "CK"]
    position = {
        "hands": [hand, *([None] * 7 for _ in range(3))],
        "phase": "play",
        "drawn": "CK",
        "discard": ["D3"],
        "turn": 0,
    }

    held = ask_game_bot("rummy", position, seats=4)
    melded = ask_game_bot("rummy", position, seats=4, melds_per_turn=1)

    assert held in ({"do": "discard", "card": "CK"}, {"do": "discard", "card": "DQ"})
    assert melded == {"do": "meld", "cards": ["S5", "S6", "S7"]}


# ---- Lucky Maker: three players, seat 0 is the last one to play


def choose_last_card(master: str, trick: list[str], hand: list[str]) -> object:
    """Return the card that the last player chooses; three cards are left to each."""
    others = [[None] * (len(hand) - 1)] * 2
    return ask_game_bot("lucky-maker", {"hands": [hand, *others], "master": master, "trick": trick, "lead": 1}, seats=3)


@pytest.mark.parametrize(
    ("trick", "hand", "cheapest"),
    [
        (["R3Y8", "R1G10"], ["R10Y1", "R5Y6", "R1Y10"], "R5Y6"),
        (["R5G6", "R1G10"], ["R10Y1", "R5Y6", "R9Y2"], "R5Y6"),  # the last of equal numbers wins
        (["R5G6", "B4Y7"], ["R6Y5", "B10Y1", "R10G1"], "R6Y5"),  # with one more red, red decides, and blue 9 is won
    ],
)
def test_the_last_player_can_win_nine_points(trick: list[str], hand: list[str], cheapest: str) -> None:
    """The last player wins the nine points with the card that costs least."""
    assert choose_last_card("R2B9", trick, hand) == {"do": "play", "card": cheapest}


def test_the_last_player_cannot_win() -> None:
    """The bot keeps its good card for another trick."""
    assert choose_last_card("R8B3", ["R10G1", "R9Y2"], ["B10Y1", "B6Y5", "B9G2"]) == {"do": "play", "card": "B6Y5"}
