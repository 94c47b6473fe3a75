"""Bridge: conformance, the dummy, who is asked, boards and vulnerability, positions, the estimate and the picture."""

from __future__ import annotations

from statistics import correlation

import pytest

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALLS, BridgeAction, CallName, Position
from pitboss_bridge.pbn_deal import write_seed
from pitboss_bridge.state import BridgeState

GAME = Bridge()
EMPTY: list[str | None] = [None] * 13
DEALT = [[f"{suit}{rank}" for rank in ("A", "K", "Q", "J", *range(10, 1, -1))] for suit in "SHDC"]
FOUR_HEARTS: list[CallName] = ["4H", "pass", "pass", "pass"]


def set_up(position: Position, **given: object) -> BridgeState:
    """Return a state at a position."""
    return GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("position"))


def choose_low(state: BridgeState, rng: Random) -> BridgeAction:
    """Call low, so that auctions last, or play any card."""
    legal = list(state.legal())
    return rng.choice(legal if isinstance(legal[0], PlayCard) else legal[:4])


def play_deal(seed: str, *, limit: int = 52) -> BridgeState:
    """Return a single board, played at random after a contract of four hearts."""
    state = GAME.deal(4, resolve_options(GAME, 4, "single"), Random(seed))
    for word in FOUR_HEARTS:
        state.play(CALLS[word])
    play_on(state, choose_from(Random(seed + "/choices")), limit)
    return state


@pytest.mark.once
def test_it_conforms() -> None:
    """A board whose number is drawn by lot keeps every promise."""
    assert_conforms(GAME, presets=["single"], games=1, player=choose_low)


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and option does."""
    assert_conforms(GAME, games=1, player=choose_low)


def test_who_is_asked_for_the_dummys_cards() -> None:
    """Before the first lead nobody sees the dummy's hand; then all do, and the declarer is asked for it."""
    state = set_up(Position(calls=FOUR_HEARTS))
    dummys = state.faces(state.hands[2])
    assert state.turn == (1, "play")
    assert [state.view(seat).dummy for seat in range(5)] == [[]] * 5
    assert None in state.table.faces_known_to(state.hands[2], 0)

    state.play(state.legal()[0])

    assert state.turn == (0, "dummy")
    assert [sorted(state.view(seat).dummy) for seat in range(5)] == [sorted(dummys)] * 5
    assert all(None not in state.table.faces_known_to(state.hands[2], seat) for seat in range(5))
    assert {action.card for action in state.legal() if isinstance(action, PlayCard)} <= {*dummys}
    assert None in state.table.faces_known_to(state.hands[0], 2)  # the dummy does not see the declarer's hand
    state.play(state.legal()[0])
    assert state.turn == (3, "play")


def test_the_first_board_is_drawn_by_lot() -> None:
    """With `first_board` null all 16 boards occur, each with its dealer; the next deal is the next board."""
    options = resolve_options(GAME, 4, None, {"deals": 2, "first_board": None})
    found = set()
    for number in range(100):
        state = GAME.deal(4, options, Random(f"board/{number}"))
        assert state.turn == ((state.board - 1) % 4, "call")
        found.add(state.board)
        for _ in range(4):
            state.play(CALLS["pass"])
        assert state.view(0).board == state.first_board + 1

    assert found == {*range(1, 17)}


def test_chicago_in_which_everybody_passes() -> None:
    """Each deal is dealt by the same dealer four times, with other cards; then the match is over."""
    state = GAME.deal(4, resolve_options(GAME, 4, "chicago"), Random("passes"))
    found = []
    while state.turn is not None:
        found.append((state.deal_no, state.redeals, state.turn.seat, state.view(0).hand))
        again = GAME.setup(4, state.options, state.position(), Random("other"))
        assert again.position() == state.position()
        assert (" redealt" in " ".join(state.render(None, "NESW"))) == (state.redeals > 0)
        for _ in range(4):
            state.play(CALLS["pass"])

    assert [one[:3] for one in found] == [(deal, redeals, deal - 1) for deal in range(1, 5) for redeals in range(4)]
    assert len({tuple(hand) for *_, hand in found}) == 16
    assert state.totals == [0, 0, 0, 0]


def test_a_named_deal_is_dealt_once() -> None:
    """Cards that the seed names lie in the first deal, not in that which follows when it is passed out."""
    named = write_seed(1, [sorted(hand) for hand in DEALT])
    state = GAME.deal(4, resolve_options(GAME, 4, "chicago"), Random(named))
    assert {*state.view(0).hand} == {*DEALT[0]}

    for _ in range(4):
        state.play(CALLS["pass"])

    assert (state.redeals, {*state.view(0).hand} == {*DEALT[0]}) == (1, False)


def test_vulnerability_that_is_always_the_same() -> None:
    """The option holds whatever the number of the board."""
    assert [set_up(Position(), vulnerable=rule).vulnerable() for rule in ("none", "ns", "ew", "both")] == [
        [False, False],
        [True, False],
        [False, True],
        [True, True],
    ]


@pytest.mark.parametrize(
    ("position", "given", "message"),
    [
        (Position(calls=["1H", "1D"]), {}, "call 2 is '1D', which is not legal after"),
        (Position(calls=["1H", "pass", "X"]), {}, "call 3 is 'X'"),
        (Position(calls=[*FOUR_HEARTS, "4S"]), {}, "call 5 is '4S'"),
        (Position(plays=[(1, "H2")]), {}, "cards are played, and the calls"),
        (Position(calls=FOUR_HEARTS, plays=[(0, "H2")]), {}, "play 1 of the deal is by seat 0; seat 1 plays then"),
        (Position(deal_no=5, board=5), {}, "the match has 4 deals"),
        (Position(board=3), {}, "board is 3 in deal 1; the first would be 3"),
        (Position(part_scores=[60, 0]), {}, "in duplicate there are none"),
        (Position(games=[1, 0]), {"scoring": "chicago"}, "chicago is no rubber"),
        (Position(part_scores=[100, 0]), {"scoring": "rubber"}, "100 points are a game"),
        (Position(totals=[0]), {}, "totals"),
    ],
)
def test_positions_that_are_none(position: Position, given: dict[str, object], message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position, **given)


@pytest.mark.parametrize("limit", [0, 3, 20, 52])
def test_a_position_is_written_and_set_up_again(limit: int) -> None:
    """Calls, tricks and points are the same, after the end too."""
    state = play_deal("again", limit=limit)
    again = GAME.setup(4, state.options, state.position(), Random("other"))

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(5)] == [state.view(seat) for seat in range(5)]
    assert (again.turn, again.totals) == (state.turn, state.totals)


def test_honours_are_those_that_were_dealt() -> None:
    """At the end of the deal the hand that held them is known by the cards it played."""
    hearts = [f"H{rank}" for rank in ("A", "K", "Q", "J", "10", 9, 8, 7, 6, 5, 4, 3, 2)]
    state = set_up(Position(calls=FOUR_HEARTS, hands=[[*hearts], EMPTY, EMPTY, EMPTY]), scoring="rubber", honours=True)
    play_on(state, choose_from(Random("cards")), 52)

    assert state.sheet.totals == (150 + 120 + 3 * 30, 0)
    assert state.sheet.games == (1, 0)


def test_the_estimate() -> None:
    """It agrees better and better with the points of the deal; partners get the same."""
    found = []
    for limit in (0, 24, 44):
        pairs = []
        for number in range(60):
            state = play_deal(f"deal/{number}", limit=limit)
            estimate = state.evaluate()
            assert estimate[0] == estimate[2] == -estimate[1]
            play_on(state, choose_from(Random(f"rest/{number}")))
            pairs.append((estimate[0], float(state.totals[0])))
        found.append(correlation(*zip(*pairs, strict=True)))

    assert found == sorted(found)
    assert found[-1] > 0.85


def test_the_estimate_of_an_auction() -> None:
    """A game that both hands can make is worth more than a part-score, and a grand slam less than nothing."""
    strong = Position(
        hands=[
            ["SA", "SK", "S5", "S4", "S3", "HA", "H5", "H4", "DK", "D5", "D4", "C3", "C2"],
            EMPTY,
            ["SQ", "SJ", "S9", "S8", "HK", "H3", "H2", "DA", "D3", "D2", "CK", "C5", "C4"],
            EMPTY,
        ]
    )
    values = []
    for word in ("2S", "4S", "7S"):
        state = set_up(strong)
        state.play(CALLS[word])
        values.append(state.evaluate()[0])

    assert values[1] > values[0] > 0 > values[2]


def test_the_last_call_of_each_seat() -> None:
    """None before a seat has called; of several calls the last one, and of all in turn the auction."""
    assert set_up(Position()).view(0).last_calls == [None] * 4
    assert set_up(Position(board=2, calls=["1H", "X"]), first_board=2).view(0).last_calls == [None, "1H", "X", None]
    assert set_up(Position(calls=["1H", "X", "pass", "2D", "2H"])).view(0).last_calls == ["2H", "X", "pass", "2D"]


def test_the_picture() -> None:
    """Contract, calls and tricks stand beside the names, within 60 columns."""
    state = GAME.deal(4, resolve_options(GAME, 4, "rubber", {"deals": 2}), Random("picture"))
    rng = Random("picture/choices")
    while state.turn is not None:
        for seat in (None, *range(5)):
            assert all(len(line) <= 60 for line in state.render(seat, ["a-long-name" * 3] * 4))
        state.play(choose_low(state, rng))

    doubled = set_up(Position(calls=["1NT", "X", "XX", "pass", "pass", "pass"]))
    assert any("contract 1NT XX by N" in line for line in doubled.render(0, ["a", "b", "c", "d"]))
    assert ("contract", "1NT XX", "") in doubled.public_counts().seats[0]
    assert "dummy" in [count.name for count in doubled.public_counts().seats[2]]


def test_calls_in_words() -> None:
    """A page says a call as players do."""
    said = [
        GAME.describe_action(action, {}) for action in ({"do": "bid", "level": 3, "strain": "NT"}, {"do": "double"})
    ]

    assert said == ["3NT", "double"]
    assert GAME.describe_action({"do": "play", "card": "SA"}, {"SA": "♠A"}) == ""
