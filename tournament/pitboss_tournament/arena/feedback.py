"""What an entrant gets after a round: its results, why a version was refused, and its worst practice games as text.

It lies in `feedback/` of the work space, and in the judge's folder, from where it is put back before each round. Of
the deals that count an entrant is told the results alone: their games are nobody's to study until the arena is over.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame
from pitboss.records.notation import NotedGame, format_notation
from pitboss.records.record import Record, replay_states
from pitboss.rendering.table_text import render_table
from pitboss_tournament.arena.arena_folder import BOT_FOLDER, Arena
from pitboss_tournament.arena.edit_phase import tell_edit
from pitboss_tournament.arena.freezing import BUILD_FILES
from pitboss_tournament.arena.journal import GameKind, Journal
from pitboss_tournament.arena.measures import EntrantScore, RoundScores, list_refused_checks, subtract, tell_refusal
from pitboss_tournament.arena.workspace import delete_folder
from pitboss_tournament.counting.stored_findings import collect_report
from pitboss_tournament.exchange.export import record_line, strip_times
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.processes.bot_contents import remove_folder
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.reask.feedback_bundle import encode_bundle, make_bundle
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.store.store import Store

MAX_BYTES: Final = 8_192  # of the file of a round
MAX_GAME_BYTES: Final = 4_096  # of a game as text
MAX_RECORD_BYTES: Final = 4 << 20  # of the practice games of all, where entrants see them
MAX_SENTENCE: Final = 300  # characters
MAX_SCORES: Final = 20
SHOWN_DECIMALS: Final = 1


class ShownScore(Struct, frozen=True, kw_only=True):
    """A line of the results of a round."""

    name: str
    rating: Annotated[
        tuple[float, float] | None,
        Meta(description="Above the last anchor, and the half-width of its interval of 95 %; null: unknown."),
    ]
    points: Annotated[tuple[float, float] | None, Meta(description="Points of a game, and the half-width.")]
    ranks: Annotated[str, Meta(description='The ranks that it may have, as "1-3"; "" of an anchor.')]


class RoundFeedback(Struct, frozen=True, kw_only=True):
    """What an entrant is told of a round, in at most 8 kB."""

    round: int
    you: str
    played: Annotated[str, Meta(description="Which of your versions played.")]
    edit: Annotated[str, Meta(description="How your command has ended.")]
    refused: Annotated[str, Meta(description='Why your new version did not play; "" if it did, or is an old one.')]
    evidence: Annotated[Evidence | None, Meta(description="What the refused version has shown, with cures.")]
    winner: Annotated[str, Meta(description='Who is proven better than each other entrant; else "not distinguished".')]
    verdict: Annotated[list[str], Meta(description="What is proven on the deals that count.")]
    judged: Annotated[list[ShownScore], Meta(description="On the deals that count.")]
    practice: Annotated[list[ShownScore], Meta(description="On the practice deals.")]
    overfit: Annotated[
        tuple[float, float] | None,
        Meta(description="Your rating on practice deals less that on the deals that count, and its half-width."),
    ]
    faults: Annotated[dict[str, int], Meta(description="Games that you forfeited on the deals that count.")]
    games: Annotated[list[str], Meta(description="Your worst practice games, as files beside this one.")]


NOT_DISTINGUISHED: Final = "not distinguished"


def write_feedback(
    arena: Arena, journal: Journal, number: int, scores: Mapping[GameKind, RoundScores], name: str
) -> RoundFeedback:
    """Write the feedback of a round for an entrant into the judge's folder; return its file's content.

    `scores`: by kind of deals.

    Raises:
        StoreError: games cannot be read.
    """
    target = arena.folder.given(name) / "feedback"
    target.mkdir(parents=True, exist_ok=True)
    games = target / str(number) / "games"
    delete_folder(games)
    shown = dict(_show_games(arena, number, name))
    for file, text in shown.items():
        games.mkdir(parents=True, exist_ok=True)
        (games / file).write_text(text, encoding="utf-8")
    found = _collect(arena, journal, number, scores, name, [f"{number}/games/{file}" for file in shown])
    (target / f"{number}.json").write_bytes(fit_feedback(found) + b"\n")
    if arena.file.judge.why and found.practice:
        _write_bundle(arena, number, name, target / f"{number}-why.json")
    if arena.file.see != "results":
        _write_records(arena, number, target / str(number) / "records.jsonl")
    if arena.file.see == "code":
        _write_sources(arena, journal, number, name)
    return found


def fit_feedback(found: RoundFeedback) -> bytes:
    """Return the file of a round, in at most `MAX_BYTES`: what is least needed is left out first."""
    attempts = (
        found,
        replace(found, practice=found.practice[:3]),
        replace(found, practice=[], evidence=found.evidence and replace(found.evidence, exchange=[], output="")),
        replace(found, practice=[], evidence=None, verdict=found.verdict[:1], judged=found.judged[:5]),
    )
    for one in attempts:
        content = msgspec.json.format(msgspec.json.encode(one), indent=1)
        if len(content) <= MAX_BYTES:
            break
    return content


def _collect(
    arena: Arena, journal: Journal, number: int, scores: Mapping[GameKind, RoundScores], name: str, games: list[str]
) -> RoundFeedback:
    judged, practice = scores["judged"], scores["practice"]
    own, own_practice = (one.find(name) or EntrantScore(name=name) for one in (judged, practice))
    edited = journal.find_edited(number, name)
    refused = tell_refusal(journal, number, name)
    validated = list_refused_checks(journal, number, name)
    played = journal.find_played(number, "judged")
    digest = "" if played is None else played.bots.get(name, "")
    versions = [one.digest for one in journal.entries if getattr(one, "entrant", "") == name and hasattr(one, "digest")]
    first = next((one for one in versions if one == digest), "")
    return RoundFeedback(
        round=number,
        you=name,
        played=f"version {first[:12]}" if first else "none of your versions was valid",
        edit="" if edited is None else tell_edit(edited)[:MAX_SENTENCE],
        refused=refused[:MAX_SENTENCE],
        evidence=validated.evidence if refused and validated is not None else None,
        winner=judged.winner or NOT_DISTINGUISHED,
        verdict=[line[:MAX_SENTENCE] for line in judged.verdict],
        judged=_show_scores(judged),
        practice=_show_scores(practice),
        overfit=_show(subtract(own_practice.rating, own.rating)),
        faults=own.faults,
        games=games,
    )


def _show_scores(found: RoundScores) -> list[ShownScore]:
    return [
        ShownScore(
            name=one.name,
            rating=_show(one.rating),
            points=_show(one.points),
            ranks="" if one.ranks is None else f"{one.ranks.best}-{one.ranks.worst}",
        )
        for one in found.scores[:MAX_SCORES]
    ]


def _show(found: Estimate) -> tuple[float, float] | None:
    if found.mean is None or found.half_width is None:
        return None
    return round(found.mean, SHOWN_DECIMALS), round(found.half_width, SHOWN_DECIMALS)


def _show_games(arena: Arena, number: int, name: str) -> Iterator[tuple[str, str]]:
    """Yield the worst practice games of an entrant as text, by the names of their files."""
    with closing(Store(arena.folder.store(number, "practice"))) as store:
        bots = store.header.bots
        if name not in bots:
            return
        extremes = collect_report(store).notable.extremes.get(bots.index(name))
        worst = [] if extremes is None else [game_id for _, game_id in extremes.lowest]
        for game_id in worst[: arena.file.judge.shown_games]:
            yield f"{game_id}.txt", tell_game(store.record(game_id), game_id, arena.game)


def tell_game(record: Record, game_id: int, game: AnyGame) -> str:
    """Return a game as text: the table after the deal, all cards open, and the decisions in notation."""
    table = ""
    with suppress(PitbossError, StopIteration, AttributeError):
        state = next(iter(replay_states(record, game)))
        seats: list[Any] = list(record.players)
        table = "\n".join(render_table(state.table, None, names=seats))
    text = f"{table}\n\n{format_notation(NotedGame(strip_times(record), game_id))}"
    return text if len(text.encode()) <= MAX_GAME_BYTES else text.encode()[:MAX_GAME_BYTES].decode("utf-8", "ignore")


def _write_bundle(arena: Arena, number: int, name: str, target: Path) -> None:
    """Write why a bot is not better, by its practice games; nothing if it has not played, or none can tell."""
    store = arena.folder.store(number, "practice")
    with closing(Store(store)) as opened:
        if name not in opened.header.bots:
            return
    with suppress(ConfigError):  # the game has no bot to compare with
        bundle = make_bundle(store, name, sandbox=resolve_sandbox(arena.file.sandbox)[0])
        target.write_bytes(encode_bundle(bundle) + b"\n")


def _write_records(arena: Arena, number: int, target: Path) -> None:
    """Write the practice games of all, as records, up to a size."""
    target.parent.mkdir(parents=True, exist_ok=True)
    left = MAX_RECORD_BYTES
    with closing(Store(arena.folder.store(number, "practice"))) as store, target.open("w", encoding="utf-8") as out:
        for game_id, record in store.records():
            line = record_line(game_id, strip_times(record))
            left -= len(line.encode()) + 1
            if left < 0:
                break
            out.write(f"{line}\n")


def _write_sources(arena: Arena, journal: Journal, number: int, name: str) -> None:
    """Write the sources of the others' versions of a round into `others/`."""
    target = arena.folder.given(name) / "others"
    remove_folder(target)
    played = journal.find_played(number, "judged")
    for other, digest in ({} if played is None else played.bots).items():
        if other != name:
            sources = arena.folder.versions / f"{digest}.{BUILD_FILES}"
            shutil.copytree(sources, target / other / BOT_FOLDER, copy_function=shutil.copyfile)
            for folder in [target / other, *(path for path in (target / other).rglob("*") if path.is_dir())]:
                folder.chmod(0o755)
