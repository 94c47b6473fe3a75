"""The loadouts of bots: files in their folders, patterns of files, and samples of the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from duel import Duel
from pitboss.errors import ConfigError
from pitboss_tournament.config.entrants import resolve_entrant, resolve_entrants
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.plan import Plan, hide_loadout, name_with_loadout
from pitboss_tournament.store.field_changes import find_bot_changes
from pitboss_tournament.store.header import make_entry
from tests.duel_plugin import FOLDER, load_duel_registry

REGISTRY = load_duel_registry()
DECKS = sorted(FOLDER.glob("duel_decks/*.toml"))
NAMES = [path.stem for path in DECKS]


def write_bot(folder: Path, loadout: str = "", name: str = "bee") -> Path:
    """Write the folder of a bot with the sample decks; `loadout` is what its bot.toml says."""
    bot = folder / name
    (bot / "decks").mkdir(parents=True)
    for deck in DECKS:
        (bot / "decks" / deck.name).write_bytes(deck.read_bytes())
    line = f"loadout = '{loadout}'\n" if loadout else ""
    (bot / "bot.toml").write_text(f'command = ["cat"]\n{line}')
    return bot


def read_plan(folder: Path, text: str) -> Plan:
    """Return the plan of a tournament of Ember Duel."""
    (folder / "t.toml").write_text(f'game = "duel"\n{text}')
    return load_plan(folder / "t.toml", REGISTRY)


def list_brought(plan: Plan) -> dict[str, str]:
    """Return, by bot, the name of its loadout."""
    return {bot.name: bot.loadout.name for bot in plan.entrants if bot.loadout is not None}


def refuse(spec: str, base: Path, loadout: str | None = None) -> str:
    """Return what is said of a bot with a loadout that cannot play."""
    with pytest.raises(ConfigError) as caught:
        resolve_entrants(spec, REGISTRY, base, "duel", loadout)
    return str(caught.value)


def test_a_bot_with_one_loadout_keeps_its_name(tmp_path: Path) -> None:
    """A bot whose bot.toml names one loadout brings that."""
    write_bot(tmp_path, "decks/wall.toml")

    found = resolve_entrant("bee", REGISTRY, tmp_path, "duel")

    assert found.loadout is not None
    assert (found.name, found.loadout.name) == ("bee", "wall")
    assert found.loadout_content == {"cards": {"badger": 2, "heron": 2, "mend": 2, "stag": 2, "turtle": 2}}


def test_a_pattern_makes_an_entrant_for_each_file(tmp_path: Path) -> None:
    """A bot with several loadouts takes part once with each, under the name of both."""
    write_bot(tmp_path, "decks/*.toml")

    found = resolve_entrants("bee", REGISTRY, tmp_path, "duel")

    assert [bot.name for bot in found] == [f"bee+{name}" for name in NAMES]
    assert [bot.loadout and bot.loadout.name for bot in found] == NAMES


def test_a_table_of_the_tournament_file_chooses(tmp_path: Path) -> None:
    """[[bots]] names a loadout, or a pattern, in place of what the bot says; a file may lie beside the tournament's."""
    write_bot(tmp_path, "decks/wall.toml")
    (tmp_path / "mine.json").write_text('{"cards": {"fox": 2, "hare": 2, "wolf": 2, "ram": 2, "stag": 2}}')

    plan = read_plan(
        tmp_path,
        """
        [[bots]]
        bot = "bee"
        loadout = "decks/[am]*.toml"
        [[bots]]
        bot = "bee"
        name = "bumble"
        loadout = "mine.json"
        [[bots]]
        bot = "house:random"
        loadout = "swarm"
        [[bots]]
        bot = "house:first"
        """,
    )

    assert list_brought(plan) == {
        "bee+aggro": "aggro",
        "bee+midrange": "midrange",
        "bumble": "mine",
        "house:random+swarm": "swarm",
        "house:first": "aggro",
    }


def test_a_named_table_with_several_loadouts(tmp_path: Path) -> None:
    """The name that a table gives stands before the names of its loadouts."""
    write_bot(tmp_path)

    plan = read_plan(tmp_path, '[[bots]]\nbot = "bee"\nname = "hive"\nloadout = "decks/*.toml"\n')

    assert list(list_brought(plan)) == [f"hive+{name}" for name in NAMES]


def test_a_loadout_on_the_command_line(tmp_path: Path) -> None:
    """A plus stands between a bot and its loadout, only in games with loadouts."""
    write_bot(tmp_path)

    assert resolve_entrant("bee+decks/wall.toml", REGISTRY, tmp_path, "duel").name == "bee+wall"
    assert resolve_entrant("house:random+wall", REGISTRY, tmp_path, "duel").name == "house:random+wall"
    with pytest.raises(ConfigError, match=r"there is no bot 'house:random\+wall'"):
        resolve_entrant("house:random+wall", REGISTRY, tmp_path, "racko")


def test_several_loadouts_where_one_bot_is_wanted(tmp_path: Path) -> None:
    """Who has to be one bot is asked to name one of the loadouts."""
    write_bot(tmp_path, "decks/*.toml")

    with pytest.raises(ConfigError, match=r"the bot .bee. has several loadouts, aggro, .*; name one of them in"):
        resolve_entrant("bee", REGISTRY, tmp_path, "duel")


@pytest.mark.parametrize("outside", ["/etc/hostname", "../secret.toml", "../*.toml", "decks/../../secret.toml"])
def test_a_bot_names_no_file_outside_its_folder(tmp_path: Path, outside: str) -> None:
    """A bot that is sent by somebody cannot have another file of the host read as its loadout."""
    (tmp_path / "secret.toml").write_text("[cards]\nfox = 2\n")
    write_bot(tmp_path, outside)

    assert refuse("bee", tmp_path) == f"loadout is {outside!r}; a bot's loadout is a file in its folder"


def test_a_link_out_of_the_folder_of_a_bot(tmp_path: Path) -> None:
    """A link in the bot's folder that leads out of it is no loadout of the bot."""
    (tmp_path / "secret.toml").write_text("[cards]\nfox = 2\n")
    bot = write_bot(tmp_path, "decks/link.toml")
    (bot / "decks/link.toml").symlink_to(tmp_path / "secret.toml")

    assert "a bot's loadout is a file in its folder" in refuse("bee", tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.toml", "[cards]\nfox = 'two'\n", 'x.toml:2: cards.fox is "two"; it must be an integer'),
        ("x.toml", "cards = \n", "not TOML"),
        ("x.json", '{"cards": {"fox": 1e999}}', "x.json: "),
        ("x.json", '{"card": {}}', "unknown field"),
        ("x.txt", "", "is no loadout; its name has to end in .toml or .json"),
    ],
)
def test_a_file_that_is_no_loadout(tmp_path: Path, name: str, text: str, said: str) -> None:
    """The message names the file, and says what is wrong in it."""
    write_bot(tmp_path)
    (tmp_path / name).write_text(text)

    assert said in refuse("bee", tmp_path, name)


def test_a_loadout_that_is_not_there(tmp_path: Path) -> None:
    """The message says where the loadout was looked for, and which samples the game has."""
    write_bot(tmp_path)

    said = refuse("bee", tmp_path, "agro")

    assert "there is no loadout 'agro' (did you mean 'aggro'?): no file in " in said
    assert said.endswith("no sample of the game, which are aggro, control, midrange, swarm and wall")


def test_an_illegal_deck_begins_no_game(tmp_path: Path) -> None:
    """A tournament with a deck that is not legal is refused: the line of the table, the bot, and each fault."""
    bot = write_bot(tmp_path)
    (bot / "decks/x.toml").write_text("[cards]\nfox = 3\n")

    with pytest.raises(ConfigError) as caught:
        read_plan(tmp_path, '[[bots]]\nbot = "bee"\nloadout = "decks/x.toml"\n[[bots]]\nbot = "house:random"\n')

    assert str(caught.value) == (
        f"{tmp_path}/t.toml:4: the bot 'bee+x' cannot play: the loadout 'x' is not legal: it has 3 cards 'fox'; 1 to 2 "
        "are allowed; it has 3 cards; it must have 10"
    )


def test_a_broken_deck_is_left_out_where_broken_bots_are(tmp_path: Path) -> None:
    """With on_broken = "skip" a bot with an illegal deck is left out with a warning, and the others play."""
    bot = write_bot(tmp_path, "decks/x.toml")
    (bot / "decks/x.toml").write_text("[cards]\nfox = 3\n")

    others = '[[bots]]\nbot = "house:random"\n[[bots]]\nbot = "house:first"\n'
    plan = read_plan(tmp_path, f'on_broken = "skip"\n[[bots]]\nbot = "bee"\n{others}')

    assert plan.bots == ["house:random", "house:first"]
    assert "left out" in plan.warnings[0] and "the loadout 'x' is not legal" in plan.warnings[0]


def test_a_game_without_loadouts_takes_none(tmp_path: Path) -> None:
    """A table with a loadout in another game is an error; a bot that names its loadout may play other games too."""
    write_bot(tmp_path, "decks/wall.toml")

    assert resolve_entrant("bee", REGISTRY, tmp_path, "racko").loadout is None
    (tmp_path / "t.toml").write_text('game = "racko"\n[[bots]]\nbot = "bee"\nloadout = "decks/wall.toml"\n')
    with pytest.raises(ConfigError, match=r"loadout is 'decks/wall.toml', and racko takes no loadouts"):
        load_plan(tmp_path / "t.toml", REGISTRY)


def test_options_do_not_give_loadouts(tmp_path: Path) -> None:
    """Loadouts in the options, which every bot would be told, are refused."""
    write_bot(tmp_path)
    text = '[options]\nloadouts = [{cards = {fox = 2}}, {cards = {fox = 2}}]\n[[bots]]\nbot = "bee"\n'

    with pytest.raises(ConfigError, match="the loadout of seat 0 is not legal"):
        read_plan(tmp_path, f'{text}[[bots]]\nbot = "house:random"\n')
    deck = "{cards = {fox = 2, hare = 2, wolf = 2, ram = 2, stag = 2}}"
    with pytest.raises(ConfigError, match="the options give loadouts; bots bring them"):
        read_plan(tmp_path, f'[options]\nloadouts = [{deck}, {deck}]\nbots = ["bee", "house:random"]\n'.replace(
            'bots = ["bee", "house:random"]', '[[bots]]\nbot = "bee"\n[[bots]]\nbot = "house:random"'
        ))  # fmt: skip


def test_an_open_pool_has_the_decks_of_the_field(tmp_path: Path) -> None:
    """With the option that says so the options have each deck of the tournament once, and so all bots are told them."""
    bots = "".join(
        f'[[bots]]\nbot = "{bot}"\nloadout = "{deck}"\n'
        for bot, deck in (("house:random", "wall"), ("house:first", "swarm"), ("duel:aggressive", "wall"))
    )

    plan = read_plan(tmp_path, f'options = {{loadout_pool = "open"}}\n{bots}')

    assert plan.options.loadout_pool == (
        Duel().sample_loadouts["wall"],
        Duel().sample_loadouts["swarm"],
    )
    assert read_plan(tmp_path, bots).options.loadout_pool is None


def test_another_deck_is_another_version(tmp_path: Path) -> None:
    """A version of a bot is its program with its loadout: another deck under the same name is a change."""
    write_bot(tmp_path)
    wall, swarm = (resolve_entrant(f"house:random+{name}", REGISTRY, tmp_path, "duel") for name in ("wall", "swarm"))

    changes = find_bot_changes(make_entry(wall), make_entry(replace(swarm, name=wall.name)))

    assert changes and "loadout" in changes[0]
    assert find_bot_changes(make_entry(wall), make_entry(wall)) == []


def test_names_with_loadouts() -> None:
    """The name of a bot with a loadout has both, and can be told without the loadout."""
    assert name_with_loadout("my bot", "aggro") == "my bot+aggro"
    assert [hide_loadout(name) for name in ("my bot+aggro", "a+b+c", "bee", "+x")] == ["my bot", "a+b", "bee", "+x"]
