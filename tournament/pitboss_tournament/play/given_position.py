"""A game that people begin in its middle: where a file stops, or at a decision of a game in it."""

from __future__ import annotations

import re
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import UNSET

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.records.record import Decision, Record, dumps
from pitboss_tournament.exchange.importers import find_importer
from pitboss_tournament.plan.plan import GivenDeals, Plan
from pitboss_tournament.play.journal import JournalEntry, JournalHeader, PlayJournal, journal_path, read_journal
from pitboss_tournament.play.play_session import GameSequence, PlayRequest
from pitboss_tournament.reask.bot_lookup import check_decision
from pitboss_tournament.reask.foreign_game import load_any_game

GAME_PLACE: Final = re.compile(r"(.+?)(?::([0-9]{1,12}))?(?::([0-9]{1,12}))?")


class GivenPosition(NamedTuple):
    """A game up to a decision."""

    record: Record  # of which the decisions before that one count
    decisions: list[Decision]  # that were made
    seat: int  # that decides
    deals: GivenDeals  # the deal of the game
    why_open: str  # why the game has no end in its file; "" if it has one


def is_place(text: str, registry: Registry) -> bool:
    """Return whether a text names a place in a file of games: FILE:GAME, FILE:GAME:DECISION, or a file to import."""
    found = GAME_PLACE.fullmatch(text)
    if found is None or Path(text).exists():
        return find_importer(Path(text), registry) is not None
    return found[2] is not None or find_importer(Path(text), registry) is not None


def read_given_position(text: str, registry: Registry) -> GivenPosition:
    """Return the position that FILE, FILE:GAME or FILE:GAME:DECISION names; by default the one at which a game stops.

    Raises:
        ConfigError: there is no such file, game or decision, or the game has an end and no decision is named.
        RecordError, ReplayDiffers: the game cannot be read, or does not replay.
    """
    found = GAME_PLACE.fullmatch(text)
    if found is None or Path(text).is_file():
        path, game_id, number = Path(text), None, None
    else:
        path = Path(found[1])
        game_id, number = (None if word is None else int(word) for word in (found[2], found[3]))
    recorded = load_any_game(path, game_id, registry)
    record = recorded.record
    if number is None and recorded.open_seat is None:
        raise ConfigError(
            f"--resume {text}: game {recorded.game_id} has an end; say at which decision to begin, from 1 to "
            f"{recorded.last_question}: {path}:{recorded.game_id}:DECISION"
        )
    number = recorded.last_question if number is None else number
    check_decision(record, recorded.game_id, number, recorded.last_question)
    return GivenPosition(
        record=record,
        decisions=[Decision(seat=one.seat, action=one.action) for one in record.decisions[: number - 1]],
        seat=recorded.seat_of(number),
        deals=GivenDeals(file=path.name, digest=sha256(dumps(record)).hexdigest(), seeds=(record.seed,)),
        why_open="" if record.broken is UNSET else record.broken.why,
    )


def begin_at_position(position: GivenPosition, plan: Plan, request: PlayRequest, registry: Registry) -> None:
    """Write the journal of a game that stands at a position, beside its store; one that has begun is carried on.

    The plan has the deal of the position.

    Raises:
        ConfigError: another game was broken off there, or the file cannot be written.
    """
    path = journal_path(plan.store)
    begun = read_journal(path, registry)
    if begun is not None:
        if begun.header.plan.given_deals != position.deals:
            raise ConfigError(
                f"{path}: another game was broken off here; carry on with it by --resume, or remove that file"
            )
        return
    games = GameSequence(plan.seat_design, plan.seed if request.is_seat_drawn else None)
    header = JournalHeader(plan=plan, game_id=games.next_deal([], request.seat), adviser=request.adviser)
    with closing(PlayJournal(path, header)) as journal:
        for decision in position.decisions:
            journal.write(JournalEntry(decision=decision))
