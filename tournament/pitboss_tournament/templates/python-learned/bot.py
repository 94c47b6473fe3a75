"""A bot in Python that plays as a network has learned to. Without a trained network it plays any game at random.

train.py trains the network and writes it to model.npz. The function to change here is `choose_many`: it gets questions
and returns a legal action for each. In a tournament with `tables_per_bot` it gets those of up to 64 games at once, and
the network sees all of them in one go; otherwise there is one question. What actions and views look like:
`pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.

    python train.py GAME                  train it: some minutes, or longer (docs/learning.md)
    pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
    pitboss match GAME . house:random     let it play

Standard output is the wire: what the bot prints goes to standard error, which `pitboss log` shows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pitboss.bot import AnnotatedChoice, Choice, Question, run
from pitboss.inference.state_tracker import TIME_SHARE, StateTracker
from pitboss.learning.learning_game import LearningGame, prepare_game
from pitboss.protocol.messages import Hello, Start
from pitboss.table.randomness import Random

if TYPE_CHECKING:
    import numpy as np
    from train import Model, Position

MODEL = Path(__file__).with_name("model.npz")


class Table(NamedTuple):
    """What belongs to the game at one table."""

    luck: Random
    tracker: StateTracker | None  # None without a model
    rng: np.random.Generator | None  # what the model draws with, if it does


class LearnedBot:
    """The bot, for one process: it plays one game, at tables of one kind."""

    def __init__(self) -> None:
        self.model: Model | None = None
        self.game: LearningGame
        self.tables: dict[int, Table] = {}

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

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game at a table: what is drawn follows from its seed."""
        luck, tracker, rng = Random(start.seed), None, None
        if self.model is not None:
            tracker, rng = StateTracker(self.game.setup.game), self.model.make_rng(luck.randbelow(1 << 32))
        self.tables[start.table or 0] = Table(luck, tracker, rng)

    def choose_many(self, questions: Sequence[Question]) -> list[Choice]:
        """Answer each question with a legal action: the one whose letters the network chooses. Write your own here."""
        choices: list[Choice] = []
        asked: dict[int, Position] = {}  # what the network is asked for, by the place of its question
        for place, question in enumerate(questions):
            table = self.tables[question.table]
            state, why = None, "untrained: at random"
            if table.tracker is not None:
                seconds = question.decision_ms * TIME_SHARE / 1000 / len(questions)
                state, why = table.tracker.update(question, seconds), "the game could not be followed"
            if state is None:
                choices.append(AnnotatedChoice(table.luck.randbelow(len(question.legal)), why))
            else:
                choices.append(0)  # until the network has seen all
                asked[place] = state, question.seat, table.rng
        if self.model is not None:
            decided = self.model.decide_all(self.game, [*asked.values()])
            for place, (action, likeliest) in zip(asked, decided, strict=True):
                choices[place] = AnnotatedChoice(json.loads(msgspec.json.encode(action)), likeliest)
        return choices


if __name__ == "__main__":
    bot = LearnedBot()
    run(choose_many=bot.choose_many, want="both", on_hello=bot.prepare, on_start=bot.begin)
