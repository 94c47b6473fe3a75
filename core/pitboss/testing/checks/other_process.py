"""Elsewhere: the same game played in another Python process, where sets of strings have another order."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.game import AnyGame
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import take_public_snapshot

HASH_SEEDS: Final = (1, 4, 9)
MAX_DECISIONS: Final = 400  # decisions
PROGRAM: Final = "from pitboss.testing.checks.other_process import run; run()"


class RemoteGame(NamedTuple):
    """A game to be played elsewhere."""

    game: AnyGame
    seats: int
    options: Any
    seed: str
    actions: list[Any]


@check("all games")
def other_process_same_game(played_games: list[PlayedGame]) -> None:
    """The same seed and actions give the same game in another process, where strings have other hashes."""
    errands = [_make_remote_game(course) for course in played_games if course.error is None]
    if not errands or type(errands[0].game).__module__ == "__main__":
        raise NotApplicable("there is no game that another process could import")
    try:
        parcel = pickle.dumps(errands)
    except (pickle.PicklingError, AttributeError, TypeError) as wrong:
        raise NotApplicable(f"the game cannot be sent to another process: {wrong}") from None
    elsewhere = _replay_in_other_processes(parcel)
    for number, course in enumerate(course for course in played_games if course.error is None):
        here = digest_decisions(errands[number]).split()
        for printed in elsewhere:
            there = printed[number].split()
            if there != here:
                at = next(at for at, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1])
                raise CheckFailed(f"in another process decision {at} is another one; {course}")


def digest_decisions(remote_game: RemoteGame) -> str:
    """Play the game and return a digest of all that was shown and logged before each decision: eight digits each."""
    state = remote_game.game.deal(remote_game.seats, remote_game.options, Random(remote_game.seed))
    prints = []
    logged = 0
    for action in remote_game.actions:
        told = [state.table.events(seat, logged) for seat in (None, 0)]
        logged = len(state.table.log or ())
        prints.append(
            sha256(msgspec.json.encode([take_public_snapshot(state), told, state.position()])).hexdigest()[:8]
        )
        state.play(action)
    return " ".join(prints)


def run() -> None:
    """Play the errands on standard input and print a line for each: what the other process does."""
    for errand in pickle.load(sys.stdin.buffer):
        print(digest_decisions(errand))


def _make_remote_game(played_game: PlayedGame) -> RemoteGame:
    setting = played_game.setup
    return RemoteGame(
        setting.game, setting.seats, setting.options, played_game.seed, played_game.actions[:MAX_DECISIONS]
    )


def _replay_in_other_processes(pickled_games: bytes) -> list[list[str]]:
    """Play all games in processes whose strings have other hashes; return the lines of each."""
    started = [_start_process(hash_seed) for hash_seed in HASH_SEEDS]
    ended = [process.communicate(pickled_games) for process in started]
    for process, (_, said) in zip(started, ended, strict=True):
        if process.returncode:
            raise CheckFailed(f"in another process: {said.decode(errors='replace').strip().splitlines()[-1]}")
    return [printed.decode().splitlines() for printed, _ in ended]


def _start_process(hash_seed: int) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(part for part in sys.path if part)
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": path},
    )
