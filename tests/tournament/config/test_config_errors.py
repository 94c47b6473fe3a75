"""Mistakes in a tournament file: one line that names the file, the line, the key and what was allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.errors import ConfigError, SeveralErrors
from pitboss_tournament.config.toml_file import TomlFileError
from pitboss_tournament.config.tournament_file import load_plan
from tests.plugins import load_registry

GOOD = """\
game = "magpie"
seats = 2

[clock]
decision_ms = 500

[options]
turns = 3

[[bots]]
bot = "bots/bee"

[[bots]]
name = "cat"
bot = "cat -u"
"""

# What stands in the good file, what stands there instead, and what is said; "…" leaves the rest open.
MISTAKES = [
    # not TOML
    ("seats = 2", "seats 2", "2: not TOML, column 7: expected '=' after a key in a key/value pair"),
    ('"cat -u"\n', '"cat -u', "15: not TOML, at its end: …"),
    ("seats = 2", "seats = 2\nseats = 3", "3: not TOML, column 10: cannot overwrite a value"),
    ("turns = 3", "turns = " + "1" * 5_000, "8: a whole number may be -9223372036854775807 to 9223372036854775807"),
    ("turns = 3", "turns = 0x" + "f" * 5_000, "8: a whole number may be -9223372036854775807 to …"),
    ("turns = 3", "turns = [[1], [9223372036854775808]]", "8: a whole number may be …"),
    ("turns = 3", "turns = 3\n" + "a." * 50_000 + "b = 1", "9: a key has more than 32 parts with dots"),
    ("seats = 2", "seats = 2\n#" + "#" * (1 << 20), " it is larger than 1,048,576 bytes"),
    ("seats = 2", 'seats = 2\nstore = "a\\u0000b"', "3: store has the character \\u0000, which no file name may have"),
    # keys
    (
        "seats = 2",
        "seat = 2",
        "2: there is no key 'seat' (did you mean 'seats'?); the keys are game, title, bots, on_broken, "
        "admission, seats, preset, options, format, seating, stop, rank, score, anchor, reduce, seed, deals, "
        "same_deals, order, games_at_once, on, verify, workers, pinned, sandbox, build_network, ponder, opponents, "
        "store, clock, faults, models, budget, limits and logs",
    ),
    (
        "decision_ms",
        "decison_ms",
        "5: there is no key 'decison_ms' in clock (did you mean 'decision_ms'?); the keys are start_ms, "
        "decision_ms, game_ms, "
        "increment_ms and margin_ms",
    ),
    ("[clock]\n", "", "4: there is no key 'decision_ms' (it belongs in clock); the keys are game, title, bots, "
                      "on_broken, admission, seats, preset, options, "
     "format, seating, stop, rank, score, anchor, reduce, seed, deals, same_deals, order, "
    "games_at_once, on, verify, workers, pinned, sandbox, "
    "build_network, ponder, opponents, store, clock, faults, "
     "models, budget, limits and logs"),
    (
        'name = "cat"',
        'nmae = "cat"',
        "14: there is no key 'nmae' in bots (did you mean 'name'?); the keys are bot, name, limits, "
        "clock, process, memory, network, env, model and games_at_once",
    ),
    (
        'name = "cat"',
        "clock.decison_ms = 5",
        "14: there is no key 'decison_ms' in bots.clock (did you mean 'decision_ms'?); the keys are start_ms, "
        "decision_ms, game_ms, increment_ms and margin_ms",
    ),
    ("[options]", "[options]\nmemory_mb = 5", "8: there is no key 'memory_mb' in options; the keys are …"),
    ("seats = 2", "memory_mb = 5", "2: there is no key 'memory_mb' (it belongs in limits); the keys are …"),
    ("[clock]", "[clock]\nseed = 'a'", "5: there is no key 'seed' in clock; the keys are …"),
    (
        "turns",
        "tuns",
        "8: there is no key 'tuns' in options (did you mean 'turns'?); the keys are hand, turns, graves and partners",
    ),
    ('game = "magpie"\n', "", "1: the key 'game' is missing (a name from `pitboss games`); it must be a string"),
    (
        'bot = "bots/bee"\n',
        "",
        "10: the key 'bots.bot' is missing (a folder with a bot.toml, a command in quotes, or a name from "
        "`pitboss bots`); "
        "it must be a string that is not empty",
    ),
    # values
    ("500", '"500"', '5: clock.decision_ms is "500"; it must be an integer from 1 to 86400000'),
    ("500", "0", "5: clock.decision_ms is 0; it must be an integer from 1 to 86400000"),
    ("500", "1.5", "5: clock.decision_ms is 1.5; it must be an integer from 1 to 86400000"),
    ("[clock]", "[faults]\ndisqualify_after = 0\n[clock]", "5: faults.disqualify_after is 0; it must be an "
                                                           "integer of at least 1"),
    ("seats = 2", "seats = 2\ndeals = true", "3: deals is true; it must be an integer from 1 to 1000000000"),
    ("seats = 2", "seats = 2\nseed = 7", "3: seed is 7; it must be a string of 1 to 200 characters"),
    ("seats = 2", "seats = 1979-05-27", '2: seats is "1979-05-27"; it must be an integer of at least 1'),
    ("[clock]\ndecision_ms = 500", "clock.start_ms = 0", "4: clock.start_ms is 0; it must be an integer from "
                                                         "1 to 86400000"),
    ("[options]\nturns = 3\n", "[[options]]\n", "7: options is [{{}}]; it must be a table"),
    ('name = "cat"', "clock = 5", "14: bots.clock is 5; it must be a table with the keys start_ms, decision_ms, …"),
    ('name = "cat"', "clock.game_ms = 0", "14: bots.clock.game_ms is 0; it must be an integer from 1 to 86400000"),
    ('name = "cat"', 'process = "match"', '14: bots.process is "match" (did you mean \'batch\'?); it must be …'),
    ('name = "cat"', 'memory = "file"', '14: bots.memory is "file" (did you mean \'folder\'?); it must be …'),
    (
        'name = "cat"',
        'memory = "folder"',
        '14: memory is "folder", and two processes of the bot would write to the same files; add games_at_once = 1',
    ),
    ('name = "cat"', 'games_at_once = 2\nmemory = "folder"', '15: memory is "folder", and two processes …'),
    ('name = "cat"', "games_at_once = 0", "14: bots.games_at_once is 0; it must be an integer from 1 to 1024"),
    ("[clock]", "[clock]\ngames_at_once = 2", "5: there is no key 'games_at_once' in clock; the keys are …"),
    ("seats = 2", "seats = 2\ngames_at_once = 0", "3: games_at_once is 0; it must be an integer from 1 to 1024"),
    (
        'name = "cat"',
        'name = "a/b"',
        '14: bots.name is "a/b"; it must be a string of 1 to 40 letters of any script, digits, blanks and characters '
        "of . _ : + ? = & - ' ( ) that begins with a letter, a digit or (",
    ),
    # the game, its seats and options
    ('"magpie"', '"magpei"', "1: no game 'magpei' is installed (did you mean 'magpie'?); there are: …"),
    ("seats = 2", "seats = 5", "2: seats is 5; magpie is played by 2, 3 or 4"),
    ("seats = 2", "seats = 3", "2: 3 seats need at least 3 bots, and there are only 2"),
    (
        "seats = 2",
        'preset = "gravess"',
        "2: magpie has no preset 'gravess' (did you mean 'graves'?); it has graves or pairs",
    ),
    ("turns = 3", "turns = 0", "8: options.turns is 0; it must be an integer from 1 to 20"),
    ("turns = 3", 'graves = "never"', '8: options.graves is "never"; it must be true or false'),
    (
        "[clock]",
        '[faults]\npolicy = "never"\n[clock]',
        '5: faults.policy is "never"; it must be "forfeit" or "substitute"',
    ),
    ("turns = 3", "\npartners = true", "9: magpie: partners is true; that is for 4 players only, and 2 play"),
    ("seats = 2", 'seats = 2\npreset = "pairs"', "3: magpie: partners is true; that is for 4 players only, "
                                                    "and 2 play"),
    # the bots
    ('name = "cat"', 'name = "bee"', "14: two bots are called 'bee', here and in line 10; give one of them "
                                     "another name"),
    # the store
    ("seats = 2", 'store = "no/x.pitboss"', "2: store is 'no/x.pitboss'; there is no folder '{folder}/no'"),
    (
        "seats = 2",
        'store = "friday.toml"',
        "2: store would be '{folder}/friday.toml', which is this file; it must be a file of its own",
    ),
    ("seats = 2", 'store = "bots"', "2: store would be '{folder}/bots', which is a folder; it must be a file "
                                    "of its own"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot in it."""
    (tmp_path / "bots" / "bee").mkdir(parents=True)
    (tmp_path / "bots" / "bee" / "bot.toml").write_text('name = "bee"\ncommand = ["{python}", "bee.py"]\n')
    return tmp_path


def config_error(folder: Path, text: str) -> str:
    """Return what is said of a tournament file, without the path before the line."""
    path = folder / "friday.toml"
    path.write_text(text)
    with pytest.raises(TomlFileError) as caught:
        load_plan(path, load_registry())
    said = str(caught.value)
    assert said.startswith(f"{path}:")
    assert "\n" not in said
    return said.removeprefix(f"{path}:")


@pytest.mark.parametrize(("right", "wrong", "said"), MISTAKES)
def test_a_mistake(folder: Path, right: str, wrong: str, said: str) -> None:
    """The file is right but for one thing, and the line says what it is."""
    assert GOOD.count(right) == 1

    found = config_error(folder, GOOD.replace(right, wrong))

    expected = said.format(folder=folder)
    begins = expected.removesuffix("…")
    assert expected == (found if begins == expected else found[: len(begins)] + "…")


def test_too_few_bots(folder: Path) -> None:
    """A tournament needs as many bots as the game's smallest table has seats."""
    assert config_error(folder, 'game = "magpie"\n') == "1: 2 seats need at least 2 bots, and there is none"
    assert (
        config_error(folder, 'game = "magpie"\n\n[[bots]]\nbot = "cat"\n')
        == "3: 2 seats need at least 2 bots, and there is only one"
    )


def test_bots_that_are_one_table(folder: Path) -> None:
    """`[bots]` in place of `[[bots]]` is shown how it is written."""
    said = (
        '3: bots is {"bot":"cat"}; it must be a list of folders, ["submissions/*"], or of tables: write [[bots]] for '
        "each bot"
    )

    assert config_error(folder, 'game = "magpie"\n\n[bots]\nbot = "cat"\n') == said


def test_two_bots_of_one_name_by_default(folder: Path) -> None:
    """A bot without a name has its own; the same bot twice needs a name at least once, and its own line is named."""
    twice = 'game = "magpie"\n[[bots]]\nbot = "cat"\n\n[[bots]]\nbot = "cat"\n'

    assert (
        config_error(folder, twice) == "5: two bots are called 'cat', here and in line 2; give one of them another name"
    )


def test_many_bots_that_cannot_play(folder: Path) -> None:
    """Many bots that cannot play are all reported at once, with each name that is taken; who has sixty does not want to
    hear of one at a time.
    """
    (folder / "a").mkdir()
    (folder / "a" / "bot.toml").write_text("comand = 1\n")
    file = folder / "friday.toml"
    file.write_text(
        'game = "magpie"\n' + "".join(f'[[bots]]\nbot = "{bot}"\n' for bot in ("a", "cat", "none", "./none", "cat"))
    )

    with pytest.raises(SeveralErrors) as caught:
        load_plan(file, load_registry())
    wrong = [str(error).removeprefix(f"{folder}/").partition(" ")[0] for error in caught.value.errors]
    file.write_text('game = "magpie"\n' + '[[bots]]\nbot = "cat"\n' * 3)
    with pytest.raises(SeveralErrors) as caught_again:
        load_plan(file, load_registry())

    assert wrong == ["a/bot.toml:1:", "friday.toml:7:", "friday.toml:9:"]
    assert [str(error).partition(": ")[2] for error in caught_again.value.errors] == [
        "two bots are called 'cat', here and in line 2; give one of them another name"
    ] * 2


def test_a_file_that_is_not_there(folder: Path) -> None:
    """The nearest file of the folder is offered."""
    (folder / "friday.toml").write_text(GOOD)

    with pytest.raises(ConfigError) as caught:
        load_plan(folder / "fridy.toml", load_registry())

    assert str(caught.value) == f"there is no file {str(folder / 'fridy.toml')!r} (did you mean 'friday.toml'?)"


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    """The error of a folder in place of a file says why it cannot be read."""
    with pytest.raises(ConfigError) as caught:
        load_plan(folder / "bots", load_registry())

    assert str(caught.value) == f"{str(folder / 'bots')!r} cannot be read: is a directory"


def test_a_file_that_is_not_utf8(folder: Path) -> None:
    """The line of the byte is named."""
    (folder / "friday.toml").write_bytes(b'game = "magpie"\n# caf\xe9\n')

    with pytest.raises(TomlFileError) as caught:
        load_plan(folder / "friday.toml", load_registry())

    assert str(caught.value) == f"{folder / 'friday.toml'}:2: byte 0xe9 is not UTF-8; a TOML file is UTF-8 text"


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("seats 2", ("seats 2", "      ^")),
        ("game = 1\n\tseats 2\n", (" seats 2", "       ^")),
        ("game = [", ("game = [", "        ^")),
        ("# \u2028\nseats 2\n", ("seats 2", "      ^")),
        ("", None),
        ("x = '" + "é" * 100 + "' y", ("é" * 33 + "' y", " " * 35 + "^")),
        ("x y" + "z" * 200, ("x y" + "z" * 69, "  ^")),
    ],
)
def test_a_caret_below_what_is_no_toml(folder: Path, text: str, excerpt: tuple[str, str] | None) -> None:
    """The excerpt of a long line below an error is the part around the mistake."""
    (folder / "friday.toml").write_text(text)

    with pytest.raises(TomlFileError) as caught:
        load_plan(folder / "friday.toml", load_registry())

    assert getattr(caught.value, "excerpt", None) == excerpt


def test_a_file_that_is_nested_too_deeply(folder: Path) -> None:
    """A file made to break the reader is only a mistake, too."""
    (folder / "friday.toml").write_text(f"game = {'[' * 100_000}")

    with pytest.raises(TomlFileError, match=r"nested too deeply|not TOML"):
        load_plan(folder / "friday.toml", load_registry())
