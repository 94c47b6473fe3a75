"""The effects of cards that are played: the table of section 2.4 of the rule book."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from pitboss_ragamaru.cards import ATTACKS, NUMBER
from pitboss_ragamaru.field import BASE_DRAWS, CONVERSION_DRAWS, RESTS_A_SIN_BIN, Attack, SinBin, top_of
from pitboss_ragamaru.plays import Combination
from pitboss_ragamaru.rules import RagamaruRules

Effect: TypeAlias = "Callable[[RagamaruRules, int, Combination], None]"

ATTACK_KINDS: Final = {str(kind): kind for kind in ATTACKS}
RAGAMARU_DRAWS: Final = 2  # for each RAGAMARU


def play_numbers(state: RagamaruRules, seat: int, played: Combination) -> None:
    """STEP 4: a player with no card left wins; otherwise the turn goes to the next player."""
    if state.hand_masks[seat]:
        state.land(state.circle[seat][0])
    else:
        state.end_game("out")


def play_attack(state: RagamaruRules, seat: int, played: Combination) -> None:
    """Each Try, Penalty Goal or Drop Goal adds its cards to the attack on the next player.

    D13: a Conversion adds two to the whole sum.
    """
    added = BASE_DRAWS[played.kind] * played.kind_count + CONVERSION_DRAWS * played.has_conversion
    state.threat = Attack(ATTACK_KINDS[played.kind], _cards_due(state) + added, played.has_conversion)
    state.land(state.circle[seat][0])


def play_conversion(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D13: a Conversion in answer to a Try; the field's colour stays the Try's."""
    state.top = top_of("CV", state.book.wild_advantage, state.top.field.colour)
    state.threat = Attack("TRY", _cards_due(state) + CONVERSION_DRAWS, True)
    state.land(state.circle[seat][0])


def _cards_due(state: RagamaruRules) -> int:
    """Return the cards to draw of the attack that is answered; 0 if there is none."""
    return state.threat.draw if isinstance(state.threat, Attack) else 0


def play_cut_pass(state: RagamaruRules, seat: int, played: Combination) -> None:
    """Each Cut Pass skips one player; D21: one who rests too."""
    state.land(state.seat_after(seat, 1 + played.kind_count))


def play_kick_pass(state: RagamaruRules, seat: int, played: Combination) -> None:
    """Each Kick Pass skips two players."""
    state.land(state.seat_after(seat, 1 + 2 * played.kind_count))


def play_return_pass(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D23: each Return Pass sends the turn one seat back; the direction stays."""
    state.land(state.seat_after(seat, -played.kind_count))


def play_turnover(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D24: each Turnover reverses the direction of play."""
    if played.kind_count % 2:
        state.set_seating(state.seating.reverse_direction())
        state.table.tell("direction", direction=state.seating.direction)
    state.land(state.circle[seat][0])


def play_loop(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D25: each Loop moves the player's seat past one other; the next player stays the next."""
    following = state.circle[seat][0]
    state.set_seating(state.seating.move_seat(seat, played.kind_count))
    state.table.tell("seats", seats=[*state.seating.order])
    state.land(following)


def play_advantage(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D28: each Advantage allows a discard, but one card stays in the hand."""
    state.discards_left = min(played.kind_count, len(state.table.zones[state.board.hands[seat]]) - 1)
    if state.discards_left:
        state.turn = state.board.turns["discard"][seat]
    else:
        state.land(state.circle[seat][0])


def play_reserve(state: RagamaruRules, seat: int, played: Combination) -> None:
    """Apply D27 of the rule book: the player names a colour next, and then a number."""
    state.turn = state.board.turns["colour"][seat]


def play_sin_bin(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D18: each Sin Bin adds two rests to those that are passed on; D19: a colour is named."""
    passed_on = state.threat.rests if isinstance(state.threat, SinBin) else 0
    state.threat = SinBin(passed_on + RESTS_A_SIN_BIN * played.kind_count)
    state.turn = state.board.turns["colour"][seat]


def play_tmo(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D16: the attack is cancelled; a colour is named."""
    state.threat = None
    state.turn = state.board.turns["colour"][seat]


def play_ragamaru(state: RagamaruRules, seat: int, played: Combination) -> None:
    """D26: all others draw two cards for each RAGAMARU, D37: in turn order; the same player goes on with any card."""
    for other in state.circle[seat][:-1]:
        state.draw_cards(other, RAGAMARU_DRAWS * played.kind_count)
    state.turn = state.board.to_play[seat]


EFFECTS: Final[dict[str, Effect]] = {
    NUMBER: play_numbers,
    "TRY": play_attack,
    "PG": play_attack,
    "DG": play_attack,
    "CV": play_conversion,
    "CUT": play_cut_pass,
    "KICK": play_kick_pass,
    "RET": play_return_pass,
    "LOOP": play_loop,
    "TO": play_turnover,
    "ADV": play_advantage,
    "RES": play_reserve,
    "TMO": play_tmo,
    "SIN": play_sin_bin,
    "RAG": play_ragamaru,
}
