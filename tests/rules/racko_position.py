"""The table from which a case of Rack-O plays: a position written down, a dealt deck, or an open deal."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, to_builtins

from pitboss import PositionError, StackedRandom
from pitboss.options import convert_value
from pitboss_racko.game import RackoState
from pitboss_racko.messages import Position
from pitboss_racko.options import RackoOptions
from tests.rules.case_input import CaseError, normalize_names
from tests.rules.racko_case_options import GAME
from tests.rules.racko_dealer import draws_by_seat, first_dealer

POSITION_NAMES: Final = set(Position.__struct_fields__)
POSITION_SPELLINGS: Final = {  # what a case may write, and what a position calls it
    **dict.fromkeys(("totals", "score", "total"), "scores"),
    **dict.fromkeys(("known", "public_racks"), "known_racks"),
    **dict.fromkeys(("public_stock", "stock_is_public"), "stock_public"),
    **dict.fromkeys(("draw_pile", "pile"), "stock"),
    **dict.fromkeys(("discards", "discard_pile"), "discard"),
    **dict.fromkeys(("turns", "turns_taken"), "turns_done"),
    **dict.fromkeys(("hand", "drawn_card"), "drawn"),
    **dict.fromkeys(("rounds", "rounds_played", "round_no"), "round"),
}


class RackoOpening(Struct, frozen=True):
    """Start of a play: a position, as the case writes it, the cards of the cut, and the orders of coming shuffles."""

    position: dict[str, object]
    draws: list[int] | dict[str, int] | None
    shuffles: list[list[int]]

    def player_count(self) -> int | None:
        """Return how many racks there are, None if that is left open."""
        rows = self.position.get("racks") or self.position.get("known_racks")
        return len(rows) if isinstance(rows, list) else None

    def set_up(self, players: int, options: RackoOptions) -> RackoState:
        """Return the game at this position. The orders of the shuffles are written top first, a pile has its top last.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        written = dict(self.position)
        if "dealer" not in written and (self.draws or options.first_dealer != "draw"):
            written["dealer"] = first_dealer(draws_by_seat(self.draws or [], players), players, options)
        position = convert_value(written, Position, "position", PositionError)
        stacked = StackedRandom("case")
        state = GAME.setup(players, options, position, stacked)
        stacked.orders.extend(tuple(card - 1 for card in reversed(order)) for order in self.shuffles)
        return state


def position_of(state: dict[str, object], beside: dict[str, object]) -> dict[str, object]:
    """Return the position of a case: its `state`, and what it writes beside it.

    `stock_known`, as in an observation, is a stock that everybody knows.

    Raises:
        CaseError: there is a key that no position has, or two that contradict each other.
    """
    known = state.get("stock_known")
    if known:
        state = {"stock": known, "stock_public": True, **state}
        if state["stock"] not in (known, len(known) if isinstance(known, list) else None) or not state["stock_public"]:
            raise CaseError(f"the state's stock_known is {known!r}, but its stock is {state['stock']!r}")
        state["stock"] = known
    state = {key: value for key, value in state.items() if key != "stock_known"}
    written = normalize_names({**beside, **state}, POSITION_NAMES, POSITION_SPELLINGS)
    twice = [key for key in beside if key in state and beside[key] != state[key]]
    unknown = sorted(written.keys() - POSITION_NAMES)
    if unknown or twice:
        raise CaseError(
            f"the state has {unknown or twice!r}, {'unknown' if unknown else 'given twice'}; "
            f"known: {sorted(POSITION_NAMES)}"
        )
    return written


def extra_position_fields(given: Position) -> dict[str, object]:
    """Return what a case writes beside `state` of all that a position can hold."""
    plain: dict[str, object] = to_builtins(given)
    return {key: value for key, value in plain.items() if key in POSITION_NAMES}
