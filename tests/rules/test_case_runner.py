"""The runner of the golden cases itself: what a case may say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.case_blocks import read_blocks
from tests.rules.case_runners import UnknownCaseGame, game_of_file
from tests.rules.comparison import list_differences
from tests.rules.racko_cases import FUNCTIONS, run_case

STATE: dict[str, object] = {
    "racks": [[1, 5, 9, 14, 39, 28, 31, 36, 22, 40], [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]],
    "stock": [6, 7, 10],
    "discard": [16, 23],
    "turn": 0,
}


TURN: list[object] = [{"do": "draw"}, {"do": "discard"}]


def make_case(fn: str, given: object, expect: object) -> dict[str, object]:
    """Return a case."""
    return {"id": "X", "fn": fn, "in": given, "expect": expect}


def check_play(expect: object, actions: list[object] | None = None, **more: object) -> list[str]:
    """Return what is wrong with a case that plays from `STATE`."""
    return run_case(
        make_case("play", {"players": 2, "dealer": 1, "state": STATE, "actions": actions or [], **more}, expect)
    )


@pytest.mark.parametrize("fn", list(FUNCTIONS))
def test_key_that_no_function_knows(fn: str) -> None:
    """An unknown key in `in` fails the case and is named, whatever the function."""
    [wrong] = run_case(make_case(fn, {"colour": "red"}, {"points": 5}))

    assert "colour" in wrong


@pytest.mark.parametrize(
    ("fn", "given"),
    [
        ("rack", {"rack": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}),
        ("round", {"racks": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] * 2}),
        ("game", {"scores": [5, 10]}),
        ("options", {"players": 2}),
        ("dealer", {"draws": [5, 10]}),
        ("play", {"players": 2, "state": STATE}),
    ],
)
def test_key_that_nobody_expects(fn: str, given: object) -> None:
    """An unknown key in `expect` fails the case and is named, whatever the function."""
    [wrong] = run_case(make_case(fn, given, {"colour": "red"}))

    assert "unknown key 'colour'" in wrong


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"obs1": {"colour": 1}}, "colour"),
        ({"obs2": {}}, "obs2"),
        ({"turn": 1}, "expect.turn is 1; found 0"),
        ({"over": 0}, "expect.over is 0; found False"),
        ({"legal": [{"do": "draw"}]}, "expect.legal"),
        ({"legal": {"has_not": [{"do": "draw"}]}}, "expect.legal.has_not"),
        ({"legal": {"has": [{"do": "pass"}]}}, "expect.legal.has"),
        ({"stock": [10, 7, 6]}, "expect.stock"),
        ("error", "expect.error"),
        ({}, "expects nothing"),
    ],
)
def test_expectation_that_does_not_hold(expect: object, said: str) -> None:
    """The difference from an expectation is told, with the path to it."""
    assert any(said in wrong for wrong in check_play(expect))


def test_refused_action_that_the_case_did_not_announce() -> None:
    """A case fails if an action is refused and it does not say `illegal`, even if all else is as expected."""
    assert any("was refused" in wrong for wrong in check_play({"turn": 0}, [{"do": "pass"}]))
    assert check_play({"illegal": True}, [{"do": "pass"}]) == []
    assert check_play({"illegal": True}, [{"do": "draw"}]) != []


def test_secret_phase_of_another_seat() -> None:
    """D8: a case that says that another seat sees the phase DECLARE fails."""
    racks = [[1, 5, 9, 14, 15, 28, 31, 36, 37, 40], [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]]
    asked = {**STATE, "racks": racks, "phase": "declare"}

    assert (
        check_play({"phase": "declare", "obs0": {"phase": "declare"}}, state=asked, options={"declare": "choice"}) == []
    )
    assert check_play({"obs1": {"phase": "draw"}}, state=asked, options={"declare": "choice"}) == []
    assert check_play({"obs1": {"phase": "declare"}}, state=asked, options={"declare": "choice"}) != []


def test_shuffle_of_other_cards() -> None:
    """An order in `shuffles` that is none of the cards to be shuffled fails the case, and says so."""
    short, shuffled = {**STATE, "stock": [10]}, {"restock_shuffle": True}
    [wrong] = check_play({"turn": 1}, TURN, state=short, options=shuffled, shuffles=[[1, 2, 3]])

    assert "order" in wrong


def test_true_is_not_one() -> None:
    """Values are compared strictly; what is not asked for does not matter."""
    assert list_differences(1, True) != []
    assert list_differences([1, 2], [1, 2, 3]) != []
    assert list_differences({"a": 1}, {"a": 1, "b": 3}) == []


def test_blocks_that_are_no_cases(tmp_path: Path) -> None:
    """A block that is not JSON, repeats an id or a key, has no id or no end is a problem, with its line."""
    fence = "```"
    texts = [
        "{",
        '{"id":"A","fn":"rack"}',
        '{"id":"A","fn":"rack"}',
        '{"id":"B","x":1,"x":2}',
        '{"id":3}',
        "[1]",
        '{"id":"C","x":NaN}',
    ]
    body = (
        "".join(f"{fence}json case\n{text}\n{fence}\n" for text in texts)
        + f"{fence}json\n{{}}\n{fence}\n{fence}json case\n"
    )
    file = tmp_path / "racko.md"
    file.write_text(body, encoding="utf-8")

    found = [(block.line, block.problem[:22]) for block in read_blocks(file)]

    assert found == [
        (1, "line 1 of the block is"),
        (4, ""),
        (7, "the id 'A' stands twic"),
        (10, "the key 'x' stands twi"),
        (13, "a case needs an id, a "),
        (16, "a case is a JSON objec"),
        (19, "NaN is no number of JS"),
        (25, "the block is never clo"),
    ]


@pytest.mark.parametrize(
    "name", ["racko.md", "more_racko.md", "kept-back-racko.md", "racko-2.md", "plugins/racko/RULES.md"]
)
def test_file_named_after_a_game(name: str) -> None:
    """The game is in the file's name, or for a `RULES.md` in its folder's."""
    assert game_of_file(Path(name)) == "racko"


def test_file_named_after_no_game() -> None:
    """A file whose name names no game is refused, and the games are listed."""
    with pytest.raises(UnknownCaseGame, match="racko"):
        game_of_file(Path("canasta.md"))
