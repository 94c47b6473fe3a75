"""What watchers cost: how soon `pitboss serve` answers fifty of them, and what the tournament loses by it.

    python bench/watching.py [--watchers 50] [--seconds 5] [--rounds 40] [--match WORD ...] [--stores FOLDER]

A tournament is played, and served. In turn nobody watches for some seconds, and then all do: half of them the page of
the tournament, half of them its tables, each of which asks for the next game when a page would have shown the last one.
Both halves of a round give a pace, in games a second, of games that are all of one length; the loss is the mean over
the rounds, with its 95 % interval: rounds are short and many, since machines grow faster and slower in half a minute.
The processor time of the server does not depend on that; that of the watchers, who usually sit elsewhere, is no loss.
Meanwhile one more client asks for pages and data in turn, and notes how long each answer takes. At last a store of
100,000 games is served, and Chromium, if it is there, tells when it has painted the page of the tournament for the
first time (a server that has not read the store before, and one that has).
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from math import expm1, log, sqrt
from pathlib import Path
from random import random
from statistics import fmean, quantiles, stdev
from time import perf_counter, sleep
from typing import Any, Final, NamedTuple

import trio

from growth import make_store
from pitboss_tournament.store.store import Store

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.browser.chromium import CHROMIUM, open_browser

PITBOSS: Final = (sys.executable, "-m", "pitboss_tournament.cli")
MATCH: Final = ("match", "lucky-maker", *["house:first"] * 3, "--preset", "single", "-s", "games_at_once=4")
PATHS: Final = ("", "summary.json", "tables.json", "games.json", "games/0.json", "tables/1")  # of a tournament
FRAME_SECONDS, PAUSE_SECONDS = 0.7, 3.0  # of a page: for a frame, and between two games
PROBE_SECONDS: Final = 0.1  # between two questions
GAMES: Final = 100_000
PAINT: Final = """new Promise(done => new PerformanceObserver(list =>
    list.getEntriesByName("first-contentful-paint").forEach(one => done(one.startTime))
).observe({type: "paint", buffered: true}))"""
SHOWN: Final = """new Promise(done => { const timer = setInterval(() =>
    document.querySelector("tbody tr") && done(performance.now(), clearInterval(timer)), 5) })"""


class WatchedWindow(NamedTuple):
    """Some seconds of the tournament."""

    pace: float  # games a second
    server_load: float  # seconds of processor time a second
    watchers_load: float  # of the process that plays the watchers
    answers_ms: dict[str, list[float]]  # by path


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of half a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=40, help="(default: %(default)s)")
    parser.add_argument("--match", nargs="+", default=MATCH, help="the tournament (default: one of Lucky Maker)")
    parser.add_argument("--stores", type=Path, help="the folder of the large store; by default it is not kept")
    parser.add_argument("--watch", nargs=2, help=argparse.SUPPRESS)  # port and number: be the watchers
    given = parser.parse_args()
    if given.watch:
        trio.run(_watch_all, int(given.watch[0]), int(given.watch[1]))
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-watching-") as temporary:
        _measure_watching(Path(temporary), given.match, given.watchers, given.seconds, given.rounds)
        folder = given.stores or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        _measure_paint(make_store(folder, GAMES, bots=20, seats=4))


# ---- a tournament that is watched


def _measure_watching(folder: Path, match: Sequence[str], watchers: int, seconds: float, rounds: int) -> None:
    store = folder / "x.pitboss"
    words = (*match, "--deals", "1000000", "--store", str(store))
    with _run_quietly(*words), _serve(store) as (server, port):
        while not store.exists() or _count_games(store) < 20:
            sleep(0.1)
        alone, watched = [], []
        for number in range(1, rounds + 1):
            alone.append(_measure_window(server, None, store, port, seconds))
            with _run_watchers(port, watchers) as watching:
                sleep(2.0)  # until all are there
                watched.append(_measure_window(server, watching, store, port, seconds))
            print(
                f"round {number}: {alone[-1].pace:7.1f} games a second alone, {watched[-1].pace:7.1f} with {watchers} "
                f"watchers ({100 * (watched[-1].pace / alone[-1].pace - 1):+.1f} %)",
                flush=True,
            )
    ratios = [log(one.pace / other.pace) for one, other in zip(watched, alone, strict=True)]
    half_width = 2 * stdev(ratios) / sqrt(len(ratios))
    low, middle, high = (100 * expm1(fmean(ratios) + change) for change in (-half_width, 0.0, half_width))
    print(f"pace: {middle:+.1f} % ({low:+.1f} to {high:+.1f})")
    percent = 100 / len(os.sched_getaffinity(0))  # of this machine, for each processor
    before, after = (percent * fmean(window.server_load for window in windows) for windows in (alone, watched))
    clients = percent * fmean(window.watchers_load for window in watched)
    print(
        f"of the machine's processor time: the server {before:.1f} %, then {after:.1f} %; the watchers {clients:.1f} %"
    )
    for title, windows in (("alone", alone), (f"with {watchers} watchers", watched)):
        _print_answers(title, windows)


def _print_answers(title: str, windows: Sequence[WatchedWindow]) -> None:
    by_path = defaultdict[str, list[float]](list)
    for window in windows:
        for path, times in window.answers_ms.items():
            by_path[path] += times
    for path, times in [("all answers", [*chain(*by_path.values())]), *by_path.items()]:
        cuts = quantiles(times, n=100, method="inclusive")
        print(
            f"{title}: {path or 'the page':14} p50 {cuts[49]:6.1f} ms, p99 {cuts[98]:6.1f} ms, most {max(times):6.1f}"
        )


def _measure_window(
    server: subprocess.Popen[str], watchers: subprocess.Popen[bytes] | None, store: Path, port: int, seconds: float
) -> WatchedWindow:
    answers = defaultdict[str, list[float]](list)
    games, used, began = _count_games(store), _cpu_seconds(server), perf_counter()
    used_by_watchers = _cpu_seconds(watchers)
    while perf_counter() < began + seconds:
        for path in PATHS:
            asked = perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", port)
            with closing(connection):
                connection.request("GET", f"/t/x/{path}")
                connection.getresponse().read()
            answers[path].append(1_000 * (perf_counter() - asked))
            sleep(PROBE_SECONDS)
    passed = perf_counter() - began
    loads = ((_cpu_seconds(server) - used) / passed, (_cpu_seconds(watchers) - used_by_watchers) / passed)
    return WatchedWindow((_count_games(store) - games) / passed, *loads, answers)


def _count_games(store: Path) -> int:
    with closing(Store(store)) as opened:
        return opened.count_games()


def _cpu_seconds(process: subprocess.Popen[Any] | None) -> float:
    if process is None:
        return 0.0
    words = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / 100  # ticks: 100 a second on Linux


async def _watch_all(port: int, number: int) -> None:
    """Be many watchers, until killed."""
    async with trio.open_nursery() as nursery:
        for watcher in range(number):
            table = watcher // 2 % 4 + 1
            nursery.start_soon(_watch, port, "/t/x/events" if watcher % 2 else f"/t/x/tables/{table}/events")


async def _watch(port: int, path: str) -> None:
    """Read a stream of events; when it ends, the next one when a page has shown all frames of the game.

    The first time it is any moment before, as watchers do not come all at once.
    """
    share = random()
    while True:
        frames = 0
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await stream.send_all(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            while part := await stream.receive_some(1 << 20):
                frames += part.count(b'"decision":')
        await trio.sleep(share * (PAUSE_SECONDS + frames * FRAME_SECONDS))
        share = 1.0


# ---- the first paint


def _measure_paint(store: Path) -> None:
    if CHROMIUM is None:
        print("there is no Chromium: the first paint is not measured")
        return
    with _serve(store) as (_, port), open_browser() as browser:
        for what in ("a server that has just begun", "again"):
            page = browser.open(f"http://127.0.0.1:{port}/t/{store.stem}/")
            painted, shown = page.run(PAINT), page.run(SHOWN)
            print(f"{GAMES:,} games, {what}: first paint after {painted:.0f} ms, standings after {shown:.0f} ms")


# ---- processes


@contextmanager
def _run_quietly(*words: str) -> Iterator[None]:
    """Run `pitboss` in the block."""
    with subprocess.Popen([*PITBOSS, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def _run_watchers(port: int, number: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, __file__, "--watch", str(port), str(number)]
    with subprocess.Popen(command) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _serve(store: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Serve a store in the block; yield the server and its port."""
    while not store.exists():
        sleep(0.1)
    command = [*PITBOSS, "serve", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found
            yield process, int(found[1])
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
