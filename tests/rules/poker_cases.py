"""Runs the cases of poker: `{"id": …, "fn": …, "in": {…}, "expect": {…}}`, as section 7 of the rule book says.

What stands in no list is an error, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct, field, to_builtins

from pitboss import ConfigError, PositionError, Random
from pitboss.game import AnyPositionedGame, resolve_options
from pitboss.options import convert_value
from pitboss.parts.betting.board_state import AnyBoardState
from pitboss.parts.betting.high_hands import card_key, category_of
from pitboss.parts.betting.rankings import EIGHT_LOW, HIGH, LOW, OMAHA, OMAHA_LOW, SHORT_DECK
from pitboss.table.events import LogEntry
from pitboss_poker.game import FiveCardDraw, Poker, SevenCardStud
from pitboss_poker.messages import PokerOptions
from pitboss_poker.rules import SEATS_IN, split_pots
from tests.rules.case_input import CaseError, CaseInput
from tests.rules.case_play import play_case_action
from tests.rules.comparison import CaseFacts, list_differences

GAME: Final = Poker()
GAMES: Final[dict[str, AnyPositionedGame]] = {one.name: one for one in (GAME, FiveCardDraw(), SevenCardStud())}
RANKINGS: Final = {
    "high": HIGH, "low": LOW, "eight-low": EIGHT_LOW, "short-deck": SHORT_DECK, "omaha": OMAHA, "omaha-low": OMAHA_LOW
}  # fmt: skip
LETTERS: Final = {"f": "fold", "k": "check", "c": "call", "b": "bet", "r": "raise", "i": "bring-in", "d": "discard"}


class PokerPlayInput(CaseInput, frozen=True):
    """A position, and what is played from there: actions as in `View.history`, without seats."""

    players: int
    game: str = "poker"
    preset: str | None = None
    options: dict[str, object] = field(default_factory=dict)
    state: dict[str, object] = field(default_factory=dict)
    actions: str = ""


class RankInput(CaseInput, frozen=True):
    """Hands of up to seven cards, and a board that they share, compared by a ranking."""

    hands: list[list[str]]
    board: list[str] = field(default_factory=list)
    by: str = "high"


class PotsInput(CaseInput, frozen=True):
    """What each seat has paid, and who has folded."""

    paid: list[int]
    folded: list[int] = field(default_factory=list)


class PokerOptionsInput(CaseInput, frozen=True):
    """Options for a table."""

    players: int
    preset: str | None = None
    options: dict[str, object] = field(default_factory=dict)


class PokerCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A case as it is written."""

    id: str
    fn: str
    expect: dict[str, object]
    given: dict[str, object] = field(name="in")


class PokerCaseFunction(NamedTuple):
    """How the cases of one `fn` are run."""

    input_type: type[CaseInput]
    evaluate: Callable[[Any], CaseFacts]


def run_case(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    try:
        written = msgspec.convert(case, PokerCase)
        if written.fn not in FUNCTIONS or not written.expect:
            raise CaseError(f"fn is {written.fn!r}, of {', '.join(FUNCTIONS)}; expect is {written.expect!r}")
        function = FUNCTIONS[written.fn]
        given = msgspec.convert(written.given, function.input_type)
    except (msgspec.ValidationError, CaseError) as wrong:
        return [str(wrong)]
    try:
        found = function.evaluate(given)
    except ConfigError as wrong:
        return list_differences(written.expect, {"error": str(wrong)}) if "error" in written.expect else [str(wrong)]
    unasked = [str(found["refused"])] if found.get("refused") and not written.expect.get("illegal") else []
    return [*unasked, *list_differences(written.expect, found)]


def rank_hands(given: RankInput) -> CaseFacts:
    """Return the category of each hand, and which of them are best."""
    if given.by not in RANKINGS:
        raise CaseError(f"by is {given.by!r}, of {', '.join(RANKINGS)}")
    ranking, board = RANKINGS[given.by], [card_key(card) for card in given.board]
    strengths = [ranking.rank([card_key(card) for card in hand], board) for hand in given.hands]
    best = max(strengths)
    return {
        "words": [ranking.describe(strength) if strength else None for strength in strengths],
        "categories": [category_of(strength) for strength in strengths if given.by == "high"],
        "best": [number for number, strength in enumerate(strengths) if strength == best],
    }


def list_pots(given: PotsInput) -> CaseFacts:
    """Return the pots, each with its chips and the seats that can win it."""
    live = sum(1 << seat for seat in range(len(given.paid)) if seat not in given.folded)
    return {"pots": [[chips, [*SEATS_IN[mask]]] for chips, mask in split_pots(given.paid, live)]}


def resolve_case_options(given: PokerOptionsInput) -> CaseFacts:
    """Return the options of a table."""
    options: PokerOptions = resolve_options(GAME, given.players, given.preset, given.options)
    found: dict[str, object] = to_builtins(options)
    return found


def play_case(given: PokerPlayInput) -> CaseFacts:
    """Play the actions and return what can be asked."""
    if given.game not in GAMES:
        raise CaseError(f"game is {given.game!r}, of {', '.join(GAMES)}")
    game = GAMES[given.game]
    options = resolve_options(game, given.players, given.preset, given.options)
    position = convert_value(given.state, game.Position, "position", PositionError)
    state: Any = game.setup(given.players, options, position, Random("case"))
    refused = ""
    for number, word in enumerate(given.actions.replace("/", " ").split(), 1):
        refused = refused or play_case_action(game, state, number, read_action(word))
    return table_facts(state, refused)


def read_action(word: str) -> dict[str, object]:
    """Return an action that is written as "f" or "r300", or of cards that are laid away as "dS2+H10"."""
    if word[0] not in LETTERS:
        raise CaseError(f"{word!r} is no action")
    if word[0] == "d":
        return {"do": "discard", "cards": word[1:].split("+") if word[1:] else []}
    return {"do": LETTERS[word[0]], **({"to": int(word[1:])} if word[1:] else {})}


def table_facts(state: AnyBoardState, refused: str) -> CaseFacts:
    """Return all that a case can ask about a table. `shown`, `mucked`, `returned` and `won` are of the last hand."""
    ended = last_hand(state)
    outcome = state.outcome()
    views = {f"obs{seat}": to_builtins(state.view(seat)) for seat in range(state.seats + 1)}
    public: dict[str, object] = to_builtins(state.view(state.seats))
    pots = public.pop("pots")
    assert isinstance(pots, list)
    return {
        **public,
        **views,
        "pots": [[pot["chips"], pot["seats"]] for pot in pots],
        "turn": state.turn.seat if state.turn else None,
        "legal": to_builtins(list(state.legal())),
        "neutral": to_builtins(state.neutral()) if state.turn else None,
        "hands": [state.faces(hand) for hand in state.hands],
        "shown": [entry.target.owner for entry in ended if entry.verb == "reveal" and entry.target is not None],
        "mucked": [entry.target.owner for entry in ended if entry.event == "muck" and entry.target is not None],
        "returned": [[facts["seat"], facts["chips"]] for facts in told(ended, "return")],
        "won": [[facts["chips"], facts["winners"], facts["shares"]] for facts in told(ended, "pot")],
        "with": [facts["hand"] for facts in told(ended, "pot")],
        "over": state.turn is None,
        "points": [int(points) for points in outcome.points],
        "places": [*outcome.places],
        "illegal": bool(refused),
        "refused": refused or None,
    }


def last_hand(state: AnyBoardState) -> list[LogEntry]:
    """Return what happened in the last hand that has ended, or in the first one."""
    hands: list[list[LogEntry]] = [[]]
    for entry in state.table.log or ():
        if entry.event == "hand":
            hands.append([])
        hands[-1].append(entry)
    ended = [hand for hand in hands if any(entry.event == "hand_end" for entry in hand)]
    return ended[-1] if ended else hands[-1]


def told(entries: list[LogEntry], event: str) -> list[dict[str, object]]:
    """Return the facts of each entry with a name."""
    return [dict(entry.facts or {}) for entry in entries if entry.event == event]


FUNCTIONS: Final = {
    "play": PokerCaseFunction(PokerPlayInput, play_case),
    "rank": PokerCaseFunction(RankInput, rank_hands),
    "pots": PokerCaseFunction(PotsInput, list_pots),
    "options": PokerCaseFunction(PokerOptionsInput, resolve_case_options),
}
