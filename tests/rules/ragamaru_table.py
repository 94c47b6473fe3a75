"""The cases of RAGAMARU that play: from an opening, by actions, to all that can be asked about the table then.

Cards that a case leaves open are real ones here, dealt from what it does not mention. As the rule book says that
unknown cards are never playable, actions for which such a card would be needed are not among the `legal` ones that a
case is compared with.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict

from pitboss import AnyGame, PositionError, Random
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_ragamaru.game import Ragamaru
from pitboss_ragamaru.messages import Action, Discard, Play, Position, RagamaruOptions
from pitboss_ragamaru.state import RagamaruState
from tests.rules.case_play import play_case_action
from tests.rules.comparison import CaseFacts

GAME: Final = Ragamaru()
RULES: Final[AnyGame] = GAME  # the same as the framework sees it
UNKNOWN_HAND: Final = 7
UNKNOWN_STOCK: Final = 40


class RagamaruTableInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of a case and what is played.

    As a position, but hands by seat, and a number for so many unknown cards.
    """

    players: int = 4
    options: dict[str, object] = field(default_factory=dict)
    preset: str | None = None
    actions: list[object] = field(default_factory=list)
    seed: str = "case"
    phase: str | None = None
    turn: int = 0
    turn_no: int = 1
    hands: dict[str, list[str] | int] = field(default_factory=dict)
    stock: list[str] | int = UNKNOWN_STOCK
    pile: list[str] = []
    discards: list[str] = []
    field: dict[str, object] | None = None
    pending: dict[str, object] | None = None
    sin: list[int] | None = None
    seating: list[int] | None = None
    direction: int = 1
    drawn: str | None = None
    discards_left: int = 0
    starter: int | None = None
    passed: list[int] = []
    result: str | None = None


def play_case(given: RagamaruTableInput) -> CaseFacts:
    """Set the table up, play the actions and return what can be asked."""
    options: RagamaruOptions = resolve_options(GAME, given.players, given.preset, given.options)
    state = GAME.setup(given.players, options, position_of(given), Random(given.seed))
    unknown = unknown_cards(given, state)
    refused = ""
    for number, action in enumerate(given.actions, 1):
        refused = refused or play_case_action(RULES, state, number, action)
    return table_facts(state, unknown, options, refused)


def position_of(given: RagamaruTableInput) -> Position:
    """Return the table of a case as a position."""
    phase = given.phase if given.phase not in (None, "over") else "play"
    hands = [given.hands.get(str(seat), UNKNOWN_HAND) for seat in range(given.players)]
    plain: dict[str, object] = {
        key: value for key, value in asdict(given).items() if key in Position.__struct_fields__ and value is not None
    }
    plain |= {"phase": phase, "hands": [_read_row(hand) for hand in hands], "stock": _read_row(given.stock)}
    if phase == "first_colour" and given.field is None:
        plain["field"] = {"card": "KO"}
    return convert_value(plain, Position, "position", PositionError)


def _read_row(cards: list[str] | int) -> list[str | None]:
    return [None] * cards if isinstance(cards, int) else [*cards]


def unknown_cards(given: RagamaruTableInput, state: RagamaruState) -> set[int]:
    """Return the cards at the table that the case left open."""
    zones, board = state.table.zones, state.board
    unknown: set[int] = set()
    for seat, hand in enumerate(board.hands):
        if isinstance(given.hands.get(str(seat), UNKNOWN_HAND), int):
            unknown |= set(zones[hand])
    return unknown | (set(zones[board.stock]) if isinstance(given.stock, int) else set())


def table_facts(state: RagamaruState, unknown: set[int], options: RagamaruOptions, refused: str) -> CaseFacts:
    """Return all that a case can ask about a table."""
    board, turn = state.board, state.turn
    view: dict[str, object] = msgspec.to_builtins(state.view(board.seats))
    hands = {str(seat): sorted(state.view(seat).hand, key=msgspec.json.encode) for seat in range(board.seats)}
    outcome = state.outcome()
    found: dict[str, object] = {
        **view,
        "turn": turn.seat if turn else None,
        "phase": turn.phase if turn else "over",
        "legal": known_legal_actions(state, unknown),
        "neutral": msgspec.to_builtins(state.neutral()) if turn else None,
        "hand": hands,
        "hands": hands,
        "order": state.view(turn.seat).order if turn else view["order"],
        "drawn": state.view(turn.seat).drawn if turn else None,
        "seating": list(state.seating.order),
        "passed": [seat for seat in range(board.seats) if state.passed_seats >> seat & 1],
        "end": state.result,
        "over": turn is None,
        "result": state.result,
        "ranks": list(outcome.places),
        "scores": list(outcome.points),
        "winners": list(outcome.winners) if turn is None else [],
        "illegal": bool(refused),
        "refused": refused or None,
        "players": board.seats,
        "options": asdict(options),
    }
    return found


def known_legal_actions(state: RagamaruState, unknown: set[int]) -> list[object]:
    """Return the legal actions that need no unknown card, sorted."""
    if state.turn is None:
        return []
    hand = state.table.zones[state.board.hands[state.turn.seat]]
    given = Counter(state.book.faces[card] for card in hand if card not in unknown)
    actions = [action for action in state.legal() if not action_faces(action) - given]
    return sorted(msgspec.to_builtins(actions), key=msgspec.json.encode)


def action_faces(action: Action) -> Counter[str]:
    """Return the cards that an action takes from the hand."""
    if isinstance(action, Play):
        return Counter(action.cards)
    return Counter([action.card] if isinstance(action, Discard) else [])
