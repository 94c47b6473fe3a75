"""`pitboss new bot --from`: bridges to other frameworks, without these: what they translate, and the one over TCP."""

from __future__ import annotations

import json
import re
import sys
import unittest
from collections.abc import Iterator, Sequence
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
    assert list(BRIDGES) == ["acpc", "mit-pokerbots", "openspiel", "pypokerengine", "rlcard", "slumbot"]


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
    list_ended_hands = import_module("poker_hands").list_ended_hands
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
            events = msgspec.json.decode(msgspec.json.encode(state.table.events(one)[known:]))
            ended = next(list_ended_hands(view, events), None)
            assert (ended is None) == (state.hand_no == hand and state.turn is not None)
            if ended is not None:
                assert [street.split() for street in ended["history"]][: len(words)] == words
                assert len(ended["board"]) == (0, 3, 4, 5)[len(ended["history"]) - 1]
                assert ended["shown"].get(one, view["cards"]) == view["cards"]
                compared += 1
        if state.hand_no != hand:
            asked, words = {}, []
    assert compared > 20


class SkeletonHand:
    """Hold'em for two as a skeleton of MIT's Pokerbots keeps it, by the clauses that it hears."""

    def __init__(self) -> None:
        self.position, self.button, self.street, self.is_over = 0, 0, 0, True
        self.pips, self.stacks = [0, 0], [0, 0]
        self.hands, self.bankroll = 0, 0

    def hear(self, clauses: Sequence[str]) -> None:
        """Follow some clauses; fail where a skeleton would."""
        for kind, rest in ((clause[0], clause[1:]) for clause in clauses):
            active = self.button % 2
            if kind == "P":
                self.position = int(rest)
            elif kind == "H":
                assert self.is_over and len(rest.split(",")) == 2
                self.button, self.street, self.is_over = 0, 0, False
                self.pips, self.stacks = [1, 2], [399, 398]
            elif kind == "B":
                assert (len(rest.split(",")), self.button) == (self.street, 1)
            elif kind == "D":
                assert self.is_over
                self.hands, self.bankroll = self.hands + 1, self.bankroll + int(rest)
            elif kind == "F":
                self.is_over = True
            elif kind in "CKR":
                paid = {"C": self.pips[1 - active] - self.pips[active], "K": 0}.get(kind)
                paid = int(rest) - self.pips[active] if paid is None else paid
                self.pips[active] += paid
                self.stacks[active] -= paid
                assert not self.is_over and min(self.stacks) >= 0
                if kind != "R" and self.button > (kind == "K" and self.street > 0):  # both have acted
                    self.is_over = self.street == 5
                    self.button, self.street, self.pips = 1, 3 if self.street == 0 else self.street + 1, [0, 0]
                else:
                    self.button += 1


@pytest.mark.parametrize("framework", ["mit-pokerbots"])
def test_a_skeleton_at_every_decision(bridge_folder: Path) -> None:
    """A skeleton that follows the clauses is on turn at each question, with the same bets and chips; hands of which it
    was not asked are told, too.
    """
    translation, ended_hands = import_module("translation"), import_module("poker_hands").list_ended_hands
    poker, rng = Poker(), Random("skeleton")
    state = poker.deal(2, resolve_options(poker, 2, "mit-pokerbots", {"hands": 60}), rng.spawn("deal"))
    bots, told, heard = [SkeletonHand(), SkeletonHand()], [0, 0], [0, 0]
    asked: list[Any] = [None, None]  # views
    while state.turn is not None:
        seat, legal = state.turn.seat, json.loads(msgspec.json.encode(state.legal()))
        view, bot, before = msgspec.to_builtins(state.view(seat)), bots[seat], asked[seat]
        events = msgspec.json.decode(msgspec.json.encode(state.table.events(seat)[heard[seat] :]))
        for hand in () if before is not None and before["hand"] == view["hand"] else ended_hands(before, events):
            is_known = before is not None and hand["hand"] == before["hand"]
            bot.hear(() if is_known else translation.begin_hand(hand, seat))
            bot.hear(translation.list_actions(hand)[told[seat] if is_known else 0 :])
            bot.hear([*translation.end_hand(hand, seat)])
        if before is None or before["hand"] != view["hand"]:
            bot.hear(translation.begin_hand(view, seat))
            told[seat] = 0
        clauses = translation.list_actions(view)
        bot.hear(clauses[told[seat] :])
        asked[seat], told[seat], heard[seat] = view, len(clauses), len(state.table.events(seat))
        own, other = bot.position, 1 - bot.position
        assert bot.button % 2 == own
        assert [bot.pips[own], bot.pips[other]] == [view["bets"][seat], view["bets"][1 - seat]]
        assert [bot.stacks[own], bot.stacks[other]] == [view["stacks"][seat], view["stacks"][1 - seat]]
        assert (bot.hands, bot.bankroll) == (view["hand"] - 1, view["net"][seat])
        action = draw_action(rng.choice(state.legal()), rng.randbelow)
        words = {"Fold": "F", "Check": "K", "Call": "C"}.get(type(action).__name__) or f"R{getattr(action, 'to', 0)}"
        meant = translation.read_answer(words, legal)
        assert (legal[meant] if isinstance(meant, int) else meant) == json.loads(msgspec.json.encode(action))
        state.play(action)


@pytest.mark.parametrize("framework", ["slumbot"])
def test_slumbot_at_every_decision(bridge_folder: Path) -> None:
    """The actions that a client is told add up to the bets and to the round; what it answers is the action meant."""
    translation, rng = import_module("translation"), Random("slumbot")

    for seat, _, view, legal in list_questions("acpc-no-limit", 2):
        told = translation.describe_hand(view, seat)
        rounds = told["action"].split("/")
        sizes = [int(size) for size in re.findall(r"\d+", rounds[-1])]
        assert (len(rounds), len(told["board"])) == (len(view["history"]), len(view["board"]))
        assert max(view["bets"]) == max(sizes, default=0 if len(rounds) > 1 else 100)
        assert told["client_pos"] == (seat == view["small_blind"])
        entry = rng.choice(legal)
        to = entry.get("to", 0)
        size = rng.choice(to) if isinstance(to, list) else to
        word = {"fold": "f", "check": "k", "call": "c"}.get(entry["do"], f"b{size}")
        meant = translation.read_answer(word, legal)
        require_legal(meant, legal)
        assert (legal[meant] if isinstance(meant, int) else meant)["do"] == entry["do"]


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
@pytest.mark.parametrize(("framework", "preset"), [("mit-pokerbots", "mit-pokerbots"), ("slumbot", "acpc-no-limit")])
def test_programs_that_come_with_a_bridge(framework: str, preset: str, tmp_path: Path) -> None:
    """A new bridge plays several games in the sandbox, with the program that comes with it, and makes no fault."""
    run_pitboss("new", "bot", "--from", framework, "bee", cwd=tmp_path)
    match = ("match", "poker", "bee", "house:random", "--preset", preset, "--seats", "2", "--deals", "3")

    played = run_pitboss(*match, "--seed", "bridges", "--json", cwd=tmp_path)

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
