"""Bridge: the dummy, who is asked for its cards, boards and vulnerability, honours, and calls in words."""

from __future__ import annotations

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.parts.tricks import PlayCard
from pitboss.simulation.random_play import choose_from, play_on
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALLS, Bid, CallName, Double, Position
from pitboss_bridge.pbn_deal import write_seed
from pitboss_bridge.state import BridgeState
from pitboss_tournament.text.terminal_text import word_action

GAME = Bridge()
EMPTY: list[str | None] = [None] * 13
DEALT = [[f"{suit}{rank}" for rank in ("A", "K", "Q", "J", *range(10, 1, -1))] for suit in "SHDC"]
FOUR_HEARTS: list[CallName] = ["4H", "pass", "pass", "pass"]


def set_up(position: Position, **given: object) -> BridgeState:
    """Return a state at a position."""
    return GAME.setup(4, resolve_options(GAME, 4, None, given), position, Random("position"))


def play_deal(seed: str, *, limit: int = 52) -> BridgeState:
    """Return a single board, played at random after a contract of four hearts."""
    state = GAME.deal(4, resolve_options(GAME, 4, "single"), Random(seed))
    for word in FOUR_HEARTS:
        state.play(CALLS[word])
    play_on(state, choose_from(Random(seed + "/choices")), limit)
    return state


def test_who_is_asked_for_the_dummys_cards() -> None:
    """The first lead opens the dummy's hand to all, and the declarer is asked for the dummy's cards."""
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
    """Cards that a seed names are dealt in the first deal, and not again in the deal after a pass-out."""
    named = write_seed(1, [sorted(hand) for hand in DEALT])
    state = GAME.deal(4, resolve_options(GAME, 4, "chicago"), Random(named))
    assert {*state.view(0).hand} == {*DEALT[0]}

    for _ in range(4):
        state.play(CALLS["pass"])

    assert (state.redeals, {*state.view(0).hand} == {*DEALT[0]}) == (1, False)


def test_vulnerability_that_is_always_the_same() -> None:
    """The option `vulnerable` holds whatever the number of the board."""
    assert [set_up(Position(), vulnerable=rule).vulnerable() for rule in ("none", "ns", "ew", "both")] == [
        [False, False],
        [True, False],
        [False, True],
        [True, True],
    ]


def test_honours_are_those_that_were_dealt() -> None:
    """Honours count for the hand that was dealt them, as its plays show at the end of the deal."""
    hearts = [f"H{rank}" for rank in ("A", "K", "Q", "J", "10", 9, 8, 7, 6, 5, 4, 3, 2)]
    state = set_up(Position(calls=FOUR_HEARTS, hands=[[*hearts], EMPTY, EMPTY, EMPTY]), scoring="rubber", honours=True)
    play_on(state, choose_from(Random("cards")), 52)

    assert state.sheet.totals == (150 + 120 + 3 * 30, 0)
    assert state.sheet.games == (1, 0)


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
    """The last call of a seat is shown: none before the seat has called, and the latest of several."""
    assert set_up(Position()).view(0).last_calls == [None] * 4
    assert set_up(Position(board=2, calls=["1H", "X"]), first_board=2).view(0).last_calls == [None, "1H", "X", None]
    assert set_up(Position(calls=["1H", "X", "pass", "2D", "2H"])).view(0).last_calls == ["2H", "X", "pass", "2D"]


def test_counts_of_a_contract() -> None:
    """Everybody is told who has the contract, and whose hand is the dummy's."""
    state = set_up(Position(calls=["1NT", "X", "XX", "pass", "pass", "pass"]))

    assert ("contract", "1NT XX", "") in state.public_counts().seats[0]
    assert "dummy" in [count.name for count in state.public_counts().seats[2]]


def test_calls_in_words() -> None:
    """A page says a call as players do."""
    assert [word_action(GAME, action) for action in (Bid(3, "H"), Double())] == ["3♥", "double"]
    assert word_action(GAME, PlayCard("SA"), {"SA": "♠A"}) == "play ♠A"
