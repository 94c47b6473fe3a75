"""A player of PyPokerEngine that calls whatever comes: put your own in its place."""

from __future__ import annotations

from typing import Any

from pypokerengine.players import BasePokerPlayer


class Caller(BasePokerPlayer):
    """Calls."""

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> tuple[str, int]:
        """Return the action and the amount."""
        return valid_actions[1]["action"], valid_actions[1]["amount"]

    def receive_game_start_message(self, game_info: Any) -> None:
        """Hear who plays."""

    def receive_round_start_message(self, round_count: int, hole_card: Any, seats: Any) -> None:
        """Hear that a hand begins."""

    def receive_street_start_message(self, street: str, round_state: Any) -> None:
        """Hear that a betting round begins."""

    def receive_game_update_message(self, new_action: Any, round_state: Any) -> None:
        """Hear what somebody did; the bridge does not call it."""

    def receive_round_result_message(self, winners: Any, hand_info: Any, round_state: Any) -> None:
        """Hear how a hand ended; the bridge does not call it."""
