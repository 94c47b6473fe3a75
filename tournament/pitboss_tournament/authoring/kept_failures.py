"""Kept failures: the games in which checks have failed, each as a small store beside what was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote

from pitboss.errors import ConfigError
from pitboss.records.notation import NotedGame
from pitboss.testing.framework.failed_game import FailedGame
from pitboss.testing.framework.failures import Failure, FailureCause
from pitboss_tournament.exchange.pooling import store_games
from pitboss_tournament.processes.logs import SeatLog, compress_text


def keep_failures(folder: Path, causes: Sequence[FailureCause], games: Mapping[str, FailedGame]) -> dict[str, Path]:
    """Write a store for each cause of failures that has a game; return the files by cause.

    The seat on turn has the failure in its log, the decision has it as its note.

    Raises:
        ConfigError: the folder cannot be made, or is a file.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--keep {folder}: {error.strerror}") from None
    files = {}
    for number, cause in enumerate(causes, 1):
        failed = games.get(cause.first.cause)
        if failed is None or not failed.game.actions:
            continue
        file = folder / f"{number}-{cause.first.name}.pitboss"
        file.unlink(missing_ok=True)
        text = f"{cause.first.name}: {cause.first.detail}"
        record = failed.make_record(text)
        noted = next((one.seat for one in record.decisions if one.note), 0)
        store_games([NotedGame(record)], file, [[SeatLog(noted, compress_text(f"{text}\n".encode()), b"")]])
        files[cause.first.cause] = file
    return files


def describe_again(game: str, failure: Failure, file: Path | None, seed: str) -> list[str]:
    """Return the lines that say how to look at a failure, and how to see it again."""
    if file is not None:
        name = quote(str(file))
        return [
            f"look at it: pitboss replay {name} --html page.html",
            f"what was seen: pitboss log {name}",
            f"again: pitboss check-game {game} --again {name}",
        ]
    words = ["pitboss", "check-game", game, "--seed", quote(seed)]
    if failure.game is not None:
        words += ["--seats", str(failure.seats)]
        words += ["--preset", failure.preset] if failure.preset else []
        words += [word for name, value in failure.options.items() for word in ("-o", quote(f"{name}={value}"))]
    return [f"again: {' '.join(words)}"]
