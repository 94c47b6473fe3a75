"""Learning: the actions and observations of a game as numbers, for every learner and without work for its author."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pitboss.action_range import sample_actions
from pitboss.game import AnyState, find_limit
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.alphabet import Alphabet
from pitboss.learning.observation import ObservationEncoder
from pitboss.learning.spelling import Spelling
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint

_TOLERANCE = 1e-6  # of numbers that are to lie from -1 to 1


class LearnerView(NamedTuple):
    """What learners need of a setup."""

    alphabet: Alphabet
    encoder: ObservationEncoder


@check("setup")
def actions_can_be_numbered(setup: CheckedSetup) -> None:
    """Every field of an action has bounds, or is a card or the number of a range: so all actions have numbers."""
    if (why := find_limit(setup.game, setup.seats, setup.options, "numbers")) is not None:
        raise NotApplicable(f"the game declares that its actions have no numbers: {why}")
    try:
        _prepare(setup)
    except UnboundedAction as unbounded:
        raise CheckFailed(str(unbounded)) from None


@check("decision")
def phases_are_declared(point: DecisionPoint) -> None:
    """If the game says its `phases`, every turn has one of them."""
    declared: Sequence[str] = getattr(point.setup.game, "phases", ())
    if not declared:
        raise NotApplicable("the game does not say its phases")
    if point.turn is not None and point.turn.phase not in declared:
        raise CheckFailed(f"the phase is {point.turn.phase!r}; `phases` of the game are {list(declared)!r}")


@check("point")
def actions_are_spelled_apart(point: DecisionPoint) -> None:
    """Each legal action has a sequence of letters of its own, and this sequence leads back to the action."""
    alphabet = _prepare_or_skip(point.setup).alphabet
    spelling = Spelling(alphabet, point.legal)
    for action in sample_actions(point.legal):
        twin, chosen = spelling.copy(), None
        if twin.forced is not None:
            return
        for letter in twin.spell(action):
            chosen = twin.add(letter)
        if type(chosen) is not type(action):
            raise CheckFailed(f"the letters of {action!r} choose {chosen!r}")


@check("point")
def learners_see_nothing_hidden(point: DecisionPoint) -> None:
    """The observation and the legal letters of a seat are the same in every world of its information set."""
    for seat, world in point.worlds:
        if seat == point.setup.seats:
            continue
        real, imagined = (_observe(point.setup, state, seat) for state in (point.state, world))
        if real != imagined:
            encoder = _prepare_or_skip(point.setup).encoder
            at = next(at for at, pair in enumerate(zip(real, imagined, strict=False)) if pair[0] != pair[1])
            part = next((part.name for part in encoder.parts if part.start <= at < part.stop), "the legal letters")
            raise CheckFailed(f"the observation of seat {seat} reveals something hidden: {part} in a possible world")


@check("point")
def observations_are_small_numbers(point: DecisionPoint) -> None:
    """Every number of an observation lies from -1 to 1."""
    encoder = _prepare_or_skip(point.setup).encoder
    for seat in range(point.setup.seats):
        row = _observe(point.setup, point.state, seat)[: encoder.size]
        at = max(range(len(row)), key=lambda place: abs(row[place]))
        if abs(row[at]) > 1 + _TOLERANCE:
            part = next(part.name for part in encoder.parts if part.start <= at < part.stop)
            raise CheckFailed(f"{part} is {row[at]!r} for seat {seat}; expected -1 to 1")


@lru_cache(maxsize=8)
def _prepare(setup: CheckedSetup) -> LearnerView:
    state = setup.deal("learning")
    layout = state.table.layout
    alphabet = Alphabet(setup.game.Action, layout.deck, setup.seats)
    phases: Sequence[str] = getattr(setup.game, "phases", ())
    return LearnerView(alphabet, ObservationEncoder(layout, state.view(0), len(alphabet), phases))


def _prepare_or_skip(setup: CheckedSetup) -> LearnerView:
    try:
        return _prepare(setup)
    except UnboundedAction:
        raise NotApplicable("its actions have no numbers") from None


def _observe(setup: CheckedSetup, state: AnyState, seat: int) -> list[float]:
    """Return what a seat is shown as numbers, and after them the legal letters of its decision."""
    alphabet, encoder = _prepare_or_skip(setup)
    row = memoryview(bytearray(4 * encoder.size)).cast("f")
    encoder.write(state, seat, row)
    turn = state.turn
    letters = Spelling(alphabet, state.legal()).letters if turn is not None and turn.seat == seat else []
    return [*row, *letters]
