"""Hands that the dealer of the Annual Computer Poker Competition has dealt, played again by our rules.

    python -m tests.acpc_logs acpc-limit 2p.limit.log [PRESET LOG …]

A log has a line for each hand: `STATE:number:betting:cards:payoffs:players`, with the sizes of no limit as all that a
player has put into the hand. Each action must be legal here, and the payoffs the same; where the dealer splits a pot in
fractions of a chip, within a chip (D9). The preset is one with the stakes of the match.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pitboss import StackedRandom
from pitboss.action_range import RANGE_TYPES
from pitboss.game import resolve_options
from pitboss_poker.game import Poker
from pitboss_poker.state import PokerState

GAME: Final = Poker()
ACTION: Final = re.compile(r"f|c|r\d*")


def read_cards(text: str) -> list[str]:
    """Return our faces of cards that the log writes as "5dTc"."""
    return [text[at + 1].upper() + text[at].replace("T", "10") for at in range(0, len(text), 2)]


def deal_hand(preset: str, hands: Sequence[Sequence[str]], board: Sequence[str]) -> PokerState:
    """Return a hand with these cards. The last seat has the button, and with two players the small blind."""
    seats = len(hands)
    options = resolve_options(GAME, seats, preset, {"hands": 1, "first_button": seats - 1})
    deck = PokerState.make_deck(seats, options)
    dealt = [hand[turn] for turn in range(2) for hand in hands] + [*board]
    rest = [face for face in deck.faces if face not in dealt]
    return GAME.deal(seats, options, StackedRandom("acpc", [deck.find_cards([*rest, *reversed(dealt)])]))


def find_action(state: PokerState, word: str) -> Any:  # noqa: ANN401 - an action of poker
    """Return the legal action that the log writes so: f, c, r, or r and a number."""
    assert state.turn is not None
    entries: dict[str, Any] = {type(entry).__name__.removesuffix("Range"): entry for entry in state.legal()}
    names = {"f": ("Fold",), "c": ("Check", "Call"), "r": ("Bet", "Raise")}[word[0]]
    [entry] = [entries[name] for name in names if name in entries]
    if len(word) == 1:
        assert type(entry) not in RANGE_TYPES
        return entry
    seat = state.turn.seat
    to = int(word[1:]) - (state.paid[seat] - state.bets[seat])
    if type(entry) in RANGE_TYPES:
        lowest, highest = entry.bounds
        assert lowest <= to <= highest, (word, lowest, highest)
        return entry.action_with(to)
    assert entry.to == to, (word, entry)
    return entry


def play_line(preset: str, line: str) -> tuple[int, bool]:
    """Play a hand again; return its decisions, and whether the dealer split a chip."""
    _, _, betting, cards, payoffs, _ = line.split(":")
    hands, *board = cards.split("/")
    state = deal_hand(preset, [*map(read_cards, hands.split("|"))], read_cards("".join(board)))
    words = [(street, word) for street, part in enumerate(betting.split("/")) for word in ACTION.findall(part)]
    for street, word in words:
        assert state.street == street, line
        state.play(find_action(state, word))
    assert state.turn is None, line
    pairs = [*zip(state.outcome().points, map(float, payoffs.split("|")), strict=True)]
    assert all(abs(ours - theirs) < 1 for ours, theirs in pairs), (line, pairs)
    return len(words), any(ours != theirs for ours, theirs in pairs)


def main(words: Sequence[str]) -> None:
    """Play all logs again, and print a line for each."""
    for preset, log in zip(words[::2], words[1::2], strict=True):
        lines = [line for line in Path(log).read_text().splitlines() if line.startswith("STATE:")]
        played = [play_line(preset, line) for line in lines]
        decisions, split = (sum(column) for column in zip(*played, strict=True))
        print(f"{log}: {len(lines)} hands, {decisions} decisions agree; chips were split in {split} hands")


if __name__ == "__main__":
    main(sys.argv[1:])
