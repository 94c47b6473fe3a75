"""Positions of Hearts: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError
from pitboss.parts.trick_position import set_up_tricks
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss.table.turns import Turn
from pitboss_hearts.messages import Moon, Position
from pitboss_hearts.state import PASSED, HeartsStateBase


def write_position(state: HeartsStateBase) -> Position:
    """Write down a state: every card of this deal, and the points before it."""
    is_passing = state.turn is not None and state.turn.phase == "pass"
    passed = [state.faces(zone) if is_passing else _known_faces(state, seat) for seat, zone in enumerate(state.passed)]
    return Position(**state.write_tricks(), is_passing=is_passing, passed=passed, moon=state.moon_choice)


def _known_faces(state: HeartsStateBase, seat: int) -> list[str]:
    """Return the cards that a seat knows to be in the hand to which it has passed cards."""
    distance = state.pass_distance()
    hand = state.hands[(seat + distance) % state.seats]
    return sorted(str(face) for face in state.table.faces_known_to(hand, seat) if face) if distance else []


def set_up_deal(state: HeartsStateBase, position: Position) -> None:
    """Pass the cards that were passed, and play those that were played.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    check_row_lengths(state.seats, hands=position.hands, passed=position.passed)
    passed = position.passed or [[]] * state.seats
    if (position.is_passing or any(passed)) and not state.pass_distance():
        raise PositionError(f"in deal {position.deal_no} nothing is passed")
    if position.is_passing:
        _set_up_passing(state, position, passed)
    else:
        size = len(state.table.layout.deck) // state.seats
        set_up_tricks(state, position.hands, position.plays, size, lambda one: _show_passed(one, passed))
    if position.moon is not None:
        if state.turn is None or state.turn.phase != "moon":
            raise PositionError(f"moon is {position.moon!r}; nobody has shot the moon and is to choose")
        state.play(Moon(position.moon))


def _set_up_passing(state: HeartsStateBase, position: Position, passed: Sequence[Sequence[str]]) -> None:
    """Set up a deal in which some have passed: the first seats, since they are asked in turn."""
    sizes = [len(cards) for cards in passed]
    count, size = sum(map(bool, sizes)), len(state.table.layout.deck) // state.seats
    if position.plays or count == state.seats or sizes != [PASSED] * count + [0] * (state.seats - count):
        raise PositionError(f"passed is {list(passed)!r}; the seats pass {PASSED} cards each in turn, from seat 0 on")
    held = position.hands or [[None] * (size - gone) for gone in sizes]
    for seat, (row, gone) in enumerate(zip(held, sizes, strict=True)):
        if len(row) + gone != size:
            raise PositionError(f"seat {seat} holds {len(row)} cards and has passed {gone}; together it is {size}")
    rows = [*zip(state.hands, held, strict=True), *zip(state.passed, passed, strict=True)]
    set_up_zones(state.table, state.stock, rows)
    state.turn = Turn(count, "pass")


def _show_passed(state: HeartsStateBase, passed: Sequence[Sequence[str]]) -> None:
    """Let everybody know the cards that it has passed, and begin the play.

    Raises:
        PositionError: who was passed a card does not hold it.
    """
    for seat, faces in enumerate(passed):
        hand = state.hands[(seat + state.pass_distance()) % state.seats]
        cards = state.table.layout.deck.find_cards(faces)
        if not {*cards} <= {*state.table.zones[hand]}:
            raise PositionError(f"seat {seat} has passed {list(faces)!r}; {hand.name} does not have them")
        if cards:
            state.table.reveal(hand, "passed", cards, to=[seat])
    state.begin_play()
