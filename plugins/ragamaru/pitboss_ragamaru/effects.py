"""What the cards do once they are played: the table of section 2.4 of the rule book."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from pitboss_ragamaru.deck import ATTACKS, NUMBER
from pitboss_ragamaru.drawing import draw_cards
from pitboss_ragamaru.field import top_of
from pitboss_ragamaru.landing import end, land
from pitboss_ragamaru.plays import Combination
from pitboss_ragamaru.threats import BASE, RESTS, WITH_CONVERSION, Attack, SinBin

if TYPE_CHECKING:
    from pitboss_ragamaru.game import RagamaruState

Effect: TypeAlias = "Callable[[RagamaruState, int, Combination], None]"

ATTACK_KINDS: Final = {str(kind): kind for kind in ATTACKS}
DRAWN_BY_THE_OTHERS: Final = 2  # for each RAGAMARU


def numbers(state: RagamaruState, seat: int, played: Combination) -> None:
    """STEP 4: who has no card left has won; otherwise the turn goes on."""
    if state.held[seat]:
        land(state, state.circle[seat][0])
    else:
        end(state, "out")


def attack(state: RagamaruState, seat: int, played: Combination) -> None:
    """Try, Penalty Goal, Drop Goal: the next player draws so many more for each; D13: a Conversion adds two to the whole sum."""
    added = BASE[played.kind] * played.doubled + WITH_CONVERSION * played.converts
    state.pending = Attack(ATTACK_KINDS[played.kind], _due(state) + added, played.converts)
    land(state, state.circle[seat][0])


def conversion(state: RagamaruState, seat: int, played: Combination) -> None:
    """D13: a Conversion in answer to a Try; the field's colour stays the Try's."""
    state.top = top_of("CV", state.book.wild_advantage, state.top.field.colour)
    state.pending = Attack("TRY", _due(state) + WITH_CONVERSION, True)
    land(state, state.circle[seat][0])


def _due(state: RagamaruState) -> int:
    """Return how many cards the attack that is answered has come to."""
    return state.pending.draw if isinstance(state.pending, Attack) else 0


def cut_pass(state: RagamaruState, seat: int, played: Combination) -> None:
    """Each skips one player; D21: whoever sits there."""
    land(state, state.step(seat, 1 + played.doubled))


def kick_pass(state: RagamaruState, seat: int, played: Combination) -> None:
    """Each skips two players."""
    land(state, state.step(seat, 1 + 2 * played.doubled))


def return_pass(state: RagamaruState, seat: int, played: Combination) -> None:
    """D23: so many seats back; the direction stays."""
    land(state, state.step(seat, -played.doubled))


def turnover(state: RagamaruState, seat: int, played: Combination) -> None:
    """D24: play goes the other way round, unless they are an even number."""
    if played.doubled % 2:
        state.sit_down(state.seating.reversed())
        state.table.tell("direction", direction=state.seating.direction)
    land(state, state.circle[seat][0])


def loop(state: RagamaruState, seat: int, played: Combination) -> None:
    """D25: the player's seat moves past so many others; the next player stays the next."""
    following = state.circle[seat][0]
    state.sit_down(state.seating.moved(seat, played.doubled))
    state.table.tell("seats", seats=[*state.seating.order])
    land(state, following)


def advantage(state: RagamaruState, seat: int, played: Combination) -> None:
    """D28: each lets a card be put away, but the last one stays."""
    state.discards_left = min(played.doubled, len(state.table.zones[state.board.hands[seat]]) - 1)
    if state.discards_left:
        state.turn = state.board.turns["discard"][seat]
    else:
        land(state, state.circle[seat][0])


def reserve(state: RagamaruState, seat: int, played: Combination) -> None:
    """D27: a colour is named, then a number."""
    state.turn = state.board.turns["colour"][seat]


def sin_bin(state: RagamaruState, seat: int, played: Combination) -> None:
    """D18: two rests for each, beside those that are passed on; D19: a colour is named."""
    passed_on = state.pending.rests if isinstance(state.pending, SinBin) else 0
    state.pending = SinBin(passed_on + RESTS * played.doubled)
    state.turn = state.board.turns["colour"][seat]


def tmo(state: RagamaruState, seat: int, played: Combination) -> None:
    """D16: the attack is off; a colour is named."""
    state.pending = None
    state.turn = state.board.turns["colour"][seat]


def ragamaru(state: RagamaruState, seat: int, played: Combination) -> None:
    """D26: all others draw, each one's cards together, and the same player goes on with any card."""
    for other in state.circle[seat][:-1]:
        draw_cards(state, other, DRAWN_BY_THE_OTHERS * played.doubled)
    state.turn = state.board.to_play[seat]


EFFECTS: Final[dict[str, Effect]] = {
    NUMBER: numbers,
    "TRY": attack,
    "PG": attack,
    "DG": attack,
    "CV": conversion,
    "CUT": cut_pass,
    "KICK": kick_pass,
    "RET": return_pass,
    "LOOP": loop,
    "TO": turnover,
    "ADV": advantage,
    "RES": reserve,
    "TMO": tmo,
    "SIN": sin_bin,
    "RAG": ragamaru,
}
