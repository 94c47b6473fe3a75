"""What a case expects against what was found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

CaseFacts: TypeAlias = Mapping[str, object]  # everything that a case may ask about, by its name


def list_differences(expected: object, found: object, path: str = "expect") -> list[str]:
    """Return a sentence for each difference; keys that are found but not expected do not matter.

    A list is compared whole and in order; where a list was found, `{"has": […], "has_not": […]}` looks for members.
    """
    if isinstance(expected, dict) and isinstance(found, Mapping):
        return [line for key, value in expected.items() for line in _key_differences(key, value, found, path)]
    if isinstance(expected, dict) and isinstance(found, list) and expected and set(expected) <= {"has", "has_not"}:
        return [line for key, members in expected.items() for line in _member_differences(key, members, found, path)]
    return [] if is_equal_json(expected, found) else [f"{path} is {expected!r}; found {found!r}"]


def is_equal_json(one: object, other: object) -> bool:
    """Tell whether two values of JSON are equal, `true` not being 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _key_differences(key: str, value: object, found: CaseFacts, path: str) -> list[str]:
    if key not in found:
        return [f"{path} has the unknown key {key!r}; known here: {', '.join(sorted(found))}"]
    return list_differences(value, found[key], f"{path}.{key}")


def _member_differences(key: str, members: object, found: list[object], path: str) -> list[str]:
    if not isinstance(members, list):
        return [f"{path}.{key} must be a list; it is {members!r}"]
    is_in = [any(is_equal_json(member, one) for one in found) for member in members]
    return [
        f"{path}.{key}: {member!r} is {'in' if there else 'not in'} {found!r}"
        for member, there in zip(members, is_in, strict=True)
        if there != (key == "has")
    ]
