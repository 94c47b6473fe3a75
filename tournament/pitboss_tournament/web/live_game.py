"""A game that is still being played, framed for several viewers at once."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.game import AnyGame, Simultaneous
from pitboss.moments import MomentTracker
from pitboss.outcome import Outcome
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, replay_decision
from pitboss.table.randomness import Random
from pitboss_tournament.statistics.scoring import apply_forfeits
from pitboss_tournament.web.replay_page import PageFrameMaker


class LiveGame:
    """Replays decisions as they come, and sequences them.

    Seats that decide at the same moment must not see each other's decisions: for viewers who do not see all, these are
    framed when the moment is over.
    """

    def __init__(
        self, game: AnyGame, options: object, players: Sequence[str], seed: str, viewers: Sequence[int | None]
    ) -> None:
        """Begin with the deal; `players` are the names by seat."""
        self._game = game
        self._state = game.deal(len(players), options, Random(seed))
        self._shown = game.deal(len(players), options, Random(seed)) if self._is_held_back(viewers) else self._state
        self._moments = MomentTracker(self._state)
        self._is_moment_over()  # the tracker sees every state
        self._forfeited = set[int]()  # seats
        self._pending: list[Decision] = []  # of a moment that is not over
        self.layout = self._state.table.layout
        self.count = 0  # decisions so far
        self.sequences = {viewer: PageFrameMaker(game, self._shown, players, viewer) for viewer in viewers}

    @property
    def outcome(self) -> Outcome | None:
        """The official outcome of the game; None while it goes on."""
        return apply_forfeits(self._state.outcome(), self._forfeited) if self._state.turn is None else None

    def add_fault(self, fault: Fault) -> None:
        """Take over a fault; it belongs to a decision that is still to be added."""
        if fault.is_forfeit:
            self._forfeited.add(fault.seat)
        for sequence in self.sequences.values():
            sequence.add_fault(fault)

    def add(self, decision: Decision) -> None:
        """Take over a decision.

        Raises:
            ReplayDiffers: it is not possible here.
        """
        state = self._state
        self.count += 1
        replay_decision(decision, state, self._game, f"decision {self.count} of a game in play")
        self._pending.append(decision)
        if self._shown is state or self._is_moment_over():
            self._frame_pending()

    def _is_moment_over(self) -> bool:
        """Tell whether everything may be shown. To be called once before every decision."""
        state = self._state
        return state.turn is None or self._moments.follow(state).log_end == len(state.table.log or ())

    def _frame_pending(self) -> None:
        pending, self._pending = self._pending, []
        for decision in pending:
            if self._shown is not self._state:
                replay_decision(decision, self._shown, self._game, "a decision that was held back")
            for sequence in self.sequences.values():
                sequence.add(decision, self._shown)

    def _is_held_back(self, viewers: Sequence[int | None]) -> bool:
        return isinstance(self._state, Simultaneous) and set(viewers) != {None}
