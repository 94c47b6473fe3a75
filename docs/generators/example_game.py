"""A short real game between two small bots (one faulty), the source of the reference's examples."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import chain, starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from pitboss import AnyGame, Deck, Layout, Random, Table, Visibility
from pitboss.game import resolve_options
from pitboss.protocol.messages import Bye
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.table.events import AnyEvent
from pitboss_tournament.store.store import Store

BOT: Final = """
import json, sys

wrong = sys.argv[1:] == ["wrong"]
for line in sys.stdin:
    message = json.loads(line)
    answer = None
    if message["type"] == "hello":
        answer = {"type": "ready", "name": "mybot", "version": "1.0", "want": "both"}
    elif message["type"] == "decide":
        choice = 99 if wrong and message["id"] == 3 else 0
        answer = {"type": "act", "id": message["id"], "choose": choice, "note": "the first one"}
    if answer:
        print(json.dumps(answer, separators=(",", ":")), flush=True)
"""
SHORT_OPTIONS: Final = {"racko": ["-o", "max_rounds=1", "-o", "max_turns=6"]}  # Rack-O is preferred, if installed


def play_and_log(games: Sequence[str]) -> list[str]:
    """Play a game for two and return the lines exchanged, in both directions, without times."""
    name = "racko" if "racko" in games else games[0]
    with TemporaryDirectory() as folder:
        (Path(folder) / "mybot.py").write_text(BOT, encoding="utf-8")
        bots = ["python3 mybot.py", "python3 mybot.py wrong"]
        options = ["--deals", "1", "--seed", "docs", "-s", "logs.keep=all", "--sandbox", "none", "--store", "x"]
        words = ["match", name, *bots, *options, *SHORT_OPTIONS.get(name, [])]
        command = [sys.executable, "-m", "pitboss_tournament.cli", *words]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        logs = Store(Path(folder) / "x").logs(0)
    said = [line.split(" ", 2)[2] for log in logs for line in log.wire.decode().splitlines()]
    return [*said, msgspec.json.encode(Bye()).decode()]  # the last word is said when the game's log is closed


def find_example(said: Sequence[str], kind: str) -> str:
    """Return a line of a message type: a question with few events, an end with a fault."""
    found = [line for line in said if line.startswith(f'{{"type":"{kind}"')]
    fit = {"decide": lambda line: '"id":2,' in line, "end": lambda line: '"kind"' in line}.get(kind, lambda line: True)
    return next(filter(fit, found), found[0])


def collect_events(games: Sequence[AnyGame]) -> dict[str, AnyEvent]:
    """Return for each verb the shortest event of random games as seat 0 observed it, with something hidden if possible.

    None of these games has dice or sealed bids: the events of secrets are those of a table without a game.
    """
    found: dict[str, AnyEvent] = {}
    tables = [(game, seats) for game in games for seats in (min(game.seats), max(game.seats))]
    for event in chain(*starmap(_sample_events, tables), _make_secret_events()):
        verb = str(msgspec.to_builtins(event)["verb"])
        if verb not in found or _event_weight(event) < _event_weight(found[verb]):
            found[verb] = event
    return found


def _event_weight(event: AnyEvent) -> tuple[bool, int]:
    text = msgspec.json.encode(event)
    return b"null" not in text, len(text)


def _make_secret_events() -> list[AnyEvent]:
    """Return events of a table at which seat 1 rolls dice under its cup, chooses a bid, and shows its dice."""
    layout = Layout(Deck(()), 2)
    dice, bid = (layout.add_secret(name, Visibility.OWNER, 1) for name in ("dice 1", "bid 1"))
    table = Table(layout, Random("docs/secrets"), layout.add_pile("box", Visibility.NOBODY))
    table.roll(dice, range(1, 7), 2)
    table.choose(bid, 3, range(1, 7), "bid")
    table.show(dice)
    return table.events(0)


def _sample_events(game: AnyGame, seats: int) -> list[AnyEvent]:
    state = game.deal(seats, resolve_options(game, seats), Random(f"docs/{game.name}/cards"))
    play_on(state, choose_from(Random(f"docs/{game.name}")), 400)
    return state.table.events(0)
