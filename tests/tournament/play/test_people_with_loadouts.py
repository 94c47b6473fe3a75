"""People who play with a deck: behind their name in the terminal, chosen from a list in a lobby."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from duel import Duel
from pitboss.errors import ConfigError
from pitboss_tournament.config.loadouts import bring_sample, enter_person
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.play.lobby.lobby import Lobby, LobbyRules
from pitboss_tournament.play.lobby.lobby_table import LobbySeat, TableSetup
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.store.store import Store
from tests.duel_plugin import install_duel, load_duel_registry
from tests.tournament.command_line import answer_pitboss

GAME = Duel()
PERSON = Entrant(name="Ann", command=())


def test_a_person_brings_what_stands_behind_a_plus(tmp_path: Path) -> None:
    """A sample or a file behind a plus is the person's loadout; a plus in another game is a letter of the name."""
    (tmp_path / "mine.toml").write_text("[cards]\nfox = 2\nhare = 2\nwolf = 2\nram = 2\nstag = 2\n")

    one, other = enter_person("ann+wall", GAME, tmp_path), enter_person("ann+mine.toml", GAME, tmp_path)

    assert one.loadout is not None and other.loadout is not None
    assert [(one.name, one.loadout.name), (other.name, other.loadout.name)] == [
        ("ann+wall", "wall"),
        ("ann+mine", "mine"),
    ]
    assert one.is_person and enter_person("ann", GAME, tmp_path).loadout is None
    racko = load_duel_registry().find_game("racko")
    assert enter_person("ann+wall", racko, tmp_path) == Entrant(name="ann+wall", command=())
    with pytest.raises(ConfigError, match="there is no loadout 'walls'"):
        enter_person("ann+walls", GAME, tmp_path)


def test_a_guest_of_a_lobby_chooses_a_sample() -> None:
    """A guest plays with a sample of the game, and with no file, whatever a form says."""
    chosen = bring_sample(PERSON, GAME, "swarm")

    assert chosen.loadout is not None and chosen.loadout.name == "swarm"
    for said in ("", "/etc/passwd", "duel_decks/wall.toml"):
        assert bring_sample(PERSON, GAME, said) == PERSON


def test_a_table_of_a_lobby_has_the_decks_of_its_guests() -> None:
    """A guest who sits down with a sample plays with it, and a bot without a deck with the first sample."""

    def make_settings(game: str, preset: str | None) -> TournamentFile:
        return TournamentFile(game=game, preset=preset, deals=1, workers=1, sandbox="none")

    rules = LobbyRules(make_settings, lambda *_: None, None)
    lobby = Lobby(load_duel_registry(), rules, PlayTerminal(is_plain=True))
    table = lobby.open_table(TableSetup(GAME, None, 2), [LobbySeat(), LobbySeat("duel:aggressive")])
    lobby.sit_down(table, 0, "", "Ann", "swarm")

    plan = lobby._make_plan(table)

    assert [bot.loadout and bot.loadout.name for bot in plan.entrants] == ["swarm", "aggro"]


@pytest.mark.once
def test_a_game_in_the_terminal_with_a_deck(tmp_path: Path) -> None:
    """The person plays with the deck behind the name; the record has both decks."""
    env = install_duel(tmp_path / "site")
    words = ("play", "duel", "--name", "ann+wall", "--against", "duel:aggressive+swarm", "--games", "1", "--seed", "x")

    ran = answer_pitboss(
        "1\n" * 200, [*words, "--store", "x.pitboss", "--plain"], tmp_path, {**__import__("os").environ, **env}
    )

    assert "Traceback" not in ran.out + ran.err
    assert "swarm" not in ran.out
    with closing(Store(tmp_path / "x.pitboss")) as store:
        [(_, record)] = store.records()
    seat = record.players.index("ann+wall")
    assert record.options["loadouts"][seat] == {"cards": dict(GAME.sample_loadouts["wall"].cards)}
    assert record.options["loadouts"][1 - seat] == {"cards": dict(GAME.sample_loadouts["swarm"].cards)}
