"""The cases of Rack-O that play: from an opening, by actions, to all that can be asked about the table then."""

from __future__ import annotations

from msgspec import field, to_builtins
from msgspec.structs import asdict, replace

from pitboss import IllegalAction, Turn
from pitboss.options import convert_value
from pitboss_racko.game import RackoState
from pitboss_racko.messages import Action, Position
from pitboss_racko.options import RackoOptions
from pitboss_racko.rounds import is_over
from pitboss_racko.state import RoundResult
from tests.rules.case_input import CaseError
from tests.rules.comparison import AnyOf, CaseFacts, any_of
from tests.rules.racko_case_options import GAME, RULES, RackoCaseOptions
from tests.rules.racko_dealer import next_dealer
from tests.rules.racko_position import RackoOpening, extra_position_fields, position_of
from tests.rules.racko_scoring import standing_facts


class RackoPlayInput(Position, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position, in `state` or beside it, and what is played from there. `shuffles` are orders to come, top first."""

    players: int | None = None
    state: dict[str, object] = field(default_factory=dict)
    draws: list[int] | dict[str, int] | None = None  # the cut for the first dealer
    shuffles: list[list[int] | int] = field(default_factory=list)  # one order, or a list of them
    actions: list[object] = field(default_factory=list)


class RackoPlay:
    """A game that plays the actions of a case one by one.

    `round` is the table of the round that the last action belongs to: when a round ends it stays as it was then, while
    `game` may go on with the next deal.
    """

    def __init__(self, game: RackoState) -> None:
        self.game = game
        self.round = game
        self.refused = ""  # why an action was not allowed; no later one is played

    def play_action(self, number: int, action: object) -> None:
        """Play an action, unless one before it was refused."""
        if self.refused:
            return
        before = self.game.position()
        closing = self.game.copy()
        closing.options = replace(closing.options, max_rounds=closing.round_no)
        try:
            known: Action = convert_value(action, RULES.Action, "action", IllegalAction)
            _play_checked(self.game, known)
            _play_checked(closing, known)
        except IllegalAction as wrong:
            self.refused = f"action {number}, {action!r}, was refused: {wrong}"
            if self.game.position() != before:
                raise CaseError(f"{self.refused}; but it changed the table") from None
            return
        self.round = closing if closing.turn is None else self.game


def _play_checked(state: RackoState, action: Action) -> None:
    listed = action in state.legal()
    try:
        state.play(action)
    except IllegalAction:
        if listed:
            raise CaseError(f"{action!r} stands in the legal list, but is refused") from None
        raise
    if not listed:
        raise CaseError(f"{action!r} was played, but does not stand in the legal list")


def play_case(given: RackoPlayInput, asked: RackoCaseOptions) -> list[CaseFacts]:
    """Play the actions and return what can be asked.

    The round is played by itself; but a case that expects a `round` or a `dealer` may mean the next deal, where the
    game goes on.
    """
    orders = [order for order in given.shuffles if isinstance(order, list)]
    numbers = [number for number in given.shuffles if isinstance(number, int)]
    opening = RackoOpening(
        position_of(given.state, extra_position_fields(given)), given.draws, [*orders, numbers] if numbers else orders
    )
    players = given.players or opening.player_count()
    if players is None:
        raise CaseError("in.players is missing: how many play?")
    options, as_written = asked.resolve_one_round(players)
    readings: list[CaseFacts] = []
    for rules in (options, as_written) if asked.next_deal else (options,):
        played = RackoPlay(opening.set_up(players, rules))
        for number, action in enumerate(given.actions, 1):
            played.play_action(number, action)
        moments = [played.round, played.game] if asked.next_deal else [played.round]
        readings += [table_facts(moment, as_written, played.refused) for moment in moments]
    return readings


def table_facts(state: RackoState, options: RackoOptions, refused: str) -> CaseFacts:
    """Return all that a case can ask about a table. `over` is said of the round; then `phase` is null (or "over")."""
    ended = state.last_round if state.turn is None else None
    game_over = ended is not None and is_over(state.totals, state.round_no, options)
    players = len(state.board.racks)
    found: dict[str, object] = {
        **_pile_facts(state),
        **_round_facts(state, ended),
        **standing_facts(state.totals, state.sides, game_over),
        "illegal": bool(refused),
        "refused": refused or None,
        "game_over": game_over,
        "players": players,
        "dealer": state.dealer,
        "next_dealer": next_dealer(state.dealer, players),
        "round": state.round_no,
        "turns_done": state.turns_done,
        "totals": list(state.totals),
        "scores": list(state.totals),
        "options": asdict(options),
    }
    observations = {str(seat): observation(state, seat) for seat in range(players)}
    return found | {"obs": observations} | {f"obs{seat}": one for seat, one in observations.items()}


def _round_facts(state: RackoState, ended: RoundResult | None) -> dict[str, object]:
    points = list(ended.points) if ended else None
    return {
        "over": ended is not None,
        "declarer": ended.declarer if ended else None,
        "stalled": ended is not None and ended.declarer is None,
        "points": points,
        "side_points": [sum(points[seat] for seat in side) for side in state.sides] if points else None,
    }


def _pile_facts(state: RackoState) -> dict[str, object]:
    position: dict[str, object] = to_builtins(state.view(state.table.layout.spectator))
    table, board = state.table, state.board
    stock = [card + 1 for card in reversed(table.zones[board.stock])]
    racks = [[card + 1 for card in table.zones[rack]] for rack in board.racks]
    hand = table.zones[board.hands[state.turn.seat]] if state.turn else []
    legal = to_builtins(list(state.legal()))
    return {
        "turn": state.turn.seat if state.turn else None,
        "phase": state.turn.phase if state.turn else any_of(None, "over"),
        "legal": any_of(legal, len(legal)),
        "neutral": to_builtins(state.neutral()) if state.turn else None,
        "racks": racks,
        "drawn": hand[0] + 1 if hand else None,
        "discard": position["discard"],
        "stock": any_of(stock, len(stock)),
        "stock_public": _is_stock_public(state),
        "stock_known": position["stock_known"],
        "known_racks": position["known_racks"],
    }


def _is_stock_public(state: RackoState) -> bool | AnyOf:
    """Tell whether everybody knows the stock. Of an empty one, with no card in hand that would tell, both is true."""
    table, board = state.table, state.board
    hidden = [table.zones[zone] for zone in (board.stock, *board.hands)]
    if not any(hidden):
        return any_of(True, False)
    return table.is_known(board.stock, table.layout.spectator) and state.position().stock_public


def observation(state: RackoState, seat: int) -> CaseFacts:
    """6.2: return what a seat may see: its view, and what the wire's envelope says (game, seats, phase, legal actions).

    A seat that is not on turn has no legal actions. What it may know of the phase is what it could see: whether a card
    was drawn and not yet placed. D8: that somebody is asked to declare nobody else may learn; for the others the turn
    is over and the next player about to draw, or they may be told what they saw last, or nothing; but never "declare".
    """
    view: dict[str, object] = to_builtins(state.view(seat))
    legal = to_builtins(list(state.legal())) if state.turn and state.turn.seat == seat else []
    envelope = {
        "game": GAME.name,
        "you": seat,
        "seat": seat,
        "players": len(state.board.racks),
        "legal": any_of(legal, len(legal)),
    }
    return view | envelope | _turn_facts(state.turn, seat, state)


def _turn_facts(turn: Turn | None, seat: int, state: RackoState) -> dict[str, object]:
    if turn is None:
        return {"phase": any_of(None, "over"), "turn": None}
    if turn.seat == seat:
        return {"phase": turn.phase, "turn": seat}
    if turn.phase == "declare":
        return {"phase": any_of(None, "draw", "place"), "turn": any_of(turn.seat, state.seating.seat_after(turn.seat))}
    return {"phase": any_of(None, turn.phase), "turn": turn.seat}
