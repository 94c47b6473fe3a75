"""What a case of any game gives and expects, and the errors of the case itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from pitboss import ConfigError
from tests.rules.comparison import CaseFacts, list_differences

T = TypeVar("T", bound=Struct)


class CaseError(ValueError):
    """The case itself makes no sense: an unknown key, a missing one, a value of the wrong kind."""


class CaseInput(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of what cases give: one struct for each `fn`."""


def read_case_input(case: Mapping[str, object], wanted: type[T]) -> tuple[T, str | None, dict[str, object]]:
    """Return what `in` of a case gives, without its `preset` and its `options`, which are returned too.

    Raises:
        CaseError: a key is unknown or missing, or has a value of the wrong kind.
    """
    if unknown := case.keys() - {"id", "fn", "in", "expect"}:
        raise CaseError(f"the case has the unknown keys {sorted(unknown)}; known: id, fn, in, expect")
    try:
        given = msgspec.convert(case.get("in", {}), dict[str, object])
        preset = msgspec.convert(given.pop("preset", None), str | None)
        options = msgspec.convert(given.pop("options", {}), dict[str, object])
        return msgspec.convert(given, wanted), preset, options
    except msgspec.ValidationError as wrong:
        known = ", ".join(sorted(wanted.__struct_fields__))
        raise CaseError(f"in: {wrong}; known here: options, preset, {known}") from None


def name_expectation(expected: object, main: str) -> dict[str, object]:
    """Return what a case expects by name: a bare value is the `main` thing of its function, `"error"` is one.

    Raises:
        CaseError: it expects nothing.
    """
    if expected == {}:
        raise CaseError("the case expects nothing")
    if expected == "error":
        return {"error": True}
    return expected if isinstance(expected, dict) else {main: expected}


def judge_case(expected: Mapping[str, object], evaluate: Callable[[], CaseFacts]) -> list[str]:
    """Return what is wrong: what was found is not what is expected, or options or a position were refused.

    An action that was refused is wrong unless the case expects it (`illegal`). An error that is expected is `true` or a
    part of its message, or said by `"valid": false`; nothing else can be asked then.
    """
    error = expected.get("error", expected.get("valid") is False)
    try:
        found = evaluate()
    except ConfigError as wrong:
        is_meant = error is True or (isinstance(error, str) and error in str(wrong))
        return [] if is_meant and expected.keys() <= {"error", "valid"} else [f"refused: {wrong}"]
    unasked = [str(found["refused"])] if found.get("refused") and not expected.get("illegal") else []
    return [*unasked, *list_differences(expected, {"error": False, "valid": True, **found})]
