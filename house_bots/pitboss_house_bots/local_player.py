"""Bots of the house as objects of this process: for measurements, and as opponents of programs that learn.

`make_player` returns the object that a bot runs with; a `LocalPlayer` asks it at one seat as the runner would. No clock
can break off what it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec

from pitboss import AnyState, Random
from pitboss.action_range import find_legal_action, locate_ranges, sample_actions
from pitboss.bot import Choice, Question
from pitboss.errors import IllegalAction
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss.simulation.game_setup import GameSetup
from pitboss_house_bots import plugin
from pitboss_house_bots.handicap_bot import HandicapBot
from pitboss_house_bots.own_bot import make_own_bot, strip_choice
from pitboss_house_bots.rollout_bot import RolloutBot
from pitboss_house_bots.search_bot import SearchBot

UNBOUNDED: Final = Clock(start_ms=3_600_000, decision_ms=3_600_000)


class Player(Protocol):
    """A bot at one seat, in this process."""

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""

    def choose(self, question: Question) -> Choice:
        """Answer one question."""


class PlainPlayer:
    """`house:random` and `house:first`."""

    def __init__(self, *, at_random: bool) -> None:
        self._at_random = at_random
        self._rng = Random("")

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""
        self._rng = Random(start.seed)

    def choose(self, question: Question) -> Choice:
        """Return the first action, or any."""
        at = self._rng.randbelow(len(question.legal)) if self._at_random else 0
        if at not in question.ranges or not self._at_random:
            return at
        field = question.ranges[at]
        lowest, highest = question.legal[at][field]
        return {**question.legal[at], field: lowest + self._rng.randbelow(highest - lowest + 1)}


def make_player(bot: str, hello: Hello) -> Player:
    """Return the object that the bot of this name runs with, options included: "house:search?worlds=16&ms=60000".

    Raises:
        ConfigError: there is no such bot of this game, or it is no Python module that can be asked.
        ValueError: the bot has no such option, or it is no number that may be chosen.
    """
    name, _, given = bot.partition("?")
    words = given.split("&") if given else []
    if name in ("house:random", "house:first") and not words:
        return PlainPlayer(at_random=name == "house:random")
    if name == "house:handicap":
        handicap = HandicapBot(**plugin.read_options("handicap", plugin.HANDICAP_OPTIONS, words))
        handicap.prepare(hello)
        return handicap
    if name in ("house:search", "house:rollout"):
        is_search = name == "house:search"
        made, options = (SearchBot, plugin.SEARCH_OPTIONS) if is_search else (RolloutBot, plugin.ROLLOUT_OPTIONS)
        searcher: SearchBot = made(**plugin.read_options(name, options, words))
        searcher.prepare(hello)
        return searcher
    if words:
        raise ValueError(f"{name} has no options")
    return make_own_bot(hello.game, name)


def greet_local_player(setup: GameSetup, seat: int, seed: str) -> Hello:
    """Return the first message to a bot at a table: with clocks that do not run out."""
    options = msgspec.to_builtins(setup.options)
    return Hello(game=setup.game.name, options=options, seats=setup.seats, seat=seat, seed=seed, clock=UNBOUNDED)


class LocalPlayer:
    """A bot at one seat of a game in this process: each question has the view, and the events since the last one."""

    def __init__(self, player: Player, action_type: type[Any], hello: Hello, start: Start) -> None:
        """Begin a game with a bot; `action_type` is the type of the game's actions."""
        self.player: Final = player
        self._action_type: Final = action_type
        self._hello, self._start = hello, start
        self.told = 0  # events of the log, so far
        player.begin(hello, start)

    def choose(self, state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Return the action of the bot, which is on turn.

        Raises:
            IllegalAction: the bot has chosen none of the legal actions.
        """
        return self.answer(self.ask(state, legal), legal)

    def ask(self, state: AnyState, legal: Sequence[Any]) -> Question:
        """Return the next question to the bot, which is on turn."""
        assert state.turn is not None
        seat, phase = state.turn
        told, self.told = self.told, len(state.table.log or ())
        return Question(
            legal=_to_wire(legal),
            view=_to_wire(state.view(seat)),
            events=state.table.events(seat, told) if self.told else [],
            seat=seat,
            phase=phase,
            decision_ms=UNBOUNDED.decision_ms,
            game_ms=None,
            hello=self._hello,
            start=self._start,
            ranges={one.index: one.field for one in locate_ranges(legal)},
        )

    def answer(self, question: Question, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Return the action that the bot chooses.

        Raises:
            IllegalAction: the bot has chosen none of the legal actions.
        """
        choice = strip_choice(self.player.choose(question))
        if not isinstance(choice, int):
            action = find_legal_action(choice, legal, self._action_type)
        else:
            action = sample_actions(legal[choice : choice + 1])[0] if 0 <= choice < len(legal) else None
        if action is None:
            raise IllegalAction(f"seat {question.seat} chose {choice!r}; legal: {question.legal}")
        return action


def _to_wire(value: object) -> Any:  # noqa: ANN401 - plain data
    return msgspec.json.decode(msgspec.json.encode(value))
