"""A class in a test: `python -m tests.soak.league_class` lets students send good, broken and hostile bots to a league.

They come over HTTP to a server that plays all the while, that is killed and started again, and whose ladder is open in
a browser. Afterwards it is counted what was kept of all that the league promises.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Final

from pitboss_tournament.league.submission import ACTIVE, WAITING
from tests.browser.chromium import Page
from tests.league.league_process import LeagueProcess, run_league
from tests.plugins import magpie_installed
from tests.soak.class_bots import FATES, BotMaker, list_owners
from tests.soak.class_browser import ClassBrowser, open_class_browser
from tests.soak.class_by_browser import TRYING, BrowserStudents, choose_by_browser
from tests.soak.class_leaks import LeakSearch, sample_paths
from tests.soak.class_memory import StoreMemory
from tests.soak.class_promises import ClassEnd, check_class, check_upkeep
from tests.soak.class_students import SENDERS, Delivery, Students, make_mischief
from tests.soak.process_watch import ProcessWatch
from tests.soak.promises import PromiseTally
from tests.tournament.command_line import run_pitboss

TEACHER: Final = "teacher"  # who has a token of a host
EVE: Final = "eve"  # who uses the browser
LOOK_PAUSE_S: Final = 0.2
WAIT_S: Final = 600.0  # only a league that hangs takes so long
NEWS_S: Final = 90.0
LAST_PROCESS_S: Final = 20.0  # for the last processes of a league that has ended
SENDING_SHARE: Final = 0.6  # of the time, for what is sent at first
KILL_GAMES: Final = 60  # before a kill
SLOW_UPLOADS_S: Final = (0.0, 1.0, 3.0)
ANOTHER_VERSION: Final = 5  # one good bot in so many gets another version
CLASS_RULES: Final = """
game = "{game}"
sandbox = "auto"
{preset}
[clock]
start_ms = 60000
decision_ms = {decision_ms}
[limits]
memory_mb = 128
processes = 32
disk_mb = 40
[league]
name = "class"
placing_games = {placing_games}
deals = 1
[faults]
disqualify_after = 3
[submissions]
max_mb = 1
free_mb = 0
a_day = 500
[validation]
check = {check}
games = 2
build_mb = 40
"""


def main(words: Sequence[str] | None = None) -> int:
    """Hold a class; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.league_class", description=__doc__)
    parser.add_argument("--bots", type=int, default=60, help="that the students send at first (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=6, help="the shortest that it takes (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=2, help="of the league's process (default: %(default)s)")
    parser.add_argument("--seed", default="class", help="bots and moments follow from it (default: %(default)s)")
    parser.add_argument("--game", choices=("racko", "magpie"), default="racko", help="(default: %(default)s)")
    parser.add_argument("--placing", type=int, default=20, help="games to find a place (default: %(default)s)")
    parser.add_argument("--decision-ms", type=int, default=3_000, help="a bot's clock (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="the league makes all checks, some 20 s for each bot")
    parser.add_argument("--folder", type=Path, help="a folder in which the league is kept; it may be new")
    parser.add_argument("--screenshot", type=Path, help="where to write a picture of the ladder, as PNG")
    given = parser.parse_args(words)
    promises = PromiseTally()
    with tempfile.TemporaryDirectory(prefix="pitboss-class-") as temporary, magpie_installed():
        home = given.folder or Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o755)  # in a sandbox the bots are somebody else
        LeagueClass(given, home, promises).hold()
    return promises.exit_status()


class LeagueClass:
    """A class on its way: the league, its students, and what is remembered of it."""

    def __init__(self, given: argparse.Namespace, home: Path, promises: PromiseTally) -> None:
        self._given, self._promises = given, promises
        self._folder = home / "course"
        self._mark = f"soak-class-{os.getpid()}"
        self._chance = Random(given.seed)
        self._maker = BotMaker(given.game, home, self._mark, self._chance)
        bots = self._maker.make_class(given.bots)
        self._by_hand = self._maker.make(EVE, "by hand", "crashes")
        self._archive = home / "by-hand.tar"
        self._archive.write_bytes(self._by_hand.archive)
        alone = choose_by_browser(bots)
        self._tokens = self._make_course([owner for owner in (*list_owners(bots), EVE) if owner not in alone], home)
        self._by_browser = BrowserStudents(self._folder, alone, self._tokens)
        self._by_browser.invite()
        self._students = Students(self._tokens, self._chance, self._by_browser)
        self._end = ClassEnd(folder=self._folder, game=given.game, bots=[*bots, self._by_hand])
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self._port = int(listener.getsockname()[1])

    def _make_course(self, owners: Sequence[str], home: Path) -> dict[str, str]:
        """Make the folder of the league, as its host does; return the token of each owner."""
        given, folder = self._given, str(self._folder)
        made = run_pitboss("league", "init", folder, given.game)
        assert made.status == 0, made.err
        rules = CLASS_RULES.format(
            game=given.game,
            preset='preset = "short"' if given.game == "racko" else "",
            decision_ms=given.decision_ms,
            placing_games=given.placing,
            check=str(given.check).lower(),
        )
        (self._folder / "league.toml").write_text(rules)
        (home / "class.csv").write_text("\n".join(owners) + "\n")
        lines = run_pitboss("token", "new", folder, "--csv", str(home / "class.csv")).out.splitlines()
        lines += [f"{TEACHER},{run_pitboss('token', 'new', folder, '--owner', TEACHER, '--role', 'host').out.strip()}"]
        tokens = dict(line.split(",") for line in lines if ",pitboss-" in line)
        assert set(tokens) == {*owners, TEACHER}
        return tokens

    def hold(self) -> None:
        """Hold the class, and look at what is left."""
        began = monotonic()
        address = f"http://127.0.0.1:{self._port}"
        with ExitStack() as stack:
            with self._serve() as (league, watch):
                browser = stack.enter_context(open_class_browser(address))
                page = None if browser is None else browser.log_in(self._tokens[EVE])
                self._begin(browser, page)
                self._wait_for_kill(league, 0)
                memory = self._kill(league, watch)
            for kill in range(1, self._given.kills + 1):
                with self._serve() as (league, watch):
                    self._go_on(league, memory, browser)
                    if kill < self._given.kills:
                        self._wait_for_kill(league, kill)
                        memory = self._kill(league, watch)
                    else:
                        self._finish(league, began, browser, page)
                        watch.scan()
            self._check_no_process(watch, "an end in good order")
        self._end.seconds = monotonic() - began
        self._end.kills = self._given.kills
        with self._serve("--no-play") as (league, _):
            self._end.stored_ladder = league.ask("GET", "/api/ladder").value
        check_class(self._end, self._promises)
        check_upkeep(self._end, self._promises)

    @contextmanager
    def _serve(self, *words: str) -> Iterator[tuple[LeagueProcess, ProcessWatch]]:
        """Context manager: run the league, by the same command each time."""
        with run_league(self._folder, "--port", str(self._port), "-s", "games_at_once=4", *words) as league:
            self._students.league = league
            yield league, ProcessWatch(league.process.pid, self._mark)
            self._students.league = None

    def _begin(self, browser: ClassBrowser | None, page: Page | None) -> None:
        bots = [bot for bot in self._end.bots if bot is not self._by_hand or browser is None]
        deliveries = [Delivery(bot, self._chance.choice(SLOW_UPLOADS_S)) for bot in bots]
        self._students.give(deliveries)
        self._students.begin(SENDING_SHARE * 60 * self._given.minutes * SENDERS / len(bots))
        if browser is not None and page is not None:
            self._end.by_hand = browser.upload(page, self._by_hand.name, self._archive)

    def _wait_for_kill(self, league: LeagueProcess, kill: int) -> None:
        """Wait until some have sent, games are played and uploads come, and a moment more."""
        share = (kill + 1) / (self._given.kills + 1)
        answers, games = share * len(self._end.bots), KILL_GAMES * (kill + 1)

        def is_time() -> bool:
            return len(self._students.kept) >= answers and len(StoreMemory(self._folder).games) >= games

        self._wait(league, is_time)
        if kill + 1 == self._given.kills:
            self._students.give(self._list_more())
        sleep(self._chance.uniform(0, 1))
        self._wait(league, lambda: self._students.in_flight > 0 or not self._students.left)

    def _list_more(self) -> list[Delivery]:
        """Return what is sent in the second half: other versions, the same files again, and those of somebody else."""
        known = [kept.bot for kept in self._students.kept if kept.bot.kind == "good"]
        newer = [self._maker.make(one.owner, one.name, "good", one.strength, 2) for one in known[::ANOTHER_VERSION]]
        last = known[-1]
        copier = next(bot.owner for bot in self._end.bots if bot.kind == "good" and bot.owner != last.owner)
        copied = last._replace(owner=copier, name="a copy")
        self._end.bots += [*newer, copied]
        again = [Delivery(known[1]), Delivery(last, 1.0)]
        return [*again, Delivery(copied, 1.0), *(Delivery(one, self._chance.choice(SLOW_UPLOADS_S)) for one in newer)]

    def _kill(self, league: LeagueProcess, watch: ProcessWatch) -> StoreMemory:
        """Kill the league; return what it had."""
        answered = list(self._students.kept)
        watch.scan()
        before = StoreMemory(self._folder)
        self._end.killed_uploads += self._students.in_flight
        self._students.league = None
        league.kill()
        now = StoreMemory(self._folder)
        lost = [one.bot.name for one in answered if one.number not in now.submissions]
        self._promises.check(
            not (lost or before.find_lost(now)),
            f"after kill -9 with {len(before.games):,} games and {len(answered)} answers all are there: "
            f"{[*lost, *before.find_lost(now)][:5]} lost",
        )
        self._check_no_process(watch, "kill -9")
        return now

    def _check_no_process(self, watch: ProcessWatch, what: str) -> None:
        left = [process.command_line[:80] for process in watch.wait_leftovers(LAST_PROCESS_S)]
        self._promises.check(not left, f"no process of the league outlives {what}: {len(left)} left {left[:3]}")

    def _go_on(self, league: LeagueProcess, memory: StoreMemory, browser: ClassBrowser | None) -> None:
        """Look at a league that was started again."""
        now = StoreMemory(self._folder)
        self._promises.check(
            not memory.find_lost(now), f"the same command goes on with them: {memory.find_lost(now)[:5]} lost"
        )
        if browser is not None:
            shown = browser.read_games()
            is_live = browser.shows_more(max(shown, len(memory.games)), NEWS_S)
            self._promises.check(
                is_live and shown > 0,
                f"the open ladder goes on, without a reload: from {shown:,} games to {browser.read_games():,}",
            )

    def _finish(self, league: LeagueProcess, began: float, browser: ClassBrowser | None, page: Page | None) -> None:
        """Wait until all is validated and has played, and look at what everybody can fetch."""
        end, students = self._end, self._students
        victim = students.kept[0]
        other = next(bot for bot in end.bots if bot.owner != victim.bot.owner)
        end.mischief = make_mischief(league, self._tokens, victim, other)
        self._wait(league, lambda: not students.left)
        students.end()
        self._wait(league, lambda: not self._list_states(WAITING))
        self._withdraw(league)
        self._wait(league, self._has_played_enough)
        self._wait(league, lambda: monotonic() > began + 60 * self._given.minutes)
        self._check_by_browser(league)
        end.kept, end.surprises, end.broken_off = students.kept, students.surprises, students.broken_off
        end.leaks = self._search_leaks(league)
        if browser is not None and page is not None:
            self._look_at_logs(browser, browser.log_in(self._tokens[EVE]))  # sessions end with the process
        end.live_ladder = league.ask("GET", "/api/ladder").value
        end.feed = league.ask("GET", "/api/league", self._tokens[TEACHER]).value

    def _check_by_browser(self, league: LeagueProcess) -> None:
        """Look at those who have nothing but a browser; some of them see the end of a trial."""
        alone = self._by_browser.owners
        self._by_browser.tried = 0
        self._by_browser.try_again(league, self._end.bots)
        ready = {one.owner for one in StoreMemory(self._folder).submissions.values() if one.state in ACTIVE}
        self._promises.check(
            alone <= ready and self._by_browser.tried == min(TRYING, len(alone)),
            f"{len(alone)} students by browser alone have a bot that plays: {self._by_browser.joined} joined by the "
            f"link, {self._by_browser.tried} saw the end of a trial; {sorted(alone - ready)} lack one",
        )

    def _list_states(self, states: Sequence[str]) -> list[str]:
        return [one.label for one in StoreMemory(self._folder).submissions.values() if one.state in states]

    def _has_played_enough(self) -> bool:
        """Whether all who play have found their place, and all who must go are out."""
        bad = {bot.name for bot in self._end.bots if FATES[bot.kind] == "retired"}
        known = StoreMemory(self._folder).submissions.values()
        return not any(one.state == "placing" or (one.state in ACTIVE and one.bot in bad) for one in known)

    def _withdraw(self, league: LeagueProcess) -> None:
        """Let an owner take out a bot of his."""
        taken = next(kept for kept in self._students.kept if kept.bot.kind == "good" and kept.version == 1)
        bot = next(bot for bot in reversed(self._end.bots) if bot.kind == "good" and bot is not taken.bot)
        kept = next(kept for kept in self._students.kept if kept.bot is bot)
        answer = league.ask("DELETE", f"/api/submissions/{kept.number}", self._tokens[bot.owner])
        assert answer.status == 200, answer.value
        self._end.withdrawn.add(kept.number)

    def _search_leaks(self, league: LeagueProcess) -> LeakSearch:
        """Fetch pages as everybody, as each hostile owner and as some others."""
        search = LeakSearch(league, self._tokens, self._end.bots)
        memory, names = StoreMemory(self._folder), [bot.name for bot in self._end.bots]
        faulty = memory.list_faulty_games()
        hostile = [bot.owner for bot in self._end.bots if bot.kind != "good"]
        others = [bot.owner for bot in self._end.bots if bot.kind == "good"][:4]
        for viewer in dict.fromkeys(["", *hostile, *others]):
            own = [number for number, one in memory.submissions.items() if one.owner == viewer]
            games = [*self._chance.sample(faulty, min(10, len(faulty))), *list(memory.games)[-200:]]
            paths = sample_paths(games, len(memory.submissions), names, max(4, len(names) // 5), self._chance)
            search.look_around(viewer, [*paths, "/me", *(f"/versions/{number}" for number in own)])
        return search

    def _look_at_logs(self, browser: ClassBrowser, page: Page) -> None:
        """Let the owner at the browser read logs of his games, and try those of others."""
        memory = StoreMemory(self._folder)
        own = memory.list_faulty_games(memory.submissions[self._end.by_hand].label)
        foreign = [game for game in memory.list_faulty_games() if game not in memory.list_games_of("by hand")]
        texts = [browser.read_page(page, f"/games/{game}") for game in own]
        others = [browser.read_page(page, f"/games/{game}") for game in foreign[:5]]
        word = f"errors-{self._by_hand.secret}"
        self._promises.check(
            any(word in text for text in texts) and not any("its owner sees" in text for text in others),
            f"in the browser an owner reads the logs of {len(own)} games of his, and none of {len(others)} of others",
        )
        errors = [one for one in browser.ladder.messages() if "Runtime.exceptionThrown" in one or "exception" in one]
        self._promises.check(browser.is_same and not errors, f"the ladder was never loaded again: {errors[:3]}")
        if self._given.screenshot is not None:
            browser.ladder.take_screenshot(self._given.screenshot)

    def _wait(self, league: LeagueProcess, is_so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        until = monotonic() + WAIT_S
        while not is_so():
            assert league.process.poll() is None, (self._folder / "run.log").read_text()[-3_000:]
            assert monotonic() < until, (self._folder / "run.log").read_text()[-3_000:]
            sleep(LOOK_PAUSE_S)


if __name__ == "__main__":
    sys.exit(main())
