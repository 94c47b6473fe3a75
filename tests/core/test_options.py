"""Options: presets, what is given, and what the errors say."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Struct

from pitboss.errors import OptionError, RecordError
from pitboss.game import resolve_options
from pitboss.options import Options, convert_value, explain_mismatch
from pitboss.text import suggest_nearest
from pitboss_magpie.magpie import Magpie
from tests.mistakes import each_mistake, read_json

GAME = Magpie()


class Inner(Struct, forbid_unknown_fields=True):
    """Something within."""

    depth: int = 0


class Outer(Options, frozen=True):
    """Options with something within."""

    colour: Annotated[str, Meta(max_length=5)] = "red"
    inner: Inner | None = None
    several: list[Inner] = msgspec.field(default_factory=list)


def test_nothing_given() -> None:
    """The defaults of the options decide everything that depends on the number of seats."""
    options = resolve_options(GAME, 3)

    assert (options.hand, options.turns, options.graves) == (3, 8, False)


def test_a_preset_changed() -> None:
    """A given option takes precedence over the preset, and the rest of the preset stays."""
    options = resolve_options(GAME, 2, "graves", {"turns": 5})

    assert (options.graves, options.turns) == (True, 5)


def test_a_preset_by_itself() -> None:
    """Every preset of a game is the same as its options, resolved."""
    assert resolve_options(GAME, 4, "pairs") == GAME.presets["pairs"].resolve(4)


def test_resolved_again() -> None:
    """Resolved options, written as plain data, resolve to themselves: a record can be replayed."""
    options = resolve_options(GAME, 4, "graves")

    assert resolve_options(GAME, 4, overrides=msgspec.to_builtins(options)) == options


@each_mistake(__file__, "options")
def test_what_is_not_allowed(right: str, wrong: str, said: str) -> None:
    """The error about an option that is not allowed names the game, the key and what was allowed, with the nearest
    known word.
    """
    seats, _, preset = right.partition(" ")

    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, int(seats), preset or None, read_json(wrong))

    assert said in str(caught.value)


def test_options_without_a_say_on_seats() -> None:
    """By default options resolve to themselves."""
    options = Outer(colour="blue")

    assert options.resolve(7) is options


def test_the_nearest_key_within() -> None:
    """A misspelt key of an inner part is compared with the keys there too."""
    with pytest.raises(OptionError, match=r"x: there is no key `dept` - at `\$.inner` \(did you mean 'depth'\?\)"):
        convert_value({"inner": {"dept": 1}}, Outer, "x")
    with pytest.raises(OptionError, match=r"at `\$.several\[0\]` \(did you mean 'depth'\?\)"):
        convert_value({"several": [{"deepth": 1}]}, Outer, "x")


def test_another_error_than_usual() -> None:
    """A reader of other things than options raises its own error."""
    with pytest.raises(RecordError, match="x: Expected `object`, got `int`"):
        convert_value(1, Outer, "x", RecordError)


def test_what_fits_is_converted() -> None:
    """Plain data becomes the struct."""
    assert convert_value({"inner": {"depth": 2}}, Outer, "x") == Outer(inner=Inner(depth=2))


def test_words_that_are_near() -> None:
    """The nearest word is one at most, and none that is far away."""
    assert suggest_nearest("magpei", ["magpie", "rummy"]) == " (did you mean 'magpie'?)"
    assert suggest_nearest("gin", ["magpie", "gin-rummy"]) == " (did you mean 'gin-rummy'?)"
    assert suggest_nearest("m", ["magpie", "rummy"]) == ""
    assert suggest_nearest("chess", ["magpie", "rummy"]) == ""
    assert explain_mismatch("Expected `int`, got `str` - at `$`", Outer) == "Expected `int`, got `str`"
