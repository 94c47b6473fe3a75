"""Open actions: what is checked and not listed. What is proposed can be played, and what is refused changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

import msgspec

from pitboss.errors import IllegalAction
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.open_actions import (
    NOTHING_OPEN,
    OpenAction,
    TakesOpenActions,
    find_open_choices,
    find_open_kinds,
    judge_open,
    word_of,
)
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.testing.framework.check_runner import fail_on_crash
from pitboss.testing.framework.decision_point import DecisionPoint, vary_plain
from pitboss.testing.framework.expectations import expect_json_round_trip, expect_same_in_worlds
from pitboss.testing.framework.snapshot import describe_difference, take_snapshot

MAX_OPEN_ACTIONS: Final = 40  # actions of a decision
LONGEST_SENTENCE: Final = 300  # characters


@check("game")
def open_kinds_are_ready(game: AnyGame) -> None:
    """A game with kinds of open actions has a kind that is listed too, and states that check and propose open ones."""
    open_kinds = _require_open_kinds(game)
    if len(open_kinds) == len(get_args(game.Action) or (game.Action,)):
        raise CheckFailed("all actions are open; expected a kind that the legal list has, for bots without open ones")
    state = game.deal(game.seats[0], resolve_options(game, game.seats[0]), Random("conformance/open"))
    if not isinstance(state, TakesOpenActions):
        methods = [name for name in vars(TakesOpenActions) if not name.startswith("_")]
        lacking = [name for name in methods if not callable(getattr(state, name, None))]
        raise CheckFailed(f"{', '.join(open_kinds)} can be played by nobody: the state has no {', '.join(lacking)}")


@check("decision", "end")
def open_kinds_are_declared(point: DecisionPoint) -> None:
    """What is open at a decision is an open kind of the game's `Action`, and not in the legal list; at the end nothing
    is open.
    """
    declared = _require_open_kinds(point.setup.game)
    if not isinstance(point.state, TakesOpenActions):
        raise NotApplicable("the state takes no open actions")
    kinds = list(point.state.open_kinds())
    if point.turn is None and kinds:
        raise CheckFailed(f"the game is over, and {[one.__name__ for one in kinds]} are open")
    for kind in kinds:
        if kind not in declared.values():
            raise CheckFailed(f"{kind.__name__} is open; the open kinds of `Action` are {', '.join(declared)}")
    listed = [action for action in point.legal if isinstance(action, OpenAction)]
    if listed:
        raise CheckFailed(f"{listed[0]!r} is in the legal list; an open action is checked and not listed")


@check("point")
def proposed_actions_can_be_played(point: DecisionPoint) -> None:
    """Every open action that a state proposes is of a kind that is open, and can be played, read from JSON."""
    for action in _propose(point):
        _require_reason(action, point.state, wanted="")
        expect_json_round_trip(action, point.setup.game.Action, "open action")
        twin = point.state.copy()
        with fail_on_crash(f"open action {action!r} is proposed, but played it gives "):
            twin.play(msgspec.json.decode(msgspec.json.encode(action), type=point.setup.game.Action))
            twin.legal()


@check("point")
def open_actions_are_played_as_checked(point: DecisionPoint) -> None:
    """An open action that the check passes can be played; one that it does not pass is refused with `IllegalAction`,
    and changes nothing.
    """
    tried = list(_vary_proposed(point))
    if not tried:
        raise NotApplicable("no other open action is known")
    for action in tried:
        twin = point.copy_with_log()
        before = take_snapshot(twin)
        why = _require_reason(action, twin)
        if changed := describe_difference(before, take_snapshot(twin)):
            raise CheckFailed(f"to check {action!r} changed {changed}")
        if not why:
            with fail_on_crash(f"open action {action!r} passes the check, but played it gives "):
                twin.play(action)
            continue
        try:
            with fail_on_crash(f"open action {action!r} does not pass; expected IllegalAction, got ", IllegalAction):
                twin.play(action)
        except IllegalAction:
            if changed := describe_difference(before, take_snapshot(twin)):
                raise CheckFailed(f"open action {action!r} was refused, but it changed {changed}") from None
        else:
            raise CheckFailed(f"open action {action!r} was accepted; the check says: {why}")


@check("point")
def open_actions_are_alike_in_worlds(point: DecisionPoint) -> None:
    """In every world that the seat on turn can imagine the same kinds are open, and the check says the same."""
    actions = [*_propose(point), *_vary_proposed(point)]

    def judge(state: AnyState, seat: int) -> object:
        choices = find_open_choices(state)
        return choices.words, [judge_open(action, choices) for action in actions]

    expect_same_in_worlds(point, "what is open to seat {}", judge, only_on_turn=True)


@check("point")
def open_actions_are_read(point: DecisionPoint) -> None:
    """`read_open` reads the first event that another seat sees of an open action as one that this seat sees alike."""
    state, unread = point.state, ""
    for action in _propose(point):
        assert isinstance(state, TakesOpenActions)  # or nothing would be proposed
        twin = point.copy_with_log()
        twin.play(action)
        for seat in range(point.setup.seats):
            told = twin.table.events(seat, len(state.table.log or ()))
            if not told or point.turn is None or seat == point.turn.seat:
                continue
            read = state.read_open(told[0])
            if read is None:
                unread = f"seat {seat} sees {told[0]!r} of {action!r}, of which `read_open` reads nothing"
                continue
            other = point.copy_with_log()
            with fail_on_crash(f"{told[0]!r} of {action!r} is read as {read!r}, which played gives "):
                other.play(read)
            if msgspec.json.encode(other.table.events(seat, len(state.table.log or ()))) != msgspec.json.encode(told):
                raise CheckFailed(
                    f"seat {seat} sees {told[0]!r} of {action!r}; it is read as {read!r}, which shows other"
                )
    if unread:
        raise CheckNote(f"{unread}: bots that track the game do not follow it")


def _require_open_kinds(game: AnyGame) -> Mapping[str, type[OpenAction]]:
    try:
        found = find_open_kinds(game.Action)
    except TypeError:  # other checks report it
        found = {}
    if not found:
        raise NotApplicable("no action of the game is open")
    return found


def _propose(point: DecisionPoint) -> list[Any]:
    """Return some open actions that the state proposes."""
    _require_open_kinds(point.setup.game)
    choices = find_open_choices(point.state)
    if choices is NOTHING_OPEN:
        raise NotApplicable("nothing is open at this decision")
    proposed = list(choices.propose(point.random_stream("open")))[:MAX_OPEN_ACTIONS]
    if not proposed:
        raise NotApplicable("the state proposes no open action")
    return proposed


def _vary_proposed(point: DecisionPoint) -> Iterator[Any]:
    """Yield open actions that differ from proposed ones in one value, or in none but are of another kind."""
    known, tried = [], 0
    for action in _propose(point):
        for plain in vary_plain(msgspec.to_builtins(action)):
            try:
                like = msgspec.convert(plain, type(action))
            except msgspec.ValidationError:
                continue
            if like not in known and tried < MAX_OPEN_ACTIONS:
                known.append(like)
                tried += 1
                yield like


def _require_reason(action: Any, state: AnyState, wanted: str | None = None) -> str:  # noqa: ANN401 - of any game
    """Return what the check says of an action: "", or a line of text. It has to be what is wanted, if that is given."""
    with fail_on_crash(f"the check of open action {action!r} gives "):
        why = judge_open(action, find_open_choices(state))
    if why is None:
        words = find_open_choices(state).words
        raise CheckFailed(f"{action!r} is proposed; open are {', '.join(words)}, not {word_of(type(action))}")
    if not isinstance(why, str) or "\n" in why or len(why) > LONGEST_SENTENCE:
        raise CheckFailed(
            f"the check of {action!r} says {why!r}; expected a line of {LONGEST_SENTENCE} characters at most"
        )
    if wanted is not None and why != wanted:
        raise CheckFailed(f"{action!r} is proposed, but its check says: {why}")
    return why
