"""A bot in Python that plays as a network has learned to. Without a trained network it plays any game at random.

train.py trains the network and writes it to model.npz. The function to change here is `choose`: it gets a question and
returns one of its legal actions. What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new
bot` was told a game.

    python train.py GAME                  train it: some minutes, or longer (docs/learning.md)
    pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
    pitboss match GAME . house:random     let it play

Standard output is the wire: what the bot prints goes to standard error, which `pitboss log` shows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss.inference.state_tracker import StateTracker
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.protocol.messages import Hello, Start
from pitboss.table.randomness import Random

if TYPE_CHECKING:
    from train import Model

MODEL = Path(__file__).with_name("model.npz")


class LearnedBot:
    """The bot, for one process: it plays one game at one kind of table."""

    def __init__(self) -> None:
        self.model: Model | None = None
        self.game: LearningGame
        self.tracker: StateTracker
        self.luck: Random

    def prepare(self, hello: Hello) -> None:
        """Load the model; end the program with a sentence if it was trained for another game."""
        if not MODEL.exists():
            print("there is no model.npz: it plays at random; train it: python train.py GAME", file=sys.stderr)
            return
        try:
            from train import Model  # here: the import takes a while, and an untrained bot needs none of it

            self.model = Model.load(MODEL)
            self.game = prepare_game(hello.game, hello.seats, hello.options)
            self.model.require(self.game)
        except ValueError as error:
            sys.exit(str(error))
        self.tracker = StateTracker(self.game.setup.game)

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game: what is drawn follows from its seed."""
        self.luck = Random(start.seed)
        if self.model is not None:
            self.model.begin(self.luck.randbelow(1 << 32))

    def choose(self, question: Question) -> Choice:
        """Answer a question with a legal action: the one whose letters the network chooses. Write your own bot here."""
        if self.model is None:
            return AnnotatedChoice(self.luck.randbelow(len(question.legal)), "untrained: at random")
        state = self.tracker.update(question)
        if state is None:
            return AnnotatedChoice(self.luck.randbelow(len(question.legal)), "the game could not be followed")
        action, likeliest = self.model.decide(self.game, state, question.seat)
        return AnnotatedChoice(json.loads(msgspec.json.encode(action)), likeliest)


if __name__ == "__main__":
    bot = LearnedBot()
    run(bot.choose, want="both", on_hello=bot.prepare, on_start=bot.begin)
