"""Cards, deals and boards as PBN (Portable Bridge Notation, version 2.1) writes them, and seeds that name a deal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pitboss.parts.suits import make_suited_deck, rank_number
from pitboss.plugins.packs import SUITS, rank_of, suit_of

COMPASS: Final = "NESW"  # by seat
UNTOLD_HAND: Final = "-"
HAND_SUITS: Final = "it has spades, hearts, diamonds and clubs"
VULNERABLE_WORDS: Final = ("None", "NS", "EW", "All")
VULNERABLE_NAMES: Final = {"-": "None", "Love": "None", "Both": "All"}  # which PBN allows too
SEED: Final = re.compile(
    r"pbn:([1-9]|1[0-6]):(N:[^:]*)(?::claim=(\d|1[0-3])@(\d|[1-4]\d|5[01]))?(?::untold=([NESW]{1,4}))?"
)
ALL_CARDS: Final = frozenset(map(str, make_suited_deck().faces))


class Claim(NamedTuple):
    """How a deal ended that was not played to its end."""

    tricks: int  # of the declarer's side, all together
    cards: int  # that were played before


class NamedBoard(NamedTuple):
    """The board that a seed names: its number and its hands, by seat."""

    number: int
    hands: list[list[str]]
    claim: Claim | None = None  # that ended it; None: there was none
    untold: frozenset[int] = frozenset()  # the seats whose hands nobody has told: they were drawn


def write_card(face: str) -> str:
    """Return a card as PBN has it: "ST" for "S10"."""
    return face.replace("10", "T")


def read_card(word: str) -> str:
    """Return the face of a card of PBN.

    Raises:
        ValueError: it is no card.
    """
    face = word[:1].upper() + word[1:].upper().replace("T", "10")
    if face not in ALL_CARDS:
        raise ValueError(f"{word!r} is no card; a card is its suit and rank, as SA, HT or D2")
    return face


def write_deal(hands: Sequence[Sequence[str]]) -> str:
    """Return the hands, by seat, as the value of a tag Deal: "N:AK4.Q…", spades first."""
    return "N:" + " ".join(".".join(_write_suit(hand, suit) for suit in SUITS) for hand in hands)


def _write_suit(hand: Sequence[str], suit: str) -> str:
    held = sorted([face for face in hand if suit_of(face) == suit], key=rank_number, reverse=True)
    return "".join(rank_of(face).replace("10", "T") for face in held)


def read_deal(text: str) -> list[list[str]]:
    """Return the hands of a tag Deal, by seat.

    Raises:
        ValueError: they are not all cards, 13 in each hand.
    """
    hands = read_told_hands(text)
    for seat, hand in enumerate(hands):
        if not hand:
            raise ValueError(
                f"the hand of {COMPASS[seat]} is {UNTOLD_HAND!r}; it has spades, hearts, diamonds and clubs"
            )
    return hands


def read_told_hands(text: str) -> list[list[str]]:
    """Return the hands of a tag Deal, by seat; one that is not told ("-") is empty.

    Raises:
        ValueError: a hand has not 13 cards, or a card is there twice.
    """
    first, colon, rest = text.partition(":")
    hands = rest.split()
    if first.upper() not in [*COMPASS] or not colon or len(hands) != len(COMPASS):
        raise ValueError(f'Deal is {text!r}; it has a seat and four hands, as "N:A2.K.3.4 …"')
    found: list[list[str]] = [[] for _ in COMPASS]
    for place, hand in enumerate(hands):
        seat = (COMPASS.index(first.upper()) + place) % len(COMPASS)
        if hand == UNTOLD_HAND:
            continue
        suits = hand.split(".")
        if len(suits) != len(SUITS):
            raise ValueError(f"the hand of {COMPASS[seat]} is {hand!r}; {HAND_SUITS}")
        found[seat] = [read_card(suit + one) for suit, ranks in zip(SUITS, suits, strict=True) for one in ranks]
        if len(found[seat]) != 13:
            raise ValueError(f"{COMPASS[seat]} has {len(found[seat])} cards; a hand has 13")
    cards = [card for hand in found for card in hand]
    if twice := [card for card in cards if cards.count(card) > 1]:
        raise ValueError(f"{write_card(twice[0])} is dealt twice")
    return found


def find_board(dealer: int, vulnerable: str) -> int:
    """Return the number, from 1 to 16, of the board with this dealer and vulnerability: there is one."""
    return next(board for board in range(1, 17) if (board - 1) % 4 == dealer and find_vulnerable(board) == vulnerable)


def find_vulnerable(board: int) -> str:
    """Return who is vulnerable on the board with this number, from 1."""
    return VULNERABLE_WORDS[(board - 1 + (board - 1) // 4) % 4]


def write_seed(
    board: int, hands: Sequence[Sequence[str]], claim: Claim | None = None, untold: Iterable[int] = ()
) -> str:
    """Return the seed of a game whose first board has this number and these hands: that of an imported game.

    `untold` are the seats whose hands nobody has told.
    """
    end = "" if claim is None else f":claim={claim.tricks}@{claim.cards}"
    drawn = "".join(COMPASS[seat] for seat in sorted(untold))
    return f"pbn:{board}:{write_deal(hands)}{end}{f':untold={drawn}' if drawn else ''}"


def read_seed(seed: str) -> NamedBoard | None:
    """Return the board that a seed names; None if it names none."""
    found = SEED.fullmatch(seed)
    if found is None:
        return None
    claim = None if found[3] is None else Claim(int(found[3]), int(found[4]))
    try:
        return NamedBoard(int(found[1]), read_deal(found[2]), claim, frozenset(map(COMPASS.index, found[5] or "")))
    except ValueError:
        return None
