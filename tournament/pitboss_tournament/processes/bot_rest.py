"""The time in which a bot is not asked: one that computes in it is frozen until its next line is sent."""

from __future__ import annotations

import signal
from typing import Final

from pitboss_tournament.processes.cgroups import ControlGroup
from pitboss_tournament.processes.clocks import QuestionTimer
from pitboss_tournament.processes.process_tree import ProcessTree

REST_SECONDS: Final = 0.01  # of CPU time for what is left to do after an answer; a bot that computes longer ponders
NEWS_SECONDS: Final = 0.1  # the same, after a game has ended: a Python that prints a traceback needs 20 ms


class BotRest:
    """Freezes a bot that computes between its answer and its next question: by its control group, or by signals.

    A bot may compute for `allowed` seconds of processor time first; one that has used more in an earlier rest is frozen
    as soon as a rest begins.
    """

    def __init__(self, timer: QuestionTimer, group: ControlGroup, tree: ProcessTree) -> None:
        self.is_frozen = False
        self.allowed = REST_SECONDS  # what it may compute in this rest
        self._timer = timer
        self._group = group
        self._tree = tree
        self._is_on = self._has_pondered = False
        self._computed_first: float | None = None  # what it had computed at the first look

    def begin(self, *, has_news: bool = False) -> None:
        """Begin a rest; a bot that `has_news` to take in is not frozen at once, and may compute longer."""
        self._is_on = True
        self._computed_first = None
        self.allowed = NEWS_SECONDS if has_news else REST_SECONDS
        if self._has_pondered and not has_news:
            self._set_frozen(True)

    def check(self, *, exactly: bool) -> None:
        """Freeze a bot that computes while it rests; `exactly`: look for new processes, too."""
        if self.is_frozen or not self._is_on:
            return
        computed = self._timer.computed_seconds(exactly=exactly)
        if self._computed_first is None:
            self._computed_first = computed
        elif computed - self._computed_first > self.allowed:
            self._has_pondered = True
            self._set_frozen(True)

    def end(self) -> None:
        """Let the bot compute."""
        self._is_on = False
        if self.is_frozen:
            self._set_frozen(False)

    def _set_frozen(self, is_frozen: bool) -> None:
        self.is_frozen = is_frozen
        if self._group.can_freeze:
            self._group.set_frozen(is_frozen)
        else:
            self._tree.signal(signal.SIGSTOP if is_frozen else signal.SIGCONT)
