"""Stores to make reports of, written by hand: any number of bots, and one in which every text is an attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import replace

from pitboss import Outcome
from pitboss.outcome import solo_sides
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, dumps
from pitboss_tournament.plan.plan import StopRules
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.small_tournaments import make_plan, zoo_entrant
from tests.tournament.stored_games import make_stored_game

ATTACKS: Final = (
    "<script>alert(1)</script>",
    "</style></pre></td></table></svg></title></desc><img src=x onerror=alert(1)>",
    "\"' onmouseover='alert(1)' style=\"x",
    "<!-- ]]> <![CDATA[ &lt;b&gt; &#60;script&#62;",
    "a\x00b\x1b[2J\ud800\u202egpj.exe\u2028</p>",
    "https://evil.example/x.js",
)
ATTACK: Final = " ".join(ATTACKS)


def write_tournament_store(folder: Path, bots: int, seats: int, blocks: int, missing_games: int = 0) -> Path:
    """Write a store of a synthetic tournament; the last games may be left out, as if it were running."""
    path = folder / f"{bots}-{seats}-{blocks}.pitboss"
    made = make_plan(path, *(zoo_entrant("good", f"bot-{number:02}") for number in range(bots)), seats=seats)
    store = Store.for_run(path, make_header(made, "1", "0.1"))
    games = list(
        _make_results(
            SyntheticTournament(strengths=tuple(number / bots for number in range(bots)), seats=seats, card_share=0.4),
            blocks,
        )
    )
    store.add([(game, compress_text(dumps(make_record(game))), ()) for game in games[: len(games) - missing_games]])
    store.close()
    return path


def write_hostile_store(folder: Path) -> Path:
    """Write a store of one game, in which names, options, commands, messages, exchanges and last words are attacks."""
    path = folder / "x' <b>&.pitboss"
    made = make_plan(path, zoo_entrant("good", "a"), zoo_entrant("good", "b"))
    header = make_header(made, "1", "0.1")
    safe = ATTACK.replace("\ud800", "")  # no JSON can hold it
    header = replace(
        header,
        game=safe,
        game_version=safe,
        seed=safe,
        entries=[
            replace(header.entries[0], name=safe, command=(safe,), contents={safe: safe}),
            replace(header.entries[1], name="b", command=("b",)),
        ],
        options={safe: [safe, {safe: 1}]},
    )
    store = Store.for_run(path, header)
    [game, _] = _make_results(SyntheticTournament(strengths=(0.0, 1.0), seats=2), 1)
    wrong, right = game.seats
    game = replace(game, seats=(replace(wrong, fault="malformed", substituted={"late": 2}), right))
    faults = [
        Fault(kind="late", seat=0, decision=1, message=safe, clock="game", verdict="substitute"),
        Fault(kind="malformed", seat=0, decision=2, message=safe),
    ]
    incidents = [
        Incident(fault=fault, exchange=[f"< {safe}", safe], last_words=f"{safe}\n{safe}", us=7) for fault in faults
    ]
    record = replace(make_record(game), players=[safe, "b"], incidents=incidents)
    store.add([(game, compress_text(dumps(record)), ())])
    store.add_voids([void_game(1, "no_guardian", safe)])
    store.close()
    return path


def _make_results(world: SyntheticTournament, blocks: int) -> Iterator[GameResult]:
    rng = Random("reports")
    for number, game in enumerate(world.games(blocks, rng)):
        seats = [
            replace(
                seat, decisions=30 + number % 50, think_us=900, think={rng.randrange(30, 90): 29 + number % 50, 100: 1}
            )
            for seat in game.seats
        ]
        yield replace(game, game_id=number, seats=tuple(seats), lag={0: 5, 40: 1})


def make_record(game: GameResult) -> Record:
    """Return a record for a game, of one decision."""
    count = len(game.seats)
    return Record(
        game="magpie",
        game_version="1",
        options={},
        seed=f"s/{game.deal}",
        players=[f"bot-{seat.entrant:02}" for seat in game.seats],
        decisions=[Decision(seat=0, action={"do": "draw"}, us=3)],
        outcome=Outcome(
            tuple(seat.points for seat in game.seats), tuple(seat.place for seat in game.seats), solo_sides(count)
        ),
    )


def write_results(
    path: Path, games: Sequence[GameResult], names: Sequence[str], stop: StopRules | None = None
) -> Store:
    """Make a store of games that were not played."""
    plan = make_plan(path, *[zoo_entrant("good", name) for name in names], deals=50, stop=stop)
    header = make_header(plan, "1", "0.1")
    store = Store.for_run(path, header)
    store.add([(replace(game, game_id=number), make_stored_game(0).record, ()) for number, game in enumerate(games)])
    return store
