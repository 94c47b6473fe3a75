"""The cases of Rummy that play: from an opening, by actions, to all that can be asked about the table then."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from typing import Final

from msgspec import Struct, field, to_builtins
from msgspec.structs import asdict, replace

from pitboss import AnyGame, PositionError, StackedRandom
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_rummy.game import Rummy, RummyState
from pitboss_rummy.messages import Position
from pitboss_rummy.options import RummyOptions
from pitboss_rummy.scores import is_over
from tests.rules.case_input import CaseError, normalize_names
from tests.rules.case_play import play_case_action
from tests.rules.comparison import AnyOf, CaseFacts, any_of

GAME: Final = Rummy()
RULES: Final[AnyGame] = GAME  # the same as the framework sees it
OPTION_NAMES: Final = set(RummyOptions.__struct_fields__)
POSITION_NAMES: Final = set(Position.__struct_fields__)
POSITION_SPELLINGS: Final = {  # what a case may write, and what a position calls it
    **dict.fromkeys(("totals", "score", "total"), "scores"),
    **dict.fromkeys(("public_stock", "stock_is_public"), "stock_public"),
    **dict.fromkeys(("draw_pile", "pile"), "stock"),
    **dict.fromkeys(("discards", "discard_pile"), "discard"),
    **dict.fromkeys(("turns", "turns_taken"), "turns_done"),
    **dict.fromkeys(("melded_this_turn",), "melded"),
    **dict.fromkeys(("laid_off_this_turn",), "laid_off"),
}


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


class RummyPlayInput(Position, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position, in `state` or beside it, and what is played from there. `shuffles` are orders to come, top first."""

    players: int | None = None
    state: dict[str, object] = field(default_factory=dict)
    shuffles: list[list[str]] = field(default_factory=list)
    actions: list[object] = field(default_factory=list)


def play_case(given: RummyPlayInput, asked: RummyCaseOptions) -> list[CaseFacts]:
    """Play the actions and return what can be asked.

    The deal is played by itself, so that its end can be looked at; but a case may as well mean the next deal, where the
    game goes on.
    """
    plain: dict[str, object] = to_builtins(given)
    beside = {key: value for key, value in plain.items() if key in POSITION_NAMES}
    written = normalize_names({**beside, **given.state}, POSITION_NAMES, POSITION_SPELLINGS)
    hands = written.get("hands")
    players = given.players or (len(hands) if isinstance(hands, list) else 0)
    options = asked.resolve(players)
    position = convert_value(written, Position, "position", PositionError)
    alone = replace(options, deals=position.deal, points=None)
    return [_play_reading(given, position, players, rules, options) for rules in (alone, options)]


def _play_reading(
    given: RummyPlayInput, position: Position, players: int, rules: RummyOptions, options: RummyOptions
) -> CaseFacts:
    deck = RummyState.create(players, rules, StackedRandom("deck")).board.layout.deck
    stacked = StackedRandom("case", deck=deck)
    if position.dealer == 0 and rules.first_dealer != "random":
        position = replace(position, dealer=rules.first_dealer)
    state = GAME.setup(players, rules, position, stacked)
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
    rummy = ended.rummy if ended else False
    clean = ended is not None and ended.winner is not None and not state.active_seats >> ended.winner & 1
    found: dict[str, object] = {
        "turn": state.turn.seat if state.turn else None,
        "phase": state.turn.phase if state.turn else any_of(None, "over"),
        "legal": _legal_reading(state),
        "neutral": to_builtins(state.neutral()) if state.turn else None,
        "hands": _hands_reading(state),
        "drawn": state.view(state.turn.seat).drawn if state.turn else None,
        "taken": view["taken"],
        "known": view["known"],
        "melds": _melds_reading(view["melds"]),
        "discard": view["discard"],
        "stock": any_of(stock, len(stock)),
        "stock_public": state.is_stock_public,
        "stock_known": view["stock_known"],
        "turn_overs": sum(entry.verb == "turn_over" and entry.event == "turn_over" for entry in state.table.log or ()),
        "active": [bool(state.active_seats >> seat & 1) for seat in range(players)],
        "clean": view["clean"],
        "counts": view["counts"],
        "over": ended is not None,
        "winner": ended.winner if ended else None,
        "rummy": any_of(rummy, clean) if options.going_rummy == "off" else rummy,
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
        "phase": state.turn.phase if state.turn else any_of(None, "over"),
        "legal": _legal_reading(state) if state.turn and state.turn.seat == seat else [],
        "melds": _melds_reading(view["melds"]),
    }
    return view | envelope


def standing_facts(state: RummyState, over: bool) -> dict[str, object]:
    """Return winners (none before the end) and ranks."""
    outcome = state.outcome()
    return {"winners": list(outcome.winners) if over else any_of([], None), "ranks": list(outcome.places)}


def _legal_reading(state: RummyState) -> AnyOf:
    """Return the legal actions as a set, sorted; or their number."""
    legal = sorted(to_builtins(list(state.legal())), key=json.dumps)
    return any_of(legal, len(legal))


def _hands_reading(state: RummyState) -> AnyOf:
    """Return the hands in card order, or as they came."""
    hands = [state.table.zones[hand] for hand in state.board.hands]
    pack = state.board.pack
    return any_of(*([[pack[card % 52] for card in order(hand)] for hand in hands] for order in (_card_order, list)))


def _card_order(cards: list[int]) -> list[int]:
    return sorted(cards, key=lambda card: card % 52)


def _melds_reading(melds: object) -> AnyOf:
    """Return the melds, with all that is known of them or only a part."""
    if not isinstance(melds, list) or not all(isinstance(meld, Mapping) for meld in melds):
        raise CaseError(f"the melds are {melds!r}")
    names = ("id", "owner", "kind", "cards")
    parts = [part for size in range(1, 5) for part in combinations(names, size)]
    return any_of(*([{name: meld[name] for name in part} for meld in melds] for part in parts), len(melds))
