"""What a case of any game gives: errors of the case itself, structs for its input, and other spellings of a name."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class CaseError(ValueError):
    """The case itself makes no sense: an unknown key, a missing one, a value of the wrong kind."""


class CaseInput(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of what cases give: one struct for each `fn`."""


def normalize_names(written: Mapping[str, object], own: set[str], spellings: Mapping[str, str]) -> dict[str, object]:
    """Return the same under the names that are used here.

    Raises:
        CaseError: one thing is written under two names, with different values.
    """
    plain: dict[str, object] = {}
    for key, value in written.items():
        name = key if key in own else spellings.get(key, key)
        if name in plain and plain[name] != value:
            raise CaseError(f"the case gives {name!r} twice: {plain[name]!r} and {value!r}")
        plain[name] = value
    return plain
