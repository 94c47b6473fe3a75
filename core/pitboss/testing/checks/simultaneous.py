"""Simultaneous decisions: who decides at the same moment sees nothing of what the others choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.action_range import draw_action
from pitboss.game import AnyState, Simultaneous
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.hidden_fields import find_told_field
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import describe_first_difference

MAX_MOMENTS: Final = 12  # of a game
OTHER_CHOICES: Final = 3  # that are tried in place of the real ones of a moment


class Shown(NamedTuple):
    """What a seat is shown before it decides within a moment."""

    turn: bytes
    together: bytes
    legal: bytes
    view: bytes
    events: bytes  # since the moment began


@check("played game")
def choices_are_blind(played_game: PlayedGame) -> None:
    """Of seats that decide at the same moment each is shown the same, turn, legal list, view and events, whatever the
    others choose.
    """
    if not isinstance(played_game.setup.deal(played_game.seed), Simultaneous):
        raise NotApplicable("nobody decides at the same moment as another")
    rng, found = Random(f"{played_game.seed}/blind"), 0
    for number, state in _list_moments(played_game):
        found += 1
        real = _play_moment(state, played_game.actions[number:])
        for _ in range(OTHER_CHOICES):
            for step, (one, other) in enumerate(zip(real, _play_moment(state, (), rng), strict=False)):
                for name, told, otherwise in zip(Shown._fields, one, other, strict=True):
                    if told != otherwise:
                        raise CheckFailed(
                            f"at the moment that begins with decision {number}, {name} before decision {number + step} "
                            f"depends on what others chose: {describe_first_difference(told, otherwise)}"
                        )
    if not found:
        raise NotApplicable("no two seats decided at the same moment")


@check("played game")
def worlds_do_not_hold_choices(played_game: PlayedGame) -> None:
    """What others choose at the same moment is not the truth in every world of a seat that has yet to choose."""
    if not isinstance(played_game.setup.deal(played_game.seed), Simultaneous):
        raise NotApplicable("nobody decides at the same moment as another")
    rng, found = Random(f"{played_game.seed}/hidden choices"), 0
    for number, state in _list_moments(played_game):
        for _ in range(OTHER_CHOICES):
            one, other = state.copy(), state.copy()
            for action in played_game.actions[number : number + len(state.together()) - 1]:
                one.play(action)
                other.play(draw_action(rng.choice(other.legal()), rng.randbelow))
                found += 1
                if one.turn != other.turn or one.turn is None:
                    break  # that is told by `choices-are-blind`
                if (name := find_told_field(one, other, one.turn.seat, rng)) is not None:
                    raise CheckFailed(
                        f"at the moment that begins with decision {number} every world of seat {one.turn.seat} holds "
                        f"the true {name!r}, which depends on what others chose; what is hidden belongs on the table"
                    )
    if not found:
        raise NotApplicable("no two seats decided at the same moment")


def _list_moments(played_game: PlayedGame) -> Iterator[tuple[int, Any]]:
    """Yield the number of the first decision of each moment, and a copy of the state before it."""
    state: Any = played_game.setup.deal(played_game.seed)
    found = ahead = 0
    for number, action in enumerate(played_game.actions):
        ahead -= 1
        if ahead <= 0 and found < MAX_MOMENTS and len(seats := state.together()) > 1:
            if state.turn.seat != seats[0]:
                raise CheckFailed(f"seats {list(seats)} decide together; {state.turn} is asked first")
            found, ahead = found + 1, len(seats)
            yield number, state.copy()
        state.play(action)


def _play_moment(state: Any, actions: Sequence[Any], rng: Random | None = None) -> list[Shown]:  # noqa: ANN401
    """Return what each seat is shown when a moment is played: with these actions, or with random ones."""
    twin = state.copy()
    twin.table.log = []
    shown = []
    for number in range(len(state.together())):
        if twin.turn is None:
            raise CheckFailed("the game was over before all had decided who decide at the same moment")
        shown.append(_look(twin))
        twin.play(actions[number] if rng is None else draw_action(rng.choice(twin.legal()), rng.randbelow))
        if rng is None and number + 1 == len(actions):
            break
    return shown


def _look(state: AnyState) -> Shown:
    assert isinstance(state, Simultaneous)
    turn = state.turn
    seat = -1 if turn is None else turn.seat
    parts = (turn, list(state.together()), list(state.legal()), state.view(seat), state.table.events(seat))
    return Shown(*map(msgspec.json.encode, parts))
