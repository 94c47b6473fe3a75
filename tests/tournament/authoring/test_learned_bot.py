"""`pitboss new bot python-learned`: it is trained, plays what it was trained for, and says what it lacks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

from pitboss.learning.learning_game import prepare_game
from pitboss.table.randomness import Random
from pitboss_tournament.authoring.templates import TEMPLATES_FOLDER
from tests.marks import first_rows
from tests.tournament.command_line import CommandResult, run_pitboss

pytestmark = pytest.mark.once

SHORT: Final = ("--deals", "1", "--json", "--sandbox", "none")
QUICK: Final = ("--letters", "1", "--games", "8", "--hidden", "8", "--lines", "1", "--results", "8")


@pytest.fixture(scope="module")
def training() -> ModuleType:
    """Return the training program of the template as a module."""
    sys.path.insert(0, str(TEMPLATES_FOLDER / "python-learned"))
    try:
        import train  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - its folder is on the path now
    finally:
        del sys.path[0]
    return train  # type: ignore[no-any-return, unused-ignore]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a bot that was trained for one update of Kuhn poker."""
    place = tmp_path_factory.mktemp("learned")
    made = run_pitboss("new", "bot", "python-learned", "student", "--game", "poker", cwd=place)
    assert "  train it                 " in made.out
    assert "python" in made.out
    ran = train(place / "student", "--preset", "kuhn", *QUICK)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("against random play") == 2
    about = (place / "student" / "bot.toml").read_text()
    _, said = ran.stdout.split("Let bot.toml say what the bot plays:\n")
    assert said == 'games = ["poker"]\npresets = ["kuhn"]\nseats = [2]\n'
    (place / "student" / "bot.toml").write_text(about.replace('games = ["poker"]\n', said))
    return place / "student"


def train(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the training program of a bot."""
    return subprocess.run([sys.executable, "train.py", *words], cwd=folder, capture_output=True, text=True, check=False)


def play(folder: Path, game: str, *words: str) -> CommandResult:
    """Let a bot play a short match."""
    return run_pitboss("match", game, folder.name, "house:random", *SHORT, *words, cwd=folder.parent)


def read_faults(ran: CommandResult) -> dict[str, Any]:
    """Return the faults of each bot."""
    return {bot["name"]: bot["faults"] for bot in json.loads(ran.out.splitlines()[-1])["standings"]}


@pytest.mark.long
def test_a_trained_bot_plays(trained: Path) -> None:
    """A trained bot's network chooses, without a fault, and notes its probabilities; the curve has a line before and
    one after the update.

    The numbers of the two or three letters of a note have all the probability.
    """
    ran = play(trained, "poker", "--preset", "kuhn", "--store", "played.pitboss")

    assert read_faults(ran) == {"student": {}, "house:random": {}}
    exported = run_pitboss("export", str(trained.parent / "played.pitboss")).out
    notes = re.findall(r'"note":"((?:check|bet|call|fold)[^"]*)"', exported)
    assert notes
    assert {sum(map(int, re.findall(r"(\d+)%", note))) for note in notes} <= {99, 100, 101}
    assert len((trained / "curve.csv").read_text().splitlines()) == 3
    assert "letters,processor_s,wins,lead,lead_error" in (trained / "curve.csv").read_text()


@pytest.mark.long
def test_a_trained_bot_is_checked_at_its_table(trained: Path) -> None:
    """A trained bot, with the lines that the training program printed, is checked at its own table only."""
    ran = run_pitboss("check", str(trained), "--sandbox", "none", "--only", "plays-with-every-preset")

    assert ran.status == 0, ran.out


@pytest.mark.long
def test_a_trained_bot_takes_many_tables(trained: Path) -> None:
    """A trained bot answers all tables that are asked at once, and chooses as at one table after the other."""
    ran = run_pitboss("check", str(trained), "--sandbox", "none", "--only", "keeps-tables-apart", "--json")

    outcomes = {check["name"]: check["outcome"] for check in ran.json_value["checks"]}
    assert (outcomes["answers-at-many-tables"], outcomes["keeps-tables-apart"]) == ("passed", "passed"), ran.out


@pytest.mark.parametrize("play", ["best", "sampled"])
def test_positions_that_are_decided_at_once(training: ModuleType, play: str) -> None:
    """The network's choices at many tables at once are those that it makes one after the other, each with its luck."""
    game = prepare_game("lucky-maker", 3)
    rng = np.random.default_rng(1)
    sizes = [game.encoder.size, 16, len(game.alphabet)]
    network = training.Network(training.make_weights(sizes, rng))
    model = training.Model(network, network, {"play": play})

    def list_positions() -> list[Any]:
        positions = []
        for number in range(12):
            luck = Random(str(number))
            state = game.setup.game.deal(3, game.setup.options, luck)
            for _ in range(3 * number):
                state.play(luck.choice(state.legal()))
            assert state.turn
            positions.append((state, state.turn.seat, model.make_rng(number)))
        return positions

    alone = [model.decide_all(game, [position])[0] for position in list_positions()]
    assert model.decide_all(game, list_positions()) == alone
    assert len(set(map(repr, alone))) > 6


@pytest.mark.long
def test_a_model_of_another_game(trained: Path, tmp_path: Path) -> None:
    """A bot with a model of another game does not start, and says in a sentence what differs."""
    folder = shutil.copytree(trained, tmp_path / "student")
    about = folder / "bot.toml"
    about.write_text(about.read_text().replace('"kuhn"', '"kuhn", "leduc"'))

    ran = play(folder, "poker", "--preset", "leduc", "--store", "other.pitboss")

    assert set(read_faults(ran)["student"]) == {"crashed"}
    told = run_pitboss("export", str(tmp_path / "other.pitboss"), "-w", "incidents")
    assert re.search(
        r"model.npz was trained for .*cards 'kuhn' \(here 'leduc'\).*: train one for this table with train.py", told.out
    )
    assert "Traceback" not in told.out


@pytest.mark.long
def test_a_new_bot_without_a_model(trained: Path, tmp_path: Path) -> None:
    """A new bot without a model plays at random, and says so in each note and on standard error."""
    for name in ("bot.py", "bot.toml", "train.py"):
        (tmp_path / "student").mkdir(exist_ok=True)
        shutil.copy(trained / name, tmp_path / "student" / name)

    ran = play(tmp_path / "student", "poker", "--preset", "kuhn", "--seed", "x", "-s", "logs.keep=all")

    assert read_faults(ran) == {"student": {}, "house:random": {}}
    [store] = tmp_path.glob("*.pitboss")
    exported = run_pitboss("export", str(store)).out
    assert '"note":"untrained: at random"' in exported
    assert "train it: python train.py GAME" in run_pitboss("export", str(store), "-w", "logs").out


@pytest.mark.long
def test_training_goes_on(trained: Path) -> None:
    """A training with --resume begins with the model that is there, at its table; at another table it is refused in a
    line.
    """
    more = train(trained, "--resume", *QUICK)
    wrong = train(trained, "--preset", "leduc", "--resume", *QUICK)

    assert more.returncode == 0, more.stderr
    assert 'games = ["poker"]\npresets = ["kuhn"]\nseats = [2]\n' in more.stdout
    assert len((trained / "curve.csv").read_text().splitlines()) == 5
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)
    assert wrong.stderr.startswith("train.py: model.npz was trained for betting ") or "cards 'kuhn'" in wrong.stderr


@first_rows(1)(
    ("words", "said"),
    [
        (("chess",), "train.py: no game 'chess' is installed"),
        (("poker", "-o", "cards=tarot"), "train.py: "),
        (("poker", "-o", "cards"), "argument -o/--option: 'cards' is no NAME=VALUE"),
        (("poker", "--rate", "nan"), "--minutes, --letters, --games, --hidden, --lines, --results and --rate are more"),
        (("poker", "--trace", "2"), "--seed and --entropy are 0 or more, and --trace is from 0 to 1"),
    ],
)
def test_what_cannot_be_trained(trained: Path, words: tuple[str, ...], said: str) -> None:
    """A training that cannot start names the mistake, without a traceback, and leaves the model as it is."""
    before = (trained / "model.npz").read_bytes()

    ran = train(trained, *words)

    assert ran.returncode in (1, 2)
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (trained / "model.npz").read_bytes() == before


def test_the_gradients(training: ModuleType) -> None:
    """The gradients are those of the clipped loss of PPO with its entropy bonus, and of the mean square error."""
    rng = np.random.default_rng(1)
    masks = rng.random((20, 5)) < 0.7
    masks[:, 0] = True
    logits, everyone = rng.standard_normal((20, 5)), np.arange(20)
    letters = training.draw_letters(training.log_probabilities(logits, masks), rng)
    logs = training.log_probabilities(logits, masks)[everyone, letters] + 0.1 * rng.standard_normal(20)
    advantages, returns = rng.standard_normal(20), rng.standard_normal(20)
    rollout = training.Rollout(logits, masks, letters, logs, advantages, returns)
    weights = (advantages - advantages.mean()) / advantages.std()

    def find_loss(at: Any) -> Any:  # noqa: ANN401
        now = training.log_probabilities(at, masks)
        ratio = np.exp(now[everyone, letters] - logs)
        disorder = -(np.exp(now) * np.where(masks, now, 0)).sum(axis=1)
        return (-np.minimum(ratio * weights, ratio.clip(0.8, 1.2) * weights) - 0.1 * disorder).mean()

    found = training.PolicyGradient(rollout, everyone, 0.1)(logits)
    for row, letter in [(0, 0), (3, 2), (19, 4)]:
        moved = np.zeros((20, 5))
        moved[row, letter] = 1e-6
        slope = (find_loss(logits + moved) - find_loss(logits - moved)) / 2e-6
        assert found[row, letter] == pytest.approx(slope, abs=1e-6)
    assert training.CriticGradient(returns)(np.zeros((20, 1)))[:, 0] == pytest.approx(-returns / 20)


@pytest.mark.long
def test_a_training_that_cannot_go_on(trained: Path, tmp_path: Path) -> None:
    """A training without a model, or where none can be written, ends with a sentence; a training without
    torch says so.
    """
    folder = shutil.copytree(trained, tmp_path / "student")
    (folder / "model.npz").unlink()
    (folder / "model.part.npz").mkdir()

    without = train(folder, "--resume")
    unwritten = train(folder, "--preset", "kuhn", *QUICK)

    assert (without.returncode, "there is no model.npz to go on with" in without.stderr) == (2, True)
    assert (unwritten.returncode, unwritten.stderr.count("\n")) == (1, 1)
    assert re.fullmatch(r"train.py: .*Is a directory.*\n", unwritten.stderr)
    if find_spec("torch") is None:
        without_torch = train(folder, "--backend", "torch", "--preset", "kuhn")
        assert without_torch.returncode == 1
        assert re.fullmatch(
            r"train.py: torch is not installed for this Python, .*: pip install torch\n", without_torch.stderr
        )


@pytest.mark.parametrize("hidden", [(16,), (16, 16), (16, 8, 16)])
def test_a_network_learns(training: ModuleType, hidden: tuple[int, ...]) -> None:
    """A network's steps go down the gradient, through all its layers."""
    rng = np.random.default_rng(1)
    network = training.Network(training.make_weights([3, *hidden, 1], rng))
    rows = rng.standard_normal((64, 3)).astype(np.float32)
    wanted = rows[:, 0] * rows[:, 1]
    for _ in range(300):
        network.learn(rows, training.CriticGradient(wanted), 0.01)
    assert ((network(rows)[:, 0] - wanted) ** 2).mean() < 0.05 * wanted.var()


def test_advantages_follow_each_seat(training: ModuleType) -> None:
    """A reward counts for the last letter of each seat before it; a seat's last letter is unknown if the game goes on.

    One game: seat 0, seat 1, seat 0 (the end, seat 0 wins), then seat 1, seat 0 of the next one.
    """
    rewards = np.zeros((5, 1, 2), np.float32)
    rewards[2, 0] = [1, -1]
    values = np.array([[0.5], [0.25], [0.75], [9], [9]], np.float32)
    ended = np.array([[False], [False], [True], [False], [False]])
    seats = np.array([[0], [1], [0], [1], [0]])

    advantages, is_known = training.estimate_advantages(rewards, values, ended, seats, 0.5)

    assert is_known[:, 0].tolist() == [True, True, True, False, False]
    last, discount = 1 - 0.75, training.DISCOUNT
    assert advantages[:3, 0].tolist() == pytest.approx([discount * (0.75 + 0.5 * last) - 0.5, -1 - 0.25, last])
