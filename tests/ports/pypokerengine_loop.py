"""PyPokerEngine's own loop of Hold'em for three players, with what it tells its players changed to Pitboss's rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from pypokerengine.api.game import setup_config, start_poker
from pypokerengine.players import BasePokerPlayer

from tests.ports.pair_result import ChipsPerHand, summarize_hands

STACK: Final = 10_000
BIG_BLIND: Final = 100


class RuledPlayer(BasePokerPlayer):  # type: ignore[misc]
    """A player that is offered what Pitboss allows.

    There a raise adds a whole big blind, may be all in and short, and is nothing where nobody could call it. Where one
    may check, to fold and to raise by a size that is not allowed is to check.
    """

    def __init__(self, player: Any) -> None:  # noqa: ANN401 - a player of PyPokerEngine
        super().__init__()
        self.player = player

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> tuple[str, int]:  # noqa: ANN401
        """Return the player's action."""
        bets = find_bets(round_state)
        called, own = valid_actions[1]["amount"], bets.get(self.uuid, 0)
        [me] = [seat for seat in round_state["seats"] if seat["uuid"] == self.uuid]
        others = [one for one in round_state["seats"] if one["state"] == "participating" and one is not me]
        all_in = me["stack"] + own
        low, high = (min(find_min_raise(round_state), all_in), all_in) if others and all_in > called else (-1, -1)
        offered = [*valid_actions[:2], {"action": "raise", "amount": {"min": low, "max": high}}]
        action, amount = self.player.declare_action(offered, hole_card, round_state)
        is_refused = action == "fold" or (action == "raise" and not low <= amount <= high) or (low, amount) == (-1, -1)
        return ("call", called) if is_refused and own == called else ("fold", 0) if is_refused else (action, amount)

    def receive_game_start_message(self, game_info: Any) -> None:  # noqa: ANN401
        """Do nothing."""

    def receive_round_start_message(self, round_count: int, hole_card: Any, seats: Any) -> None:  # noqa: ANN401
        """Do nothing."""

    def receive_street_start_message(self, street: str, round_state: Any) -> None:  # noqa: ANN401
        """Do nothing."""

    def receive_game_update_message(self, new_action: Any, round_state: Any) -> None:  # noqa: ANN401
        """Do nothing."""

    def receive_round_result_message(self, winners: Any, hand_info: Any, round_state: Any) -> None:  # noqa: ANN401
        """Do nothing."""


def find_bets(round_state: Any) -> dict[str, int]:  # noqa: ANN401
    """Return what each player has bet in the betting round."""
    history = round_state["action_histories"].get(round_state["street"], [])
    return {entry["uuid"]: entry["amount"] for entry in history if "amount" in entry}


def find_min_raise(round_state: Any) -> int:  # noqa: ANN401
    """Return the lowest raise or bet: the size of the last full one is added, at least the big blind."""
    history = round_state["action_histories"].get(round_state["street"], [])
    highest = max((entry.get("amount", 0) for entry in history), default=0)
    steps = [entry["add_amount"] for entry in history if entry["action"] == "RAISE"]
    return int(highest + max([BIG_BLIND, *steps]))


def load_player(word: str) -> Any:  # noqa: ANN401
    """Return a player by module and class, as "examples.players.fish_player FishPlayer"."""
    module, name = word.split()
    return getattr(import_module(module), name)()


def play_pypokerengine(words: Sequence[str], hands: int) -> list[ChipsPerHand]:
    """Return what each of three players wins; the seats rotate from hand to hand."""
    random.seed(0)
    players = [RuledPlayer(load_player(word)) for word in words]
    chips: list[list[float]] = [[] for _ in words]
    for number in range(hands):
        order = [(place + number) % len(words) for place in range(len(words))]
        config = setup_config(max_round=1, initial_stack=STACK, small_blind_amount=BIG_BLIND // 2)
        for one in order:
            config.register_player(name=str(one), algorithm=players[one])
        for seat in start_poker(config, verbose=0)["players"]:
            chips[int(seat["name"])].append(seat["stack"] - STACK)
    return [summarize_hands(won) for won in chips]
