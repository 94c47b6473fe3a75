"""Elsewhere: the same game played in another Python process, where sets of strings have another order."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.game import AnyGame
from pitboss.randomness import Random
from pitboss.testing.course import Course
from pitboss.testing.examiner import Broken
from pitboss.testing.standing import shown

HASH_SEEDS: Final = (1, 4, 9)
FOLLOWED: Final = 400  # decisions
PROGRAM: Final = "from pitboss.testing.elsewhere import run; run()"


class Errand(NamedTuple):
    """A game to be played elsewhere."""

    game: AnyGame
    seats: int
    options: Any
    seed: str
    actions: list[Any]


def other_process_same_game(courses: list[Course]) -> str | None:
    """The same seed and actions give the same game in another process, where strings have other hashes."""
    errands = [_errand(course) for course in courses if course.error is None]
    if not errands or type(errands[0].game).__module__ == "__main__":
        return "there is no game that another process could import"
    try:
        parcel = pickle.dumps(errands)
    except (pickle.PicklingError, AttributeError, TypeError) as wrong:
        return f"the game cannot be sent to another process: {wrong}"
    elsewhere = _played_elsewhere(parcel)
    for number, course in enumerate(course for course in courses if course.error is None):
        here = prints_of(errands[number]).split()
        for printed in elsewhere:
            there = printed[number].split()
            if there != here:
                at = next(at for at, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1])
                raise Broken(f"in another process decision {at} is another one; {course}")
    return None


def prints_of(errand: Errand) -> str:
    """Play the game and return a digest of all that was shown and logged before each decision: eight digits each."""
    state = errand.game.deal(errand.seats, errand.options, Random(errand.seed))
    prints = []
    logged = 0
    for action in errand.actions:
        told = [state.table.events(seat, logged) for seat in (None, 0)]
        logged = len(state.table.log or ())
        prints.append(sha256(msgspec.json.encode([shown(state), told, state.position()])).hexdigest()[:8])
        state.play(action)
    return " ".join(prints)


def run() -> None:
    """Play the errands on standard input and print a line for each: what the other process does."""
    for errand in pickle.load(sys.stdin.buffer):
        print(prints_of(errand))


def _errand(course: Course) -> Errand:
    setting = course.setting
    return Errand(setting.game, setting.seats, setting.options, course.seed, course.actions[:FOLLOWED])


def _played_elsewhere(parcel: bytes) -> list[list[str]]:
    """Play all games in processes whose strings have other hashes; return the lines of each."""
    started = [_start(hash_seed) for hash_seed in HASH_SEEDS]
    ended = [process.communicate(parcel) for process in started]
    for process, (_, said) in zip(started, ended, strict=True):
        if process.returncode:
            raise Broken(f"in another process: {said.decode(errors='replace').strip().splitlines()[-1]}")
    return [printed.decode().splitlines() for printed, _ in ended]


def _start(hash_seed: int) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(part for part in sys.path if part)
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": path},
    )


OF_ALL_COURSES: Final = (other_process_same_game,)
