"""Stores of games that were not played, several games with one field, to make a table of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from pitboss.records.record import dumps
from pitboss_tournament.models.calls import CallPlace, CallRow
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.choice import AskOutcome, Verdict
from pitboss_tournament.plan.paths import PYTHON
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.store.header import Entry, OwnSettings, make_header
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.report_stores import make_record
from tests.tournament.small_tournaments import make_plan, zoo_entrant


class FieldBot(Struct, frozen=True):
    """A bot of a field that was not played: how strong it is, and what its store says of it."""

    strength: float = 0.0
    files: Mapping[str, str] = {}
    model: str = ""
    prompt: str = ""  # its digest; "": an earlier Pitboss has made the store
    answers: Mapping[AskOutcome, int] = {}  # what its model has answered, each for a cent, a second and 100 tokens
    command: tuple[str, ...] = (PYTHON, "bot.py")
    folder: str = ""
    forfeits: int = 0  # its first games


def write_game(path: Path, game: str, field: Mapping[str, FieldBot], *, blocks: int = 60, **changed: object) -> Path:
    """Write a store of `blocks` blocks of a game for two between these bots; `changed`: other fields of its header."""
    bots = list(field.values())
    plan = make_plan(path, *(zoo_entrant("good", f"bot-{number}") for number in range(len(bots))))
    entries = [
        Entry(
            name=name,
            command=bot.command,
            contents=dict(bot.files),
            folder=bot.folder,
            own=OwnSettings(model=bot.model, prompt=bot.prompt),
        )
        for name, bot in field.items()
    ]
    header = replace(make_header(plan, "1", "0.1"), game=game, seed=path.stem, entries=entries, **changed)
    world = SyntheticTournament(strengths=tuple(bot.strength for bot in bots), seats=2, card_share=0.4)
    store = Store.for_run(path, header)
    left = [bot.forfeits for bot in bots]
    for number, played in enumerate(world.games(blocks, Random(path.stem))):
        seats = []
        for seat in played.seats:
            has_fault = left[seat.entrant] > 0
            left[seat.entrant] -= has_fault
            seats.append(replace(seat, decisions=10, think_us=20_000, fault="illegal" if has_fault else None))
        result = replace(played, game_id=number, seats=tuple(seats))
        players = [header.bots[seat.entrant] for seat in seats]
        record = replace(make_record(result), players=players, game=game, seed=f"{path.stem}/{result.deal}")
        store.add([(result, compress_text(dumps(record)), ())])
    store.calls.add(row for name, bot in field.items() for row in _make_calls(name, bot))
    store.close()
    return path


def _make_calls(name: str, bot: FieldBot) -> list[CallRow]:
    outcomes = [outcome for outcome, count in bot.answers.items() for _ in range(count)]
    return [
        CallRow(
            place=CallPlace(0, 0, number, 1),
            digest=f"{name}{number}",
            bot=name,
            model="main",
            at="",
            tries=1,
            ms=1000,
            usd=0.01,
            request=ChatRequest(messages=[ChatMessage("user", "which?")], max_output=9),
            reply=ChatReply(text="this", tokens_in=90, tokens_out=10),
            verdict=Verdict(outcome),
        )
        for number, outcome in enumerate(outcomes)
    ]
