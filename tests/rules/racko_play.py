"""The cases of Rack-O that play: from an opening, by actions, to all that can be asked about the table then."""

from __future__ import annotations

from msgspec import field, to_builtins
from msgspec.structs import asdict, replace

from pitboss import IllegalAction, Turn
from pitboss.options import convert_value
from pitboss_racko.messages import Action, RackoOptions
from pitboss_racko.state import RackoState, RoundResult, is_over
from tests.rules.case_input import CaseError, CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.racko_case_options import GAME, RULES, RackoCaseOptions
from tests.rules.racko_dealer import next_dealer
from tests.rules.racko_position import RackoOpening
from tests.rules.racko_scoring import standing_facts


class RackoPlayInput(CaseInput, frozen=True, kw_only=True):
    """A `state`, or a `deck` to be dealt, and what is played from there. The round is played by itself unless the game
    `goes_on`. `shuffles` are orders to come, top first.
    """

    players: int
    dealer: int | None = None
    deck: list[int] | None = None
    state: dict[str, object] = field(default_factory=dict)
    draws: list[int] | None = None  # the cut for the first dealer
    shuffles: list[list[int]] = field(default_factory=list)
    actions: list[object] = field(default_factory=list)
    goes_on: bool = False


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


def play_case(given: RackoPlayInput, asked: RackoCaseOptions) -> CaseFacts:
    """Play the actions and return what can be asked."""
    beside = {key: value for key in ("dealer", "deck") if (value := getattr(given, key)) is not None}
    opening = RackoOpening({**given.state, **beside}, given.draws, given.shuffles)
    options = asked.resolve(given.players, **({} if given.goes_on else {"max_rounds": 1}))
    played = RackoPlay(opening.set_up(given.players, options))
    for number, action in enumerate(given.actions, 1):
        played.play_action(number, action)
    as_written = replace(options, max_rounds=asked.options.get("max_rounds"))
    return table_facts(played.game if given.goes_on else played.round, as_written, played.refused)


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
        "options": asdict(options),
    }
    return found | {f"obs{seat}": observation(state, seat) for seat in range(players)}


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
    return {
        "turn": state.turn.seat if state.turn else None,
        "phase": state.turn.phase if state.turn else None,
        "legal": to_builtins(list(state.legal())),
        "neutral": to_builtins(state.neutral()) if state.turn else None,
        "racks": racks,
        "drawn": hand[0] + 1 if hand else None,
        "discard": position["discard"],
        "stock": stock,
        "stock_size": len(stock),
        "stock_public": state.position().stock_public,
        "stock_known": position["stock_known"],
        "known_racks": position["known_racks"],
    }


def observation(state: RackoState, seat: int) -> CaseFacts:
    """6.2: return what a seat may see: its view, and what the wire's envelope says (game, seats, phase, legal actions).

    A seat that is not on turn has no legal actions. D8: that somebody is asked to declare nobody else may learn; for
    the others the turn is over, and the next player about to draw.
    """
    view: dict[str, object] = to_builtins(state.view(seat))
    turn = state.turn
    legal = to_builtins(list(state.legal())) if turn and turn.seat == seat else []
    if turn is not None and turn.phase == "declare" and turn.seat != seat:
        turn = Turn(state.seating.seat_after(turn.seat), "draw")
    envelope = {
        "game": GAME.name,
        "you": seat,
        "players": len(state.board.racks),
        "legal": legal,
        "phase": turn.phase if turn else None,
        "turn": turn.seat if turn else None,
    }
    return view | envelope
