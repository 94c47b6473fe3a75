"""`house:handicap`: the game's own bot, which plays any legal action in a share of its decisions.

The slips come of the bot's seed for the game: the same seed gives the same game.
"""

from __future__ import annotations

from random import Random

from pitboss.bot import Choice, Question
from pitboss.protocol.messages import Hello, Start
from pitboss_house_bots.bot_main import play_with_options
from pitboss_house_bots.own_bot import OwnBot, make_own_bot
from pitboss_house_bots.plugin import HANDICAP_OPTIONS


class HandicapBot:
    """The bot, for one process."""

    own: OwnBot

    def __init__(self, percent: float) -> None:
        self._share = percent / 100
        self._rng = Random(0)

    def prepare(self, hello: Hello) -> None:
        """Load the game's own bot."""
        self.own = make_own_bot(hello.game)

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""
        self._rng = Random(start.seed)
        self.own.begin(hello, start)

    def choose(self, question: Question) -> Choice:
        """Answer one question. The own bot is asked in any case: it may follow the game by the questions."""
        choice = self.own.choose(question)
        slip, which, number = self._rng.random(), self._rng.random(), self._rng.random()
        if slip >= self._share:
            return choice
        index = int(which * len(question.legal))
        field = question.ranges.get(index)
        if field is None:
            return index
        lowest, highest = question.legal[index][field]
        return {**question.legal[index], field: lowest + int(number * (highest - lowest + 1))}


def main(words: list[str]) -> str | None:
    """Play with options as `percent=30`; return what is wrong with them."""
    return play_with_options("handicap", HandicapBot, HANDICAP_OPTIONS, words)
