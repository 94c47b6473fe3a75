"""Actions as letters: every legal action has letters of its own, which choose it; fields without bounds are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import pytest
from msgspec import Meta

from pitboss import CARD, Action, ActionRange, CardFace, Deck, SeatIndex
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.alphabet import RANGE_LETTERS, Alphabet
from pitboss.learning.spelling import Spelling

DECK = Deck(["SA", "HK", "SA", "D2"])


class PickUp(Action, frozen=True):
    """PickUp."""


class PutDown(Action, frozen=True):
    """PutDown cards."""

    cards: tuple[CardFace, ...]


class Give(Action, frozen=True):
    """Give a card, perhaps openly."""

    card: Annotated[str, CARD, Meta(pattern="^[SHDC]")]
    openly: bool
    to: Annotated[int, Meta(ge=0, lt=3)]
    why: Literal["gift", "debt"] | None = None


class Stake(Action, frozen=True):
    """Stake chips."""

    on: Literal["red", "black"]
    chips: Annotated[int, Meta(ge=1)]


class LayGroups(Action, frozen=True):
    """Lay cards out in groups."""

    groups: tuple[tuple[CardFace, ...], ...]


class Words(Action, frozen=True):
    """Say something."""

    text: str


class Aim(Action, frozen=True):
    """Aim a card at a seat, or at nobody."""

    card: CardFace
    target: SeatIndex
    also: SeatIndex | None = None


class Twice(Action, frozen=True):
    """Two numbers without bounds."""

    first: int
    second: int


GAME = PickUp | PutDown | Give | Stake
ALPHABET = Alphabet(GAME, DECK)


def choose_by_letters(legal: Sequence[object], action: object) -> object:
    """Return the action that the letters of an action choose."""
    spelling, chosen = Spelling(ALPHABET, legal), None
    for letter in spelling.spell(action):
        assert letter in spelling.letters
        chosen = spelling.add(letter)
    return chosen


def test_letters_are_numbered_as_the_actions_are_declared() -> None:
    """The alphabet has a letter for each value of a type with few, each face once, and a word and its values for a
    list.
    """
    assert ALPHABET.letters[:6] == ["(end)", "pickup", "putdown", "… SA", "… HK", "… D2"]
    assert ALPHABET.letters[6:9] == ["give SA false 0 debt", "give SA false 0 gift", "give SA false 0 none"]
    assert ALPHABET.letters[6 + 3 * 2 * 3 * 3 :] == [
        f"stake {colour} {size}"
        for colour in ("black", "red")
        for size in ("least", "size 1", "size 2", "size 3", "size 4", "most")
    ]


def test_letters_choose_their_action() -> None:
    """Each legal action is chosen by its letters, whatever the others are."""
    legal = [
        PickUp(),
        *[PutDown(cards) for cards in [("SA",), ("SA", "HK"), ("HK", "SA"), ("SA", "HK", "D2"), ("SA", "SA")]],
        Give("SA", True, 2),
        Give("SA", True, 2, "gift"),
        Give("D2", False, 0),
    ]
    assert [choose_by_letters(legal, action) for action in legal] == legal


def test_lists_in_a_list_are_spelled_apart() -> None:
    """The same cards in other groups are other letters: a stop stands after each group, and one after all."""
    alphabet = Alphabet(PickUp | LayGroups, DECK)
    groups = [
        (("SA", "HK", "D2"),),
        (("SA",), ("HK", "D2")),
        (("SA", "HK"), ("D2",)),
        (("SA",), ("HK",), ("D2",)),
    ]
    legal = [PickUp(), *map(LayGroups, groups)]

    words = [word for word, _ in alphabet.spell_legal(legal)]
    assert len(set(words)) == len(legal)
    assert [alphabet.letters[letter] for letter in words[2]] == (
        ["laygroups", "… SA", "(end)", "… HK", "… D2", "(end)", "(end)"]
    )
    for action in legal:
        spelling, chosen = Spelling(alphabet, legal), None
        for letter in spelling.spell(action):
            chosen = spelling.add(letter)
        assert chosen == action


def test_letters_without_a_choice_are_left_out() -> None:
    """A decision takes as many letters as it has choices; what is forced stands in `spelled`."""
    spelling = Spelling(ALPHABET, [PutDown(("SA", "HK")), PutDown(("SA", "D2"))])
    assert [ALPHABET.letters[letter] for letter in spelling.letters] == ["… HK", "… D2"]
    assert [ALPHABET.letters[letter] for letter in spelling.spelled] == ["putdown", "… SA"]
    assert spelling.add(spelling.letters[1]) == PutDown(("SA", "D2"))
    assert Spelling(ALPHABET, [PickUp()]).forced == PickUp()


def test_a_range_has_letters_from_its_least_to_its_greatest_number() -> None:
    """The first letter is the smallest number and the last the largest, however many lie between."""
    wide = Spelling(ALPHABET, [PickUp(), ActionRange.make(Stake, on="red", chips=(2, 200))])
    stakes = [wide.copy().add(letter) for letter in wide.letters[1:]]
    assert len(stakes) == RANGE_LETTERS
    assert (stakes[0], stakes[-1]) == (Stake("red", 2), Stake("red", 200))
    narrow = Spelling(ALPHABET, [PickUp(), ActionRange.make(Stake, on="red", chips=(7, 8))])
    assert [narrow.copy().add(letter) for letter in narrow.letters[1:]] == [Stake("red", 7), Stake("red", 8)]
    assert narrow.letters[1:] == [wide.letters[1], wide.letters[-1]]
    assert choose_by_letters([PickUp(), ActionRange.make(Stake, on="red", chips=(2, 200))], Stake("red", 199)) == Stake(
        "red", 200
    )


def test_single_numbers_without_bounds_are_spelled_as_a_range() -> None:
    """Bets of fixed sizes stand in the legal list as single actions."""
    legal = [PickUp(), Stake("red", 5), Stake("black", 5), Stake("black", 10)]
    assert [choose_by_letters(legal, action) for action in legal] == legal


def test_an_illegal_letter_is_refused() -> None:
    """The error about an illegal letter names the letter and the legal ones."""
    spelling = Spelling(ALPHABET, [PickUp(), PutDown(("SA",))])
    with pytest.raises(ValueError, match=r"letter 5 is not legal here; legal: \[1, 2\]"):
        spelling.add(5)
    with pytest.raises(ValueError, match="is not legal here"):
        spelling.spell(Give("SA", True, 2))


def test_actions_that_are_spelled_alike_are_refused() -> None:
    """Two equal actions in a legal list cannot be told apart."""
    with pytest.raises(ValueError, match="spelled alike"):
        Spelling(ALPHABET, [PickUp(), PickUp()])
    among_others = Spelling(ALPHABET, [PickUp(), PickUp(), PutDown(("SA",))])
    with pytest.raises(ValueError, match=r"spelled alike: PickUp\(\) and PickUp\(\)"):
        among_others.add(among_others.letters[0])


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (PickUp | Words, "action 'words', field 'text': its values cannot be listed; it may be a Literal"),
        (PickUp | Twice, r"action 'twice': of its fields \['first', 'second'\] one at most may be without bounds"),
    ],
)
def test_fields_without_bounds_are_refused(action: object, message: str) -> None:
    """The error about a field without bounds names the action, the field and what is allowed."""
    with pytest.raises(UnboundedAction, match=message):
        Alphabet(action, DECK)


def test_a_seat_is_one_of_those_at_the_table() -> None:
    """An action aimed at a seat has a letter for each seat, without bounds of its own."""
    alphabet = Alphabet(Aim, DECK, seats=3)

    assert len(alphabet) == 1 + 3 * 3 * 4  # the stop; faces, seats, seats and nobody
    assert alphabet.letters[1:4] == ["aim SA 0 0", "aim SA 0 1", "aim SA 0 2"]


def test_a_digest_tells_alphabets_apart() -> None:
    """The same actions with another deck, or in another order, have other letters."""
    assert Alphabet(GAME, DECK).digest == ALPHABET.digest
    assert Alphabet(GAME, Deck(["SA", "HK"])).digest != ALPHABET.digest
    assert Alphabet(PutDown | PickUp | Give | Stake, DECK).digest != ALPHABET.digest
