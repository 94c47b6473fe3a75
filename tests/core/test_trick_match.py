"""Matches of tricks: positions, the picture, the sides, what a bot reads of a trick, and estimates."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import Deck, Options, PositionError, PublicCount, PublicCounts, Random
from pitboss.parts.suits import make_suited_deck, rank_number
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss.parts.trick_match import TrickGame, TrickMatchState, TrickMatchView, TrickPosition
from pitboss.parts.trick_position import set_up_tricks
from pitboss.parts.trick_reading import TrickReading
from pitboss.parts.tricks import PlayCard
from pitboss.testing import assert_conforms

DECK = make_suited_deck(("2", "3", "4", "5"))


class PairsState(TrickMatchState[Options, PlayCard]):
    """Two against two, two deals of four cards, a point for each trick of a side. Spades are trumps."""

    deck = DECK
    first_trump = "S"
    sides = ((0, 2), (1, 3))

    def deal_cards(self) -> None:
        """Deal; another seat leads in each deal."""
        self.deal_hands(4)
        self.begin_play()

    def begin_play(self) -> None:
        """Let a seat lead."""
        self.lead_trick(self.deal_no - 1)

    def count_deals(self) -> int:
        """Return two."""
        return 2

    def end_tricks(self) -> None:
        """Count the tricks of both partners."""
        won = self.tricks_won()
        self.end_deal([won[seat] + won[(seat + 2) % 4] for seat in range(4)])

    def view(self, seat: int) -> TrickMatchView:
        """Return the tricks and totals."""
        return TrickMatchView(**self.view_tricks(seat))

    def public_counts(self) -> PublicCounts:
        """Return the totals; seat 3 is the dealer."""
        seats = [[PublicCount("score", total)] for total in self.totals]
        seats[3].append(PublicCount("dealer"))
        return PublicCounts([PublicCount("deal", self.deal_no), PublicCount("spades are trumps")], seats)

    def position(self) -> TrickPosition:
        """Write hands, plays and totals."""
        return TrickPosition(**self.write_tricks())

    def set_up_deal(self, position: TrickPosition) -> None:
        """Play the plays again."""
        set_up_tricks(self, position.hands, position.plays, 4, PairsState.begin_play)


class Pairs(TrickGame[Options, PairsState]):
    """The game."""

    state = PairsState
    name = "pairs"
    title = "Pairs"
    seats = (4,)
    Position = TrickPosition


class TwinPairsState(PairsState):
    """The same with two packs of the low cards."""

    deck = Deck([*make_suited_deck(("2", "3")).faces] * 2)


class TwinPairs(Pairs):
    """The game with equal cards."""

    state = TwinPairsState
    name = "twin-pairs"


class UnwrittenState(TrickMatchState[Options, PlayCard]):
    """Two deals of three cards; the match has no positions."""

    deck = DECK

    def deal_cards(self) -> None:
        """Deal; seat 0 leads."""
        self.deal_hands(3)
        self.lead_trick(0)

    def count_deals(self) -> int:
        """Return two."""
        return 2

    def end_tricks(self) -> None:
        """Count tricks."""
        self.end_deal(self.tricks_won())

    def view(self, seat: int) -> TrickMatchView:
        """Return the tricks and totals."""
        return TrickMatchView(**self.view_tricks(seat))


class Unwritten(TrickGame[Options, UnwrittenState]):
    """The game without positions."""

    state = UnwrittenState
    name = "unwritten"
    title = "Unwritten"
    seats = (2,)


GAME = Pairs()
HANDS: list[list[str | None]] = [["H3", "H4", "H5"], ["S3", "S4", "S5"], ["D3", "D4", "D5"], ["C2", "C4", "C5"]]
PLAYS = [(1, "S2"), (2, "D2"), (3, "C3"), (0, "H2")]


def set_up(**given: Any) -> PairsState:  # noqa: ANN401 - the fields of a position
    """Return a state at a position of the second deal."""
    position = TrickPosition(**{"hands": HANDS, "plays": PLAYS, "totals": [3, 1], "deal_no": 2, **given})
    return GAME.setup(4, Options(), position, Random("pairs"))


@pytest.mark.long
@pytest.mark.once
@pytest.mark.parametrize("game", [GAME, TwinPairs(), Unwritten()])
def test_a_match_of_tricks_conforms(game: Pairs | Unwritten) -> None:
    """Views, positions, pictures and counts keep every promise, with equal cards too; positions may be left out."""
    assert_conforms(game, games=2)


def test_a_position_with_equal_cards() -> None:
    """A card that is still held may have been played, too: it is set up as it was written, and played on."""
    position = TrickPosition(
        hands=[["S3", "S2"], ["S2", "S3"], ["D3", "D2"], ["C2", "C3"]],
        plays=[(0, "H2"), (1, "H2"), (2, "D3"), (3, "C3"), (0, "H3"), (1, "H3"), (2, "D2"), (3, "C2")],
    )
    state = TwinPairs().setup(4, Options(), position, Random("twins"))

    assert (state.turn, state.view(0).won) == ((0, "play"), [2, 0, 0, 0])  # of equal cards the first takes the trick
    assert state.position() == TrickPosition(hands=position.hands, plays=position.plays, totals=[0, 0])
    assert state.view(3).hand == ["C2", "C3"]


def test_a_position_of_partners() -> None:
    """Totals stand by side; the plays are played again, and the position is written as it was."""
    state = set_up()

    assert state.totals == [3, 1, 3, 1]
    assert (state.turn, state.view(0).won, state.view(0).totals) == ((1, "play"), [0, 1, 0, 0], [3, 1, 3, 1])
    assert state.position().plays == PLAYS
    assert [sorted(map(str, hand)) for hand in state.position().hands or []] == HANDS


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"deal_no": 3}, "deal_no is 3; the match has 2 deals"),
        ({"totals": [3, 1, 3, 1]}, "totals has 4 entries; 2 play"),
        ({"hands": HANDS[:3]}, "hands has 3 entries; 4 play"),
        ({"plays": [(0, "H2")]}, "seat 1 holds 3 cards and has played 0"),
    ],
)
def test_positions_of_no_match(given: dict[str, Any], message: str) -> None:
    """A position that is no table of the game is refused."""
    with pytest.raises(PositionError, match=message):
        set_up(**given)


def test_what_a_bot_reads_of_equal_cards() -> None:
    """A card of which one was played and another is unseen is unseen; each unseen card counts."""
    view = {"hand": ["H2"], "trick": [(1, "H3")], "tricks": [{"cards": [(0, "H4"), (1, "H4")]}]}
    reading = TrickReading(view, ["H2", "H3", "H4", "H5"] * 2)

    assert reading.unseen == {"H2", "H3", "H5"}
    assert reading.count_unseen("H") == 4


def test_the_outcome_of_partners() -> None:
    """Both partners have the points of their side; after the last deal the match is over."""
    state = set_up()
    while state.turn is not None:
        state.play(state.legal()[0])

    assert (state.outcome().points, state.outcome().places) == ((3.0, 5.0, 3.0, 5.0), (2, 1, 2, 1))


def test_the_picture_of_a_match() -> None:
    """The picture has the counts of the table, the tricks, and a column for each count; words without a value have one
    together.
    """
    assert list(set_up().render(0, ["Ann", "Bob", "Cyd", "Dan"])) == [
        "  deal 2, spades are trumps",
        "  last     1 S2, 2 D2, 3 C3, 0 H2",
        "           1 took it",
        "  trick",
        "                   score       ",
        "  0 Ann                3         H3 H4 H5",
        "> 1 Bob                1         3 cards",
        "  2 Cyd                3         3 cards",
        "  3 Dan                1 dealer  3 cards",
    ]


def test_what_a_bot_reads_of_a_trick() -> None:
    """The reading of a trick tells the suit and card that lead, which cards would beat it, and which cards others may
    hold.
    """
    earlier = [{"cards": [(1, "C3"), (2, "D2"), (3, "S2"), (0, "H2")], "winner": 3}]
    view = {"hand": ["H3", "H5", "S3"], "trick": [(1, "H4"), (2, "D3"), (3, "C4")], "tricks": earlier}
    trick = TrickReading(view, map(str, DECK.faces), "S")

    assert (trick.led, trick.best) == ("H", (1, "H4"))
    assert (trick.winners(["H3", "H5", "S3"]), trick.losers(["H3", "H5", "S3"])) == (["H5", "S3"], ["H3"])
    assert trick.unseen == {"D5", "C2", "D4", "S5", "S4", "C5"}
    assert (trick.is_boss("H5"), trick.is_boss("S3"), trick.count_unseen("S")) == (True, False, 2)
    assert trick.void_suits() == {0: {"C"}, 2: {"C", "H"}, 3: {"C", "H"}}
    assert rank_number("H10") == 8


def test_estimates_of_tricks() -> None:
    """Tricks to come are shared by the worth of cards; a bid of the mean is kept in about half of the deals or more."""
    state = set_up()
    worths = [float(face[0] == "S") + 0.25 for face in map(str, DECK.faces)]

    assert share_tricks(state, worths, state.hands, 3) == pytest.approx([0.375, 1.875, 0.375, 0.375])
    chances = [chance_of_at_least(tricks, 2.0, 3, 0.5) for tricks in (0, 1, 2, 3, 4)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.99 and 0.5 < chances[2] < 0.8 and chances[4] < 0.05
