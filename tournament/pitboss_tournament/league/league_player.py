"""The player of a league: one tournament without end, whose versions come and go while it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

import trio

from pitboss.errors import ConfigError
from pitboss.records.record import Incident
from pitboss.text import format_count
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.league.book import LEAGUE_ITSELF, Book
from pitboss_tournament.league.league_field import (
    SPENT,
    DamagedVersion,
    LeagueField,
    UnplayableVersion,
    draw_up_field,
)
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.live_ladder import LiveLadder
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.rounds.checkpoint import Checkpoint, encode_checkpoint
from pitboss_tournament.rounds.recorded_rounds import RoundsState
from pitboss_tournament.running.engine import Engine
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_end import NO_LIMITS
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store

FIELD_LOOK_SECONDS: Final = 0.5  # between looks at the field
DAMAGE_LOOK_SECONDS: Final = 60.0  # between looks whether the files of a version are again what they were
CHECKPOINT_SECONDS: Final = 60.0  # between checkpoints, while games are played


class LeaguePlayer(ProgressListener):
    """Plays the games of a league, as soon as there are bots for a table."""

    def __init__(
        self,
        league: League,
        book: Book,
        engine: Engine,
        machine: Mapping[str, Any],
        ladder: LiveLadder,
        show: Callable[[str], None],
    ) -> None:
        """`machine`: settings of a tournament file that say where and how much at a time is played.

        `ladder` gets the standings. `show` gets a line for the host whenever something has happened.
        """
        self.counts: LiveCounts | None = None  # once it plays
        self._ladder = ladder
        self.tournament: Tournament | None = None
        self._league = league
        self._book = book
        self._engine = engine
        self._machine = machine
        self._show = show
        self._bell = trio.Event()
        self._has_ended = trio.Event()
        self._signals: list[int] = []  # that stop it
        self._store: Store | None = None
        self._damaged: dict[int, str] = {}  # what is wrong with the files of versions that do not play, by submission
        self._spent: frozenset[int] = frozenset()  # submissions whose owners have no money for their models
        self._spent_owners: frozenset[str] = frozenset()
        self._sees_damage = False  # a process was not started: the files of all versions must be looked at
        self._parts_kept = 0  # parts of the rankings in the latest checkpoint that will not change
        self._kept_of = 0  # how often the games had been recounted when these were kept

    def ring(self) -> None:
        """Say that somebody may have joined or left."""
        self._bell.set()

    def close(self) -> None:
        """Close the store. Not before the book is closed: SQLite's locks on the file would go with it."""
        if self._store is not None:
            self._store.close()

    async def run(self) -> None:
        """Play until a signal stops it.

        Raises:
            as `Tournament.run`, and StoreError, ConfigError: the store is not that of this league.
        """
        while True:
            if self._signals:
                return
            known = await trio.to_thread.run_sync(self._book.submissions)
            active = sum(one.state in ACTIVE for one in known)
            if active and active + len(self._league.anchors) >= self._league.seats:
                break
            self._ladder.follow(None)
            await self._wait()
        tournament = await trio.to_thread.run_sync(self._open, known)
        self._ladder.follow(self.counts)
        for number in self._signals:  # that came before there was a tournament to hear them
            tournament.stop(number)
        async with trio.open_nursery() as beside:
            beside.start_soon(self._follow_field)
            beside.start_soon(self._keep_checkpoints)
            await tournament.run(self)
            beside.cancel_scope.cancel()
        self._has_ended.set()
        await self._keep_checkpoint()

    def stop(self, number: int) -> None:
        """Stop playing, or do not begin, as by a signal of this number."""
        self._signals.append(number)
        if self.tournament is not None:
            self.tournament.stop(number)
        self.ring()

    async def wait_for_signal(self) -> int:
        """Return the signal that has stopped it."""
        await self._has_ended.wait()
        assert self.tournament is not None
        return self.tournament.stop_signal or 0

    def show_fault(self, name: str, game_id: int, incident: Incident) -> None:
        """Tell the host of the first fault of a version."""
        self._show(f"the first fault of {name}, in game {game_id}: {incident.fault.message}")

    def take_out_changed(self, text: str) -> bool:
        """Have a version taken out whose files are not those that were submitted; the others play on."""
        self._show(text)
        self._sees_damage = True
        self.ring()
        return True

    def show_note(self, text: str) -> None:
        """Tell the host what happened to the machines that play."""
        self._show(text)

    def _open(self, known: list[Submission]) -> Tournament:
        """Open the store and take up the games."""
        league, path = self._league, self._league.folder.store
        was, begun = None, 0
        if has_tournament(path):
            stored = Store(path)
            was, begun = stored.header, stored.rounds.last_number()
            stored.close()
        field = self._draw_up(known, was).begin_in(begun + 1)
        self._store = Store.open_to_write(path, field.header)
        self._store.change_header(field.header)
        self.counts = LiveCounts(field.header)
        self.tournament = Tournament(field.plan, league.game, self._store, self._engine, NO_LIMITS, self.counts)
        self._store.begin_run(self.tournament.games_before, None)
        playing = format_count(len(field.header.rosters[-1].entries), "version")
        self._show(f"playing begins: {playing}, {format_count(self.tournament.games_before, 'game')} so far")
        return self.tournament

    def _draw_up(self, known: list[Submission], was: Header | None) -> LeagueField:
        """Return the field of these submissions; those that cannot play any more are taken out.

        A version whose files are damaged keeps its state, and plays again once they are what they were.
        """
        damaged, self._damaged = self._damaged, {}
        while True:
            try:
                field = draw_up_field(self._league, known, was, self._spent_owners, **self._machine)
                self._note_spent(known, field)
                return field
            except DamagedVersion as error:
                if error.why not in (damaged.get(error.submission.number), self._damaged.get(error.submission.number)):
                    self._show(f"{error}; until then the others play on")
                self._damaged[error.submission.number] = error.why
                known = [one for one in known if one.number not in self._damaged]
            except UnplayableVersion as error:
                self._show(str(error))
                self._book.retire([error.submission.number], error.why, who=LEAGUE_ITSELF, is_barred=False)
                known = self._book.submissions()

    def _note_spent(self, known: list[Submission], field: LeagueField) -> None:
        """Tell the host of the versions that do not play as their owners' budgets are used up."""
        entries = field.header.entries
        playing = {(entries[bot].name, entries[bot].version) for bot in field.header.rosters[-1].entries}
        spent = [one for one in known if one.state in ACTIVE and (one.bot, one.version) not in playing]
        for one in spent:
            if one.number not in self._spent:
                self._show(f"{one.label} of {one.owner} plays no more: {SPENT}")
        self._spent = frozenset(one.number for one in spent)

    async def _follow_field(self) -> None:
        """Let versions join and leave as the book says, and tell the book what the games say, for ever."""
        assert self.tournament is not None
        assert self.counts is not None
        known: list[Submission] = []
        seen = -1
        look_again = trio.current_time() + DAMAGE_LOOK_SECONDS
        while True:
            count = await trio.to_thread.run_sync(self._book.change_count)
            if count != seen:
                seen, known = count, await trio.to_thread.run_sync(self._book.submissions)
            known = await self._note_progress(known)
            header = self.counts.header
            entries = [header.entries[bot] for bot in header.rosters[-1].entries]
            playing = {(entry.name, entry.version) for entry in entries if not entry.about.yardstick}
            out = {*self._damaged, *self._spent}
            meant = [one for one in known if one.state in ACTIVE and one.number not in out]
            spent_owners = frozenset(self.tournament.list_spent_owners())
            has_spent, self._spent_owners = spent_owners != self._spent_owners, spent_owners
            is_other = playing != {(one.bot, one.version) for one in meant}
            if is_other or has_spent or self._sees_damage or (self._damaged and trio.current_time() > look_again):
                self._sees_damage, look_again = False, trio.current_time() + DAMAGE_LOOK_SECONDS
                field = await trio.to_thread.run_sync(self._draw_up, known, header)
                field = field.begin_in(self.tournament.progress.rounds_begun + 1)
                self.tournament.change_field(field.plan, field.header)
            await self._wait()

    async def _note_progress(self, known: list[Submission]) -> list[Submission]:
        """Tell the book which versions have found their place, and which are disqualified; return all submissions."""
        assert self.counts is not None
        counts = self.counts
        numbers = {(entry.name, entry.version): number for number, entry in enumerate(counts.counted_entries)}
        moved = []
        for one in known:
            number = numbers.get((one.bot, one.version))
            if number is None or one.state not in ACTIVE:
                moved.append(one)
            elif counts.is_disqualified(number):
                faults = counts.count_faults(number)
                kinds = ", ".join(f"{kind} {count}" for kind, count in faults.most_common())
                games = format_count(faults.total(), "game")
                said = f"it forfeited {games} ({kinds})"
                out = partial(self._book.retire, [one.number], said, who=LEAGUE_ITSELF)
                moved += await trio.to_thread.run_sync(out)
                self._show(f"{one.label} of {one.owner} plays no more: {said}")
            elif one.state == "placing" and counts.count_games(number) >= self._league.file.league.placing_games:
                with suppress(ConfigError):  # somebody retires it in this moment
                    one = await trio.to_thread.run_sync(self._book.move, one.number, "playing")
                moved.append(one)
            else:
                moved.append(one)
        return moved

    async def _keep_checkpoints(self) -> None:
        assert self.tournament is not None
        begun = self.tournament.progress.rounds_begun
        while True:
            await trio.sleep(CHECKPOINT_SECONDS)
            if self.tournament.progress.rounds_begun > begun:
                begun = self.tournament.progress.rounds_begun
                await self._keep_checkpoint()

    async def _keep_checkpoint(self) -> None:
        """Keep where the tournament is, so that the next run begins there."""
        tournament, counts = self.tournament, self.counts
        assert tournament is not None
        assert counts is not None

        def begin() -> tuple[RoundsState | None, list[int]]:
            if self._kept_of != counts.beginnings:  # the store has forgotten them with the games that are void
                self._kept_of, self._parts_kept = counts.beginnings, 0
            return tournament.progress.keep_state(), tournament.progress.list_counted()

        def encode(counted: Counts, place: tuple[RoundsState | None, list[int]]) -> tuple[bytes, list[bytes]]:
            state, games = place
            if state is None:
                return b"", []
            head = encode_checkpoint(Checkpoint(state, games, counted.dump()))
            return head, list(counted.rankings.pack_parts(self._parts_kept))

        head, parts = await counts.compute(begin, encode)
        if head:
            numbered = dict(enumerate(parts, start=self._parts_kept + 1))
            await tournament.write_checkpoint(head, numbered)
            self._parts_kept += max(0, len(parts) - 1)

    async def _wait(self) -> None:
        """Wait until somebody may have joined or left."""
        with trio.move_on_after(FIELD_LOOK_SECONDS):
            await self._bell.wait()
        self._bell = trio.Event()
