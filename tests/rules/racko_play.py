"""The cases of Rack-O that play: from an opening, by actions, to all that can be asked about the table then."""

from __future__ import annotations

from msgspec import field, to_builtins
from msgspec.structs import asdict, replace

from pitboss import IllegalAction, Turn
from pitboss.options import checked
from pitboss_racko.game import RackoState, Round, is_over
from pitboss_racko.messages import Action, Position
from pitboss_racko.options import RackoOptions

from .comparing import Found, OneOf, either
from .given import CaseError
from .racko_dealer import next_dealer
from .racko_given import GAME, RULES, Asked
from .racko_position import Opening, position_of, written_beside
from .racko_scoring import standing


class PlayGiven(Position, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position, in `state` or beside it, and what is played from there. `shuffles` are orders to come, top first."""

    players: int | None = None
    state: dict[str, object] = field(default_factory=dict)
    draws: list[int] | dict[str, int] | None = None  # the cut for the first dealer
    shuffles: list[list[int] | int] = field(default_factory=list)  # one order, or a list of them
    actions: list[object] = field(default_factory=list)


class Played:
    """A game that plays the actions of a case one by one.

    `round` is the table of the round that the last action belongs to: when a round ends it stays as it was then, while `game` may go on with the next deal.
    """

    def __init__(self, game: RackoState) -> None:
        self.game = game
        self.round = game
        self.refused = ""  # why an action was not allowed; no later one is played

    def play(self, number: int, action: object) -> None:
        """Play an action, unless one before it was refused."""
        if self.refused:
            return
        before = self.game.position()
        closing = self.game.copy()
        closing.options = replace(closing.options, max_rounds=closing.round)
        try:
            known: Action = checked(action, RULES.Action, "action", IllegalAction)
            _play(self.game, known)
            _play(closing, known)
        except IllegalAction as wrong:
            self.refused = f"action {number}, {action!r}, was refused: {wrong}"
            if self.game.position() != before:
                raise CaseError(f"{self.refused}; but it changed the table") from None
            return
        self.round = closing if closing.turn is None else self.game


def _play(state: RackoState, action: Action) -> None:
    listed = action in state.legal()
    try:
        state.play(action)
    except IllegalAction:
        if listed:
            raise CaseError(f"{action!r} stands in the legal list, but is refused") from None
        raise
    if not listed:
        raise CaseError(f"{action!r} was played, but does not stand in the legal list")


def play_found(given: PlayGiven, asked: Asked) -> list[Found]:
    """Play the actions and return what can be asked.

    The round is played by itself; but a case that expects a `round` or a `dealer` may mean the next deal, where the game goes on.
    """
    orders = [order for order in given.shuffles if isinstance(order, list)]
    numbers = [number for number in given.shuffles if isinstance(number, int)]
    opening = Opening(position_of(given.state, written_beside(given)), given.draws, [*orders, numbers] if numbers else orders)
    players = given.players or opening.players()
    if players is None:
        raise CaseError("in.players is missing: how many play?")
    options, as_written = asked.of_one_round(players)
    readings: list[Found] = []
    for rules in (options, as_written) if asked.next_deal else (options,):
        played = Played(opening.set_up(players, rules))
        for number, action in enumerate(given.actions, 1):
            played.play(number, action)
        moments = [played.round, played.game] if asked.next_deal else [played.round]
        readings += [look(moment, as_written, played.refused) for moment in moments]
    return readings


def look(state: RackoState, options: RackoOptions, refused: str) -> Found:
    """Return all that a case can ask about a table. `over` is said of the round; then `phase` is null (or "over")."""
    ended = state.finished if state.turn is None else None
    game_over = ended is not None and is_over(state.totals, state.round, options)
    players = len(state.board.racks)
    found: dict[str, object] = {
        **_of_the_table(state),
        **_of_the_round(state, ended),
        **standing(state.totals, state.sides, game_over),
        "illegal": bool(refused),
        "refused": refused or None,
        "game_over": game_over,
        "players": players,
        "dealer": state.dealer,
        "next_dealer": next_dealer(state.dealer, players),
        "round": state.round,
        "turns_done": state.turns_done,
        "totals": list(state.totals),
        "scores": list(state.totals),
        "options": asdict(options),
    }
    observations = {str(seat): observed(state, seat) for seat in range(players)}
    return found | {"obs": observations} | {f"obs{seat}": one for seat, one in observations.items()}


def _of_the_round(state: RackoState, ended: Round | None) -> dict[str, object]:
    points = list(ended.points) if ended else None
    return {
        "over": ended is not None,
        "declarer": ended.declarer if ended else None,
        "stalled": ended is not None and ended.declarer is None,
        "points": points,
        "side_points": [sum(points[seat] for seat in side) for side in state.sides] if points else None,
    }


def _of_the_table(state: RackoState) -> dict[str, object]:
    position: dict[str, object] = to_builtins(state.view(state.table.layout.spectator))
    table, board = state.table, state.board
    stock = [card + 1 for card in reversed(table.zones[board.stock])]
    racks = [[card + 1 for card in table.zones[rack]] for rack in board.racks]
    hand = table.zones[board.hands[state.turn.seat]] if state.turn else []
    legal = to_builtins(list(state.legal()))
    return {
        "turn": state.turn.seat if state.turn else None,
        "phase": state.turn.phase if state.turn else either(None, "over"),
        "legal": either(legal, len(legal)),
        "neutral": to_builtins(state.neutral()) if state.turn else None,
        "racks": racks,
        "drawn": hand[0] + 1 if hand else None,
        "discard": position["discard"],
        "stock": either(stock, len(stock)),
        "stock_public": _is_stock_public(state),
        "stock_known": position["stock_known"],
        "known_racks": position["known_racks"],
    }


def _is_stock_public(state: RackoState) -> bool | OneOf:
    """Tell whether everybody knows the stock. Of an empty one, with no card in hand that would tell, both is true."""
    table, board = state.table, state.board
    hidden = [table.zones[zone] for zone in (board.stock, *board.hands)]
    if not any(hidden):
        return either(True, False)
    return table.is_known(board.stock, table.layout.spectator) and state.position().stock_public


def observed(state: RackoState, seat: int) -> Found:
    """6.2: return what a seat may see: its view, and what the wire's envelope says (game, seats, phase, legal actions).

    A seat that is not on turn has no legal actions. What it may know of the phase is what it could see: whether a card was drawn and not yet placed. D8: that
    somebody is asked to declare nobody else may learn; for the others the turn is over and the next player about to draw,
    or they may be told what they saw last, or nothing; but never "declare".
    """
    view: dict[str, object] = to_builtins(state.view(seat))
    legal = to_builtins(list(state.legal())) if state.turn and state.turn.seat == seat else []
    envelope = {
        "game": GAME.name,
        "you": seat,
        "seat": seat,
        "players": len(state.board.racks),
        "legal": either(legal, len(legal)),
    }
    return view | envelope | _said_of_the_turn(state.turn, seat, state)


def _said_of_the_turn(turn: Turn | None, seat: int, state: RackoState) -> dict[str, object]:
    if turn is None:
        return {"phase": either(None, "over"), "turn": None}
    if turn.seat == seat:
        return {"phase": turn.phase, "turn": seat}
    if turn.phase == "declare":
        return {"phase": either(None, "draw", "place"), "turn": either(turn.seat, state.seating.step(turn.seat))}
    return {"phase": either(None, turn.phase), "turn": turn.seat}
