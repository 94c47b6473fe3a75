"""What others wrote (files, answers of servers, lines of bots): JSON and TOML, read within bounds or refused.

Nothing else of Pitboss decodes such bytes (tests/test_sources.py): a decoder of its own takes whole numbers that no
store can hold, and lists within lists that no later step can walk through.
"""

from __future__ import annotations

import re
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias, TypeVar

import msgspec

from pitboss.errors import PitbossError

if TYPE_CHECKING:
    from json import JSONDecoder

T = TypeVar("T")
InputPath: TypeAlias = tuple[str | int, ...]

LARGEST_NUMBER: Final = 2**63 - 1  # that a record or a store can hold
LARGEST_INPUT: Final = 64 << 20  # bytes, or characters
DEEPEST_VALUE: Final = 64  # of lists and objects within each other
MAX_KEY_PARTS: Final = 32  # of a dotted key: reading one takes the square of them
NUMBER_RULE: Final = f"a whole number may be {-LARGEST_NUMBER} to {LARGEST_NUMBER}"
DEPTH_RULE: Final = f"the values are nested too deeply: {DEEPEST_VALUE} levels are read"

_DEEP_KEY: Final = re.compile(
    r"(?<![\w-])(?:(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*\.[ \t]*){%d}" % MAX_KEY_PARTS  # noqa: UP031 - braces
)
_LONG_NUMBER: Final = re.compile(r"[0-9][0-9_]{4299,}")  # Python reads no decimal number of more than 4,300 digits


class InputRefused(PitbossError):
    """A text is not what it should be, or is beyond the bounds. The culprit is who wrote it."""

    def __init__(self, text: str, path: InputPath = (), offset: int | None = None) -> None:
        """`path`: of the value that is refused, in a text that can be read; `offset`: where, in one that cannot."""
        super().__init__(text)
        self.path, self.offset = path, offset


class NumberRefused(InputRefused):
    """A number is larger than a record or a store can hold."""


def read_json(text: bytes | str, wanted: type[T], largest: int = LARGEST_INPUT) -> T:
    """Return the one value of a text, as this type.

    Raises:
        InputRefused: it is no JSON, is beyond the bounds, or is of another type.
    """
    if len(text) > largest:
        raise InputRefused(f"it has more than {largest:,} bytes")
    try:
        plain = msgspec.json.decode(text)
    except RecursionError:
        raise InputRefused(DEPTH_RULE) from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise InputRefused(str(error)) from None
    check_foreign_value(plain)
    try:
        return msgspec.convert(plain, wanted, str_keys=True)
    except msgspec.ValidationError as error:
        raise InputRefused(str(error)) from None


def read_loose_json(text: str, largest: int = LARGEST_INPUT) -> Any:  # noqa: ANN401 - plain data of any shape
    """Return the one value of a text as plain data, for a reader that needs little of the value.

    Forgiven are a byte-order mark, control characters in strings, half a surrogate pair (which becomes U+FFFD), and
    numbers that no store can hold, NaN and Infinity (each becomes None).

    Raises:
        InputRefused: it is no JSON even then, or is too long or too deep.
    """
    if len(text) > largest:
        raise InputRefused(f"it has more than {largest:,} characters")
    try:
        value = _make_loose_scanner().decode(text.removeprefix("\ufeff"))
    except RecursionError:
        raise InputRefused(DEPTH_RULE) from None
    except ValueError as error:
        raise InputRefused(f"it is no JSON: {error}") from None
    check_foreign_value(value)
    return _mend_text(value)


def read_json_at(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at a place of a text, and the place behind it.

    Raises:
        NumberRefused: it has a number beyond the bounds.
        InputRefused: there is no value, or it is beyond the other bounds.
    """
    try:
        value, end = _make_scanner().raw_decode(text, at)
    except RecursionError:
        raise InputRefused(DEPTH_RULE) from None
    except ValueError as error:
        raise InputRefused(f"it is no JSON: {error}") from None
    check_foreign_value(value)
    return value, end


def read_toml(text: str, largest: int = LARGEST_INPUT) -> dict[str, Any]:
    """Return the values of a text.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML.
        InputRefused: it is beyond the bounds.
    """
    import tomllib  # noqa: PLC0415 - each bot in Python loads this module

    if len(text) > largest:
        raise InputRefused(f"it has more than {largest:,} characters")
    if found := _DEEP_KEY.search(text):
        raise InputRefused(f"a key has more than {MAX_KEY_PARTS} parts with dots", offset=found.start())
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise InputRefused(DEPTH_RULE) from None
    except ValueError:
        long = _LONG_NUMBER.search(text)
        raise NumberRefused(NUMBER_RULE, offset=long.start() if long else 0) from None
    check_foreign_value(values)
    return values


def read_whole_number(digits: str) -> int:
    """Return the number of these digits, which may have a sign.

    Raises:
        NumberRefused: it is beyond the bounds.
    """
    if len(digits) > len(str(-LARGEST_NUMBER)) or abs(int(digits)) > LARGEST_NUMBER:
        raise NumberRefused(NUMBER_RULE)
    return int(digits)


def check_foreign_value(value: object) -> None:
    """Check the depth of plain data, and each number in it.

    Raises:
        InputRefused: one of them is beyond the bounds.
    """
    left: list[tuple[InputPath, object]] = [((), value)]
    while left:
        path, one = left.pop()
        if isinstance(one, int) and abs(one) > LARGEST_NUMBER:
            raise NumberRefused(NUMBER_RULE, path)
        if not isinstance(one, dict | list):
            continue
        if len(path) == DEEPEST_VALUE:
            raise InputRefused(DEPTH_RULE, path)
        inner = one.items() if isinstance(one, dict) else enumerate(one)
        left += [((*path, key), each) for key, each in inner if isinstance(each, dict | list | int)]


def _read_finite(digits: str) -> float:
    if not isfinite(number := float(digits)):
        raise InputRefused(f"{digits[:40]} is too large")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise InputRefused(f"{name} is no JSON")


def _read_whole_or_none(digits: str) -> int | None:
    try:
        return read_whole_number(digits)
    except NumberRefused:
        return None


def _read_finite_or_none(digits: str) -> float | None:
    return number if isfinite(number := float(digits)) else None


def _mend_text(value: Any) -> Any:  # noqa: ANN401 - plain data of any shape
    """Return plain data, of a depth that was checked, without halves of surrogate pairs."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mend_text(one) for one in value]
    if isinstance(value, dict):
        return {_mend_text(key): _mend_text(one) for key, one in value.items()}
    return value


@cache
def _make_loose_scanner() -> JSONDecoder:
    from json import JSONDecoder  # noqa: PLC0415 - each bot in Python loads this module

    return JSONDecoder(
        parse_int=_read_whole_or_none,
        parse_float=_read_finite_or_none,
        parse_constant=lambda name: None,
        strict=False,
    )


@cache
def _make_scanner() -> JSONDecoder:
    from json import JSONDecoder  # noqa: PLC0415 - each bot in Python loads this module

    return JSONDecoder(parse_int=read_whole_number, parse_float=_read_finite, parse_constant=_refuse_constant)
