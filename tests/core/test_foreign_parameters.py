"""What adapters of Python libraries share: parameters as options, observations as plain data and as text."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec
import numpy as np
import pytest

from pitboss import OptionError, Options
from pitboss.foreign.parameters import LISTED_NUMBERS, list_changed, make_options, make_plain, write_lines


class Street(Enum):
    """A type of a library's own."""

    FLOP = 3


def refuse_seven(seats: int, options: Options) -> None:
    """Raise `OptionError` for a board of seven, as a library would."""
    changed = list_changed(options)
    if changed.get("size") == 7:
        raise OptionError(f"a board of 7 is not for {seats}", "size")


def test_parameters_become_options() -> None:
    """Numbers, texts and truth values are options with the library's defaults; other parameters are left out."""
    made: Any = make_options("a-game", {"size": 9, "komi": 7.5, "first": "north", "seen": None, "2x": 1}, refuse_seven)

    assert msgspec.structs.asdict(made()) == {"size": 9, "komi": 7.5, "first": "north"}
    assert list_changed(made(size=5)) == {"size": 5}
    assert made(size=5).resolve(2) == made(size=5)
    with pytest.raises(OptionError, match="a board of 7 is not for 3"):
        made(size=7).resolve(3)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"size": "large"}, made)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.array([[1.0, 0.0]], dtype=np.float32), [[1.0, 0.0]]),
        (np.array([True, False]), [1, 0]),
        (np.int64(3), 3),
        (
            {"pot": np.int64(3), "stage": Street.FLOP, "hand": ("SA", None)},
            {"pot": 3, "stage": "flop", "hand": ["SA", None]},
        ),
        (frozenset(), "frozenset()"),
    ],
)
def test_observations_become_plain_data(value: object, plain: object) -> None:
    """Arrays become lists, numbers of numpy become numbers, members of an enum words; JSON can write all of it."""
    assert make_plain(value) == plain
    assert msgspec.json.encode(make_plain(value))


def test_a_large_array_is_written_by_what_is_not_zero() -> None:
    """An array with more than the listed numbers has its shape, and the places in the flat array that are not 0."""
    planes = np.zeros((2, LISTED_NUMBERS), dtype=bool)
    planes[1, 3] = True

    assert make_plain(planes[0]) == [0] * LISTED_NUMBERS
    assert make_plain(planes) == {"shape": [2, LISTED_NUMBERS], "nonzero": [[LISTED_NUMBERS + 3, 1]]}


def test_fields_are_written_as_lines() -> None:
    """A line has the name and the value; lists have blanks between, and what is empty is "-"."""
    assert (
        write_lines({"hand": ["SA", "H2"], "public_card": None, "seen": []}) == "hand: SA H2\npublic_card: -\nseen: -"
    )
