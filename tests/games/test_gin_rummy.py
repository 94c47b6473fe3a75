"""Gin Rummy: who knows which cards, the choice of melds, and three and four at a table."""

from __future__ import annotations

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from
from pitboss_gin_rummy.game import GinRummy
from pitboss_gin_rummy.messages import (
    Arrange,
    BigGin,
    Discard,
    Draw,
    Knock,
    Pass,
    Position,
    Take,
)
from pitboss_gin_rummy.state import LAST_STOCK, GinRummyState
from pitboss_tournament.text.terminal_text import word_action

GAME = GinRummy()
RUNS = ["SA", "S2", "S3", "H4", "H5", "H6", "D7", "D8", "D9", "CK"]
TWO_WAYS = ["S2", "H2", "D2", "SA", "S3", "C5", "C6", "C7", "C8", "C9", "HK"]
EIGHT_TWICE = ["S4", "S5", "S6", "S7", "S8", "H8", "D8", "C8", "HA", "C2", "HK"]
OPEN: list[str | None] = [None] * 10


def set_up(position: Position, seats: int = 2, **given: object) -> GinRummyState:
    """Return a state at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("position"))


def test_a_card_that_was_taken_is_known() -> None:
    """Everybody knows a taken card in its hand until the card is discarded; nobody else knows a drawn card."""
    state = set_up(Position(up_card="H9", hands=[[*RUNS], OPEN]))
    state.play(Take())
    state.play(Discard("CK"))
    state.play(Draw())

    assert state.view(1).known[0] == state.view(2).known[0] == ["H9"]
    assert len(state.view(1).hand) == 11 and state.view(0).known[1] == []
    worlds = [state.imagine(1, Random(f"world/{number}")) for number in range(20)]
    assert all("H9" in world.faces(world.hands[0]) for world in worlds)
    assert len({tuple(sorted(world.faces(world.hands[0]))) for world in worlds}) == 20


def test_the_choice_of_melds_is_made_before_the_hand_is_seen() -> None:
    """The melds are chosen before the opponent sees the hand; the opponent then lays off on these melds."""
    state = set_up(
        Position(phase="discard", hands=[[*TWO_WAYS], ["C2", "CA", "S4", "D4", "H7", "D9", "DJ", "DK", "SQ", "SK"]])
    )
    state.play(Knock("HK"))
    assert (state.turn, state.view(1).known[0]) == ((0, "arrange"), [])
    run, twos = state.legal()
    assert run == Arrange((("SA", "S2", "S3"), ("C5", "C6", "C7", "C8", "C9")))

    laid_off = {}
    for action in (twos, run):
        played = state.copy()
        assert isinstance(action, Arrange)
        played.play(action)
        laid_off[action] = played.totals[0] - 25
    assert laid_off == {twos: 67 - 2 - 4, run: 67 - 4 - 4}


def test_big_gin_is_laid_down_without_a_discard() -> None:
    """After big gin all eleven cards of the hand are seen at the end of the match."""
    hand = ["SA", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "SJ"]
    state = set_up(Position(phase="discard", hands=[[*hand], OPEN]), big_gin_bonus=50, deals=1)
    assert state.legal()[-1] == BigGin()
    state.play(BigGin())

    assert state.turn is None and len(state.view(1).known[0]) == 11
    assert GAME.setup(2, state.options, state.position(), Random("again")).outcome() == state.outcome()


def test_all_of_three_and_four_come_to_play() -> None:
    """The loser of a deal waits, everybody comes to play, and the dealer of the next deal sits out."""
    for seats in (3, 4):
        state = GAME.deal(seats, resolve_options(GAME, seats, None, {"deals": 12, "knock": 10}), Random("table"))
        played, choose = set(), choose_from(Random("table/choices"))
        while state.turn is not None:
            played.add(state.turn.seat)
            knocks = [action for action in state.legal() if isinstance(action, Knock)]
            state.play(knocks[0] if knocks else choose(state, state.legal()))
        assert sorted([*state.players, *state.waiting]) == [*range(seats)]
        assert state.dealer not in state.players


def test_those_who_wait_see_what_lies_open() -> None:
    """A seat that sits out has no hand, and is shown what a spectator is."""
    state = set_up(Position(), seats=3)

    assert state.view(2) == state.view(3)
    assert [len(state.table.zones[hand]) for hand in state.hands] == [10, 10, 0]


def test_equal_cards_in_other_melds_read_differently() -> None:
    """The words for two choices of melds differ where the same cards make other melds."""
    state = set_up(Position(phase="discard", hands=[[*EIGHT_TWICE], OPEN]))
    state.play(Knock("HK"))

    faces = {face: face for face in state.faces(state.hands[0])}
    words = [word_action(GAME, action, faces) for action in state.legal()]
    assert words == ["lay down S4 S5 S6 S7, S8 H8 D8 C8", "lay down S4 S5 S6 S7 S8, H8 D8 C8"]


def test_a_deal_is_over_before_the_stock_is() -> None:
    """A deal ends with two cards left in the stock, and nobody scores without a knock."""
    state = GAME.deal(2, resolve_options(GAME, 2, "single"), Random("stock"))
    least = 52
    while state.turn is not None:
        least = min(least, len(state.table.zones[state.stock]))
        state.play(state.legal()[0])

    assert (least, state.totals) == (LAST_STOCK, [0, 0])


def test_who_takes_the_last_discard_may_knock() -> None:
    """In each world of the others the hand that has taken the last discard has a knock, in a position as in play."""
    own = [*RUNS[:-1], "DK"]
    deck = [suit + rank for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]
    hidden = ["S10", "SJ", "C2", "C3", "C4", "C5", "C6", "C7", "D2", "D3", "D4", "D5"]
    seen = [card for card in deck if card not in (*own, *hidden)]
    state = set_up(
        Position(phase="wall", hands=[[*own], OPEN], discards=[*seen[1:], seen[0]], stock=["D4", "D5"]),
        last_discard=True,
    )
    state.play(Take())
    again = GAME.setup(2, state.options, state.position(), Random("again"))

    for here in (state, again):
        worlds = [here.imagine(seat, Random(f"world/{number}")) for seat in (1, 2) for number in range(10)]
        assert all(world.legal() for world in worlds)
        assert len({tuple(sorted(world.faces(world.hands[0]))) for world in worlds}) > 1


def test_the_estimate_knows_who_is_nearer_to_a_knock() -> None:
    """The hand with fewer loose points is ahead, by as much as the other hand is behind."""
    state = set_up(
        Position(phase="draw", hands=[[*RUNS], ["C2", "CA", "S4", "D4", "H7", "DQ", "DJ", "DK", "SQ", "SK"]])
    )
    first, second = state.evaluate()

    assert first == -second > 10


def test_what_a_silent_player_does() -> None:
    """A silent player passes, draws, and discards the card just drawn."""
    state = set_up(Position(up_card="H9", stock=["D2"]))
    for action in (Pass(), Pass(), Draw(), Discard("D2")):
        assert state.neutral() == action
        state.play(action)
