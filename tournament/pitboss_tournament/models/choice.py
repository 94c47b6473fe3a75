"""The choice of a language model: which legal action its answer means, if it means one. No I/O.

An answer chooses by its last JSON object that is not empty: `{"choose": 3}` is an index into the legal list,
`{"choose": 3, "number": 40}` an action of the range there, `{"action": {…}}` or the action alone is an action itself.
What stands before is thinking: an action that the model has considered and rejected is not taken. A whole number may
be written as 40, 40.0 or "40".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from pitboss.action_range import RangedEntry, is_within
from pitboss.foreign_input import InputRefused, read_json_at

AskOutcome: TypeAlias = Literal[
    "chosen",
    "illegal",
    "unparsable",
    "truncated",
    "empty",
    "refused",
    "too_long",
    "failed",
    "transport",
    "interrupted",
    "budget",
    "own",
    "recalled",
    "noted",
]
ASK_OUTCOMES: Final[tuple[AskOutcome, ...]] = get_args(AskOutcome)
UNANSWERED: Final[frozenset[AskOutcome]] = frozenset({"transport", "interrupted"})
UNCALLED: Final[frozenset[AskOutcome]] = frozenset({"own", "budget", "recalled"})  # no server was asked
NOT_REUSED: Final[frozenset[AskOutcome]] = UNANSWERED | UNCALLED | {"failed", "noted"}  # for an equal request
READ_CHARACTERS: Final = 20_000  # of the end of an answer
LARGEST_EXACT: Final = 1 << 53  # whole number that every JSON reader keeps
SHOWN_CHARACTERS: Final = 200  # of what a model has played, in a reason

_WHOLE_NUMBER: Final = re.compile(r"\s*[+-]?\d{1,15}(?:\.0*)?\s*")


class Verdict(Struct, frozen=True, omit_defaults=True):
    """What an answer comes to. If it is chosen: an index into the legal list, or an action of a range there."""

    outcome: AskOutcome
    reason: str = ""  # why nothing is chosen, as the model may be told
    choose: int | None = None
    action: Any = None


def judge_answer(text: str, legal: Sequence[Any], ranges: Sequence[RangedEntry]) -> Verdict:
    """Return what the text of a whole answer chooses of a legal list, whose entries are plain data."""
    said = find_last_object(text)
    if said is None:
        return Verdict("unparsable", 'the answer has no JSON object; end with one, as {"choose": 0}')
    if "choose" in said:
        return _judge_index(said, legal, ranges)
    action = said.get("action", said)
    for index, entry in enumerate(legal):
        if action == entry:
            return Verdict("chosen", choose=index)
    for one in ranges:
        if isinstance(action, Mapping) and one.field in action:
            whole = {**action, one.field: _read_whole(action[one.field])}
            if is_within(whole, legal[one.index], one.field):
                return Verdict("chosen", action=whole)
    if (found := _find_in_other_order(action, legal)) is not None:
        return Verdict("chosen", choose=found)
    if not _resembles_action(action, legal):
        return Verdict("unparsable", f'the last JSON object is {_shorten(said)}; it must be like {{"choose": 0}}')
    return Verdict("illegal", f"{_shorten(action)} is not legal; {_describe_legal(legal)}")


def make_choice_schema(legal: Sequence[Any], ranges: Sequence[RangedEntry]) -> dict[str, Any]:
    """Return the JSON Schema of an answer that chooses of a legal list: first why, then an index, then a number."""
    properties: dict[str, Any] = {
        "reason": {"type": "string"},
        "choose": {"type": "integer", "enum": list(range(len(legal)))},
    }
    if ranges:
        properties["number"] = {"type": "integer"}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def find_last_object(text: str) -> dict[str, Any] | None:
    """Return the last JSON object of a text that is not empty, of those that lie in no other; None if there is none."""
    text = text[-READ_CHARACTERS:]
    found, at = None, text.find("{")
    while at >= 0:
        try:
            value, end = read_json_at(text, at)
            found = value or found
        except InputRefused:
            end = at + 1
        at = text.find("{", end)
    return found


def _judge_index(said: Mapping[str, Any], legal: Sequence[Any], ranges: Sequence[RangedEntry]) -> Verdict:
    index, number = _read_whole(said["choose"]), _read_whole(said.get("number"))
    if type(index) is not int:
        return Verdict("unparsable", f'"choose" is {_shorten(index)}; it must be a whole number')
    if not 0 <= index < len(legal):
        return Verdict("illegal", f'"choose" is {index}; {_describe_legal(legal)}')
    field = next((one.field for one in ranges if one.index == index), None)
    if field is None or number is None:
        return Verdict("chosen", choose=index)
    action = {**legal[index], field: number}
    if is_within(action, legal[index], field):
        return Verdict("chosen", action=action)
    lowest, highest = legal[index][field]
    return Verdict("illegal", f'"number" is {_shorten(number)}; at {index} it may be {lowest} to {highest}')


def _read_whole(value: object) -> object:
    """Return a whole number that is written as 40.0 or "40"; any other value as it is."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_EXACT:
        return int(value)
    if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value):
        return int(float(value)) if "." in value else int(value)
    return value


def _find_in_other_order(action: object, legal: Sequence[Any]) -> int | None:
    """Return where the one legal action stands that differs only in the order of a list; None: there is none, or two.

    Where the order matters, the legal list has both orders.
    """
    if not isinstance(action, Mapping) or not any(isinstance(value, list) for value in action.values()):
        return None
    wanted = _sort_lists(action)
    found = [at for at, entry in enumerate(legal) if isinstance(entry, Mapping) and _sort_lists(entry) == wanted]
    return found[0] if len(found) == 1 else None


def _sort_lists(action: Mapping[str, Any]) -> dict[str, Any]:
    return {key: sorted(map(repr, value)) if isinstance(value, list) else value for key, value in action.items()}


def _resembles_action(action: object, legal: Sequence[Any]) -> bool:
    """Tell whether something has a key that legal actions have, so that an action was meant."""
    return isinstance(action, Mapping) and any(isinstance(one, Mapping) and action.keys() & one.keys() for one in legal)


def _describe_legal(legal: Sequence[Any]) -> str:
    return f"there are {len(legal)} legal actions, 0 to {len(legal) - 1}"


def _shorten(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"
