"""A bot that plays some presets of a game: it is checked with these, and refused where the options are others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.simulation.game_setup import OptionVariant
from pitboss_tournament.config.entrants import check_bot_setup, list_bot_variants
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.plan import Entrant
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss
from tests.tournament.faulty_bots import BotMistake, write_bot
from tests.tournament.small_tournaments import load_magpie

ONLY_GRAVES = 'command = ["{python}", "bot.py"]\nname = "digger"\ngames = ["magpie"]\npresets = ["graves"]\n'
DIES_WITHOUT_GRAVES = BotMistake(
    {"        # hello\n": "        assert m['options']['graves']\n        # hello\n"}, ONLY_GRAVES
)
QUICK = ("--seats", "2", "--only", "plays-a-whole-game", "--sandbox", "none")


@pytest.mark.parametrize(
    ("presets", "preset", "changes", "is_played"),
    [
        (None, None, {}, True),
        (("graves",), "graves", {}, True),
        (("graves",), None, {}, False),
        (("graves",), None, {"graves": True}, True),  # the same options
        (("graves",), "graves", {"turns": 2}, True),  # changed by whoever chose the preset
        (("graves",), None, {"graves": True, "turns": 2}, False),
        (("graves", "defaults"), None, {}, True),
        (("kuhn",), None, {}, True),  # of another game: it says nothing of this one
    ],
)
def test_what_a_bot_plays(
    presets: tuple[str, ...] | None, preset: str | None, changes: dict[str, object], is_played: bool
) -> None:
    """A bot plays presets by their names or by their options; a game that has none of them is played in any way."""
    game = load_magpie()
    options = resolve_options(game, 2, preset, changes)
    bot = Entrant(name="x", command=("true",), presets=presets)

    if is_played:
        check_bot_setup(bot, game, 2, options, preset)
    else:
        with pytest.raises(ConfigError, match="the bot 'x' plays magpie with preset 'graves', and the options here"):
            check_bot_setup(bot, game, 2, options, preset)


def test_defaults_beside_presets() -> None:
    """The defaults are a variant like the presets, in the order in which a bot names them."""
    found = list_bot_variants(load_magpie(), ["pairs", "defaults", "nothing"])

    assert found == [OptionVariant("pairs"), OptionVariant()]
    assert list_bot_variants(load_magpie(), ["defaults"]) == [OptionVariant()]


def test_numbers_of_players() -> None:
    """A bot that names some is refused at other tables."""
    game = load_magpie()
    bot = Entrant(name="x", command=("true",), seats=(2, 4))

    check_bot_setup(bot, game, 2, resolve_options(game, 2))
    with pytest.raises(ConfigError, match="the bot 'x' plays with 2 or 4 players, not with 3"):
        check_bot_setup(bot, game, 3, resolve_options(game, 3))


@pytest.mark.once
def test_it_is_checked_with_as_many_as_it_plays_with(tmp_path: Path) -> None:
    """A bot that fails at a table of two passes, as its bot.toml names three only; --seats asks for others."""
    dies_with_two = BotMistake(
        {"        # hello\n": "        assert m['seats'] == 3\n        # hello\n"},
        'command = ["{python}", "bot.py"]\nname = "trio"\ngames = ["magpie", "racko"]\nseats = [3]\n',
    )
    folder = str(write_bot(tmp_path / "bot", dies_with_two))
    words = ("--only", "plays-a-whole-game", "--only", "plays-at-every-table", "--sandbox", "none")

    ran = run_pitboss("check", folder, *words, "--game", "magpie")
    assert ran.status == 0, ran.out
    ran = run_pitboss("check", folder, "--game", "magpie", "--seats", "2", "--only", "can-be-entered", "--sandbox=none")
    assert ran.status == 1
    assert "the bot 'trio' plays with 3 players, not with 2" in " ".join(ran.out.split())


@pytest.mark.long
@pytest.mark.once
def test_it_is_checked_with_what_it_plays(tmp_path: Path) -> None:
    """A bot is checked with the options of its bot.toml, of --preset and of --option; not with the defaults, which it
    does not name.
    """
    folder = str(write_bot(tmp_path / "bot", DIES_WITHOUT_GRAVES))

    for words in ([], ["--preset", "graves"], ["-o", "graves=true"]):
        ran = run_pitboss("check", folder, *QUICK, "--game", "magpie", *words)
        assert ran.status == 0, ran.out
    ran = run_pitboss("check", folder, *QUICK, "--game", "magpie", "-o", "graves=false", "--only", "can-be-entered")
    assert ran.status == 1
    assert "plays magpie with preset 'graves', and the options here are others" in " ".join(ran.out.split())


@pytest.mark.once
def test_a_tournament_says_so_before_it_starts(tmp_path: Path) -> None:
    """A tournament refuses a bot that plays other presets before it starts, with the line of the bot in the file."""
    write_bot(tmp_path / "bot", DIES_WITHOUT_GRAVES)
    plan = tmp_path / "t.toml"
    plan.write_text('game = "magpie"\nseats = 2\ndeals = 1\nbots = [\n"house:first",\n"bot",\n]\n')

    with pytest.raises(ConfigError, match=r"t.toml:6: the bot 'digger' plays magpie with preset 'graves'"):
        load_plan(plan, load_registry())
    plan.write_text(f'preset = "graves"\n{plan.read_text()}')
    assert load_plan(plan, load_registry()).entrants[1].presets == ("graves",)


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--preset", "graves"], "--preset and --option need one game; name it: --game GAME"),
        (["--game", "magpie", "--preset", "grvaes"], "magpie has no preset 'grvaes' (did you mean 'graves'?)"),
        (["--game", "magpie", "-o", "turns=many"], "turns"),
    ],
)
def test_mistakes_on_the_command_line(tmp_path: Path, words: list[str], said: str) -> None:
    """Mistakes on the command line are reported before anything is started."""
    ran = run_pitboss("check", str(write_bot(tmp_path / "bot")), *QUICK, *words)

    assert ran.status == 2
    assert said in " ".join(ran.err.split())
