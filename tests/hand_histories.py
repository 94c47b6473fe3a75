"""Hand histories of random games, read by PokerKit, which plays each hand again: `tox -e pokerkit`.

PokerKit knows the rules of poker by itself. It refuses an action that is not legal; what everybody has at the end of
the hand must be what the history says. One thing differs there: of a pot that is split with two odd chips or more, one
winner gets them all (here each gets one, P3 of the rule book). Such hands are counted apart.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from msgspec import to_builtins
from pokerkit import ChipsPushing, HandHistory

from pitboss import AnyGame, Random
from pitboss.action_range import draw_action
from pitboss.game import resolve_options
from pitboss.parts.betting.phh_writing import write_hand_histories
from pitboss.records.record import Decision, Record
from pitboss_poker.game import Poker, SevenCardStud

GAMES: Final = 20  # for each table
POKER: Final = ("limit", "no-limit", "tournament", "omaha", "omaha-hi-lo", "short-deck")
TABLES: Final[list[tuple[AnyGame, str, int]]] = [
    *((Poker(), preset, seats) for preset in POKER for seats in (2, 3, 6, 10)),
    *((SevenCardStud(), preset, seats) for preset in ("limit", "hi-lo") for seats in (2, 3, 7)),
]
SHARES: Final = {
    "Fold": 1,
    "Check": 4,
    "Call": 6,
    "Bet": 3,
    "Raise": 2,
    "BringIn": 3,
}  # so that many hands come to a showdown


def play_game(poker: AnyGame, preset: str, seats: int, number: int) -> Record:
    """Return the record of a random game of some hands."""
    seed = f"{preset}/{seats}/{number}"
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


def compare_hands(poker: AnyGame, records: list[Record]) -> Iterator[str]:
    """Yield for each hand how the stacks at its end compare: "same", "odd chips" or "different"."""
    text = "\n".join(write_hand_histories(poker, enumerate(records)))
    for history in HandHistory.loads_all(text):
        *_, state = history
        winners = max((sum(won > 0 for won in push.amounts) for push in find_pushes(state)), default=0)
        moved = [abs(theirs - ours) for theirs, ours in zip(state.stacks, history.finishing_stacks, strict=True)]
        yield "same" if not any(moved) else "odd chips" if sum(moved) <= 2 * (winners - 2) else "different"


def find_pushes(state: Any) -> list[ChipsPushing]:  # noqa: ANN401 - a state of PokerKit
    """Return how the pots of a hand were given to the winners."""
    return [operation for operation in state.operations if isinstance(operation, ChipsPushing)]


def main(games: int) -> int:
    """Compare all tables; print a line for each, and return how many hands differ."""
    different = 0
    for poker, preset, seats in TABLES:
        hands = Counter(compare_hands(poker, [play_game(poker, preset, seats, number) for number in range(games)]))
        print(
            f"{poker.name}, {preset}, {seats} players: {', '.join(f'{count} {how}' for how, count in hands.items())}",
            flush=True,
        )
        different += hands["different"]
    return different


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else GAMES) > 0)
