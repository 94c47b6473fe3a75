"""Opponents: bots of the house and of folders in this process, frozen policies, functions, pools; the agent's seat."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

from pitboss.errors import IllegalAction, OptionError
from pitboss.learning.learning_game import prepare_game
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Start
from pitboss.table.randomness import Random
from pitboss_house_bots.local_player import LocalPlayer, greet_local_player, make_player
from pitboss_pettingzoo import FrozenPolicy, OneSeatEnv, OneSeatVectorEnv
from pitboss_pettingzoo.opponents import find_opponents

COUNTING_BOT = """
import rule
from pitboss.bot import run

asked = {}

def begin(hello, start):
    asked[start.table or 0] = 0

def choose_many(questions):
    import late  # a module that is imported when it is needed
    for question in questions:
        asked[question.table] += 1
    return [rule.choose(asked[question.table] + late.SHIFT, question) for question in questions]

def greet(hello):
    import late
    if hello.game != "racko":
        raise SystemExit(f"plays racko, and no {hello.game}")

if __name__ == "__main__":
    run(TAKE, on_start=begin, on_hello=greet)
    raise AssertionError("run does not return here")
"""
RULE = "def choose(count, question):\n    return count % len(question.legal)\n"
CHOOSE_ONE = "lambda question: choose_many([question])[0]"


def write_bot(folder: Path, take: str = "choose_many=choose_many", shift: int = 0) -> Path:
    """Write a bot that counts its questions; return its folder."""
    folder.mkdir()
    (folder / "bot.py").write_text(COUNTING_BOT.replace("TAKE", take))
    (folder / "rule.py").write_text(RULE)
    (folder / "late.py").write_text(f"SHIFT = {shift}\n")
    return folder


def play_games(env: OneSeatEnv, games: int = 2, seed: int = 1) -> list[object]:
    """Play games of random letters to their ends; return all that is shown."""
    rng, shown = np.random.default_rng(seed), list[object]()
    for _ in range(games):
        _, info = env.reset()
        is_over = False
        while not is_over:
            row, reward, is_over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            shown.append((row.tobytes(), reward, info["seat"]))
    return shown


@pytest.mark.parametrize("name", Registry().games)
def test_the_games_own_bot_plays(name: str) -> None:
    """Each game's own bot sits at the other seats, in this process, and plays by the seed."""
    presets = Registry().games[name].presets
    game = prepare_game(name, preset="single" if "single" in presets else None)
    shown = []
    for _ in range(2):
        env = OneSeatEnv(game, opponents=f"house:{name}")
        env.reset(seed=1)
        rng, lines = np.random.default_rng(1), list[object]()
        for _ in range(25):
            row, reward, is_over, _, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            lines.append((row.tobytes(), reward))
            if is_over:
                env.reset()
        shown.append(lines)
    assert shown[0] == shown[1]


def test_a_bot_of_the_house_chooses_as_it_does_elsewhere() -> None:
    """At each question of a game the opponent plays what the object of the bot chooses for the view and the events."""
    game = prepare_game("racko", 2, preset="short")
    chooser = find_opponents("house:search?worlds=3&ms=60000", game).begin_game(game, "deal")
    hello = greet_local_player(game.setup, 1, "house:search?worlds=3&ms=60000")
    start = Start(game_id=1, seat=1, players=[], seed="deal/1")
    other = LocalPlayer(make_player("house:search?worlds=3&ms=60000", hello), game.setup.game.Action, hello, start)
    state, rng, asked = game.deal("deal", has_log=True), Random("letters"), 0
    while state.turn is not None and asked < 8:
        legal = state.legal()
        if state.turn.seat == 1:
            action = chooser(state, legal)
            assert action == other.choose(state, legal)
            asked += 1
        else:
            action = rng.choice(legal)
        state.play(action)
    assert asked == 8


@pytest.mark.parametrize("take", ["choose_many=choose_many", CHOOSE_ONE])
def test_a_bot_of_a_folder_plays(take: str, tmp_path: Path) -> None:
    """A bot in Python is loaded by its folder, with its own modules, each game by itself; others do not see these."""
    one, other = (write_bot(tmp_path / f"bot{shift}", take, shift) for shift in (0, 1))
    game, before = prepare_game("racko", 2, preset="short"), dict(sys.modules)
    folders: list[tuple[Path | str, int]] = [(one, 0), (other, 1), (str(one), 0)]
    for folder, shift in folders:
        players = find_opponents(folder, game)
        choosers = [players.begin_game(game, f"deal {number}") for number in range(2)]
        states, met = [game.deal("deal", has_log=True) for _ in choosers], [0, 0]
        for _ in range(5):
            for chooser, state in zip(choosers, states, strict=True):
                assert state.turn is not None
                met[state.turn.seat] += chooser is choosers[0]
                legal = state.legal()
                action = chooser(state, legal)
                assert action == legal[(met[state.turn.seat] + shift) % len(legal)]
                state.play(action)
        assert sum(met) == 5
    assert "rule" not in sys.modules
    assert "late" not in sys.modules
    assert {name for name in before if name not in sys.modules} == set()


@pytest.mark.parametrize("take", ["choose_many=choose_many", CHOOSE_ONE])
def test_games_at_once_have_bots_of_their_own(take: str, tmp_path: Path) -> None:
    """What a bot remembers of one game does not reach another that is played at the same time, nor the next one."""
    game = prepare_game("racko", 2, preset="short")
    players = find_opponents(write_bot(tmp_path / "bot", take), game)
    state = game.deal("deal", has_log=True)
    legal = state.legal()

    def choose_thrice() -> list[int]:
        chooser = players.begin_game(game, "deal")
        return [legal.index(chooser(state, legal)) for _ in range(3)]

    both = [players.begin_game(game, "deal") for _ in range(2)]
    turns = [[legal.index(chooser(state, legal)) for chooser in both] for _ in range(3)]
    expected = [count % len(legal) for count in (1, 2, 3)]
    assert turns == [[index, index] for index in expected]
    assert choose_thrice() == choose_thrice() == expected


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ("house:nobody", "there is no such bot and no such folder; bots for racko: house:first"),
        ("house:hearts", "the game is racko, and house:hearts plays hearts"),
        ("house:search?depth=1", "house:search has no option 'depth'; it has ms, worlds, exploration"),
        ([], "the list of opponents is empty"),
        (5, "opponents is 5; they are the name of a bot, a folder, a function"),
        ([None, 5], "opponents is 5; they are the name of a bot"),
    ],
)
def test_wrong_opponents_are_refused(opponents: Any, message: str) -> None:  # noqa: ANN401
    """The error says what there is."""
    with pytest.raises(OptionError, match=message):
        OneSeatEnv("racko", opponents=opponents)


def test_bots_for_other_tables_are_refused() -> None:
    """A bot that knows one kind of poker does not sit down to another; nor does one that is another one's option."""
    with pytest.raises(OptionError, match="the preset is limit, and house:poker-equilibrium plays kuhn or leduc"):
        OneSeatEnv("poker", preset="limit", opponents="house:poker-equilibrium")
    with pytest.raises(OptionError, match="poker has no bot of its own, house:caller, in Python"):
        OneSeatEnv("poker", opponents="house:caller")


@pytest.mark.parametrize(
    ("program", "game", "message"),
    [
        (None, "racko", "the folder has no bot.py"),
        ("import sys\nfor line in sys.stdin: print(line)", "racko", "bot.py does not play by pitboss.bot.run"),
        (COUNTING_BOT.replace("TAKE", CHOOSE_ONE), "hearts", "bot.py has ended: plays racko, and no hearts"),
    ],
)
def test_wrong_folders_are_refused(program: str | None, game: str, message: str, tmp_path: Path) -> None:
    """The error says what is wrong with the bot, also where it ends itself."""
    folder = write_bot(tmp_path / "bot")
    (folder / "bot.py").unlink()
    if program is not None:
        (folder / "bot.py").write_text(program)
    with pytest.raises(OptionError, match=message):
        OneSeatEnv(game, opponents=folder)


def test_an_illegal_choice_of_an_opponent_is_an_error(tmp_path: Path) -> None:
    """The error names the seat, the choice and what was legal."""
    env = OneSeatEnv("racko", opponents=write_bot(tmp_path / "bot", "lambda question: 10_000"), seat=0)
    with pytest.raises(IllegalAction, match="seat 1 chose 10000; legal: "):
        play_games(env)


def test_the_adapter_works_without_the_bots_of_the_house() -> None:
    """Where the package is not installed, opponents by name are refused in a sentence, and all others play."""
    program = """
import sys
sys.modules["pitboss_house_bots"] = None
from pitboss_pettingzoo import OneSeatEnv
from pitboss.errors import OptionError
for opponents in (None, "house:random", "house:first"):
    print(OneSeatEnv("racko", opponents=opponents).reset(seed=1)[1]["seat"])
try:
    OneSeatEnv("racko", opponents="house:racko")
except OptionError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "pitboss_house_bots is not installed" in ran.stdout.splitlines()[-1]
    assert len(ran.stdout.splitlines()) == 4


def test_a_frozen_policy_sees_what_the_agent_would_see() -> None:
    """The policy is given the row and the mask of the seat on turn, and its letters are played."""
    game, shown = prepare_game("racko", 2, preset="short"), list[Any]()

    def choose_last(row: Any, mask: Any) -> int:  # noqa: ANN401 - arrays
        shown.append((row, mask))
        return int(np.flatnonzero(mask)[-1])

    chooser = find_opponents(FrozenPolicy(choose_last), game).begin_game(game, "deal")
    state = game.deal("deal")
    spelling = game.find_choice(state)
    assert spelling is not None
    assert state.turn is not None
    row = np.zeros(game.encoder.size, np.float32)
    game.observe(state, state.turn.seat, row.data, spelling)
    action = chooser(state, state.legal())
    assert (shown[0][0] == row).all()
    assert np.flatnonzero(shown[0][1]).tolist() == spelling.letters
    wanted = None
    while wanted is None:
        wanted = spelling.add(spelling.letters[-1])
    assert action == wanted


def test_a_pool_is_drawn_by_the_seed() -> None:
    """In each game each seat draws one of the list; the same seed draws the same ones."""
    met = list[tuple[int, str]]()

    def make(name: str) -> Callable[[Any, Any], Any]:
        def choose(state: Any, legal: Any) -> Any:  # noqa: ANN401 - of any game
            met.append((state.turn.seat, name))
            return legal[0]

        return choose

    env = OneSeatEnv("lucky-maker", 3, {"games": 1}, opponents=[make("a"), make("b")], seat=0)
    drawn = []
    for seed in [*range(12), *range(12)]:
        met.clear()
        env.reset(seed=seed)
        is_over = False
        while not is_over:
            _, _, is_over, _, _ = env.step(np.int64(env.action_masks().argmax()))
        assert len(dict(met)) == len(set(met))  # one for a seat in the whole game
        drawn.append(tuple(sorted(set(met))))
    assert drawn[:12] == drawn[12:]
    assert len(set(drawn)) == 4  # two seats draw from two


@pytest.mark.parametrize(
    "opponents", [["house:fireworks"], ["house:handicap"], ["FOLDER"], ["FOLDER", "house:fireworks"]]
)
def test_a_copy_has_opponents_of_its_own(opponents: list[str], tmp_path: Path) -> None:
    """Bots that remember a game go on alike in a copy, in the middle of a game too."""
    folder = write_bot(tmp_path / "bot")
    program = (folder / "bot.py").read_text().replace('!= "racko"', '== "racko"')
    (folder / "bot.py").write_text(program)
    (folder / "rule.py").write_text(RULE.replace("count %", "(count + len(question.events)) %"))
    given = [str(folder) if one == "FOLDER" else one for one in opponents]
    env = OneSeatEnv("fireworks", opponents=given if len(given) > 1 else given[0])
    env.reset(seed=1)
    for part in range(6):
        twins = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        twins.append(cloudpickle.loads(cloudpickle.dumps(env)))
        played = [play_on(twin, part) for twin in twins]
        assert played == [play_on(env, part)] * 4


def play_on(env: OneSeatEnv, seed: int) -> list[object]:
    """Step an environment by some random letters; return all that it shows."""
    rng, shown = np.random.default_rng(seed), list[object]()
    for _ in range(5):
        if env._is_over:
            env.reset()
        row, reward, *_ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        shown.append((row.tobytes(), reward))
    return shown


@pytest.mark.parametrize("seat", [0, 2])
def test_a_fixed_seat(seat: int) -> None:
    """The agent sits there in each game, and where `reset` says in one; else the seed draws the seat."""
    env = OneSeatEnv("lucky-maker", 3, seat=seat)
    assert [env.reset(seed=number)[1]["seat"] for number in range(5)] == [seat] * 5
    assert env.reset(seed=1, options={"seat": 1})[1]["seat"] == 1
    assert env.reset()[1]["seat"] == seat
    _, infos = OneSeatVectorEnv("lucky-maker", 5, 3, seat=seat).reset(seed=1)
    assert infos["seat"].tolist() == [seat] * 5
    free = OneSeatEnv("lucky-maker", 3)
    assert {free.reset(seed=number)[1]["seat"] for number in range(20)} == {0, 1, 2}
