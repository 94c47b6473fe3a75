"""What is true of every game of Lucky Maker, whoever plays and however."""

from __future__ import annotations

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import IllegalAction
from pitboss.table.events import Tell
from pitboss_lucky_maker.messages import Play, Trick
from pitboss_lucky_maker.state import LuckyMakerState
from tests.games.lucky_maker_reference import DECK, ReferenceTrick, decide_trick, legal_cards
from tests.games.lucky_maker_states import deal_game, hand_cards, set_up_game
from tests.games.random_play import play_randomly

FEW: Final = settings(max_examples=25)
MANY: Final = settings(max_examples=500)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)
SEATS: Final = st.integers(3, 5)
OPTIONS: Final = st.fixed_dictionaries(
    {
        "games": st.integers(0, 3),
        "tie_lead": st.sampled_from(["same", "winner"]),
        "void_lead": st.sampled_from(["same", "next"]),
        "start": st.sampled_from(["rotate", "random", "seat0"]),
    }
)


@FEW
@given(SEATS, OPTIONS, SEEDS)
def test_any_game(seats: int, options: dict[str, object], seed: str) -> None:
    """The legal list is the rule book's, every trick is decided as it says, and who leads next too."""
    known: tuple[Trick, ...] = ()
    for state in play_randomly(deal_game(seed, seats, **options), seed):
        view = state.view(seats)
        if state.turn is not None:
            assert [play.card for play in state.legal()] == legal_cards(
                hand_cards(state, state.turn.seat), view.master or ""
            )
        if len(view.history) == len(known) + 1:
            assert_decided(state, view.history[-1])
            assert state.lead == decide_as(state, view.history[-1]).next_lead
        known = view.history


def assert_decided(state: LuckyMakerState, trick: Trick) -> None:
    """Assert that a trick says of itself what the rule book says of it."""
    by_the_book = decide_as(state, trick)
    assert (trick.follow, trick.winner, trick.points, trick.rules) == by_the_book[:4]


def decide_as(state: LuckyMakerState, trick: Trick) -> ReferenceTrick:
    """Decide a trick by the rule book, under the options of a game."""
    return decide_trick(trick.master, trick.cards, state.options.tie_lead, state.options.void_lead)


@st.composite
def last_tricks(draw: st.DrawFn) -> tuple[str, int, list[str]]:
    """Return a master, who leads, and the last card of each seat.

    All of few categories, so that exceptions are frequent.
    """
    seats = draw(SEATS)
    categories = draw(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
    cards = draw(st.permutations([card for card in DECK if DECK.index(card) // 10 in categories]))
    return cards[0], draw(st.integers(0, seats - 1)), list(cards[1 : seats + 1])


@MANY
@given(last_tricks(), OPTIONS)
def test_any_trick(trick: tuple[str, int, list[str]], options: dict[str, object]) -> None:
    """2.2, 2.3: whatever is played, the rule book's seat wins the rule book's points by the rule book's exceptions."""
    master, lead, cards = trick
    seats = len(cards)
    position = {"hands": [[card] for card in cards], "masters": [], "master": master, "lead": lead}
    state = set_up_game(seats, position, options={**options, "games": 1})
    plays = [(seat, cards[seat]) for seat in ((lead + place) % seats for place in range(seats))]

    for _, card in plays:
        state.play(Play(card))

    [found] = state.view(seats).history
    expected = decide_trick(master, plays, state.options.tie_lead, state.options.void_lead)
    assert_decided(state, found)
    assert state.lead == expected.next_lead
    assert found.cards == tuple(plays)
    assert state.scores == [expected.points if seat == expected.winner else 0 for seat in range(seats)]


@FEW
@given(SEATS, OPTIONS, SEEDS)
def test_cards_and_points(seats: int, options: dict[str, object], seed: str) -> None:
    """Section 1: all 60 cards are in the game.

    Scores are the sums of the points of this game, totals those of the games before.
    """
    for state in play_randomly(deal_game(seed, seats, **options), seed):
        zones, board, view = state.table.zones, state.board, state.view(seats)
        held = [len(zones[seat_hand]) for seat_hand in board.hands]
        won = [sum(trick.points for trick in view.history if trick.winner == seat) for seat in range(seats)]
        assert sorted(card for zone in zones for card in zone) == list(range(60))
        assert view.scores == won
        assert len(view.history) + 1 == view.trick_no or state.turn is None
        if state.turn is not None:
            assert len(zones[board.masters]) + 1 == held[state.turn.seat] == max(held)
            assert sum(held) + len(zones[board.trick]) == seats * max(held)
    assert state.game_no == state.options.games


@FEW
@given(SEATS, OPTIONS, SEEDS)
def test_points_of_a_series(seats: int, options: dict[str, object], seed: str) -> None:
    """Section 3: places are by the points of all tricks of all games, the highest first; equal ones share a place."""
    *_, state = play_randomly(deal_game(seed, seats, **options), seed)
    told = [event.facts for event in state.table.events(seats) if isinstance(event, Tell) and event.event == "trick"]

    outcome = state.outcome()

    won = [sum(int(str(facts["points"])) for facts in told if facts["winner"] == seat) for seat in range(seats)]
    assert len(told) == state.options.games * 60 // (seats + 1)
    assert outcome.points == tuple(won)
    assert outcome.places == tuple(1 + sum(other > own for other in won) for own in won)


@FEW
@given(SEATS, SEEDS)
def test_legal_list_and_play_agree(seats: int, seed: str) -> None:
    """Every card of the legal list can be played, and no other card; the neutral action is the first of them (D17)."""
    for state in play_randomly(deal_game(seed, seats, games=1), seed, max_decisions=3 * seats):
        if state.turn is None:
            return
        legal = list(state.legal())
        assert state.neutral() == legal[0]
        for card in DECK:
            assert is_allowed(state.copy(), Play(card)) == (Play(card) in legal)


def is_allowed(state: LuckyMakerState, play: Play) -> bool:
    """Tell whether a card can be played; a card that cannot leaves everything as it was."""
    before = state.position()
    try:
        state.play(play)
    except IllegalAction:
        assert state.position() == before
        return False
    return True
