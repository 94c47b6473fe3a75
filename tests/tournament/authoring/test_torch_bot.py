"""`pitboss new bot python-torch`: a network of torch plays; without torch, or with a wrong file, a sentence says so.

`tox -e torch` runs the tests that need torch (some gigabytes).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from pitboss.learning.learning_game import prepare_game
from tests.tournament.authoring.test_learned_bot import play, read_faults
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
KUHN: Final = ("poker", "--preset", "kuhn")
MAKE_FILE: Final = """
import sys, torch
from pitboss.learning.learning_game import prepare_game
game = prepare_game("poker", preset="kuhn")
torch.manual_seed(1)
layers = [torch.nn.Linear(game.encoder.size, 16), torch.nn.Tanh(), torch.nn.Linear(16, len(game.alphabet))]
network = torch.nn.Sequential(*layers)
if sys.argv[1] == "script":
    torch.jit.script(network).save("trained.pt")
else:
    torch.save(network.state_dict(), "trained.pt")
"""

ASK_WITHOUT_TIME: Final = """
import json, msgspec
from bot import TorchBot
from pitboss.bot import Question
from pitboss.learning.learning_game import prepare_game
from pitboss.protocol.messages import Clock, Hello, Start
game = prepare_game("racko", preset="short")
state = game.deal("any", has_log=True)
seat, phase = state.turn
legal, view, events = json.loads(msgspec.json.encode(
    [list(state.legal()), state.view(seat), state.table.events(seat, 0, len(state.table.log))]
))
clock = Clock(start_ms=1, decision_ms=1, margin_ms=1)
options = msgspec.to_builtins(game.setup.options)
hello = Hello(game="racko", options=options, seats=2, seat=seat, seed="1", clock=clock)
start = Start(game_id=1, seat=seat, players=["a", "b"], seed="1")
question = Question(legal=legal, view=view, events=events, seat=seat, phase=phase, decision_ms=0, game_ms=None,
                    hello=hello, start=start)
bot = TorchBot()
bot.network, bot.game = abs, game  # it is not asked
bot.begin(hello, start)
choice = bot.choose(question)
print(choice.choice in range(len(legal)), choice.note)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a new bot."""
    assert run_pitboss("new", "bot", "python-torch", "net", cwd=tmp_path).status == 0
    return tmp_path / "net"


def run_python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in the folder of the bot."""
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)


def put_in(folder: Path, kind: str) -> str:
    """Put an untrained network into the bot; return what was printed."""
    made = run_python(folder, "-c", MAKE_FILE, kind)
    assert made.returncode == 0, made.stderr
    ran = run_python(folder, "put_model.py", "trained.pt", *KUHN)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_new_bot_without_a_network(folder: Path) -> None:
    """A bot without a network plays any game at random, without torch, and says so."""
    ran = play(folder, *KUHN, "--store", "games.pitboss", "-s", "logs.keep=all")

    assert read_faults(ran) == {"net": {}, "house:random": {}}
    store = str(folder.parent / "games.pitboss")
    assert '"note":"untrained: at random"' in run_pitboss("export", store).out
    assert "there is no model.json: it plays at random" in run_pitboss("export", store, "-w", "logs").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("put_model.py", "none.pt", "racko"), "none.pt"),
        (("put_model.py", "README.md", "racko"), "README.md is no file of torch or Stable-Baselines3"),
        (("put_model.py", "README.md", "chess"), "no game 'chess' is installed"),
        (("put_model.py", "README.md", "racko", "-o", "x"), "'x' is no NAME=VALUE"),
    ],
)
def test_what_cannot_be_put_in(folder: Path, words: tuple[str, ...], said: str) -> None:
    """A file or a table that does not fit is refused in a sentence, and bot.toml stays as it was."""
    before = (folder / "bot.toml").read_text()

    ran = run_python(folder, *words)

    assert ran.returncode in (1, 2)
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (folder / "bot.toml").read_text() == before


def test_a_game_that_cannot_be_followed(folder: Path) -> None:
    """A bot whose network has no time to follow the game plays a legal action at random, and says so in its note."""
    ran = run_python(folder, "-c", ASK_WITHOUT_TIME)

    assert (ran.stdout, ran.stderr) == ("True the game could not be followed: at random\n", "")


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_a_network_without_torch(folder: Path) -> None:
    """Without torch a network is not put in, and a bot that has one does not start; both say what to install."""
    shutil.make_archive(str(folder / "trained"), "zip", folder, "bot.toml")
    refused = run_python(folder, "put_model.py", "trained.zip", *KUHN)
    game = prepare_game("poker", preset="kuhn")
    about = {"file": "trained.zip", "kind": "state dict", "play": "best", "fingerprint": game.fingerprint}
    (folder / "model.json").write_text(json.dumps(about))
    ran = play(folder, *KUHN, "--store", "games.pitboss")

    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert refused.stderr.startswith(f"put_model.py: torch is not installed for this Python, {sys.executable}: pip ")
    assert set(read_faults(ran)["net"]) == {"crashed"}
    told = run_pitboss("export", str(folder.parent / "games.pitboss"), "-w", "incidents").out
    assert "torch is not installed for this Python" in told
    assert "Traceback" not in told


@needs_torch
@pytest.mark.parametrize("kind", ["script", "state dict"])
def test_a_network_plays(folder: Path, kind: str) -> None:
    """A network of TorchScript or of a state dict plays by its letters, at the table that bot.toml says then."""
    assert ("tanh stands between its layers" in put_in(folder, kind)) == (kind == "state dict")

    assert 'games = ["poker"]\npresets = ["kuhn"]\nseats = [2]\n' in (folder / "bot.toml").read_text()
    ran = play(folder, *KUHN, "--store", "games.pitboss")
    assert read_faults(ran) == {"net": {}, "house:random": {}}
    exported = run_pitboss("export", str(folder.parent / "games.pitboss")).out
    assert '"note":"check ' in exported or '"note":"bet ' in exported
    assert "at random" not in exported


@needs_torch
@pytest.mark.long
def test_a_bot_with_a_network_is_checked(folder: Path) -> None:
    """A bot with a network passes every check, and ends at once."""
    put_in(folder, "script")

    ran = run_pitboss("check", str(folder), "--sandbox", "none", "--json")

    checks = {check["name"]: check for check in ran.json_value["checks"]}
    assert [name for name, check in checks.items() if check["outcome"] == "failed"] == []
    assert "no fault" not in checks["ends-at-bye"].get("seen", "")


@needs_torch
def test_a_network_of_another_table(folder: Path) -> None:
    """A bot at another table than that of its network does not start, and says what differs."""
    put_in(folder, "script")
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace('"kuhn"', '"kuhn", "leduc"'))

    ran = play(folder, "poker", "--preset", "leduc", "--store", "games.pitboss")

    assert set(read_faults(ran)["net"]) == {"crashed"}
    told = run_pitboss("export", str(folder.parent / "games.pitboss"), "-w", "incidents").out
    assert "the model was trained for cards 'kuhn' (here 'leduc')" in told
    assert "Traceback" not in told


@needs_torch
def test_a_network_of_another_size(folder: Path) -> None:
    """A network with other inputs than the game has is refused in a sentence."""
    put_in(folder, "script")

    ran = run_python(folder, "put_model.py", "trained.pt", "racko")

    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert "trained.pt cannot be read as a TorchScript" in ran.stderr
