"""The same game in another Python process, where sets of strings have another order."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from hashlib import sha256
from threading import Thread
from time import process_time, sleep
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.game import AnyGame
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import take_public_snapshot, write_position

MAX_GAMES: Final = 8  # that are played in other processes too
HASH_SEEDS: Final = (1, 4, 9)
MAX_DIGESTED_DECISIONS: Final = 400
MAX_REPLAY_SECONDS: Final = 10.0  # of processor time, that each process has
TOO_LONG: Final = 75  # the status of a process that has needed more
PROCESSOR_LOOK_SECONDS: Final = 0.2
PROGRAM: Final = "from pitboss.testing.checks.other_process import print_digests; print_digests()"


class RemoteGame(NamedTuple):
    """A game to replay in another process."""

    game: AnyGame
    seats: int
    options: Any
    seed: str
    actions: list[Any]


@check("all games")
def other_process_same_game(played_games: list[PlayedGame]) -> None:
    """The same seed and actions give the same game in another process, where strings have other hashes."""
    some = played_games[:: len(played_games) // MAX_GAMES + 1]
    sound = [played_game for played_game in some if played_game.error is None]
    games = [
        RemoteGame(one.setup.game, one.setup.seats, one.setup.options, one.seed, one.actions[:MAX_DIGESTED_DECISIONS])
        for one in sound
    ]
    if not games or type(games[0].game).__module__ == "__main__":
        raise NotApplicable("there is no game that another process could import")
    try:
        pickled_games = pickle.dumps(games)
    except (pickle.PicklingError, AttributeError, TypeError) as wrong:
        raise NotApplicable(f"the game cannot be sent to another process: {wrong}") from None
    outputs = _replay_in_other_processes(pickled_games)
    for number, played_game in enumerate(sound):
        here = digest_decisions(games[number]).split()
        for printed in outputs:
            there = printed[number].split()
            if there != here:
                at = next(at for at, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1])
                raise CheckFailed(f"in another process decision {at} is another one; {played_game}")


def digest_decisions(remote_game: RemoteGame) -> str:
    """Replay a game; return eight hex digits for each decision, of everything shown and logged before it."""
    state = remote_game.game.deal(remote_game.seats, remote_game.options, Random(remote_game.seed))
    digests = []
    logged = 0
    for action in remote_game.actions:
        events = [state.table.events(seat, logged) for seat in (None, 0)]
        logged = len(state.table.log or ())
        digests.append(
            sha256(msgspec.json.encode([take_public_snapshot(state), events, write_position(state)])).hexdigest()[:8]
        )
        state.play(action)
    return " ".join(digests)


def print_digests() -> None:
    """Replay the games on standard input and print the digests of each: the program of the other process."""
    Thread(target=_end_in_time, daemon=True).start()
    for game in pickle.load(sys.stdin.buffer):
        print(digest_decisions(game))


def _end_in_time() -> None:
    """End this process when its processor time is up, whatever the game does: a call may never return."""
    while process_time() < MAX_REPLAY_SECONDS:
        sleep(PROCESSOR_LOOK_SECONDS)
    os._exit(TOO_LONG)


def _replay_in_other_processes(pickled_games: bytes) -> list[list[str]]:
    """Replay all games in processes whose strings have other hashes; return the lines of each process.

    None of them is left, also if the time of the check is up: a game's code may not return.
    """
    started = [_start_process(hash_seed) for hash_seed in HASH_SEEDS]
    try:
        ended = [process.communicate(pickled_games) for process in started]
    finally:
        for process in started:
            with process:
                process.kill()
    for process, (_, errors) in zip(started, ended, strict=True):
        if process.returncode == TOO_LONG:
            raise NotApplicable(
                f"in another process the games took more than {MAX_REPLAY_SECONDS:g} s of processor time"
            )
        if process.returncode:
            raise CheckFailed(f"in another process: {errors.decode(errors='replace').strip().splitlines()[-1]}")
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
