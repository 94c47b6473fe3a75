"""Tournaments with bots that ask fake language models, for the tests: Magpie for two, ten turns a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import trio

from pitboss_tournament.authoring.templates import MODEL_BOTS_FOLDER, NewBot, load_templates, make_bot
from pitboss_tournament.config.entrants import resolve_entrant
from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.models.fake_server import FakeModels, make_fake_server, server_url
from pitboss_tournament.plan.models import ModelTable
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_end import RunLimits
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.plugins import load_registry, magpie_installed
from tests.tournament.small_tournaments import load_magpie, make_plan


class ServedModels(NamedTuple):
    """Fake models, and where they are."""

    fake: FakeModels
    url: str
    key_env: str | None  # the variable with the key, if they want one


@contextmanager
def serve_models(
    *script: str, key_env: str | None = None, key: str = "", fake: FakeModels | None = None
) -> Iterator[ServedModels]:
    """Serve fake models on loopback, with a key only those who send it."""
    fake = fake or FakeModels(script)
    with make_fake_server(fake, key=key) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield ServedModels(fake, server_url(server), key_env)
        finally:
            fake.released.set()
            server.shutdown()


class KeptCalls:
    """A book of calls in memory."""

    def __init__(self) -> None:
        self.rows: list[CallRow] = []  # that are settled
        self.open: dict[int, CallRow] = {}
        self.most: list[CallRow] = []  # that were kept before a try was sent

    def open_call(self, number: int, row: CallRow) -> None:
        """Keep an open call."""
        self.open[number] = row
        self.most.append(row)

    def settle_call(self, number: int, row: CallRow | None) -> None:
        """Keep what has become of an open call."""
        del self.open[number]
        self.rows += [] if row is None else [row]

    def add_call(self, row: CallRow) -> None:
        """Keep a call that costs nothing."""
        self.rows.append(row)

    async def write_calls(self) -> None:
        """Return at once: there is no disk."""
        await trio.lowlevel.checkpoint()


def make_model_bot(into: Path, model: str, **settings: object) -> Entrant:
    """Return a bot of the template that asks this model, by whose name it is called; it is made if it is not there."""
    folder = into / f"m-{model}"
    if not folder.exists():
        make_bot(NewBot(name=folder.name, into=into), load_templates(MODEL_BOTS_FOLDER)["llm"])
        own = [f"{key} = {json.dumps(value)}" for key, value in {"name": model, **settings}.items()]
        head = (folder / BOT_FILE).read_text(encoding="utf-8").partition("[model]")[0]
        (folder / BOT_FILE).write_text("\n".join([f"{head}[model]", *own]), encoding="utf-8")
    return resolve_entrant(str(folder), load_registry(), into, "magpie")


def make_model_plan(into: Path, served: ServedModels, *models: str, store: str = "t.pitboss", **fields: object) -> Plan:
    """Return a tournament between bots that ask these models; if it is one, it meets a bot that asks none."""
    bots = [make_model_bot(into, model) for model in models]
    if len(bots) == 1:
        bots.append(resolve_entrant("house:random", load_registry(), into, "magpie"))
    tables = {
        name: ModelTable(url=served.url, model=name, price_in=10.0, price_out=20.0, tries=2, key_env=served.key_env)
        for name in models
    }
    return make_plan(into / store, *bots, **{"models": tables, **fields})


class PlayedModels(NamedTuple):
    """A run of a tournament: how it ended, and what its store has."""

    tournament: Tournament
    games: list[tuple[int, object]]  # by number, without times
    calls: list[CallRow]
    faults: list[str]  # what bots did wrong


def play_models(plan: Plan, replayed: Store | None = None, most_games: int | None = None) -> PlayedModels:
    """Play a tournament to its end, or to that of one run."""
    game = load_magpie()
    store = Store.for_run(plan.store, make_header(plan, game.version, "0"))
    try:
        tournament = Tournament(plan, game, store, limits=RunLimits(games=most_games), replayed_calls=replayed)
        with magpie_installed():
            trio.run(tournament.run, ProgressListener())
        games: list[tuple[int, object]] = [
            (number, (record.seed, [(one.seat, one.action, one.note) for one in record.decisions], record.outcome))
            for number, record in store.records()
        ]
        faults = [fault.message for _, record in store.records() for fault in record.faults]
        calls = [row for number, _ in games for row in store.calls.read_game(number)]
        return PlayedModels(tournament, games, calls, faults)
    finally:
        store.close()
