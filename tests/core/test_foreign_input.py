"""The bounded reader of what others wrote: within the bounds it reads as others do, beyond them it refuses."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pitboss.errors import RecordError
from pitboss.foreign_input import (
    DEEPEST_VALUE,
    LARGEST_NUMBER,
    InputRefused,
    NumberRefused,
    read_json,
    read_json_at,
    read_loose_json,
    read_toml,
)
from pitboss.records.notation import parse_notation
from pitboss.records.record import loads

VALUES: Final = some.recursive(
    some.none() | some.booleans() | some.integers(-LARGEST_NUMBER, LARGEST_NUMBER) | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
)


@given(VALUES)
def test_what_is_within_the_bounds_is_read(value: object) -> None:
    """Text within the bounds is read as it was written, by all readers of JSON."""
    text = json.dumps(value, ensure_ascii=False)

    assert read_json(text, object) == value
    assert read_loose_json(text) == value
    assert read_json_at(f"x{text} y", 1) == (value, len(text) + 1)


def test_what_the_loose_reader_forgives() -> None:
    """The loose reader keeps what others refuse the whole text for, and loses no more than the value that is wrong."""
    beyond = str(10**30)
    text = f'\ufeff {{"a": NaN, "b": [1e999, {beyond}, 5], "c": "x\n\\ud83d \\ud83d\\ude00", "d": -Infinity}}'

    assert read_loose_json(text) == {"a": None, "b": [None, None, 5], "c": "x\n\ufffd \U0001f600", "d": None}


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 65 + "]" * 65, "", "{", "{} {}", "\ufeff\ufeff1", "'a'"])
def test_what_the_loose_reader_refuses(text: str) -> None:
    """The loose reader refuses what is no JSON, or is too deep."""
    with pytest.raises(InputRefused):
        read_loose_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000,
        "[" * 1_000 + "]" * 1_000,
        '{"a":' * (DEEPEST_VALUE + 1) + "1" + "}" * (DEEPEST_VALUE + 1),
        "9" * 5_000,
        str(10**30),
        str(2**63),
        f'{{"a": [{-(2**63)}]}}',
        "1e999",
        "NaN",
        "",
        "{",
    ],
)
def test_json_beyond_the_bounds(text: str) -> None:
    """Every reader refuses JSON beyond the bounds, with the error that it promises."""
    with pytest.raises(InputRefused):
        read_json(text, object)
    with pytest.raises(InputRefused):
        read_json_at(text, 0)
    with pytest.raises(RecordError, match="this is not a game record"):
        loads(text.encode())
    with pytest.raises(RecordError, match="line 1: "):
        list(parse_notation([f"[options {text}]"]))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a = " + "[" * 1_000 + "]" * 1_000, InputRefused),
        ("a = " + "[" * 100 + "]" * 100, InputRefused),
        ("a." * 40 + "b = 1", InputRefused),
        (f"a = {'9' * 5_000}", NumberRefused),
        (f"a = 0x{'f' * 5_000}", NumberRefused),
        ("a = [9223372036854775808]", NumberRefused),
    ],
)
def test_toml_beyond_the_bounds(text: str, kind: type[Exception]) -> None:
    """TOML beyond the bounds is refused: depth, parts of a key, digits, and what a store can hold."""
    with pytest.raises(kind):
        read_toml(text)


def test_a_text_that_is_too_large() -> None:
    """A text that is too large is refused before it is read."""
    with pytest.raises(InputRefused, match="more than 10 bytes"):
        read_json(b"[" * 11, object, largest=10)
    with pytest.raises(InputRefused, match="more than 10 characters"):
        read_toml("a = 1 # long", largest=10)


class Small(msgspec.Struct):
    """A value of a certain type."""

    numbers: dict[int, Any]


def test_a_value_of_another_type() -> None:
    """The error about a value of another type says where the value is."""
    assert read_json('{"numbers": {"7": [1]}}', Small) == Small({7: [1]})
    with pytest.raises(InputRefused, match=r"Expected `object`, got `array` - at `\$.numbers`"):
        read_json('{"numbers": []}', Small)


def test_a_seed_that_fills_the_memory() -> None:
    """A seed that fills the memory is refused by its length: no message repeats it."""
    tags = [
        '[game "racko"]', '[game_version "1"]', f'[seed "{"x" * 20_000_000}"]', '[players ["a", "b"]]', "[options {}]",
        '[outcome {"places": [1, 2], "points": [1, 0], "sides": [[0], [1]]}]',
    ]  # fmt: skip
    with pytest.raises(RecordError, match="a name or a seed of 20,000,000 characters") as caught:
        list(parse_notation(tags))

    assert len(str(caught.value)) < 200
