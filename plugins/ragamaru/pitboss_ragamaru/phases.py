"""The decisions of section 2.3: for each phase the legal actions and the effect of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from pitboss import Zone
from pitboss_ragamaru.cards import NUMBER
from pitboss_ragamaru.effects import EFFECTS
from pitboss_ragamaru.field import ALL_NUMBERS, FACE_MASKS, OF_KIND, Attack, SinBin, answering_cards, top_of
from pitboss_ragamaru.messages import Action, Discard, Draw, NameColour, NameNumber, Pass, Play, Sit, Stop, Take
from pitboss_ragamaru.plays import Combination, can_play, drop_going_out
from pitboss_ragamaru.rules import (
    DISCARDS,
    DRAW,
    NAME_COLOUR,
    NAME_NUMBER,
    PASS,
    SIT,
    STOP,
    TAKE,
    PassEvidence,
    RagamaruRules,
    add_evidence,
)

LegalOfPhase: TypeAlias = "Callable[[RagamaruRules, int], Sequence[Action]]"
ActionOfPhase: TypeAlias = "Callable[[RagamaruRules, int, Action], bool]"  # False: not legal, nothing has changed


# ---- play: an ordinary turn


def legal_play(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """D9: every play, and `draw`; with `decline` = `free` also `pass`, if there is a play.

    D32: if no card can be drawn, `pass` takes the place of `draw`.
    """
    plays = state.book.plays(state.hand_masks[seat], state.top.fits)
    if not state.can_draw():
        return [*plays, PASS]
    if plays and state.options.decline == "free":
        return [*plays, PASS, DRAW]
    return [*plays, DRAW]


def do_play(state: RagamaruRules, seat: int, action: Action) -> bool:
    """Play, draw, or pass."""
    if isinstance(action, Play):
        return _play_fitting(state, seat, action)
    if isinstance(action, Draw) and state.can_draw():
        state.draw_cards(seat, 1)
        state.turn = state.board.turns["drawn"][seat]
        return True
    return isinstance(action, Pass) and _pass_at_once(state, seat)


def _play_fitting(state: RagamaruRules, seat: int, action: Play) -> bool:
    played, held = state.book.combinations.get(action.cards), state.hand_masks[seat]
    if played is None or not state.top.fits & held & played.first_mask or not played.is_in_hand(held):
        return False
    return _lay_down(state, seat, played)


def _lay_down(state: RagamaruRules, seat: int, played: Combination) -> bool:
    """Lay the cards on the pile and apply their effect.

    2.2: this is illegal if the hand would be empty and its last cards are no numbers.
    """
    held, cards = state.hand_masks[seat], played.cards
    if played.copy_count:
        cards = (*cards, *state.choose_copies(seat, played.copies_mask, played.copy_count))
    if held.bit_count() == len(cards) and played.kind != NUMBER:
        return False
    _move_from_hand(state, seat, cards, state.board.pile, "play")
    if state.passed_seats:
        state.passed_seats = 0  # D33
    if played.kind != "CV":
        state.top = played.top
    EFFECTS[played.kind](state, seat, played)
    return True


def _move_from_hand(state: RagamaruRules, seat: int, cards: tuple[int, ...], target: Zone, event: str) -> None:
    """Move cards out of a hand. D9: what passes said about it ends."""
    table, hand = state.table, state.board.hands[seat]
    if seat in state.pass_evidence:
        state.set_pass_evidence(seat, ())  # before the move: the table would mix a hand that it is told something of
    if len(cards) == 1:
        table.move(cards[0], hand, target, event)
    else:
        table.lay(cards, hand, target, event)
    for card in cards:
        state.hand_masks[seat] ^= state.book.bits[card]


def _pass_at_once(state: RagamaruRules, seat: int) -> bool:
    """Pass without drawing. D33: when nobody can draw any more and all have passed, the game is blocked."""
    if state.can_draw():
        held, fits = state.hand_masks[seat], state.top.fits
        if state.options.decline == "draw" or not can_play(held, fits):
            return False
        size = held.bit_count()
        evidence = PassEvidence(fits if size > 1 else fits & ALL_NUMBERS, size)  # 2.2: the last card is a number
        state.set_pass_evidence(seat, add_evidence(state.pass_evidence.get(seat, ()), evidence))
    else:
        state.passed_seats |= 1 << seat
    _pass_turn(state, seat)
    return True


def _pass_turn(state: RagamaruRules, seat: int) -> None:
    if state.table.log is not None:
        state.table.tell("pass", seat=seat)
    if state.passed_seats.bit_count() == state.board.seats:
        state.end_game("blocked")
    else:
        state.land(state.circle[seat][0])


# ---- drawn: after drawing a card


def legal_drawn(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """D10: every play of the new hand, or only those with the drawn card; and `pass`."""
    plays = state.book.plays(state.hand_masks[seat], state.top.fits)
    if state.options.after_draw == "drawn":
        face = state.drawn_face
        plays = [play for play in plays if face in play.cards]
    return [*plays, PASS]


def do_drawn(state: RagamaruRules, seat: int, action: Action) -> bool:
    """Play, or pass."""
    if isinstance(action, Play):
        if state.options.after_draw == "drawn" and state.drawn_face not in action.cards:
            return False
        return _play_fitting(state, seat, action)
    if not isinstance(action, Pass):
        return False
    _pass_turn(state, seat)
    return True


# ---- defend: under attack


def legal_defend(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """2.5: every answer that does not empty the hand, and `take`."""
    return (*_legal_answers(state, seat), TAKE)


def _legal_answers(state: RagamaruRules, seat: int) -> Iterable[Play]:
    attack, held = state.threat, state.hand_masks[seat]
    if not isinstance(attack, Attack):
        return ()
    answers = state.book.answers(held & answering_cards(attack.kind, attack.converted), attack.kind)
    size = held.bit_count()
    return answers if size > state.book.max_same else drop_going_out(answers, size)


def do_defend(state: RagamaruRules, seat: int, action: Action) -> bool:
    """2.5: answer; or draw the whole sum, and then have an ordinary turn on the same field (D15)."""
    attack = state.threat
    if isinstance(action, Play):
        played = state.book.combinations.get(action.cards)
        if played is None or action not in _legal_answers(state, seat):
            return False
        return _lay_down(state, seat, played)
    if not isinstance(action, Take) or not isinstance(attack, Attack):
        return False
    state.table.tell("take", seat=seat, count=attack.draw)
    state.threat = None
    state.draw_cards(seat, attack.draw)
    state.turn = state.board.to_play[seat]
    return True


# ---- bin: sent to the sin bin


def legal_bin(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """D18: a Sin Bin answers a Sin Bin, if it is not the last card; and `sit`."""
    held = state.hand_masks[seat]
    answer = held & OF_KIND["SIN"] and held.bit_count() > 1
    return (state.book.combinations["SIN",].action, SIT) if answer else (SIT,)


def do_bin(state: RagamaruRules, seat: int, action: Action) -> bool:
    """Pass the Sin Bin on; or sit: the turn at hand is the first rest (D17)."""
    threat = state.threat
    if isinstance(action, Play):
        played = state.book.combinations["SIN",]
        return action == played.action and played.is_in_hand(state.hand_masks[seat]) and _lay_down(state, seat, played)
    if not isinstance(action, Sit) or not isinstance(threat, SinBin):
        return False
    state.threat = None
    state.add_rests(seat, threat.rests - 1)
    state.table.tell("rest", seat=seat, left=state.rests_left[seat])
    state.land(state.circle[seat][0])
    return True


# ---- colour, number and first_colour: naming


def legal_colour(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """Any colour."""
    return NAME_COLOUR


def do_colour(state: RagamaruRules, seat: int, action: Action) -> bool:
    """D16, D19: the colour of the field; D27: after a Reserve the number follows."""
    if action not in NAME_COLOUR or not isinstance(action, NameColour):
        return False
    card = state.top.field.card
    state.top = top_of(card, state.book.wild_advantage, action.colour)
    state.table.tell("colour", seat=seat, colour=action.colour)
    if card == "RES":
        state.turn = state.board.turns["number"][seat]
    else:
        state.land(state.circle[seat][0])
    return True


def do_first_colour(state: RagamaruRules, seat: int, action: Action) -> bool:
    """D2: the colour of the kick-off; then the starter has the first turn."""
    if action not in NAME_COLOUR or not isinstance(action, NameColour):
        return False
    state.table.tell("colour", seat=seat, colour=action.colour)
    state.kick_off(action.colour)
    return True


def legal_number(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """Any number."""
    return NAME_NUMBER


def do_number(state: RagamaruRules, seat: int, action: Action) -> bool:
    """D27: the field is then like the number card that was named."""
    if action not in NAME_NUMBER or not isinstance(action, NameNumber):
        return False
    state.top = top_of("RES", state.book.wild_advantage, state.top.field.colour, action.number)
    state.table.tell("number", seat=seat, number=action.number)
    state.land(state.circle[seat][0])
    return True


# ---- discard: after an Advantage


def legal_discard(state: RagamaruRules, seat: int) -> Sequence[Action]:
    """D28: any card of the hand, equal ones once, and `stop`."""
    return [*map(DISCARDS.__getitem__, state.book.faces_of(state.hand_masks[seat])), STOP]


def do_discard(state: RagamaruRules, seat: int, action: Action) -> bool:
    """D28: the card lies open, without effect; one card must remain."""
    if isinstance(action, Stop):
        state.discards_left = 0
        state.table.tell("stop", seat=seat)
    elif isinstance(action, Discard) and state.hand_masks[seat] & FACE_MASKS.get(action.card, 0):
        [card] = state.choose_copies(seat, FACE_MASKS[action.card], 1)
        _move_from_hand(state, seat, (card,), state.board.discards, "discard")
        state.discards_left -= 1
    else:
        return False
    if not state.discards_left:
        state.land(state.circle[seat][0])
    return True


LEGAL_BY_PHASE: Final[dict[str, LegalOfPhase]] = {
    "first_colour": legal_colour,
    "play": legal_play,
    "drawn": legal_drawn,
    "defend": legal_defend,
    "bin": legal_bin,
    "colour": legal_colour,
    "number": legal_number,
    "discard": legal_discard,
}
ACTIONS_BY_PHASE: Final[dict[str, ActionOfPhase]] = {
    "first_colour": do_first_colour,
    "play": do_play,
    "drawn": do_drawn,
    "defend": do_defend,
    "bin": do_bin,
    "colour": do_colour,
    "number": do_number,
    "discard": do_discard,
}
