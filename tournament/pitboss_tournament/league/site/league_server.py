"""`league run`: one process serves a league over HTTP and validates what comes."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, closing
from datetime import datetime
from functools import partial
from typing import Any, Final

import trio

from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.feedback_book import FeedbackBook
from pitboss_tournament.league.feedback_queue import FeedbackQueue
from pitboss_tournament.league.game_archive import GameArchive
from pitboss_tournament.league.hook import HookCaller
from pitboss_tournament.league.intake import clear_remains
from pitboss_tournament.league.invitations import InvitationBook
from pitboss_tournament.league.league_folder import League, hold_league
from pitboss_tournament.league.league_player import LeaguePlayer
from pitboss_tournament.league.live_ladder import LiveLadder
from pitboss_tournament.league.log_bound import keep_logs_bounded
from pitboss_tournament.league.rule_changes import read_wall_clock
from pitboss_tournament.league.site.editor_site import EditorSite
from pitboss_tournament.league.site.feedback_site import FeedbackSite
from pitboss_tournament.league.site.game_site import GameSite
from pitboss_tournament.league.site.join_site import JoinSite
from pitboss_tournament.league.site.league_app import LeagueSite, make_league_app
from pitboss_tournament.league.site.login_site import LoginSite
from pitboss_tournament.league.site.mounting import MountedApp
from pitboss_tournament.league.site.own_games_site import OwnGamesSite
from pitboss_tournament.league.site.page_site import PageSite
from pitboss_tournament.league.site.season_site import SeasonSite
from pitboss_tournament.league.stored_ladder import LadderSource, StoredLadder
from pitboss_tournament.league.term_keeper import TermKeeper
from pitboss_tournament.league.validation_queue import ValidationQueue
from pitboss_tournament.league.workshop.drafts import DraftBook
from pitboss_tournament.league.workshop.trial_queue import TrialQueue
from pitboss_tournament.league.workshop.trials import TrialBook
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.running.engine import Engine
from pitboss_tournament.store.store_lock import HOLD_SIGNAL
from pitboss_tournament.web.server import leave_anyway, serve_app
from pitboss_tournament.web.struct_types import build_struct_types

NEXT_RULES: Final = -1  # in place of a signal: the league ended as its rules change
HOLD_GAMES: Final = int(HOLD_SIGNAL or signal.SIGTERM)  # lets games in progress end, where that is possible
LONGEST_SLEEP: Final = 60.0  # seconds, after which the clock is read again: it may have been set
EXIT_SECONDS: Final = 30.0  # for games to be broken off and a checkpoint to be written


async def run_league(
    league: League,
    engine: Engine,
    machine: Mapping[str, Any],
    host: str,
    port: int,
    public_name: str,
    announce: Callable[[str], None],
    show: Callable[[str], None],
    until: Callable[[], Awaitable[int]],
    *,
    plays: bool = True,
    prefix: str = "",
    changes_at: datetime | None = None,
) -> int:
    """Serve a league, validate what comes, and play, until `until` returns the number of a signal; return that.

    It is 0 if the games in progress were let end: see `store_lock.HOLD_SIGNAL`; and NEXT_RULES at `changes_at`, when
    the games that were in progress have ended, and the rules change.

    The process ends soon after in any case. `announce` gets the address. `machine` says where and how much at a time is
    played: see `LeaguePlayer`.

    Raises:
        ConfigError: it is running already, its sandbox does not work here, or the address cannot be had.
    """
    build_struct_types()
    _, warning = resolve_sandbox(league.file.sandbox)
    if warning:
        show(warning)
    with ExitStack() as stack:
        stack.enter_context(hold_league(league.folder, "this league is running already"))
        player: LeaguePlayer | None = None

        def close_player() -> None:
            if player is not None:
                player.close()

        stack.callback(close_player)  # after the book is closed
        book = stack.enter_context(closing(open_book(league.folder.store)))
        await trio.to_thread.run_sync(clear_remains, league, book)
        owners = league.file.league.owners
        stored = StoredLadder(league.folder.store, book, owners)
        ladder = LiveLadder(book, stored, owners)
        ring_player: Callable[[], None] = _do_nothing
        if plays:
            player = LeaguePlayer(league, book, engine, machine, ladder, show)
            ring_player = player.ring
        queue = ValidationQueue(league, book, ring_player, show)
        source: LadderSource = ladder if plays else stored
        login = LoginSite(league, book)
        pages = PageSite(league, book, source, login)
        site = LeagueSite(league, book, queue.ring, login)
        invitations = stack.enter_context(closing(InvitationBook(league.folder.store)))
        drafts = stack.enter_context(closing(DraftBook(league.folder.store)))
        trials = stack.enter_context(closing(TrialBook(league.folder.store)))
        practice = TrialQueue(league, book, trials, show)
        feedback = stack.enter_context(closing(FeedbackBook(league.folder.store)))
        looks = FeedbackQueue(league, book, feedback, source, show)
        archive = GameArchive(league.folder.store, book)
        more = (
            login,
            GameSite(league, pages, archive),
            OwnGamesSite(league, pages, archive, site.require_token),
            SeasonSite(league, pages),
            JoinSite(league.name, invitations, login),
            EditorSite(league, pages, site, login, drafts, trials, practice.ring),
            FeedbackSite(league, book, feedback, pages, login, site.require_token, looks.ring),
        )
        app = make_league_app(site, pages, [route for part in more for route in part.routes()], public_name)
        ended, changed = list[int](), list[datetime]()
        beside = trio.CancelScope()  # what ends at once

        async def wait_for_end() -> None:
            async with trio.open_nursery() as waiting:

                async def note(wait: Callable[[], Awaitable[int]]) -> None:
                    ended.append(await wait())
                    waiting.cancel_scope.cancel()

                async def wait_for_change(at: datetime) -> None:
                    while (left := (at - read_wall_clock()).total_seconds()) > 0:  # noqa: ASYNC110 - a clock tells nobody
                        await trio.sleep(min(left, LONGEST_SLEEP))
                    show("the rules change now: games in progress end, then the league begins again")
                    changed.append(at)
                    if player is not None and player.tournament is not None:
                        player.stop(HOLD_GAMES)  # the waiting ends with the games
                    else:
                        ended.append(HOLD_GAMES)
                        waiting.cancel_scope.cancel()

                waiting.start_soon(note, until)
                if changes_at is not None:
                    waiting.start_soon(wait_for_change, changes_at)
                if player is not None:
                    waiting.start_soon(note, player.wait_for_signal)  # while it plays it is who hears them
            leave_anyway(128 + ended[0] if ended[0] else 0, EXIT_SECONDS)
            beside.cancel()
            if player is not None and ended[0]:
                player.stop(ended[0])

        async with trio.open_nursery() as nursery:
            if player is not None:
                nursery.start_soon(player.run)
            term = TermKeeper(league, book, show)
            tasks: list[Callable[[], Awaitable[None]]] = [queue.run, practice.run, looks.run, term.run]
            if plays:
                tasks += [ladder.run, partial(keep_logs_bounded, league.folder.store, league.file.logs.mb)]
            if league.file.hook.command:
                tasks.append(HookCaller(league, book, show).run)
            nursery.start_soon(_run_within, beside, *tasks)
            await serve_app(MountedApp(app, prefix) if prefix else app, host, port, announce, wait_for_end)
        return NEXT_RULES if changed and ended[0] in (0, HOLD_GAMES) else ended[0]


def _do_nothing() -> None:
    """Tell nobody: nothing is played."""


async def _run_within(scope: trio.CancelScope, *tasks: Callable[[], Awaitable[None]]) -> None:
    with scope:
        async with trio.open_nursery() as nursery:
            for task in tasks:
                nursery.start_soon(task)
