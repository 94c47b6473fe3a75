"""A bot in Python that plays by a network of torch. Without a network it plays any game at random.

put_model.py puts a network into this folder: README.md. The function to change here is `choose`: it gets a question and
returns a legal action. What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was
told a game.

    python put_model.py model.pt GAME     put a trained network in
    pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
    pitboss match GAME . house:random     let it play

Standard output is the wire: what the bot prints goes to standard error, which `pitboss log` shows.
"""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss.errors import PitbossError
from pitboss.game import AnyState
from pitboss.inference.state_tracker import StateTracker
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.spelling import Spelling
from pitboss.protocol.messages import Hello, Start
from pitboss.table.randomness import Random

if TYPE_CHECKING:
    from network import Network

ABOUT = Path(__file__).with_name("model.json")  # written by put_model.py


class TorchBot:
    """The bot, for one process: it plays one game, at one table."""

    def __init__(self) -> None:
        self.network: Network | None = None
        self.about: dict[str, Any] = {}
        self.game: LearningGame
        self.luck = Random("")
        self.tracker = StateTracker()

    def prepare(self, hello: Hello) -> None:
        """Load the network; end the program with a sentence if there is none for this table."""
        if not ABOUT.exists():
            print("there is no model.json: it plays at random; README.md says how to put a model in", file=sys.stderr)
            return
        try:
            from network import explain_missing, load_network  # here: a bot without a network needs none of it

            self.about = json.loads(ABOUT.read_text(encoding="utf-8"))
            self.game = prepare_game(hello.game, hello.seats, hello.options)
            self.require_table(hello)
            path = ABOUT.with_name(self.about["file"])
            self.network = load_network(path, self.about["kind"], self.game.encoder.size, len(self.game.alphabet))
        except ModuleNotFoundError as missing:
            sys.exit(explain_missing(missing))
        except KeyError as missing:
            sys.exit(f"model.json has no {missing}: write it with put_model.py")
        except (PitbossError, ValueError, OSError) as error:
            sys.exit(str(error))

    def require_table(self, hello: Hello) -> None:
        """Check that the network was trained for this table.

        Raises:
            ValueError: it was not; the message says what differs.
        """
        if self.about["fingerprint"] == self.game.fingerprint:
            return
        here = {"game": hello.game, "version": self.game.setup.game.version, "seats": hello.seats, **hello.options}
        mine = {name: self.about[name] for name in ("game", "version", "seats")} | self.about["options"]
        names = [name for name in here if mine.get(name) != here[name]]
        if mine["game"] != here["game"]:
            names = ["game"]
        differing = ", ".join(f"{name} {mine.get(name)!r} (here {here[name]!r})" for name in names)
        raise ValueError(f"the model was trained for {differing or 'other numbers of this game'}: put in another one")

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game: what is drawn follows from its seed."""
        self.luck, self.tracker = Random(start.seed), StateTracker()

    def choose(self, question: Question) -> Choice:
        """Answer with a legal action: the one whose letters the network chooses. Write your own here."""
        state = None if self.network is None else self.tracker.update(question)
        if state is None:  # without a network, or the game could not be followed in time
            why = "untrained: at random" if self.network is None else "the game could not be followed: at random"
            return AnnotatedChoice(self.luck.randbelow(len(question.legal)), why)
        action, note = self.spell_action(state, question.seat)
        return AnnotatedChoice(json.loads(msgspec.json.encode(action)), note)

    def spell_action(self, state: AnyState, seat: int) -> tuple[object, str]:
        """Return the action, spelled letter by letter, and the letter that the network chose last."""
        import torch

        assert self.network is not None
        spelling, note = Spelling(self.game.alphabet, state.legal()), "forced"
        action = spelling.forced
        row = torch.zeros(1, self.game.encoder.size)
        while action is None:
            row.zero_()
            self.game.observe(state, seat, row.numpy()[0].data, spelling)
            with torch.inference_mode():
                logits = self.network(row)[0][spelling.letters]
                chances = logits.softmax(0).tolist()
            at = max(range(len(chances)), key=chances.__getitem__)
            if self.about["play"] == "sampled":
                at = self.draw(chances)
            note = f"{self.game.alphabet.letters[spelling.letters[at]]} {chances[at]:.0%}"
            action = spelling.add(spelling.letters[at])
        return action, note

    def draw(self, chances: list[float]) -> int:
        """Draw an index with these probabilities."""
        point = self.luck.randbelow(1 << 32) / (1 << 32) * math.fsum(chances)
        for at, chance in enumerate(chances):
            if (point := point - chance) < 0:
                return at
        return len(chances) - 1


if __name__ == "__main__":
    bot = TorchBot()
    run(bot.choose, want="both", on_hello=bot.prepare, on_start=bot.begin)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # the clean-up of torch takes longer than a tournament waits
