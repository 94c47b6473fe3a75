"""A bot in Python that plays as a network has learned to. Without a trained network it plays any game at random.

train.py trains the network and writes it to model.npz. The function to change here is `choose`: it gets a question and
returns one of its legal actions. What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new
bot` was told a game.

    python train.py GAME                  train it: a quarter of an hour, or longer (docs/learning.md)
    pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
    pitboss match GAME . house:random     let it play

Standard output is the wire: what the bot prints goes to standard error, which `pitboss log` shows.
"""

from __future__ import annotations

import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one decision at a time is quicker without threads

import msgspec

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss.game import AnyState
from pitboss.inference.state_tracker import StateTracker
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.learning.spelling import Spelling
from pitboss.protocol.messages import Hello, Start
from pitboss.table.randomness import Random

try:
    import numpy as np
    from train import MODEL, Model
except ModuleNotFoundError as missing:
    sys.exit(f"the bot needs {missing.name}: pip install 'pitboss[learn]', into the Python that bot.toml names")


class LearnedBot:
    """The bot, for one process: it plays one game at one kind of table."""

    def __init__(self) -> None:
        self.model: Model | None = None
        self.game: LearningGame
        self.tracker: StateTracker
        self.rng: np.random.Generator
        self.luck: Random

    def prepare(self, hello: Hello) -> None:
        """Load the model; end the program with a sentence if it was trained for another game."""
        if not MODEL.exists():
            print("there is no model.npz: it plays at random; train it: python train.py GAME", file=sys.stderr)
            return
        try:
            self.model = Model.load(MODEL)
            self.game = prepare_game(hello.game, hello.seats, hello.options)
            self.model.require(self.game)
        except ValueError as error:
            sys.exit(str(error))
        self.tracker = StateTracker(self.game.setup.game)

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game: what is drawn follows from its seed."""
        self.luck = Random(start.seed)
        self.rng = np.random.default_rng(self.luck.randbelow(1 << 32))

    def choose(self, question: Question) -> Choice:
        """Answer a question with a legal action: the one whose letters the network chooses. Write your own bot here."""
        if self.model is None:
            return AnnotatedChoice(self.luck.randbelow(len(question.legal)), "untrained: at random")
        state = self.tracker.update(question)
        if state is None:
            return AnnotatedChoice(self.luck.randbelow(len(question.legal)), "the game could not be followed")
        action: dict[str, object] = msgspec.json.decode(msgspec.json.encode(self.spell_action(state, question.seat)))
        return action

    def spell_action(self, state: AnyState, seat: int) -> object:
        """Return the action that the network spells, letter by letter; what is forced needs no network."""
        assert self.model
        spelling = Spelling(self.game.alphabet, state.legal())
        action = spelling.forced
        rng = self.rng if self.model.about["play"] == "sampled" else None
        row, mask = np.zeros((1, self.game.encoder.size), np.float32), np.zeros((1, len(self.game.alphabet)), np.bool_)
        while action is None:
            self.game.observe(state, seat, row.data.cast("B").cast("f"), spelling)
            mask[:] = False
            mask[0, spelling.letters] = True
            action = spelling.add(int(self.model.choose(row, mask, rng)[0]))
        return action


if __name__ == "__main__":
    bot = LearnedBot()
    run(bot.choose, want="both", on_hello=bot.prepare, on_start=bot.begin)
