"""The cases of Rummy that play: from an opening, by actions, to all that can be asked about the table then."""

from __future__ import annotations

import json
from typing import Final

from msgspec import Struct, field, to_builtins
from msgspec.structs import asdict, replace

from pitboss import AnyGame, PositionError, StackedRandom
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_rummy.game import Rummy
from pitboss_rummy.messages import Position, RummyOptions
from pitboss_rummy.rules import is_over
from pitboss_rummy.state import RummyState
from tests.rules.case_input import CaseInput
from tests.rules.case_play import play_case_action
from tests.rules.comparison import CaseFacts

GAME: Final = Rummy()
RULES: Final[AnyGame] = GAME  # the same as the framework sees it


class RummyCaseOptions(Struct, frozen=True):
    """The options of a case, as written."""

    preset: str | None
    options: dict[str, object]

    def resolve(self, players: int) -> RummyOptions:
        """Return the options for a table.

        Raises:
            OptionError: they are not allowed.
        """
        options: RummyOptions = resolve_options(GAME, players, self.preset, self.options)
        return options


class RummyPlayInput(CaseInput, frozen=True, kw_only=True):
    """A `state`, or a `deck` to be dealt, and what is played from there. The deal is played by itself unless the game
    `goes_on`. `shuffles` are orders to come, top first.
    """

    players: int
    dealer: int | None = None
    deck: list[str] | None = None
    state: dict[str, object] = field(default_factory=dict)
    shuffles: list[list[str]] = field(default_factory=list)
    actions: list[object] = field(default_factory=list)
    goes_on: bool = False


def play_case(given: RummyPlayInput, asked: RummyCaseOptions) -> CaseFacts:
    """Play the actions and return what can be asked."""
    beside = {key: value for key in ("dealer", "deck") if (value := getattr(given, key)) is not None}
    options = asked.resolve(given.players)
    position = convert_value({**given.state, **beside}, Position, "position", PositionError)
    rules = options if given.goes_on else replace(options, deals=position.deal, points=None)
    deck = RummyState.create(given.players, rules, StackedRandom("deck")).board.layout.deck
    stacked = StackedRandom("case", deck=deck)
    state = GAME.setup(given.players, rules, position, stacked)
    stacked.orders = [tuple(deck.find_cards(order[::-1])) for order in given.shuffles]
    refused = ""
    for number, action in enumerate(given.actions, 1):
        refused = refused or play_case_action(RULES, state, number, action)
    return table_facts(state, options, refused)


def table_facts(state: RummyState, options: RummyOptions, refused: str) -> CaseFacts:
    """Return all that a case can ask about a table. `over` is said of the deal."""
    ended = state.last_deal if state.turn is None else None
    view = to_builtins(state.view(state.table.layout.spectator))
    players = len(state.board.hands)
    stock = [state.board.pack[card % 52] for card in reversed(state.table.zones[state.board.stock])]
    game_over = ended is not None and is_over(state.totals, state.deal_no, options)
    found: dict[str, object] = {
        "turn": state.turn.seat if state.turn else None,
        "phase": state.turn.phase if state.turn else None,
        "legal": list_legal(state),
        "neutral": to_builtins(state.neutral()) if state.turn else None,
        "hands": list_hands(state),
        "drawn": state.view(state.turn.seat).drawn if state.turn else None,
        "taken": view["taken"],
        "known": view["known"],
        "melds": view["melds"],
        "discard": view["discard"],
        "stock": stock,
        "stock_size": len(stock),
        "stock_public": state.is_stock_public,
        "stock_known": view["stock_known"],
        "turn_overs": sum(entry.verb == "turn_over" and entry.event == "turn_over" for entry in state.table.log or ()),
        "active": [bool(state.active_seats >> seat & 1) for seat in range(players)],
        "clean": view["clean"],
        "counts": view["counts"],
        "over": ended is not None,
        "winner": ended.winner if ended else None,
        "rummy": ended.rummy if ended else False,
        "stalled": ended is not None and ended.winner is None,
        "scores": list(ended.scores) if ended else list(state.totals),
        "totals": list(state.totals),
        "illegal": bool(refused),
        "refused": refused or None,
        "game_over": game_over,
        "players": players,
        "dealer": state.dealer,
        "deal": state.deal_no,
        "turns_done": state.turns_done,
        "options": asdict(options),
        **standing_facts(state, game_over),
    }
    return found | {f"obs{seat}": observation(state, seat) for seat in range(players)}


def observation(state: RummyState, seat: int) -> CaseFacts:
    """6.3: return what a seat may see.

    Its view, and what the wire's envelope says (game, seats, phase, legal actions).
    """
    view: dict[str, object] = to_builtins(state.view(seat))
    envelope: dict[str, object] = {
        "game": GAME.name,
        "you": seat,
        "players": len(state.board.hands),
        "phase": state.turn.phase if state.turn else None,
        "legal": list_legal(state) if state.turn and state.turn.seat == seat else [],
    }
    return view | envelope


def standing_facts(state: RummyState, over: bool) -> dict[str, object]:
    """Return winners (none before the end) and ranks."""
    outcome = state.outcome()
    return {"winners": list(outcome.winners) if over else [], "ranks": list(outcome.places)}


def list_legal(state: RummyState) -> list[object]:
    """Return the legal actions, sorted, as they are a set."""
    return sorted(to_builtins(list(state.legal())), key=json.dumps)


def list_hands(state: RummyState) -> list[list[str]]:
    """Return the hands in card order."""
    pack = state.board.pack
    hands = (state.table.zones[hand] for hand in state.board.hands)
    return [[pack[card % 52] for card in sorted(hand, key=lambda card: card % 52)] for hand in hands]
