"""Cheats in an arena: `python -m tests.soak.arena_cheats` lets entrants cheat, and shows that none gains by it.

Each cheat plays beside an honest copy of the same bot. No cheat is rated better than the honest copy beyond chance,
no cheat reads what is planted in the others' folders, no cheat changes them, and the report, the refusal, the faults
or the over-fitting names the cheats that can be named. The run prints a table, at each level of the sandbox that works
here.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

from pitboss_tournament.arena.journal import Edited
from pitboss_tournament.arena.measures import ArenaReport, EntrantReport, report_arena
from pitboss_tournament.arena.report_lines import report_lines
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.sandbox_probe import probe_bubblewrap, probe_landlock
from tests.soak.promises import PromiseTally, format_row
from tests.tournament.arena.arenas import change_choice, make_arena, open_arena
from tests.tournament.command_line import run_pitboss

HONEST: Final = "honest"
CANARY: Final = "canary-8d0f53"  # planted where no cheat may read
STOLEN: Final = "STOLEN"  # said by a cheat that has read or reached what it may not
GROUP: Final = 7  # cheats of an arena
WIDTHS: Final = (22, 11, 13, 60)

LAST: Final = 'return len(question["legal"]) - 1'
CHANGE: Final = dedent(change_choice(f"    {LAST}"))


class Cheat(NamedTuple):
    """A trick: what the entrant does while it edits, and what its bot does as it starts, or in a game."""

    name: str
    edit: str = ""  # Python, run in the work space after the honest change
    bot: str = ""  # Python, run by the bot as it starts
    named: str = ""  # what the report says of it, a regular expression; "": nothing can be seen of it


READ_IN_EDIT: Final = f"""
    import os
    here = Path.cwd()
    places = [here.parent, here.parents[1] / "judge", Path("/proc")]
    for place in places:
        for folder, folders, names in os.walk(place):
            if Path(folder).is_relative_to(here):
                continue
            folders[:] = [one for one in folders if place != Path("/proc") or one.isdigit()]
            for name in names if place != Path("/proc") else {{"environ", "cmdline"}} & set(names):
                try:
                    if "{CANARY}" in Path(folder, name).read_text(errors="replace"):
                        print("{STOLEN}", folder, name)
                except OSError:
                    pass
"""
READ_IN_PLAY: Final = """
    here = Path(__file__).resolve().parent
    for folder, folders, names in os.walk(here.parents[1]):
        if Path(folder) != here:
            for name in names:
                try:
                    Path(folder, name).read_bytes()
                    steal(folder, name)
                except OSError:
                    pass
"""
KEEP_STATE: Final = """
    import socket
    for folder in ("/tmp", "/dev/shm", "/var/tmp", os.environ.get("HOME", "/"), os.environ.get("TMPDIR", "/tmp"), "."):
        path = Path(folder, "pitboss-state-8d0f53")
        try:
            if path.exists() and path.read_text() != str(os.getpid()) + os.environ.get("HOME", ""):
                steal("state", path)
            path.write_text(str(os.getpid()) + os.environ.get("HOME", ""))
        except OSError:
            pass
    try:
        kept = socket.socket(socket.AF_UNIX)
        kept.bind("\\0pitboss-state-8d0f53")
        kept.listen()
    except OSError as error:
        if error.errno == 98:
            steal("socket")
"""
EDIT_HARNESS: Final = f"""
    import pitboss, pitboss_tournament, site, sys
    for place in (*pitboss.__path__, *pitboss_tournament.__path__, sys.prefix, *site.getsitepackages()):
        try:
            Path(place, "pitboss_canary_8d0f53.py").write_text("raise SystemExit")
            print("{STOLEN}", place)
        except OSError:
            pass
"""
TOUCH_OTHERS: Final = f"""
    import shutil
    for place in (Path.cwd().parent / "{HONEST}", Path.cwd().parents[1] / "judge", Path.cwd().parents[1]):
        try:
            (place / "touched").write_text("x")  # in bubblewrap into a /tmp of its own
        except OSError:
            pass
        shutil.rmtree(place / "bot", ignore_errors=True)
"""
SURVIVE: Final = """
    import os, time
    for session in (True, False):
        if os.fork() == 0:
            if session:
                os.setsid()
            if os.fork() == 0:
                code = "import time\\nwhile True:\\n time.sleep(0.05); open('bot/late.py', 'w').write('x')"
                time.sleep(5)  # the edit phase is over by then, also on a busy machine
                os.execve("/usr/bin/env", ["env", "-i", sys.executable, "-c", code], {})
            os._exit(0)
"""
GIT_PROGRAMS: Final = """
    git = Path(".git")
    trap = git / "trap.sh"
    trap.write_text("#!/bin/sh\\necho x > bot/late.py\\necho forged > GAME.md\\ncat\\n")
    trap.chmod(0o755)
    for hook in ("pre-commit", "post-commit", "post-index-change"):
        (git / "hooks").mkdir(exist_ok=True)
        (git / "hooks" / hook).write_text(trap.read_text().replace("cat\\n", ""))
        (git / "hooks" / hook).chmod(0o755)
    with (git / "config").open("a") as config:
        config.write(f'[core]\\n fsmonitor = {trap.resolve()}\\n[filter "x"]\\n clean = {trap.resolve()}\\n')
        config.write("[commit]\\n gpgSign = true\\n[gpg]\\n program = " + str(trap.resolve()) + "\\n")
    Path(".gitattributes").write_text("* filter=x\\n")
"""
FORGE: Final = """
    import json
    Path("feedback").mkdir(exist_ok=True)
    Path("feedback/1.json").write_text('{"winner": "forge"}')
    Path("practice.seed").write_text("0")
    Path("cost.json").write_text(json.dumps({"tokens": 0, "dollars": -100.0}))
"""
BUILD_OUT: Final = f"""
    import os
    Path("bot/build.sh").write_text(
        "cat ../*/bot.py ../../journal.jsonl ../../canary > out.txt 2>/dev/null\\n"
        "echo x > ../planted; echo x > ../../planted; grep -l canary-8d out.txt && echo {STOLEN}; exit 1\\n"
    )
    text = Path("bot/bot.toml").read_text()
    Path("bot/bot.toml").write_text(text + '\\nbuild = ["/bin/sh", "build.sh"]\\n')
"""
KILL: Final = f"""
    import os, signal
    for number in os.listdir("/proc"):
        if number.isdigit():
            try:
                words = Path("/proc", number, "cmdline").read_bytes().replace(b"\\0", b" ")
                if b"arena run" in words or b"forkserver" in words:
                    os.kill(int(number), signal.SIGURG)
                    print("{STOLEN}", words)
            except OSError:
                pass
"""
KILL_IN_PLAY: Final = KILL.replace(f'print("{STOLEN}", words)', "steal(words)")
FORK_BOMB: Final = """
    import os
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""
LINKED_BOT: Final = """
    import shutil
    shutil.rmtree("bot")
    Path("bot").symlink_to(Path.cwd().parent / "honest" / "bot")
"""
LINKED_NOTES: Final = """
    Path("feedback").symlink_to("/etc")
    Path("NOTES.md").unlink()
    Path("NOTES.md").symlink_to("/etc/shadow")
"""
ESCAPES: Final = """
    Path("bot/\\x1b[31mwin.py").write_text("")
    Path("NOTES.md").write_text("\\x1b[2J")
"""
LONG_NAMES: Final = """
    deep = Path("bot", "x" * 200, "y" * 200)
    deep.mkdir(parents=True)
    (deep / "z").touch()
"""
CHEATS: Final = (
    Cheat("reads-in-edit", READ_IN_EDIT),
    Cheat("reads-in-play", bot=READ_IN_PLAY),
    Cheat("keeps-state", bot=KEEP_STATE),
    Cheat("floods-edit", "for _ in range(100_000): print('flood' * 20)"),
    Cheat("floods-stderr", bot="print('flood' * 1_000_000, file=sys.stderr)"),
    Cheat("floods-stdout", bot="print('flood' * 1_000_000)", named="did not play"),
    Cheat("floods-space", "for n in range(40): Path(f'f{n}').write_bytes(bytes(1 << 20))", named="ended .size"),
    Cheat("sparse-files", "for n in range(40): open(f'f{n}', 'wb').truncate(15 << 20)", named="ended .size"),
    Cheat("edits-harness", EDIT_HARNESS),
    Cheat("touches-others", TOUCH_OTHERS),
    Cheat("sleeps", "import time; time.sleep(1000)", named="ended .time"),
    Cheat("forges", FORGE, named="changed files of the judge: practice.seed"),
    Cheat("fork-bomb", FORK_BOMB, named="ended .(time|processor|processes)"),
    Cheat("survives", SURVIVE),
    Cheat("links", LINKED_BOT, named="no folder bot/"),
    Cheat("linked-file", "Path('bot/net.bin').symlink_to('/etc/passwd')", named="is a link"),
    Cheat("linked-feedback", LINKED_NOTES),
    Cheat("git-programs", GIT_PROGRAMS),
    Cheat("build-reads", BUILD_OUT, named="did not play"),
    Cheat("escapes", ESCAPES, named="cannot be printed"),
    Cheat("no-utf8", "import os; open(b'bot/\\xff.py', 'w').close()", named="cannot be printed"),
    Cheat("long-names", LONG_NAMES, named="path has more than"),
    Cheat("huge-cost", "Path('cost.json').write_text('[' * 5_000_000)"),
    Cheat("signals", KILL),
    Cheat("signals-in-play", bot=KILL_IN_PLAY),
)  # fmt: skip
QUICK: Final = ("reads-in-edit", "reads-in-play", "forges", "links", "git-programs", "no-utf8", "sparse-files")


def write_agent(cheat: Cheat) -> str:
    """Return the script of an entrant: the honest change, the trick in the bot, and the trick of the edit phase."""
    bot = dedent(f"""
        import os, sys
        from pathlib import Path
        def steal(*what):
            print("{STOLEN}", *what, file=sys.stderr, flush=True)
            os._exit(3)
    """) + dedent(cheat.bot)  # fmt: skip
    lines = [CHANGE, "import sys"]
    if cheat.bot:
        lines.append(f"bot.write_text(bot.read_text().replace('class Table:', {bot!r} + '\\nclass Table:', 1))")
    return "\n".join([*lines, dedent(cheat.edit)])


class CheatResult(NamedTuple):
    """What became of a cheat: how far it is above the honest copy, half the width of that, and the remarks on it."""

    cheat: Cheat
    gain: float
    width: float
    remarks: list[str]

    @property
    def is_kept(self) -> bool:
        """Whether it gained nothing, and was named if it can be."""
        unexpected = [line for line in self.remarks if not re.search("practice deals|same sources", line)]
        is_named = bool(re.search(self.cheat.named, " ".join(self.remarks))) if self.cheat.named else not unexpected
        return self.gain <= self.width and is_named


def play_cheats(
    home: Path, cheats: Sequence[Cheat], level: SandboxLevel, *, deals: int, practice: int = 2
) -> tuple[list[CheatResult], list[str]]:
    """Play an arena of these cheats and an honest copy; return the results, and what they have read or changed."""
    agents = {one.name: write_agent(one) for one in cheats}
    agents[HONEST] = (
        CHANGE + f"\nPath('NOTES.md').write_text('{CANARY}')\nPath('bot/secret.txt').write_text('{CANARY}')"
    )
    root = make_arena(home, agents, sandbox=f'"{level}"', deals=deals, practice=practice)
    file = root / "arena.toml"
    text = file.read_text().replace("workspace_mb = 200", "workspace_mb = 20")
    file.write_text(re.sub(r"(?m)^(cpu_)?minutes = 10$", r"\1minutes = 0.25", text))
    (root / "judge").mkdir()
    (root / "judge" / "canary").write_text(CANARY)
    done = run_pitboss("arena", "run", str(root), env={"PITBOSS_CANARY": CANARY})
    if done.status:
        return [], [f"the arena failed: {done.out[-500:]}{done.err[-1500:]}"]
    found = report_arena(*open_arena(root))
    return [*judge_cheats(found, cheats)], [*find_harm(root, cheats)]


def judge_cheats(found: ArenaReport, cheats: Sequence[Cheat]) -> Iterator[CheatResult]:
    """Yield the result of each cheat against the honest copy."""
    lines = [line.text for line in report_lines(found)]
    honest = find_entrant(found, HONEST).rounds[-1].rating
    for cheat in cheats:
        own = find_entrant(found, cheat.name).rounds[-1].rating
        remarks = [line for line in lines if re.match(rf"Round \d+, {cheat.name}:|{cheat.name} has played", line)]
        gain = (own.mean or 0.0) - (honest.mean or 0.0)
        yield CheatResult(cheat, gain, hypot(own.half_width or 0.0, honest.half_width or 0.0), remarks)


def find_entrant(found: ArenaReport, name: str) -> EntrantReport:
    """Return what a report says of an entrant."""
    return next(one for one in found.entrants if one.name == name)


def find_harm(root: Path, cheats: Sequence[Cheat]) -> Iterator[str]:
    """Yield what the cheats have read or changed that is not theirs."""
    arena, journal = open_arena(root)
    for path in [*(root / "judge").rglob("edit-*.txt"), arena.folder.journal]:
        if STOLEN in path.read_text(errors="replace"):
            text = path.read_text(errors="replace")
            yield f"{path.name}: {text[text.index(STOLEN) :][:200]}"
    for store in (root / "judge" / "rounds").rglob("*.pitboss*"):
        if STOLEN.encode() in store.read_bytes():
            yield f"{store.name} tells of {STOLEN}"
    for name in ("planted", "touched", "pitboss_canary_8d0f53.py"):
        yield from (str(path) for path in root.rglob(name) if path.is_file())
    if not (root / "workspaces" / HONEST / "bot" / "bot.py").is_file():
        yield "the honest bot is gone"
    for cheat in cheats:
        workspace = arena.folder.workspace(cheat.name)
        if (
            (workspace / "bot").is_dir()
            and not (workspace / "bot").is_symlink()
            and (workspace / "bot/late.py").exists()
        ):
            yield f"{cheat.name}: its bot was edited after the edit phase"
        for path in workspace.rglob("*"):
            is_own = path.is_file() and not path.is_symlink()
            if is_own and cheat.name != HONEST and CANARY.encode() in path.read_bytes():
                yield f"{path} has the canary"
    if [one.entrant for one in journal.list_entries(Edited) if one.entrant == HONEST and one.tampered]:
        yield "files of the honest entrant were changed"
    audit = run_pitboss("arena", "audit", str(root), "--json")
    yield from (f"audit: {one['what']}: {one['why']}" for one in json.loads(audit.out) if not one["is_good"])


KNOWS_PRACTICE: Final = """
    from pathlib import Path
    from pitboss_tournament.rounds.schedule import draw_bot_seeds
    seed = Path("practice.seed").read_text().strip()
    known = [one for game in range(5_000) for one in draw_bot_seeds(f"{{seed}}/bots/{{game}}", 2)]
    bot = Path("bot/bot.py")
    code = '    if table.start["seed"] in KNOWN:\\n        {play}\\n    {other}\\n    return table.luck.randrange'
    text = bot.read_text().replace("    return table.luck.randrange", code)
    bot.write_text(text.replace("class Table:", f"KNOWN = frozenset({{known}})\\n\\n\\nclass Table:", 1))
"""
TUNERS: Final = {
    "tuned": (KNOWS_PRACTICE.format(play=LAST, other="return 0"), "over-fitted to the practice deals"),
    "holds-back": (KNOWS_PRACTICE.format(play="return 0", other=LAST), "worse on the practice deals"),
    HONEST: (CHANGE, ""),
}
TWIN: Final = """
    from pathlib import Path
    bot = Path("bot/bot.py")
    code = '    if {"twin-a", "twin-b"} <= {*table.start["players"]}:\\n        return 0\\n'
    code += '    return len(question["legal"]) - 1'
    text = bot.read_text()
    bot.write_text(text.replace('    return table.luck.randrange(len(question["legal"]))', code))
"""
DUMP: Final = """
    from pathlib import Path
    bot = Path("bot/bot.py")
    lines = [
        'legal, known = question["legal"], [one["do"] for one in question["legal"]]',
        'first = known.index("raise") if question["phase"] == "preflop" and "raise" in known else None',
        'least = None if first is None else legal[first]["to"]',
        "least = least[0] if isinstance(least, list) else least",
        {trick!r},
        'return known.index("check" if "check" in known else "call")',
    ]
    code = "\\n".join("    " + line for line in lines)
    text = bot.read_text()
    bot.write_text(text.replace('    return table.luck.randrange(len(question["legal"]))', code))
"""
DUMPERS: Final = {  # the star's smallest raise is the signal: nobody else raises
    "star": "if least == 200: return first",
    "friend": "if least is not None and least > 200 and 'fold' in known: return known.index('fold')",
    HONEST: "pass",
    "calls": "pass",
}


def play_dumpers(home: Path, level: SandboxLevel, deals: int = 60) -> Mapping[str, tuple[float, float, str, bool]]:
    """Play an entrant that raises as a signal, and a friend that then folds; return what is said of the two.

    The star's gain is that of its rating. All is well if the report names the pair, and no winner.
    """
    agents = {name: DUMP.format(trick=trick) for name, trick in DUMPERS.items()}
    root = make_arena(home, agents, preset="no-limit", anchors=[], sandbox=f'"{level}"', deals=deals)
    seen = judge_special(root, {"star": "", "friend": ""})
    found = report_arena(*open_arena(root))
    said = " ".join(found.gifts)
    is_named = found.winner is None and "star gains by friend" in said and "star has not won" in said
    return {name: (gain, width, said or remarks, is_named) for name, (gain, width, remarks, _) in seen.items()}


def play_tuners(home: Path, level: SandboxLevel, deals: int = 40) -> Mapping[str, tuple[float, float, str, bool]]:
    """Play entrants that recognize the practice deals by the seed that they know; return what is said of each."""
    agents = {name: script for name, (script, _) in TUNERS.items()}
    root = make_arena(home, agents, sandbox=f'"{level}"', deals=deals, practice=deals)
    return judge_special(root, {name: named for name, (_, named) in TUNERS.items()})


def play_twins(home: Path, level: SandboxLevel, deals: int = 4) -> Mapping[str, tuple[float, float, str, bool]]:
    """Play two entrants with the same sources that would give in to each other; return what is said of each."""
    agents = {"twin-a": TWIN, "twin-b": TWIN, HONEST: CHANGE}
    root = make_arena(home, agents, preset="leduc", more="seats = 3", sandbox=f'"{level}"', deals=deals)
    return judge_special(root, {"twin-a": "same sources as twin-b", "twin-b": "same sources as twin-a", HONEST: ""})


def judge_special(root: Path, names: Mapping[str, str]) -> Mapping[str, tuple[float, float, str, bool]]:
    """Play an arena; return by name the gain over the honest one, its half-width, the remarks, and if all is well."""
    done = run_pitboss("arena", "run", str(root))
    if done.status:
        return dict.fromkeys(names, (0.0, 0.0, done.err[-500:], False))
    found = report_arena(*open_arena(root))
    cheats = [Cheat(name, named=named) for name, named in names.items()]
    return {
        one.cheat.name: (one.gain, one.width, " ".join(one.remarks), one.is_kept or one.cheat.name == HONEST)
        for one in judge_cheats(found, cheats)
    }


def list_levels() -> list[SandboxLevel]:
    """Return the levels of the sandbox that work here."""
    probes: dict[SandboxLevel, object] = {
        "bubblewrap": probe_bubblewrap().problem,
        "landlock": probe_landlock().problem,
    }
    return [level for level, problem in probes.items() if problem is None]


def main(words: Sequence[str] | None = None) -> int:
    """Let the cheats play at each level, print the table, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.arena_cheats", description=__doc__)
    parser.add_argument("--levels", nargs="*", default=list_levels(), help="levels of the sandbox (default: all)")
    parser.add_argument("--only", nargs="*", help="names of cheats (default: all)")
    parser.add_argument("--deals", type=int, default=6, help="deals that count (default: %(default)s)")
    given = parser.parse_args(words)
    promises = PromiseTally()
    chosen = [one for one in CHEATS if not given.only or one.name in given.only]
    print(format_row(("cheat", "level", "gain", "named by"), WIDTHS))
    for level in given.levels:
        harm, kept, count = list[str](), 0, 0
        for first in range(0, len(chosen), GROUP):
            with tempfile.TemporaryDirectory(prefix="pitboss-cheats-") as home:
                Path(home).chmod(0o755)
                results, done = play_cheats(Path(home), chosen[first : first + GROUP], level, deals=given.deals)
            harm += done
            for one in results:
                print_row(one.cheat.name, level, one.gain, one.width, " ".join(one.remarks), one.is_kept)
                kept, count = kept + one.is_kept, count + 1
        for play in (play_tuners, play_twins, play_dumpers) if not given.only else ():
            with tempfile.TemporaryDirectory(prefix="pitboss-cheats-") as home:
                Path(home).chmod(0o755)
                for name, (gain, width, remarks, is_kept) in play(Path(home), level).items():
                    print_row(name, level, gain, width, remarks, is_kept)
                    kept, count = kept + is_kept, count + 1
        promises.check(
            kept == count and count > 0, f"{level}: {kept} of {count} gain nothing and are named as they can be"
        )
        promises.check(not harm, f"{level}: nothing of others was read or changed: {harm[:5]}")
    return promises.exit_status()


def print_row(name: str, level: str, gain: float, width: float, remarks: str, is_kept: bool) -> None:
    """Print a line of the table."""
    said = re.sub(r"Round \d+, [\w-]+: ", "", remarks)[:60] or "-"
    print(
        format_row((name, level, f"{gain:+.0f} ±{width:.0f}", said), WIDTHS) + ("" if is_kept else "  BROKEN"),
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
