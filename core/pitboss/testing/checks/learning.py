"""Learning: the actions and observations of a game as numbers, for every learner and without work for its author."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.action_range import sample_actions
from pitboss.game import AnyState, find_limit
from pitboss.learning.action_fields import UnboundedAction
from pitboss.learning.alphabet import Alphabet
from pitboss.learning.given_numbers import GivenEncoder, make_numbers
from pitboss.learning.observation import ObservationEncoder
from pitboss.learning.spelling import Spelling
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.played_game import PlayedGame

OBSERVED_DECISIONS: Final = 24  # of a game, at which other actions are tried too
OBSERVED_ACTIONS: Final = 4
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
    if isinstance(encoder, GivenEncoder):
        raise NotApplicable("the numbers are those of an engine")
    for seat in range(point.setup.seats):
        row = _observe(point.setup, point.state, seat)[: encoder.size]
        at = max(range(len(row)), key=lambda place: abs(row[place]))
        if abs(row[at]) > 1 + _TOLERANCE:
            part = next(part.name for part in encoder.parts if part.start <= at < part.stop)
            raise CheckFailed(f"{part} is {row[at]!r} for seat {seat}; expected -1 to 1")


@check("played game")
def learners_see_views_apart(played_game: PlayedGame) -> None:
    """What a seat can tell apart has different observations, but for what the game says by `unlearned`."""
    setup = played_game.setup
    unlearned: Mapping[str, str] = getattr(setup.game, "unlearned", {})
    if unknown := [name for name in unlearned if name not in _list_view_fields(setup)]:
        raise CheckFailed(f"`unlearned` names {unknown[0]!r}; the view has the fields {_list_view_fields(setup)}")
    compared = _compare_observations(played_game)
    if not compared.alike:
        return
    fields = sorted(compared.fields)
    seen = (
        f"{compared.alike:,} of {compared.views:,} views ({compared.alike / compared.views:.1%}) have the observation "
        f"of another one, which differs in {', '.join(map(repr, fields))}"
    )
    if compared.fields <= unlearned.keys():
        raise CheckNote(f"{seen}: the game says so", f"`unlearned` of the game: {dict(unlearned)}")
    raise CheckFailed(
        f"{seen}: {compared.example}",
        advice="give the lists of the view a `max_length`, or the game `view_bounds`; mark cards (`CardFace`), seats "
        "(`SeatIndex`) and lists whose order counts (`IN_ORDER`); or name what learners do not see in `unlearned`",
    )


class ComparedObservations(NamedTuple):
    """What the views of a game and their observations showed."""

    views: int  # different ones, of all seats
    alike: int  # that have the observation of another one
    fields: set[str]  # in which such views differ
    example: str  # "" where there is none


def _compare_observations(played_game: PlayedGame) -> ComparedObservations:
    """Compare the views of all seats at some decisions of a game, and after some other actions there."""
    met: list[dict[bytes, dict[bytes, Any]]] = [{} for _ in range(played_game.setup.seats)]  # by seat, row and view
    step = max(1, len(played_game) // OBSERVED_DECISIONS)
    state = played_game.setup.deal(played_game.seed)
    for number, action in enumerate(played_game.actions):
        if number % step == 0:
            _meet_views(played_game, state, met)
            actions = sample_actions(state.legal())
            for other in actions[:: max(1, len(actions) // OBSERVED_ACTIONS)]:
                twin = state.copy()
                twin.play(other)
                _meet_views(played_game, twin, met)
        state.play(action)
    groups = [[*views.values()] for rows in met for views in rows.values()]
    alike = [views for views in groups if len(views) > 1]
    pairs = [(one, other) for views in alike for one, other in pairwise(views)]
    fields = {name for one, other in pairs for name in one if one[name] != other[name]}
    example = ""
    if pairs:
        one, other = pairs[0]
        name = next(name for name in one if one[name] != other[name])
        example = f"{name} is {one[name]!r} in one and {other[name]!r} in the other"
    return ComparedObservations(sum(map(len, groups)), sum(map(len, alike)), fields, example)


def _meet_views(played_game: PlayedGame, state: AnyState, met: Sequence[dict[bytes, dict[bytes, Any]]]) -> None:
    """Add what all seats see, by their observations; cards in zones have no order."""
    setup = played_game.setup
    encoder = _prepare_or_skip(setup).encoder
    row = memoryview(bytearray(4 * encoder.size)).cast("f")
    for seat, rows in enumerate(met):
        view = msgspec.to_builtins(state.view(seat))
        for name in encoder.in_zones:
            view[name] = _sort_cards(view[name])
        encoder.write(state, seat, row)
        rows.setdefault(row.tobytes(), {})[msgspec.json.encode(view)] = view


def _sort_cards(cards: Any) -> Any:  # noqa: ANN401 - a card, or a list of cards or of such lists
    """Return cards without their order."""
    if not isinstance(cards, list):
        return cards
    return (
        [_sort_cards(one) for one in cards] if any(isinstance(one, list) for one in cards) else sorted(cards, key=str)
    )


def _list_view_fields(setup: CheckedSetup) -> list[str]:
    return [*setup.deal("learning").view(0).__struct_fields__]


@lru_cache(maxsize=8)
def _prepare(setup: CheckedSetup) -> LearnerView:
    state = setup.deal("learning")
    phases: Sequence[str] = getattr(setup.game, "phases", ())
    return LearnerView(*make_numbers(setup.game, setup.seats, setup.options, state, phases))


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
