"""Runs the cases of Lucky Maker, in the form of section 7 of its rule book: what a case gives tells what it is about.

Every kind of case is translated into a position of the real game and actions played from there; all that can be asked about the table then is found by
`lucky_maker_table`. What stands in no list is an error, never ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import ConfigError
from pitboss_lucky_maker.deck import DECK, SUITS

from .comparing import Found, differences, either
from .given import Given
from .lucky_maker_table import CaseError, Table, options_of

NOTES: Final = {"id", "expect", "title", "note", "notes", "comment", "rule", "source"}
OVER: Final = {"game_no": 100, "masters": []}  # the end of a series: its points are all in `totals`


class About(Given, frozen=True, kw_only=True):
    """What every case may give."""

    options: dict[str, object] = msgspec.field(default_factory=dict)
    players: int | None = None

    def table(self, players: int | None, state: dict[str, object], actions: list[Any], **unless_given: object) -> Table:
        """Return the table that is played at."""
        return Table(options_of(self.players or players, {**unless_given, **self.options}), state, actions)


class DeckGiven(About, frozen=True, kw_only=True):
    """Nothing: the case is about the deck itself."""

    deck: dict[str, object]


def deck_found(given: DeckGiven) -> Found:
    """Section 1: return what the deck is made of."""
    faces = [str(face) for face in DECK.faces]
    pairs = Counter("".join(letter for letter in face if letter in SUITS) for face in faces)
    suits = {suit: sum(suit in face for face in faces) for suit in SUITS}
    return {"size": len(DECK), "suit": suits, "pair": dict(pairs), "cards": faces}


class DealGiven(About, frozen=True, kw_only=True):
    """How many play; perhaps the deck, top first."""

    deal: int
    deck: list[str] | None = None
    lead: int | None = None


def deal_found(given: DealGiven) -> Found:
    """Section 1: return what was dealt."""
    state: dict[str, object] = {"deck": given.deck, "lead": given.lead}
    table = given.table(given.deal, state, [])
    sizes = {len(hand) for hand in table.rows("hands")}
    masters = [*table.rows("master"), *table.rows("masters")]
    left_over = len(DECK) - sum(map(len, table.rows("hands"))) - len(masters)
    return {**table.found(), "hand": sizes.pop(), "masters": either(masters, len(masters)), "left_over": left_over}


class TrickGiven(About, frozen=True, kw_only=True):
    """A trick: who played what, in time order, the leader first. Players are seats, or letters from A on."""

    master: str
    plays: list[tuple[int | str, str]]


def trick_found(given: TrickGiven) -> Found:
    """2.2, 2.3: play the trick as the last one of a game, and return how it was decided."""
    seats = [ord(player) - ord("A") if isinstance(player, str) else player for player, _ in given.plays]
    count, names = given.players or len(seats), {seat: player for seat, (player, _) in zip(seats, given.plays, strict=True)}
    if seats != [(seats[0] + place) % count for place in range(count)]:
        raise CaseError(f"the plays are by {list(names.values())!r}; {count} play, clockwise")
    hands = [[card for player, (_, card) in zip(seats, given.plays, strict=True) if player == seat] for seat in range(count)]
    state: dict[str, object] = {"hands": hands, "masters": [], "master": given.master, "lead": seats[0]}
    table = given.table(count, state, [card for _, card in given.plays], games=1)
    found: dict[str, Any] = {**table.found(), **table.last_trick()}
    winner, next_lead = found["winner"], found["next_lead"]
    return {**found, "winner": names.get(winner), "next_lead": names[next_lead]}


class HandGiven(About, frozen=True, kw_only=True):
    """A hand, and the master that it is to be played to; perhaps the cards played before, by the seats to the right."""

    master: str
    hand: list[str]
    plays: list[str] = msgspec.field(default_factory=list)


def hand_found(given: HandGiven) -> Found:
    """2.1: return the legal cards of the hand, whose owner is on turn; all other cards are dealt at random."""
    before, left = len(given.plays), len(given.hand)
    count = given.players or (3 if left > 12 else 4)
    hands: list[list[str | None]] = [[None] * (left - (seat < before)) for seat in range(count)]
    if before >= count:
        raise CaseError(f"{before} cards were played before; {count} play")
    hands[before] = [*given.hand]
    return given.table(count, {"hands": hands, "master": given.master, "trick": given.plays, "lead": 0}, []).found()


class TricksGiven(About, frozen=True, kw_only=True):
    """The end of a game: all hands, the masters in the order in which they are turned up, the tricks in time order."""

    hands: list[list[str]]
    masters: list[str]
    tricks: list[list[str]]
    lead: int


def tricks_found(given: TricksGiven) -> Found:
    """Section 2: play the tricks."""
    state: dict[str, object] = {
        "hands": given.hands,
        "master": given.masters[0],
        "masters": given.masters[1:],
        "lead": given.lead,
    }
    return given.table(len(given.hands), state, [card for trick in given.tricks for card in trick], games=1).found()


class StateGiven(About, frozen=True, kw_only=True):
    """A position, and what is played from there: cards, or actions as a bot sends them."""

    state: dict[str, object]
    actions: list[str | dict[str, object]] = msgspec.field(default_factory=list)


def state_found(given: StateGiven) -> Found:
    """Play the actions."""
    hands = given.state.get("hands")
    return given.table(len(hands) if isinstance(hands, list) else None, given.state, given.actions).found()


class TotalsGiven(About, frozen=True, kw_only=True):
    """The points of a table, or the points of the games of a series."""

    totals: list[int] = msgspec.field(default_factory=list)
    games: list[list[int]] = msgspec.field(default_factory=list)


def totals_found(given: TotalsGiven) -> Found:
    """Section 3: return totals and ranks of a series that is over."""
    *earlier, last = given.games or [given.totals]
    before = [sum(points) for points in zip(*earlier, strict=True)] if earlier else [0] * len(last)
    state: dict[str, object] = {**OVER, "hands": [[] for _ in last], "totals": before, "scores": last}
    return given.table(len(last), state, [], games=100).ranked()


class OptionsGiven(About, frozen=True, kw_only=True):
    """Options for a table."""


def options_found(given: OptionsGiven) -> Found:
    """Section 4: return the options as resolved for the table."""
    seats, options = options_of(given.players, given.options)
    plain: dict[str, object] = msgspec.structs.asdict(options)
    return {**plain, "options": plain, "players": seats, "valid": True}


class Kind(NamedTuple):
    """How the cases that give a certain thing are run."""

    given: type[About]
    found: Callable[[Any], Found]


KINDS: Final = {  # by what a case gives; the first that fits
    "state": Kind(StateGiven, state_found),
    "deal": Kind(DealGiven, deal_found),
    "deck": Kind(DeckGiven, deck_found),
    "tricks": Kind(TricksGiven, tricks_found),
    "hand": Kind(HandGiven, hand_found),
    "plays": Kind(TrickGiven, trick_found),
    "games": Kind(TotalsGiven, totals_found),
    "totals": Kind(TotalsGiven, totals_found),
    "options": Kind(OptionsGiven, options_found),
}


def run(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return [f"expect must be an object that holds something; it is {expected!r}"]
    error = expected.get("error", expected.get("valid") is False)
    try:
        found = _found({key: value for key, value in case.items() if key not in NOTES})
    except CaseError as wrong:
        return [str(wrong)]
    except ConfigError as wrong:
        is_meant = error is True or (isinstance(error, str) and error in str(wrong))
        return [] if is_meant and expected.keys() <= {"error", "valid"} else [f"refused: {wrong}"]
    unasked = [str(found["refused"])] if found.get("refused") and not expected.get("illegal") else []
    return [*unasked, *differences(_gathered(expected), {"error": False, **found})]


def _found(written: dict[str, object]) -> Found:
    for key, kind in KINDS.items():
        if key in written:
            try:
                return kind.found(msgspec.convert(written, kind.given))
            except msgspec.ValidationError as wrong:
                raise CaseError(f"a case with {key!r}: {wrong}") from None
    raise CaseError(f"the case gives {sorted(written)!r}; it must give one of: {', '.join(KINDS)}")


def _gathered(expected: dict[str, object]) -> dict[str, object]:
    """Return what is expected, `has` and `has_not` as said of the cards of the deck."""
    members = {key: expected[key] for key in ("has", "has_not") if key in expected}
    rest = {key: value for key, value in expected.items() if key not in members}
    return {**rest, "cards": members} if members else rest
