"""Runs the cases of Lucky Maker, in the form of section 7 of its rule book: what a case gives tells what it is about.

Every kind of case is translated into a position of the real game and actions played from there; all that can be asked
about the table then is found by `lucky_maker_table`. What stands in no list is an error, never ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from pitboss_lucky_maker.cards import DECK, SUITS
from tests.rules.case_input import CaseError, CaseInput, judge_case
from tests.rules.comparison import CaseFacts
from tests.rules.lucky_maker_table import CaseTable, seated_options

NOTES: Final = {"id", "expect", "title"}
OVER: Final = {"game_no": 100, "masters": []}  # the end of a series: its points are all in `totals`


class LuckyMakerInput(CaseInput, frozen=True, kw_only=True):
    """What every case may give."""

    options: dict[str, object] = msgspec.field(default_factory=dict)
    players: int | None = None

    def play_table(
        self, players: int | None, state: dict[str, object], actions: list[Any], **unless_given: object
    ) -> CaseTable:
        """Return the table that is played at."""
        return CaseTable(seated_options(self.players or players, {**unless_given, **self.options}), state, actions)


class LuckyMakerDeckInput(LuckyMakerInput, frozen=True, kw_only=True):
    """Nothing: the case is about the deck itself."""

    deck: dict[str, object]


def describe_deck(given: LuckyMakerDeckInput) -> CaseFacts:
    """Section 1: return what the deck is made of."""
    faces = [str(face) for face in DECK.faces]
    pairs = Counter("".join(letter for letter in face if letter in SUITS) for face in faces)
    suits = {suit: sum(suit in face for face in faces) for suit in SUITS}
    return {"size": len(DECK), "suit": suits, "pair": dict(pairs), "cards": faces}


class DealInput(LuckyMakerInput, frozen=True, kw_only=True):
    """How many play; perhaps the deck, top first."""

    deal: int
    deck: list[str] | None = None
    lead: int | None = None


def describe_deal(given: DealInput) -> CaseFacts:
    """Section 1: return what was dealt."""
    state: dict[str, object] = {"deck": given.deck, "lead": given.lead}
    table = given.play_table(given.deal, state, [])
    sizes = {len(hand) for hand in table.card_rows("hands")}
    masters = [*table.card_rows("master"), *table.card_rows("masters")]
    left_over = len(DECK) - sum(map(len, table.card_rows("hands"))) - len(masters)
    return {
        **table.facts(),
        "hand": sizes.pop(),
        "masters": masters,
        "master_count": len(masters),
        "left_over": left_over,
    }


class TrickInput(LuckyMakerInput, frozen=True, kw_only=True):
    """A trick: who played what, in time order, the leader first. Players are seats, or letters from A on."""

    master: str
    plays: list[tuple[int | str, str]]


def play_trick(given: TrickInput) -> CaseFacts:
    """2.2, 2.3: play the trick as the last one of a game, and return how it was decided."""
    seats = [ord(player) - ord("A") if isinstance(player, str) else player for player, _ in given.plays]
    count, names = (
        given.players or len(seats),
        {seat: player for seat, (player, _) in zip(seats, given.plays, strict=True)},
    )
    if seats != [(seats[0] + place) % count for place in range(count)]:
        raise CaseError(f"the plays are by {list(names.values())!r}; {count} play, clockwise")
    hands = [
        [card for player, (_, card) in zip(seats, given.plays, strict=True) if player == seat] for seat in range(count)
    ]
    state: dict[str, object] = {"hands": hands, "masters": [], "master": given.master, "lead": seats[0]}
    table = given.play_table(count, state, [card for _, card in given.plays], games=1)
    found: dict[str, Any] = {**table.facts(), **table.last_trick()}
    winner, next_lead = found["winner"], found["next_lead"]
    return {**found, "winner": names.get(winner), "next_lead": names[next_lead]}


class HandInput(LuckyMakerInput, frozen=True, kw_only=True):
    """A hand, and the master that it is to be played to; perhaps the cards played before, by the seats to the right."""

    master: str
    hand: list[str]
    plays: list[str] = msgspec.field(default_factory=list)


def legal_cards_of_hand(given: HandInput) -> CaseFacts:
    """2.1: return the legal cards of the hand, whose owner is on turn; all other cards are dealt at random."""
    before, left = len(given.plays), len(given.hand)
    count = given.players or (3 if left > 12 else 4)
    hands: list[list[str | None]] = [[None] * (left - (seat < before)) for seat in range(count)]
    if before >= count:
        raise CaseError(f"{before} cards were played before; {count} play")
    hands[before] = [*given.hand]
    return given.play_table(
        count, {"hands": hands, "master": given.master, "trick": given.plays, "lead": 0}, []
    ).facts()


class TrickSeriesInput(LuckyMakerInput, frozen=True, kw_only=True):
    """The end of a game: all hands, the masters in the order in which they are turned up, the tricks in time order."""

    hands: list[list[str]]
    masters: list[str]
    tricks: list[list[str]]
    lead: int


def play_tricks(given: TrickSeriesInput) -> CaseFacts:
    """Section 2: play the tricks."""
    state: dict[str, object] = {
        "hands": given.hands,
        "master": given.masters[0],
        "masters": given.masters[1:],
        "lead": given.lead,
    }
    return given.play_table(
        len(given.hands), state, [card for trick in given.tricks for card in trick], games=1
    ).facts()


class StateInput(LuckyMakerInput, frozen=True, kw_only=True):
    """A position, and what is played from there: cards, or actions as a bot sends them."""

    state: dict[str, object]
    actions: list[str | dict[str, object]] = msgspec.field(default_factory=list)


def play_from_state(given: StateInput) -> CaseFacts:
    """Play the actions."""
    hands = given.state.get("hands")
    return given.play_table(len(hands) if isinstance(hands, list) else None, given.state, given.actions).facts()


class TotalsInput(LuckyMakerInput, frozen=True, kw_only=True):
    """The points of a table, or the points of the games of a series."""

    totals: list[int] = msgspec.field(default_factory=list)
    games: list[list[int]] = msgspec.field(default_factory=list)


def rank_totals(given: TotalsInput) -> CaseFacts:
    """Section 3: return totals and ranks of a series that is over."""
    *earlier, last = given.games or [given.totals]
    before = [sum(points) for points in zip(*earlier, strict=True)] if earlier else [0] * len(last)
    state: dict[str, object] = {**OVER, "hands": [[] for _ in last], "totals": before, "scores": last}
    return given.play_table(len(last), state, [], games=100).ranking()


class LuckyMakerOptionsInput(LuckyMakerInput, frozen=True, kw_only=True):
    """Options for a table."""


def resolve_case_options(given: LuckyMakerOptionsInput) -> CaseFacts:
    """Section 4: return the options as resolved for the table."""
    seats, options = seated_options(given.players, given.options)
    plain: dict[str, object] = msgspec.structs.asdict(options)
    return {**plain, "options": plain, "players": seats}


class CaseKind(NamedTuple):
    """How the cases that give a certain thing are run."""

    input_type: type[LuckyMakerInput]
    evaluate: Callable[[Any], CaseFacts]


CASE_KINDS: Final = {  # by what a case gives; the first that fits
    "state": CaseKind(StateInput, play_from_state),
    "deal": CaseKind(DealInput, describe_deal),
    "deck": CaseKind(LuckyMakerDeckInput, describe_deck),
    "tricks": CaseKind(TrickSeriesInput, play_tricks),
    "hand": CaseKind(HandInput, legal_cards_of_hand),
    "plays": CaseKind(TrickInput, play_trick),
    "games": CaseKind(TotalsInput, rank_totals),
    "totals": CaseKind(TotalsInput, rank_totals),
    "options": CaseKind(LuckyMakerOptionsInput, resolve_case_options),
}


def run_case(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return [f"expect must be an object that holds something; it is {expected!r}"]
    given = {key: value for key, value in case.items() if key not in NOTES}
    try:
        return judge_case(_gather_members(expected), lambda: _evaluate_case(given))
    except CaseError as wrong:
        return [str(wrong)]


def _evaluate_case(written: dict[str, object]) -> CaseFacts:
    for key, kind in CASE_KINDS.items():
        if key in written:
            try:
                return kind.evaluate(msgspec.convert(written, kind.input_type))
            except msgspec.ValidationError as wrong:
                raise CaseError(f"a case with {key!r}: {wrong}") from None
    raise CaseError(f"the case gives {sorted(written)!r}; it must give one of: {', '.join(CASE_KINDS)}")


def _gather_members(expected: dict[str, object]) -> dict[str, object]:
    """Return what is expected, `has` and `has_not` as said of the cards of the deck."""
    members = {key: expected[key] for key in ("has", "has_not") if key in expected}
    rest = {key: value for key, value in expected.items() if key not in members}
    return {**rest, "cards": members} if members else rest
