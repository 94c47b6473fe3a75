"""Pseudonyms: what a bot is told of the others at its table in place of their names, new ones in each game.

They follow from the seed that the bot is told in `start`, and from the seats. So they tell it nothing that it does not
know, no two bots are told the same ones, and whoever plays the game again (`ask`, `verify`) tells them again. The
number of the game that it is told follows from that seed too: the true one tells which table it is, and so who may sit
there.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from msgspec.structs import replace

from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import End, Start

NAME_BYTES: Final = 4  # of a digest, in each pseudonym
NUMBER_BYTES: Final = 6  # of a digest: fewer than the whole numbers that JSON keeps exactly


def hide_players(start: Start) -> Start:
    """Return the start of a game as a bot is told: its own name, pseudonyms of the others, and a number in disguise."""
    token = _digest(start.seed, "players", NAME_BYTES).hex()
    told = [name if seat == start.seat else f"player-{seat}-{token}" for seat, name in enumerate(start.players)]
    return replace(start, game_id=_disguise_number(start.seed), players=told)


def hide_others_at_end(end: End, seat: int, seed: str) -> End:
    """Return the end of a game as the bot in `seat` is told: of the faults of others their kinds, not their words.

    The words name programs and files. `seed` is that of its `start`.
    """
    faults = [fault if fault.seat == seat else _hide_words(fault) for fault in end.faults]
    return replace(end, game_id=_disguise_number(seed), faults=faults)


def _hide_words(fault: Fault) -> Fault:
    return replace(fault, message=f"seat {fault.seat} did wrong: {fault.kind}")


def _disguise_number(seed: str) -> int:
    return int.from_bytes(_digest(seed, "number", NUMBER_BYTES), "big")


def _digest(seed: str, use: str, size: int) -> bytes:
    return blake2b(f"{use}/{seed}".encode(), digest_size=size).digest()
