"""Put a trained network into the folder of this bot, and write into bot.toml what the bot plays.

    python put_model.py FILE GAME [--preset NAME] [--seats N] [-o NAME=VALUE] [--play best|sampled]

FILE is TorchScript, a state dict or a zip of Stable-Baselines3: README.md. The table is that of the training.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

from network import explain_missing, find_kind, load_network

from pitboss.errors import PitbossError
from pitboss.learning.learning_game import LearningGame, prepare_game

HERE = Path(__file__).resolve().parent
ABOUT = HERE / "model.json"


def main() -> None:
    """Put the file in, or say in a sentence why not."""
    given = read_arguments()
    try:
        game = prepare_game(given.game, given.seats, dict(given.option), given.preset)
        kind = find_kind(given.file)
        load_network(given.file, kind, game.encoder.size, len(game.alphabet))
        kept = HERE / f"model{given.file.suffix or '.pt'}"
        if given.file.resolve() != kept:
            shutil.copyfile(given.file, kept)
        about = {"file": kept.name, "kind": kind, "play": given.play, **describe_game(game)}
        ABOUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        bot_file = HERE / "bot.toml"
        bot_file.write_text(describe_table(bot_file.read_text(encoding="utf-8"), given, game.seats), encoding="utf-8")
    except ModuleNotFoundError as missing:
        sys.exit(f"put_model.py: {explain_missing(missing)}")
    except (PitbossError, ValueError, OSError) as error:
        sys.exit(f"put_model.py: {error}")
    print(f"{kept.name} ({kind}) plays {given.game} for {game.seats}; bot.toml says so. Next: pitboss check .")
    if kind == "state dict":
        print("A state dict has no functions: tanh stands between its layers (build_network in network.py)")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    reader = argparse.ArgumentParser(description="Put a trained network into the folder of this bot.")
    reader.add_argument("file", type=Path, help="TorchScript, a state dict, or a zip of Stable-Baselines3")
    reader.add_argument("game", help="the game that it was trained for")
    reader.add_argument("--seats", type=int, help="how many play (default: as few as can)")
    reader.add_argument("--preset", help="a preset of the game")
    reader.add_argument("-o", "--option", action="append", default=[], type=read_option, metavar="NAME=VALUE")
    reader.add_argument(
        "--play", choices=("best", "sampled"), default="best", help="how the bot plays (default: best); poker: sampled"
    )
    return reader.parse_args()


def read_option(text: str) -> tuple[str, object]:
    """Return the name and the value of an option of the game; what is no JSON is a word."""
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def describe_game(game: LearningGame) -> dict[str, object]:
    """Return what a network has to be trained for."""
    options = {name: getattr(game.setup.options, name) for name in game.setup.options.__struct_fields__}
    return {
        "game": game.setup.game.name,
        "version": game.setup.game.version,
        "seats": game.seats,
        "options": json.loads(json.dumps(options)),
        "fingerprint": game.fingerprint,
    }


def describe_table(text: str, given: argparse.Namespace, seats: int) -> str:
    """Return bot.toml with the table of the network in place of what it said of games, presets and seats."""
    lines = [line for line in text.splitlines() if not re.match(r"(games|presets|seats)\s*=", line)]
    presets = [] if given.option else [f'presets = ["{given.preset or "defaults"}"]']
    at = next((number for number, line in enumerate(lines) if line.startswith("[")), len(lines))
    lines[at:at] = [f'games = ["{given.game}"]', *presets, f"seats = [{seats}]"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
