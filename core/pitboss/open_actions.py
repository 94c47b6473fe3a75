"""Open actions: what a player may do beside the legal list, because it is checked and not listed.

There are too many offers of a negotiation to list them. A game declares such a kind of action as a subclass of
`OpenAction`, which is part of its `Action`; its states say which kinds may be tried now, and check each action that is.
The legal list has no action of such a kind, and is never empty, so that a bot that knows nothing of them plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast, runtime_checkable

import msgspec
from msgspec import Struct, inspect

from pitboss.action_range import find_entry
from pitboss.game import AnyState
from pitboss.options import Action, explain_mismatch
from pitboss.table.events import AnyEvent, Tell
from pitboss.table.randomness import Random

K = TypeVar("K", bound="OpenAction")


class OpenAction(Action, frozen=True):
    """A base of actions that are checked and not listed: `class Offer(OpenAction, frozen=True)`."""


@runtime_checkable
class TakesOpenActions(Protocol):
    """A state in which the seat on turn may do what is not in the legal list."""

    def open_kinds(self) -> Sequence[type[OpenAction]]:
        """Return the kinds of open actions that may be tried now; () if there are none, and when the game is over.

        What is returned may depend only on what the seat on turn knows.
        """

    def check_open(self, action: Any) -> str:  # noqa: ANN401 - of one of the kinds
        """Return why an action of one of these kinds cannot be played, as the end of a sentence; "" if it can.

        The answer may depend only on what the seat on turn knows. Bots are told it.
        """

    def propose_open(self, rng: Random) -> Sequence[Any]:
        """Return a few open actions that can be played now, drawn by `rng`; () if there are none.

        Random players and searches choose among them too.
        """

    def read_open(self, event: AnyEvent) -> Any:  # noqa: ANN401
        """Return the open action of the seat on turn that begins with an event, as a seat saw it; None if none does.

        Bots that track a game follow what others have done by it: see `read_told`.
        """


class OpenChoices(NamedTuple):
    """What the seat on turn may do beside the legal list."""

    kinds: Sequence[type[OpenAction]] = ()
    check: Callable[[Any], str] = str  # as `TakesOpenActions.check_open`
    propose: Callable[[Random], Sequence[Any]] = lambda rng: ()

    @property
    def words(self) -> list[str]:
        """The kinds, as the wire names them."""
        return [word_of(kind) for kind in self.kinds]


NOTHING_OPEN: Final = OpenChoices()


def word_of(kind: type[Struct]) -> str:
    """Return the word of a kind of action on the wire: the value of `do`."""
    return str(kind.__struct_config__.tag)


@cache
def find_open_kinds(action_type: Any) -> Mapping[str, type[OpenAction]]:  # noqa: ANN401 - `Game.Action`
    """Return the kinds of open actions among the actions of a game, by their word on the wire."""
    (kind,) = inspect.multi_type_info([action_type])
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    found = [one.cls for one in kinds if isinstance(one, inspect.StructType) and issubclass(one.cls, OpenAction)]
    return {word_of(one): one for one in found}


@cache
def describe_open_kinds(action_type: Any) -> Mapping[str, Any]:  # noqa: ANN401 - `Game.Action`
    """Return the JSON Schema of each kind of open action of a game, by its word on the wire."""
    return {word: msgspec.json.schema(kind) for word, kind in find_open_kinds(action_type).items()}


def find_open_choices(state: Any) -> OpenChoices:  # noqa: ANN401 - a state of any game
    """Return what the seat on turn may do beside the legal list; `NOTHING_OPEN` if there is nothing."""
    if not _takes_open_actions(state.__class__):
        return NOTHING_OPEN
    open_state = cast(TakesOpenActions, state)
    if not (kinds := open_state.open_kinds()):
        return NOTHING_OPEN
    return OpenChoices(kinds, open_state.check_open, open_state.propose_open)


@cache
def _takes_open_actions(state: type[Any]) -> bool:
    return issubclass(state, TakesOpenActions)


def judge_open(action: object, choices: OpenChoices) -> str | None:
    """Return why an action cannot be played, "" if it can; None if it is of no kind that is open now."""
    return choices.check(action) if type(action) in choices.kinds else None


def is_playable(action: object, state: AnyState, legal: Sequence[Any] | None = None) -> bool:
    """Return whether an action can be played in a state: as one of the legal list, or as an open one."""
    if find_entry(action, state.legal() if legal is None else legal) is not None:
        return True
    return isinstance(action, OpenAction) and judge_open(action, find_open_choices(state)) == ""


def read_open_action(value: object, choices: OpenChoices) -> tuple[Any, str | None]:
    """Return the open action that a value of JSON describes and "", or None and why it cannot be played.

    The reason is None if the value names no kind that is open now.
    """
    word = value.get("do") if isinstance(value, Mapping) else None
    kind = next((kind for kind in choices.kinds if word_of(kind) == word), None)
    if kind is None:
        return None, None
    try:
        action = msgspec.convert(value, kind)
    except msgspec.ValidationError as mismatch:
        return None, explain_mismatch(str(mismatch), kind)
    why = choices.check(action)
    return (None, why) if why else (action, "")


def read_told(kind: type[K], event: AnyEvent) -> K | None:
    """Return the open action of a kind that `Table.tell` told: under its word, with its fields as facts; else None."""
    if not isinstance(event, Tell) or event.event != word_of(kind):
        return None
    known = {name: event.facts[name] for name in kind.__struct_encode_fields__ if name in event.facts}
    try:
        return msgspec.convert({"do": event.event, **known}, kind)
    except msgspec.ValidationError:
        return None
