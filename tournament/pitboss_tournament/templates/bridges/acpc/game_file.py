"""Game files of the ACPC's dealer, and the options of Pitboss's poker that they mean.

    python game_file.py limit.game     prints the options for `pitboss match poker`

The first player in a game file is 1; here players, as positions, are numbered from 0.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DECKS = {  # suits, ranks (None: one more than players), cards in the hand, cards on the board
    "holdem": (4, 13, 2, (0, 3, 1, 1)),
    "leduc": (2, None, 1, (0, 1)),
    "kuhn": (1, None, 1, (0,)),
}


class UnknownGame(Exception):
    """A game file is no game of Pitboss's poker."""


@dataclass(frozen=True)
class GameFile:
    """A game file, and how the positions of its players lie at Pitboss's table."""

    options: dict[str, Any]  # of Pitboss's poker
    players: int
    first_players: tuple[int, ...]  # by betting round: the position that acts first
    shift: int  # the position of the seat left of the button

    @property
    def cards(self) -> str:
        """The cards that are played with, as Pitboss calls them."""
        return str(self.options["cards"])

    @property
    def is_limit(self) -> bool:
        """Whether bets have fixed sizes."""
        return bool(self.options["betting"] == "limit")

    def find_position(self, seat: int, button: int) -> int:
        """Return the position of a seat."""
        return (seat - button - 1 + self.shift) % self.players


def read_game_file(file: Path) -> GameFile:
    """Return the game of a file.

    Raises:
        UnknownGame: Pitboss's poker has no such game, or the file does not describe one.
    """
    lines = [line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines()]
    words = {line.lower() for line in lines}
    try:
        values = {
            key.strip().lower(): tuple(map(int, numbers.split()))
            for key, sign, numbers in (line.partition("=") for line in lines)
            if sign
        }
        return _build_game("limit" if "limit" in words else "no-limit", values)
    except (KeyError, ValueError, IndexError) as error:
        raise UnknownGame(f"{file} is no game file: {error}") from None


def _build_game(betting: str, values: dict[str, tuple[int, ...]]) -> GameFile:
    [players], blinds = values["numplayers"], values["blind"]
    first = tuple(player - 1 for player in values.get("firstplayer", (1,) * values["numrounds"][0]))
    options: dict[str, Any] = {"cards": _find_cards(values, players), "betting": betting}
    if len(set(blinds)) == 1:
        options |= {"small_blind": 0, "big_blind": 0, "ante": blinds[0]}
    else:
        options |= {"small_blind": sorted(blinds)[-2], "big_blind": max(blinds), "ante": 0}
    if betting == "limit":
        options["bets"] = list(values["raisesize"])
    if "maxraises" in values:
        options["max_bets"] = _find_max_bets(values["maxraises"], options["big_blind"])
    if "stack" in values:
        options["stack"] = values["stack"][0]
    return GameFile(options, players, first, _find_shift(players, blinds, first, options))


def _find_cards(values: dict[str, tuple[int, ...]], players: int) -> str:
    deck = (*values["numsuits"], *values["numranks"], *values["numholecards"], values["numboardcards"])
    for name, (suits, ranks, hand, board) in DECKS.items():
        if deck == (suits, ranks or players + 1, hand, board):
            return name
    raise UnknownGame(f"Pitboss has no poker with these suits, ranks, cards in the hand and on the board: {deck}")


def _find_max_bets(max_raises: tuple[int, ...], big_blind: int) -> int | list[int]:
    """Return how many bets a round may have, by round if not all alike: the big blind is one of the first round."""
    by_round = [max_raises[0] + bool(big_blind), *max_raises[1:]]
    return by_round[0] if len(set(by_round)) == 1 else by_round


def _find_shift(players: int, blinds: tuple[int, ...], first: tuple[int, ...], options: dict[str, Any]) -> int:
    """Return the position left of the button: from there on, blinds and first players are those of Pitboss."""
    small, big = options["small_blind"], options["big_blind"]
    posted = [big, small] if players == 2 else [small, big, *[0] * (players - 2)]
    ours = posted if big else [options["ante"]] * players
    opener = 0 if not big else 1 if players == 2 else 2 % players
    for shift in range(players):
        positions = [(place + shift) % players for place in range(players)]
        if [blinds[one] for one in positions] == ours and first == (
            positions[opener],
            *[positions[0]] * (len(first) - 1),
        ):
            return shift
    raise UnknownGame(f"Pitboss has no poker with the blinds {blinds} and the first players {first}, from 0")


def main() -> None:
    """Print the options of a game file for the command line."""
    game = read_game_file(Path(sys.argv[1]))
    words = [f"-o {name}={str(value).replace(' ', '')}" for name, value in game.options.items()]
    print(" ".join([f"--seats {game.players}", *words]))


if __name__ == "__main__":
    main()
