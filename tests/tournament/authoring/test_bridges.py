"""`pitboss new bot --from`: bridges to other frameworks, without these: what they translate, and the one over TCP."""

from __future__ import annotations

import json
import sys
import unittest
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
import pytest

from pitboss import Random
from pitboss.action_range import draw_action
from pitboss.game import resolve_options
from pitboss_poker.game import Poker
from pitboss_tournament.authoring.templates import BRIDGES_FOLDER, NewBot, find_bridge, load_templates, make_bot
from pitboss_tournament.config.bot_file import read_bot_file
from tests.tournament.command_line import complete_words, run_pitboss

BRIDGES: Final = load_templates(BRIDGES_FOLDER)
each_bridge = pytest.mark.parametrize("framework", BRIDGES)


@pytest.fixture
def bridge_folder(framework: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a bridge, whose modules can be imported."""
    known = set(sys.modules)
    make_bot(NewBot(name="bee", into=tmp_path), find_bridge(framework))
    monkeypatch.syspath_prepend(tmp_path / "bee")
    yield tmp_path / "bee"
    for name in set(sys.modules) - known:
        del sys.modules[name]


def list_questions(preset: str, seats: int, games: int = 3) -> Iterator[tuple[int, list[str], Any, list[Any]]]:
    """Yield seat, players, view and legal actions of random games of poker, as a bot hears them."""
    poker, rng = Poker(), Random(f"{preset}/{seats}")
    options = resolve_options(poker, seats, preset, {})
    for number in range(games):
        state = poker.deal(seats, options, rng.spawn(str(number)))
        while state.turn is not None:
            seat, legal = state.turn.seat, state.legal()
            view = msgspec.to_builtins(state.view(seat))
            yield seat, [f"bot {one}" for one in range(seats)], view, json.loads(msgspec.json.encode(legal))
            state.play(draw_action(rng.choice(legal), rng.randbelow))


def require_legal(choice: int | dict[str, Any], legal: list[Any]) -> None:
    """Fail if a choice is not in a legal list."""
    if isinstance(choice, int):
        assert 0 <= choice < len(legal)
        return
    [entry] = [one for one in legal if one["do"] == choice["do"]]
    lowest, highest = entry["to"] if isinstance(entry["to"], list) else (entry["to"], entry["to"])
    assert lowest <= choice["to"] <= highest


def test_the_frameworks() -> None:
    """There is a bridge to each that was promised."""
    assert list(BRIDGES) == ["acpc", "openspiel", "pypokerengine", "rlcard"]


@each_bridge
def test_a_bridge_has_a_test(framework: str, bridge_folder: Path) -> None:
    """The test that is made with it passes, and is some tests."""
    result = unittest.TextTestRunner(stream=sys.stderr).run(
        unittest.defaultTestLoader.loadTestsFromModule(import_module("test_translation"))
    )

    assert result.testsRun >= 3
    assert result.wasSuccessful()


@each_bridge
def test_a_bridge_says_what_it_plays(framework: str, bridge_folder: Path) -> None:
    """The bot.toml of a bridge has poker and presets that poker has, and the SDK is beside it."""
    about = read_bot_file(bridge_folder)[1]

    assert (about.name, about.games) == ("bee", ["poker"])
    assert about.presets
    assert set(about.presets) <= set(Poker.presets)
    assert (bridge_folder / "pitboss_bot.py").is_file()


@pytest.mark.parametrize(("framework", "preset"), [("rlcard", "leduc"), ("rlcard", "limit")])
def test_rlcard_at_every_decision(preset: str, bridge_folder: Path) -> None:
    """Each action that RLCard would allow is legal in Pitboss."""
    translation = import_module("translation")

    for seat, _, view, legal in list_questions(preset, 2):
        state = translation.build_state(view, seat, legal)
        assert state["my_chips"] == view["paid"][seat]
        for word in state["legal_actions"]:
            require_legal(translation.find_choice(word, legal), legal)


@pytest.mark.parametrize(("framework", "preset"), [("openspiel", "leduc"), ("openspiel", "kuhn")])
def test_openspiel_at_every_decision(preset: str, bridge_folder: Path) -> None:
    """OpenSpiel's actions are as many as cards are known and actions were done; each number that is legal there is
    legal here.
    """
    translation = import_module("translation")

    for seat, _, view, legal in list_questions(preset, 2):
        actions = translation.list_actions(view, seat, preset)
        words = [word for street in view["history"] for word in street.split()]
        assert len(actions) == 2 + len(view["board"]) + len(words)
        means = translation.MEANINGS[preset]
        for number in (one for one, names in enumerate(means) if {*names.split()} & {entry["do"] for entry in legal}):
            require_legal(translation.find_choice(number, legal, preset), legal)


@pytest.mark.parametrize(
    ("framework", "preset", "seats"),
    [("pypokerengine", "no-limit", 3), ("pypokerengine", "limit", 2), ("pypokerengine", "tournament", 4)],
)
def test_pypokerengine_at_every_decision(preset: str, seats: int, bridge_folder: Path) -> None:
    """The histories for PyPokerEngine add up to the bets of the round; whatever a player answers is legal."""
    translation = import_module("translation")

    for seat, players, view, legal in list_questions(preset, seats):
        state = translation.build_round_state(view, seat, players, 0)
        latest = {entry["uuid"]: entry.get("amount", 0) for entry in state["action_histories"][view["street"]]}
        for number, bet in enumerate(view["bets"]):
            assert number in view["folded"] or latest.get(str(number), 0) == bet
        for answer in translation.build_valid_actions(view):
            sizes = answer["amount"].values() if isinstance(answer["amount"], dict) else [answer["amount"]]
            for size in sizes:
                require_legal(translation.find_choice(answer["action"], size, legal), legal)


@pytest.mark.parametrize(
    ("framework", "preset"), [("acpc", "acpc-limit"), ("acpc", "acpc-no-limit"), ("acpc", "leduc")]
)
def test_acpc_at_every_decision(preset: str, bridge_folder: Path) -> None:
    """Each legal action, as an ACPC client would write it, is that action; the states since its last one lead on."""
    translation = import_module("translation")
    game = make_game(import_module("game_file"), preset)

    for seat, _, view, legal in list_questions(preset, 2):
        states = translation.list_states(view, seat, 0, game)
        bettings = [state.split(":")[3] for state in states]
        assert all(now.startswith(before.rstrip("/")) for before, now in pairwise(bettings))
        assert bettings[-1].count("/") == len(view["history"]) - 1
        paid_before = view["paid"][seat] - view["bets"][seat]
        for index, entry in enumerate(legal):
            words = {"fold": ["f"], "check": ["c"], "call": ["c"]}.get(entry["do"]) or [
                "r" if game.is_limit else f"r{paid_before + to}"
                for to in (entry["to"] if isinstance(entry["to"], list) else [entry["to"]])
            ]
            choices = [translation.find_choice(word, view, seat, legal) for word in words]
            assert [one if isinstance(one, int) else legal.index({**one, "to": entry["to"]}) for one in choices] == [
                index for _ in words
            ]
            assert len({repr(one) for one in choices}) == len(words)


@pytest.mark.parametrize(("framework", "preset"), [("acpc", "acpc-limit"), ("acpc", "acpc-no-limit"), ("acpc", "kuhn")])
def test_acpc_at_the_end_of_a_hand(preset: str, bridge_folder: Path) -> None:
    """By the events since its last question a player knows all actions of a hand, the board, and hands that were shown;
    before the end it knows that the hand has not ended.
    """
    finish_hand = import_module("translation").finish_hand
    poker, rng = Poker(), Random(preset)
    state = poker.deal(2, resolve_options(poker, 2, preset, {}), rng.spawn("deal"))
    asked: dict[int, tuple[Any, int]] = {}  # by seat: the last view, and how many events there were
    words: list[list[str]] = []
    compared = 0
    while state.turn is not None:
        seat, hand = state.turn.seat, state.hand_no
        words = words[: state.street + 1] + [[] for _ in range(state.street + 1 - len(words))]
        asked[seat] = msgspec.to_builtins(state.view(seat)), len(state.table.events(seat))
        action = draw_action(rng.choice(state.legal()), rng.randbelow)
        letter = {"Fold": "f", "Check": "k", "Call": "c", "Bet": "b", "Raise": "r"}[type(action).__name__]
        words[-1].append(f"{seat}{letter}{getattr(action, 'to', '')}")
        state.play(action)
        for one, (view, known) in asked.items():
            ended = finish_hand(view, msgspec.json.decode(msgspec.json.encode(state.table.events(one)[known:])))
            assert (ended is None) == (state.hand_no == hand and state.turn is not None)
            if ended is not None:
                assert [street.split() for street in ended["history"]][: len(words)] == words
                assert len(ended["board"]) == (0, 3, 4, 5)[len(ended["history"]) - 1]
                assert ended["shown"].get(one, view["cards"]) == view["cards"]
                compared += 1
        if state.hand_no != hand:
            asked, words = {}, []
    assert compared > 20


def make_game(module: ModuleType, preset: str) -> Any:  # noqa: ANN401 - a class of the template
    """Return the game file that a preset would have."""
    options: dict[str, Any] = msgspec.to_builtins(resolve_options(Poker(), 2, preset, {}))
    return module.GameFile(options, 2, (1, 0, 0, 0) if options["big_blind"] else (0, 0), 0)


def test_the_stakes_of_the_competition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game file of the new folder is the preset acpc-limit, which its bot.toml names."""
    make_bot(NewBot(name="bee", into=tmp_path), find_bridge("acpc"))
    monkeypatch.syspath_prepend(tmp_path / "bee")

    options = import_module("game_file").read_game_file(tmp_path / "bee" / "limit.game").options
    del sys.modules["game_file"]

    preset = json.loads(msgspec.json.encode(resolve_options(Poker(), 2, "acpc-limit", {})))
    assert options == {name: preset[name] for name in options}


@pytest.mark.long
@pytest.mark.once
def test_a_client_over_tcp_in_the_sandbox(tmp_path: Path) -> None:
    """A new bridge plays at once, with the client that comes with it, which calls, and hears of each action."""
    made = run_pitboss("new", "bot", "--from", "acpc", "bee", cwd=tmp_path)
    match = ("match", "poker", "bee", "house:random", "--preset", "acpc-limit", "--seats", "2", "--deals", "2")

    played = run_pitboss(*match, "--seed", "acpc", "--json", cwd=tmp_path)

    assert made.out.splitlines()[0] == "bee is a bridge to clients of the ACPC's dealer; it plays poker."
    standings = json.loads(played.out.splitlines()[-1])["standings"]
    assert {bot["name"]: bot["faults"] for bot in standings} == {"bee": {}, "house:random": {}}


@pytest.mark.long
@pytest.mark.once
def test_a_table_with_other_options_than_the_game_file(tmp_path: Path) -> None:
    """The bridge says which option differs."""
    run_pitboss("new", "bot", "--from", "acpc", "bee", cwd=tmp_path)
    (tmp_path / "bee" / "limit.game").write_text(
        (tmp_path / "bee" / "limit.game").read_text().replace("10 10 20 20", "10 10 20 40")
    )
    match = ("match", "poker", "bee", "house:caller", "--preset", "acpc-limit", "--seats", "2", "--deals", "1")

    refused = run_pitboss(*match, "--seed", "acpc", cwd=tmp_path)

    assert "the table has bets = [10, 10, 20, 20], the game file [10, 10, 20, 40]" in refused.out + refused.err


@pytest.mark.once
def test_a_bridge_tells_the_next_steps(tmp_path: Path) -> None:
    """The next steps of a bridge say how to install the framework, in the folder; --json has the file to change."""
    told = run_pitboss("new", "bot", "--from", "rlcard", "my bee", cwd=tmp_path).out
    as_json = run_pitboss("new", "bot", "--from", "openspiel", "wasp", "--json", cwd=tmp_path).json_value

    assert "python3 -m venv 'my bee'/.venv && 'my bee'/.venv/bin/pip install rlcard" in told
    assert "pitboss match poker 'my bee' house:random --seats 2 --preset leduc" in told
    assert (as_json["language"], as_json["change"]) == ("openspiel", "wasp/bot.toml")


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from", "acp", "bee"], "there is no bridge to 'acp' (did you mean 'acpc'?): docs/existing-bot.md shows "),
        (["--from", "acpc"], "a bridge is in Python: after --from acpc comes its NAME, and no LANGUAGE"),
        (["--from", "acpc", "python", "bee"], "a bridge is in Python: after --from acpc comes its NAME"),
        (["--from", "acpc", "bee", "--game", "poker"], "a bridge has its game, and the SDK beside it: --from goes "),
        (["c", "bee", "--vendor"], "there is no SDK in C to put beside the bot, only in python: leave --vendor out"),
    ],
)
def test_a_bridge_that_cannot_be_made(words: list[str], said: str, tmp_path: Path) -> None:
    """A bridge that cannot be made is an error that says why, and nothing is made."""
    refused = run_pitboss("new", "bot", *words, cwd=tmp_path)

    assert refused.status == 2
    assert refused.err.startswith(f"pitboss: {said}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.once
def test_a_bot_with_the_sdk_beside_it(tmp_path: Path) -> None:
    """A bot with the SDK beside it plays with a Python that has no packages."""
    run_pitboss("new", "bot", "python", "bee", "--vendor", cwd=tmp_path)
    (tmp_path / "bee" / "bot.toml").write_text('command = ["{python}", "-S", "bot.py"]\n')

    played = run_pitboss(
        "match", "magpie", "bee", "house:first", "--deals", "2", "-o", "turns=3", "--json", cwd=tmp_path
    )

    standings = json.loads(played.out.splitlines()[-1])["standings"]
    assert {bot["name"]: bot["faults"] for bot in standings} == {"bee": {}, "house:first": {}}


@pytest.mark.once
def test_frameworks_are_completed() -> None:
    """The shell offers the bridges."""
    assert complete_words(["new", "bot", "--from", "r"]) == ["rlcard"]
