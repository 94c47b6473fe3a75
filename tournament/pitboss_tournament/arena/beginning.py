"""The beginning of an arena: work spaces with a starter bot each, the secret, and the first line of the journal."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from pitboss import __version__
from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import extract_rules, find_rule_book
from pitboss.text import join_words
from pitboss_tournament.arena.arena_folder import BOT_FOLDER, Arena
from pitboss_tournament.arena.journal import Begun, Journal, digest_secret
from pitboss_tournament.arena.workspace import NOTES_FILE, begin_repository, delete_folder, put_given
from pitboss_tournament.authoring.game_page import render_game_page
from pitboss_tournament.authoring.game_reference import describe_briefly, describe_game
from pitboss_tournament.authoring.templates import NewBot, find_template, load_templates, make_bot

SECRET_BYTES: Final = 32
SEED_BYTES: Final = 16
PRACTICE_FILE: Final = "practice.seed"
TASK: Final = """\
# Your task: a bot that wins at {title}

You are **{name}**. The bot lies in `{bot}/`; make it better. All that you see is this folder. Each round you may edit
for {minutes:g} minutes (and {cpu_minutes:g} minutes of processor time). Then the bot is copied, built, checked and
played against the bots of the other entrants ({others}) and against {anchors}.

* `GAME.md` says what the bot sees and may do, and `RULES.md` has the rules.
* `{notes}` is yours: what you write there you can read in the next round.
* `feedback/N.json` is what round N has shown, in at most 8 kB; `feedback/N/games/` has your worst practice games.
* `{practice}` has the seed of the practice deals. They are the same in each round, and do not count: what counts is
  played on deals whose seed is drawn after the edit phase. The difference between the two is reported as over-fitting.
* A version that cannot be built, fails a check or forfeits a trial game does not play: your last valid one does.
* If your command knows what it has cost, let it write `cost.json`: {{"tokens": 12000, "dollars": 0.35}}.

Try the bot before you end (one of them shows who is better; there is no network, and nothing else is kept):

    pitboss check {bot} --game {game}
    pitboss match {game} {bot} {opponents} --seed "$(cat {practice})" --no-store
    pitboss compare {game} git:HEAD:{bot} {bot}

Files that the judge has put here are put back before each round.
"""


def begin_arena(arena: Arena, journal: Journal) -> None:
    """Make the work spaces and the secret, and begin the journal, unless that is done.

    Raises:
        ConfigError: the arena has begun with other entrants or other rules, or a starter bot cannot be made.
    """
    rules = digest_rules(arena)
    if journal.begun is not None:
        _check_unchanged(arena, journal.begun, rules)
        return
    folder = arena.folder
    folder.versions.mkdir(parents=True, exist_ok=True)
    folder.judge.chmod(0o755)
    secret, practice_seed = secrets.token_hex(SECRET_BYTES), secrets.token_hex(SEED_BYTES)
    _write_secret(folder.secret, secret)
    for name in arena.file.entrants:
        _make_workspace(arena, name, practice_seed)
    journal.add(
        Begun(
            game=arena.game.name,
            entrants=list(arena.file.entrants),
            rules=rules,
            practice_seed=practice_seed,
            secret_digest=digest_secret(secret),
            pitboss=__version__,
        )
    )


def read_secret(arena: Arena, journal: Journal) -> str:
    """Return the secret of an arena that has begun.

    Raises:
        ConfigError: it is gone, or is another one.
    """
    path = arena.folder.secret
    try:
        secret = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{path}: the secret of the arena cannot be read; take it out of a backup") from None
    if journal.begun is None or digest_secret(secret) != journal.begun.secret_digest:
        raise ConfigError(f"{path}: this is not the secret with which the arena has begun")
    return secret


def digest_rules(arena: Arena) -> str:
    """Return SHA-256 of what decides games: game, options, seats, clock, limits, deals and anchors."""
    file, judge = arena.file, arena.file.judge
    said = [
        *(arena.game.name, arena.game.version, file.preset, file.options, arena.seats, file.clock, file.limits),
        *(judge.deals, judge.practice, arena.anchors),
    ]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def _check_unchanged(arena: Arena, begun: Begun, rules: str) -> None:
    if set(begun.entrants) != set(arena.file.entrants):
        raise ConfigError(
            f"{arena.folder.file}: the arena has begun with the entrants {join_words(begun.entrants, 'and')}; name the "
            "same ones, or begin another arena"
        )
    if begun.rules != rules:
        raise ConfigError(
            f"{arena.folder.file}: game, options, seats, clock, limits, deals or anchors are not what they were when "
            "the arena began; take the old ones back, or begin another arena"
        )


def _write_secret(path: Path, secret: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - a descriptor
        file.write(f"{secret}\n")
        file.flush()
        os.fsync(descriptor)


def _make_workspace(arena: Arena, name: str, practice_seed: str) -> None:
    workspace, given = arena.folder.workspace(name), arena.folder.given(name)
    for place in (workspace, given):
        delete_folder(place)
        place.mkdir(parents=True)
    for file, text in make_pages(arena, name, practice_seed).items():
        (given / file).write_text(text, encoding="utf-8")
    put_given(given, workspace)
    _make_starter(arena, name, workspace)
    (workspace / NOTES_FILE).write_text(f"# Notes of {name}\n", encoding="utf-8")
    begin_repository(workspace)


def _make_starter(arena: Arena, name: str, workspace: Path) -> None:
    entrant = arena.file.entrants[name]
    if entrant.start is not None:
        source = arena.folder.root / entrant.start
        if not source.is_dir():
            raise ConfigError(f"{arena.folder.file}: entrants.{name}.start: there is no folder {str(source)!r}")
        shutil.copytree(source, workspace / BOT_FOLDER, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        return
    made = NewBot(name=name, into=workspace, game=arena.game.name, opponents=max(arena.seats - 1, 1))
    make_bot(made, find_template(entrant.language, load_templates()))
    made.folder.rename(workspace / BOT_FOLDER)


def make_pages(arena: Arena, name: str, practice_seed: str) -> Mapping[str, str]:
    """Return the pages that the judge puts into the work space of an entrant, by their names."""
    edit, own = arena.file.edit, arena.file.entrants[name]
    others = [other for other in arena.file.entrants if other != name]
    return {
        "TASK.md": TASK.format(
            title=arena.game.name,
            name=name,
            bot=BOT_FOLDER,
            minutes=own.minutes or edit.minutes,
            cpu_minutes=own.cpu_minutes or edit.cpu_minutes,
            others=join_words(others, "and") if others else "none",
            anchors=join_words(arena.anchors, "and") if arena.anchors else "nobody else",
            notes=NOTES_FILE,
            practice=PRACTICE_FILE,
            game=arena.game.name,
            opponents=" ".join(["house:random"] * max(arena.seats - 1, 1)),
        ),
        "GAME.md": _read_game_page(arena),
        "RULES.md": _read_rules(arena),
        PRACTICE_FILE: f"{practice_seed}\n",
    }


def _read_game_page(arena: Arena) -> str:
    registry = Registry()
    game = registry.find_game(arena.game.name)
    plugin = registry.list_distributions("pitboss_games")[game.name]
    return render_game_page(game, describe_game(game, plugin), find_rule_book(registry, game.name))


def _read_rules(arena: Arena) -> str:
    book = find_rule_book(Registry(), arena.game.name)
    return (extract_rules(book) or describe_briefly(arena.game)) + "\n"
