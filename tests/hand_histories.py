"""Hand histories of random games, read by PokerKit, which plays each hand again: `tox -e pokerkit`.

PokerKit knows the rules of poker by itself. It refuses an action that is not legal; what everybody has at the end of
the hand must be what the history says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from msgspec import to_builtins
from pokerkit import HandHistory

from pitboss import Random
from pitboss.action_range import draw_action
from pitboss.game import resolve_options
from pitboss.record import Decision, Record
from pitboss_poker.game import Poker
from pitboss_poker.hand_history import write_hand_histories

GAMES: Final = 20  # for each table
TABLES: Final = [(preset, seats) for preset in ("limit", "no-limit", "tournament") for seats in (2, 3, 6, 10)]
SHARES: Final = {"Fold": 1, "Check": 4, "Call": 6, "Bet": 3, "Raise": 2}  # so that many hands come to a showdown


def play_game(preset: str, seats: int, number: int) -> Record:
    """Return the record of a random game of some hands."""
    poker, seed = Poker(), f"{preset}/{seats}/{number}"
    rng = Random(f"actions/{seed}")
    options = resolve_options(poker, seats, preset, {"hands": 30} if preset == "tournament" else {"hands": 3 * seats})
    state, decisions = poker.deal(seats, options, Random(seed)), []
    while state.turn is not None:
        legal = state.legal()
        weighted = [entry for entry in legal for _ in range(SHARES[type(entry).__name__.removesuffix("Range")])]
        action = draw_action(rng.choice(weighted), rng.randbelow)
        decisions.append(Decision(seat=state.turn.seat, action=action))
        state.play(action)
    names = [f"bot {seat}" for seat in range(seats)]
    return Record(
        game=poker.name,
        game_version=poker.version,
        options=to_builtins(options),
        seed=seed,
        players=names,
        decisions=decisions,
        outcome=state.outcome(),
    )


def replay_hands(records: list[Record]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield for each hand the stacks at its end: by PokerKit, and by the history."""
    text = "\n".join(write_hand_histories(Poker(), enumerate(records)))
    for history in HandHistory.loads_all(text):
        *_, state = history
        yield list(state.stacks), list(history.finishing_stacks)


def main(games: int) -> int:
    """Compare all tables; print a line for each, and return how many hands differ."""
    different = 0
    for preset, seats in TABLES:
        hands = list(replay_hands([play_game(preset, seats, number) for number in range(games)]))
        wrong = sum(theirs != ours for theirs, ours in hands)
        print(f"{preset}, {seats} players: {len(hands)} hands, {wrong} differ", flush=True)
        different += wrong
    return different


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else GAMES) > 0)
