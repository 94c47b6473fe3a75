"""A bot in Python with the SDK beside it, `pitboss_bot.py`: it runs where Pitboss is not installed.

It plays any game of Pitboss, at random. The function to change is `choose`: it gets a question and returns the index of
one of its legal actions. What actions and views look like: `pitboss games GAME`.

    pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
    pitboss match GAME . house:random     let it play

What it prints goes to standard error, which `pitboss log` shows.
"""

from __future__ import annotations

from random import Random

from pitboss_bot import Question, run


def choose(question: Question) -> int:
    """Answer a question with an index into `question.legal`. Write your own bot here.

    `question` has seat (yours, from 0, clockwise), phase (what is to be decided), legal (all actions that you may
    choose from) and view (all that you may know now); `hello` and `start` describe the table and the game.
    """
    luck = Random(f"{question.start.seed}/{question.view}")  # the same in each run of the same tournament
    return luck.randrange(len(question.legal))


run(choose)
