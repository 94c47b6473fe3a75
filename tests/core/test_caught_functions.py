"""A bot's program in the process of another one: what it gives to `run` is caught, and nothing is played."""

from __future__ import annotations

import pytest

from pitboss.bot import Question, catch_functions, run


def choose(question: Question) -> int:
    """Return the first action."""
    return 0


def test_what_a_bot_gives_is_caught() -> None:
    """The program ends in `run`, whatever errors it handles."""
    went_on = []

    def program() -> None:
        try:
            run(choose, tables=3, on_start=lambda hello, start: None)
        except Exception:  # noqa: BLE001 - a bot's own handler
            went_on.append("handler")
        went_on.append("end")

    functions = catch_functions(program)
    assert functions is not None
    assert (functions.tables, functions.on_hello, functions.on_end) == (3, None, None)
    assert functions.on_start is not None
    assert functions.choose_many([]) == []
    assert went_on == []


def test_a_program_without_run() -> None:
    """A program that does not call `run` gives nothing."""
    assert catch_functions(lambda: None) is None


def test_errors_of_the_program_are_its_own() -> None:
    """Wrong calls of `run` are errors as ever, and leave nothing behind: the next program is caught."""
    with pytest.raises(TypeError, match="either choose or choose_many"):
        catch_functions(run)
    assert catch_functions(lambda: run(choose)) is not None
