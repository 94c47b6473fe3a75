"""Gin Rummy: conformance, who knows which cards, three and four at a table, positions, the picture."""

from __future__ import annotations

import msgspec
import pytest

from pitboss import OptionError, PositionError, Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms, check_game
from pitboss_gin_rummy.game import GinRummy
from pitboss_gin_rummy.messages import (
    Arrange,
    BigGin,
    Discard,
    Draw,
    GameScore,
    GinRummyAction,
    Knock,
    Pass,
    Position,
    Take,
)
from pitboss_gin_rummy.state import LAST_STOCK, GinRummyState

GAME = GinRummy()
RUNS = ["SA", "S2", "S3", "H4", "H5", "H6", "D7", "D8", "D9", "CK"]
TWO_WAYS = ["S2", "H2", "D2", "SA", "S3", "C5", "C6", "C7", "C8", "C9", "HK"]
EIGHT_TWICE = ["S4", "S5", "S6", "S7", "S8", "H8", "D8", "C8", "HA", "C2", "HK"]
OPEN: list[str | None] = [None] * 10


def set_up(position: Position, seats: int = 2, **given: object) -> GinRummyState:
    """Return a state at a position."""
    return GAME.setup(seats, resolve_options(GAME, seats, None, given), position, Random("position"))


def seek_the_end(state: GinRummyState, rng: Random) -> GinRummyAction:
    """Knock rarely, so that the stock is used up; take the last discard."""
    legal = list(state.legal())
    if state.turn is not None and state.turn.phase == "wall":
        return legal[-1]
    quiet = [action for action in legal if not isinstance(action, Knock) or rng.randbelow(8) == 0]
    return rng.choice(quiet or legal)


@pytest.mark.once
def test_it_conforms() -> None:
    """A deal with three at the table keeps every promise, to the last cards of the stock."""
    report = check_game(GAME, seats=[3], presets=["oklahoma"], options={"deals": 1}, games=1, player=seek_the_end)

    assert not report.failures, "\n".join(map(str, report.causes))


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and option does, at tables of two to four."""
    assert_conforms(GAME, games=2)


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 40, 131])
@pytest.mark.parametrize(("seats", "preset"), [(2, "single"), (2, "hollywood"), (4, "oklahoma")])
def test_a_position_is_written_and_set_up_again(seats: int, preset: str, limit: int) -> None:
    """Cards, points, and what all know are the same, after the end too."""
    options = resolve_options(GAME, seats, preset, {"deals": 2})
    state = GAME.deal(seats, options, Random("again"))
    play_on(state, choose_from(Random("again/choices")), limit)
    again = GAME.setup(seats, options, state.position(), Random("other"))

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(seats + 1)] == [state.view(seat) for seat in range(seats + 1)]
    assert (again.turn, again.totals, again.limit) == (state.turn, state.totals, state.limit)


def test_a_card_that_was_taken_is_known() -> None:
    """Everybody knows in which hand it is, until it is discarded; nobody knows a card that was drawn."""
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
    """The other does not see it until then; its own cards are laid off on the melds that were chosen."""
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
    """All eleven cards are seen at the end of the match."""
    hand = ["SA", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "SJ"]
    state = set_up(Position(phase="discard", hands=[[*hand], OPEN]), big_gin_bonus=50, deals=1)
    assert state.legal()[-1] == BigGin()
    state.play(BigGin())

    assert state.turn is None and len(state.view(1).known[0]) == 11
    assert GAME.setup(2, state.options, state.position(), Random("again")).outcome() == state.outcome()


def test_all_of_three_and_four_come_to_play() -> None:
    """Whoever loses waits; points stay with those who sit out."""
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


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(players=(0, 0)), "each once"),
        (Position(waiting=[1]), "each once"),
        (Position(hands=[OPEN, [*OPEN, None]]), "seat 1 holds 11 cards; it is 10"),
        (Position(taken="H9"), "taken is 'H9'; that is so in phase 'discard' alone"),
        (Position(phase="wall"), "in phase 'wall' 2 cards are left"),
        (Position(known=[["H9"], []], hands=[[*RUNS], OPEN]), "does not hold it"),
        (Position(games=[]), "games has 0 entries; 1 are played at once"),
        (Position(games=[GameScore((0,), (0,))]), "points has 1 entries; 2 play"),
        (Position(games=[GameScore((0, -1), (0, 0))]), "not below 0"),
        (Position(over=True), "the match is not over"),
        (Position(deal_no=21), "the match has 20 deals"),
        (Position(games=[GameScore((100, 0), (2, 0))]), "all games are won"),
        (Position(phase="draw", discards=[]), "no discard lies there"),
    ],
)
def test_positions_that_are_none(position: Position, message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position)


def test_the_winner_deals_at_a_table_of_two_alone() -> None:
    """Of three or four the loser deals: another dealer cannot be chosen there."""
    with pytest.raises(OptionError, match="next_dealer is 'winner'; that is for 2 players, and 3 play"):
        resolve_options(GAME, 3, None, {"next_dealer": "winner"})


def test_equal_cards_in_other_melds_read_differently() -> None:
    """A person who chooses the melds sees where one ends."""
    state = set_up(Position(phase="discard", hands=[[*EIGHT_TWICE], OPEN]))
    state.play(Knock("HK"))

    faces = {face: face for face in state.faces(state.hands[0])}
    words = [GAME.describe_action(msgspec.to_builtins(action), faces) for action in state.legal()]
    assert words == ["lay down S4 S5 S6 S7, S8 H8 D8 C8", "lay down S4 S5 S6 S7 S8, H8 D8 C8"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"knock": 5, "oklahoma": "one"}, "knock is 5; with oklahoma 'one' it is 10"),
        ({"spades_double": True}, "needs oklahoma"),
    ],
)
def test_options_that_do_not_go_together(given: dict[str, object], message: str) -> None:
    """One sentence says what is allowed."""
    with pytest.raises(OptionError, match=message):
        resolve_options(GAME, 2, None, given)


def test_a_deal_is_over_before_the_stock_is() -> None:
    """Two cards are never drawn; with players who only draw and never knock nobody scores."""
    state = GAME.deal(2, resolve_options(GAME, 2, "single"), Random("stock"))
    least = 52
    while state.turn is not None:
        least = min(least, len(state.table.zones[state.stock]))
        state.play(state.legal()[0])

    assert (least, state.totals) == (LAST_STOCK, [0, 0])


def test_the_estimate_knows_who_is_nearer_to_a_knock() -> None:
    """Who has less loose is ahead, by as much as the other is behind."""
    state = set_up(
        Position(phase="draw", hands=[[*RUNS], ["C2", "CA", "S4", "D4", "H7", "DQ", "DJ", "DK", "SQ", "SK"]])
    )
    first, second = state.evaluate()

    assert first == -second > 10


def test_what_a_silent_player_does() -> None:
    """It passes, draws, and discards the card that it has drawn."""
    state = set_up(Position(up_card="H9", stock=["D2"]))
    for action in (Pass(), Pass(), Draw(), Discard("D2")):
        assert state.neutral() == action
        state.play(action)


def test_the_picture() -> None:
    """Points, piles and hands stand within 60 columns, and who sits out is told."""
    options = resolve_options(GAME, 4, "hollywood", {"deals": 3})
    state, choose = GAME.deal(4, options, Random("picture")), choose_from(Random("picture"))
    names = ["a-long-name" * 3] * 4
    while state.turn is not None:
        lines = list(state.render(0, names))
        assert all(len(line) <= 60 for line in lines)
        play_on(state, choose, 7)
    assert sum("sits out" in line for line in lines) == 2
    assert "knock with 10 or less" in lines[0]
