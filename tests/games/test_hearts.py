"""Hearts: passes, what may be led, and the moon."""

from __future__ import annotations

from pitboss import Random
from pitboss.parts.tricks import PlayCard
from pitboss.testing import stack_deal
from pitboss_hearts.game import Hearts
from pitboss_hearts.messages import HeartsOptions, Moon, Pass
from pitboss_hearts.state import HeartsState

OPEN: list[str | None] = [None] * 13


def deal_hands(*hands: str, limit: int = 100) -> HeartsState:
    """Return a match without passing whose first deal gives the players these hands."""
    dealt = {f"hand {seat}": hand for seat, hand in enumerate(hands)}
    return stack_deal(Hearts(), len(hands), dealt, options=HeartsOptions(limit=limit, passing=False))


def rest_of_suit(suit: str, *left_out: str) -> str:
    """Return the cards of a suit, without some."""
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    return " ".join(suit + rank for rank in ranks if suit + rank not in left_out)


HAND_ZONES = [f"hand {seat}" for seat in range(4)]
ONE_SUIT_EACH = [rest_of_suit(suit) for suit in "CDSH"]


def test_passing() -> None:
    """All players pass at the same time, first to the left; nobody sees the cards that others pass."""
    state = Hearts().deal(4, HeartsOptions(), Random("pass"))
    before = [state.faces(hand) for hand in state.hands]
    assert len(state.legal()) == 286
    for seat in range(4):
        assert list(state.together()) == [0, 1, 2, 3]
        assert state.turn is not None and state.turn.seat == seat
        state.play(Pass(tuple(before[seat][:3])))  # type: ignore[arg-type]

    for seat in range(4):
        assert sorted(state.faces(state.hands[seat])) == sorted([*before[seat][3:], *before[seat - 1][:3]])
        assert state.view(seat).known[(seat + 1) % 4] == sorted(before[seat][:3])
    assert list(state.together()) == []
    assert "C2" in state.faces(state.hands[state.trick_seats[0]])


def test_the_rotation_of_passes() -> None:
    """Four players pass left, right, across and not at all; three and five pass left, right and not at all."""
    found: dict[int, list[int]] = {}
    for seats in (3, 4, 5):
        state = Hearts().deal(seats, HeartsOptions(), Random("rotation"))
        found[seats] = []
        for state.deal_no in range(1, 6):
            found[seats].append(state.pass_distance())

    assert found == {3: [1, -1, 0, 1, -1], 4: [1, -1, 2, 0, 1], 5: [1, -1, 0, 1, -1]}


def test_the_lowest_club_leads_and_suit_is_followed() -> None:
    """The lowest club leads, and no player who can avoid it plays a card that counts in the first trick."""
    state = deal_hands(*ONE_SUIT_EACH)

    assert state.legal() == [PlayCard("C2")]
    state.play(PlayCard("C2"))
    assert len(state.legal()) == 13  # diamonds only: nothing else is held, and none counts
    state.play(PlayCard("D5"))
    assert PlayCard("SQ") not in state.legal()
    state.play(PlayCard("SA"))
    assert len(state.legal()) == 13  # hearts only: they all count, and there is nothing else
    state.play(PlayCard("H2"))
    assert state.trick_seats == (0, 1, 2, 3)


def test_hearts_are_not_led_before_they_are_broken() -> None:
    """A heart is led only after hearts are broken, or by a hand of hearts alone."""
    clubs, spades = rest_of_suit("C", "CA"), rest_of_suit("S", "S2")
    state = deal_hands(f"{clubs} HA", rest_of_suit("D", "DA") + " CA", f"{spades} DA", rest_of_suit("H", "HA") + " S2")
    for action in ("C2", "CA", "DA", "S2"):
        state.play(PlayCard(action))
    assert state.turn is not None and state.turn.seat == 1
    state.play(PlayCard("D2"))
    state.play(PlayCard("S3"))
    state.play(PlayCard("H2"))
    state.play(PlayCard("C3"))
    assert state.turn.seat == 1

    state = deal_hands(f"{clubs} HA", rest_of_suit("D", "DA") + " CA", f"{spades} DA", rest_of_suit("H", "HA") + " S2")
    for action in ("C2", "CA", "DA", "S2", "D3", "S4"):
        state.play(PlayCard(action))
    assert all(action.card.startswith("H") for action in state.legal() if isinstance(action, PlayCard))


def test_shooting_the_moon_and_the_end() -> None:
    """A player who shoots the moon gets no points, and every other player 26; the limit ends the match."""
    state = deal_hands(*ONE_SUIT_EACH, limit=26)
    while state.turn is not None:
        state.play(state.legal()[0])

    assert state.totals == [0, 26, 26, 26]
    assert state.outcome().places == (1, 2, 2, 2)


def test_the_shooter_of_the_moon_chooses() -> None:
    """Only the shooter is asked after the last trick; the position keeps the choice, also after the end."""
    options = HeartsOptions(passing=False, moon="choice", limit=20)
    state = stack_deal(Hearts(), 4, dict(zip(HAND_ZONES, ONE_SUIT_EACH, strict=True)), options=options)
    while state.turn is not None and state.turn.phase == "play":
        state.play(state.legal()[0])
    assert (state.turn, state.totals) == ((0, "moon"), [0, 0, 0, 0])
    assert state.evaluate()[0] > max(state.evaluate()[1:])
    again = Hearts().setup(4, options, state.position(), Random("again"))
    assert (again.turn, again.legal()) == (state.turn, state.legal())

    state.play(Moon("add"))

    assert (state.turn, state.totals) == (None, [0, 26, 26, 26])
    again = Hearts().setup(4, options, state.position(), Random("again"))
    assert (again.turn, again.totals) == (None, state.totals)
