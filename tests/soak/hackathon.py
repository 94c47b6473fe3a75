"""A hackathon from start to end: `python -m tests.soak.hackathon` plays the event of generated teams in one file.

Some teams have a broken bot, two have one name, one is late, one is disqualified while the groups are played. The run
is killed twice with -9, once in the groups and once in the finals, and carried on. At the end winner, places, counts
and headline are compared with what the strengths of the teams and the rules of the event say.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from pitboss.errors import PitbossError
from pitboss_tournament.store.store import Store
from tests.soak.promises import PromiseTally

PATIENCE_S: Final = 900.0  # a run that hangs takes so long
GROUPS: Final = 4
ADVANCE: Final = 2
CHEAT: Final = "team-05"
LATE: Final = "team-00"  # the strongest of all: late, and to win all the same
REASON: Final = "it opened the folder of another team"

BOT: Final = '''"""A bot of a team: plays well with a probability, else at random."""
from random import random
from pitboss.bot import run
from pitboss_racko.bot import choose as choose_well

def choose(decision):
    if random() < {strength}:
        return choose_well(decision)
    return 0 if decision.phase == "draw" else len(decision.legal) - 1

run(choose)
'''
EVENT: Final = """title = "The hackathon"
game = "racko"
preset = "short"
seats = 2
seed = "hackathon"
on_broken = "skip"
sandbox = "{sandbox}"
bots = ["submissions/*", {{ bot = "house:racko", yardstick = true }}]

[format]
name = "stages"

[[format.stages]]
name = "groups"
groups = {groups}
deals = 1
advance = {advance}

[[format.stages]]
name = "finals"
deals = {finals}
"""


def main(words: Sequence[str] | None = None) -> int:
    """Play the event, and check it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.hackathon", description=__doc__)
    parser.add_argument("--teams", type=int, default=30, help="teams, broken ones too (default: %(default)s)")
    parser.add_argument("--finals", type=int, default=6, help="deals of the finals (default: %(default)s)")
    parser.add_argument("--sandbox", default="auto", help="level of the sandbox (default: %(default)s)")
    given = parser.parse_args(words)
    promises, began = PromiseTally(), monotonic()
    with tempfile.TemporaryDirectory(prefix="pitboss-hackathon-") as home:
        Path(home).chmod(0o755)
        event = Hackathon(Path(home), given.teams, given.finals, given.sandbox)
        event.play(promises)
        event.check(promises)
    print(f"{given.teams} teams in {monotonic() - began:,.0f} s", flush=True)
    return promises.exit_status()


class Hackathon:
    """The folder of an event: its file, its teams and its store."""

    def __init__(self, home: Path, teams: int, finals: int, sandbox: str) -> None:
        self._home = home
        self._file = home / "event.toml"
        self._store = home / "event.pitboss"
        self._sound = [number for number in range(teams) if number % 10 != 9]  # of ten teams one is broken
        self._finals = finals
        (home / "submissions").mkdir()
        for number in range(teams):
            if number:
                self._write_team(number, teams)
        self._file.write_text(EVENT.format(groups=GROUPS, advance=ADVANCE, finals=finals, sandbox=sandbox))
        self._teams = teams

    def play(self, promises: PromiseTally) -> None:
        """Play the event through two kills; the late team comes after the first, the disqualification meanwhile."""
        self._kill_when(lambda: self.count_games() >= 20)
        promises.check(True, f"killed with -9 after {self.count_games()} games of the groups")
        self._write_team(0, self._teams)
        begun = self.count_games()

        def disqualify() -> bool:
            if self.count_games() < begun + 40:
                return False
            if REASON not in self._file.read_text():
                out = f'\n[[out]]\nbot = "{CHEAT}"\nreason = "{REASON}"\ngames = "void"\n'
                self._file.write_text(self._file.read_text() + out)
            return self.count_finals() >= 20

        self._kill_when(disqualify)
        promises.check(True, f"killed with -9 after {self.count_finals()} games of the finals")
        ended = self._pitboss("run", "event.toml", "--json")
        promises.check(ended.returncode == 0, f"the third run ends the event, with status {ended.returncode}")

    def check(self, promises: PromiseTally) -> None:
        """Check winner, places, counts and headline."""
        found: dict[str, Any] = json.loads(self._pitboss("standings", "event.pitboss", "--json").stdout)
        headline, rows = found["headline"], {row["name"]: row for row in found["standings"]}
        places = {place["bot"]: place["place"] for place in headline["places"]}
        print(headline["text"], flush=True)
        sound = {self._name(number) for number in self._sound}
        promises.check(
            set(rows) == sound | {"house:racko"}, f"{len(rows)} bots play: all that are sound, and a yardstick"
        )
        promises.check(LATE in headline["leaders"], f"the late team may be the best: {headline['leaders']}")
        is_said = headline["text"].startswith(("Winner: ", "Not decided between "))
        promises.check(is_said and LATE in headline["text"], "the headline names it")
        promises.check(
            set(places) == sound - {CHEAT}, f"{len(places)} places: all but the cheat and the yardstick have one"
        )
        promises.check(rows[CHEAT]["games"] == 0 and REASON in rows[CHEAT]["left"], "no game of the cheat counts")
        promises.check(any(REASON in line for line in found["verdict"]), "the verdict tells the reason")
        promises.check(rows["house:racko"]["rank"] is None, "the yardstick has no rank")
        finals = GROUPS * ADVANCE * (GROUPS * ADVANCE - 1) // 2 * 2 * self._finals
        stages = {stage["name"]: stage["games"] for stage in found["stages"]}
        promises.check(stages["finals"] == finals, f"{stages['finals']} games of the finals, {finals} by the rule")
        finalists = [bot for bot, place in places.items() if place <= GROUPS * ADVANCE]
        promises.check(len(finalists) == GROUPS * ADVANCE, f"{len(finalists)} finalists come first")
        with closing(Store(self._store)) as store:
            bots = store.header.bots
            ids = Counter(result.game_id for result in store.results())
            met = Counter(
                frozenset(seat.entrant for seat in result.seats)
                for result in store.results()
                if result.game_id < found["stages"][1]["first_game"]
            )
            cheat = bots.index(CHEAT)
        promises.check(set(ids.values()) == {1}, f"{len(ids)} games are stored, each once")
        complete = {count for pair, count in met.items() if cheat not in pair}
        promises.check(complete == {2}, "all pairs of a group but those of the cheat played both games")
        text = self._pitboss("report", "event.pitboss", "--markdown").stdout
        promises.check(headline["leaders"][0] in text.splitlines()[2], "the report begins with the headline")

    def count_games(self) -> int:
        """Return the games that are stored."""
        if not self._store.exists():
            return 0
        try:
            with closing(Store(self._store)) as store:
                return store.count_games()
        except PitbossError:  # it is being made
            return 0

    def count_finals(self) -> int:
        """Return the games of the finals that are stored."""
        answer = self._pitboss("standings", "event.pitboss", "--json")
        stages = json.loads(answer.stdout)["stages"] if answer.returncode == 0 else []
        return stages[1]["games"] if len(stages) > 1 else 0

    def _name(self, number: int) -> str:
        """Return the name under which a team plays: 11 and 12 have sent bots of one name."""
        return "team-11-2" if number == 12 else f"team-{number:02}"

    def _write_team(self, number: int, teams: int) -> None:
        folder = self._home / "submissions" / f"team-{number:02}"
        folder.mkdir()
        name = "team-11" if number == 12 else f"team-{number:02}"
        program = "no-such-program" if number % 10 == 9 else "{python}"
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["{program}", "bot.py"]\n')
        (folder / "bot.py").write_text(BOT.format(strength=1 - number / teams))

    def _kill_when(self, is_time: Callable[[], bool]) -> None:
        """Run the event, and kill the run with -9 as soon as it is time."""
        run = subprocess.Popen(
            [sys.executable, "-m", "pitboss_tournament.cli", "run", "event.toml", "--json"],
            cwd=self._home,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = monotonic() + PATIENCE_S
        while run.poll() is None and not is_time():
            if monotonic() > end:
                os.kill(run.pid, signal.SIGKILL)
                raise TimeoutError(f"the event hung: {self.count_games()} games after {PATIENCE_S:.0f} s")
            sleep(0.5)
        if run.poll() is not None:
            raise RuntimeError(f"the run has ended by itself, with status {run.returncode}")
        os.kill(run.pid, signal.SIGKILL)
        run.wait()

    def _pitboss(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pitboss_tournament.cli", *words],
            cwd=self._home,
            stdout=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )


if __name__ == "__main__":
    sys.exit(main())
