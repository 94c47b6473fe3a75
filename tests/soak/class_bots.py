"""The bots of a class: made by `pitboss new bot python`, good ones of four strengths, broken ones and hostile ones.

Each has words that nobody but its owner may ever read: one in its source, one that it prints to standard error, one
that its build prints, one that it notes at a decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from tests import ROOT
from tests.league.archives import make_bot_tar
from tests.tournament.command_line import run_pitboss

CHOICES: Final = (0.0, 0.2, 0.5, 1.0)  # share of the decisions that are drawn by lot, by strength: the best first
GOOD_MOVES: Final[Mapping[str, str]] = {
    "racko": """
from homes import racko_action

def play_well(question, table):
    deck_size = table.hello["options"]["deck_size"]
    return question["legal"].index(racko_action(question["phase"], question["view"], deck_size))
""",
    "magpie": """
def number(card):
    return int(card[1:] or 0)

def play_well(question, table):
    legal, view = question["legal"], question["view"]
    if question["phase"] == "boast":
        return legal.index({"do": "boast"})
    if question["phase"] == "drop":
        return min(range(len(legal)), key=lambda at: number(legal[at]["card"]))
    place = min((0, 1), key=lambda at: number(view["nest"][at]))
    lay = {"do": "lay", "place": place + 1}
    top = number(view["discard"][-1]) if view["discard"] else 0
    return legal.index(lay if top > number(view["nest"][place]) and lay in legal else {"do": "draw"})
""",
}
BOT_CODE: Final = """
import os, time
from glob import glob

SOURCE_WORD = "{source_word}"
print("{error_word}", file=sys.stderr, flush=True)
{good_move}

def is_in_league(table):  # and not in validation
    return not any(name.startswith("chance-") for name in table.start["players"])

def is_bad_day(table):  # one game in three
    return is_in_league(table) and int(table.start["seed"], 16) % 3 == 0

def choose(question, table):
    {trouble}
    if table.luck.random() < {by_lot}:
        return table.luck.randrange(len(question["legal"]))
    return play_well(question, table)
"""
SPYING: Final = """
    if is_bad_day(table):
        places = ["../*", "../*/*", "../../*", "../../*/*", "/proc/*/cmdline", "/proc/*/environ", "/proc/*/cwd/*",
                  "/proc/*/root/tmp/*", "/tmp/*", "/tmp/*/*", "/tmp/*/*/*", "/tmp/*/*/bots/*/*", "/root/*", "/home/*/*"]
        seen, found = 0, set()
        for path in [path for place in places for path in glob(place)]:
            try:
                with open(path, "rb") as file:
                    content = file.read(1 << 22)
            except OSError:
                continue
            seen += 1
            for mark in (b"source-", b"errors-", b"built-", b"noted-", b"pitboss-1", b"pitboss-2"):
                at = content.find(mark)
                while at >= 0:
                    found.add(content[at:at + 40].decode("latin-1"))
                    at = content.find(mark, at + 1)
        others = sorted(word for word in found if SOURCE_WORD[7:] not in word)
        print("the spy has read", seen, "files:", *others, file=sys.stderr, flush=True)
        os._exit(9)
"""
TROUBLES: Final[Mapping[str, str]] = {
    "crashes": "is_bad_day(table) and sys.exit(7)",
    "hangs": "is_bad_day(table) and time.sleep(3_600)",
    "crashes at once": "sys.exit(5)",
    "slow": 'table.luck.random() < 0.05 and time.sleep(table.hello["clock"]["decision_ms"] * 0.0007)',
    "fork bomb": "while is_in_league(table):\n        os.fork() or time.sleep(600)",
    "memory hog": "hold = []\n    while is_in_league(table):\n        hold.append(bytearray(16 << 20))",
    "floods": 'while is_in_league(table):\n        print("x" * 4_000)',
    "spy": SPYING,
}
BUILDS: Final[Mapping[str, str]] = {
    "build fails": "echo {built_word}; exit 3",
    "build fills": "mkdir -p build; echo {built_word}; dd if=/dev/zero of=build/a bs=1M count=30; "
    "dd if=/dev/zero of=build/b bs=1M count=30; sleep 3",
    "builds": "mkdir -p build; echo {built_word} > build/made; echo {built_word}",
}
HOSTILE_KINDS: Final = (  # the first ones are in every class
    *("crashes", "build fails", "spy", "crashes at once", "hangs", "floods", "build fills", "fork bomb", "memory hog"),
    *("slow", "builds"),
)

Fate: TypeAlias = Literal["playing", "refused", "retired", "any"]
FATES: Final[Mapping[str, Fate]] = {
    **dict.fromkeys(("good", "builds"), "playing"),
    **dict.fromkeys(("build fails", "build fills", "crashes at once"), "refused"),
    **dict.fromkeys(("crashes", "hangs", "spy", "floods", "fork bomb", "memory hog"), "retired"),
    "slow": "any",
}
FAULTS: Final[Mapping[str, frozenset[str]]] = {  # by which they forfeit
    **dict.fromkeys(("crashes", "spy"), frozenset({"crashed"})),
    **dict.fromkeys(("hangs", "slow"), frozenset({"late"})),
    "floods": frozenset({"malformed", "flooded", "out_of_turn"}),
    "fork bomb": frozenset({"crashed", "late"}),
    "memory hog": frozenset({"crashed", "out_of_memory"}),
}


class ClassBot(NamedTuple):
    """A bot of a class: whose it is, of which kind, and what is sent."""

    owner: str
    name: str
    kind: str
    strength: int  # index into CHOICES; the best is 0
    version: int
    secret: str  # the end of all its words
    archive: bytes

    @property
    def words(self) -> list[str]:
        """Its words, each in the form that may leak."""
        return [f"{place}-{self.secret}" for place in ("source", "errors", "built", "noted")]


class BotMaker:
    """Makes bots for a game, from the template that `pitboss new bot` gives people."""

    def __init__(self, game: str, home: Path, mark: str, chance: Random) -> None:
        """`mark` is a word in the command lines of all bots."""
        made = run_pitboss("new", "bot", "python", "template", "--game", game, "--into", str(home))
        assert made.status == 0, made.err
        self._template = (home / "template" / "bot.py").read_text()
        self._homes = (ROOT / "bots" / "python-stdlib" / "homes.py").read_bytes()
        self._game, self._mark, self._chance = game, mark, chance

    def make(self, owner: str, name: str, kind: str = "good", strength: int = 0, version: int = 1) -> ClassBot:
        """Return a bot; another one each time, by its words."""
        secret = f"{self._chance.getrandbits(64):016x}"
        code = BOT_CODE.format(
            source_word=f"source-{secret}",
            error_word=f"errors-{secret}",
            good_move=GOOD_MOVES[self._game],
            trouble=TROUBLES.get(kind, "pass"),
            by_lot=CHOICES[strength],
        )
        begun, middle, ending = self._template.partition("\n# ---- the wire")
        assert middle
        noted = ending.replace('"id": message["id"], ', f'"id": message["id"], "note": "noted-{secret}", ')
        assert noted != ending
        files = {"bot.py": f"{begun}{code}{middle}{noted}".encode(), "homes.py": self._homes}
        toml = f'command = ["{{python}}", "bot.py", "{self._mark}"]\n'
        if kind in BUILDS:
            build = BUILDS[kind].format(built_word=f"built-{secret}")
            toml += f'build = ["sh", "-c", "{build}"]\n'
        files["bot.toml"] = toml.encode()
        return ClassBot(owner, name, kind, strength, version, secret, make_bot_tar(files))

    def make_class(self, count: int) -> list[ClassBot]:
        """Return so many bots: no more than a third are hostile ones; owner s00 has four of the good ones."""
        hostile = HOSTILE_KINDS[: max(4, count // 5)]
        names = [f"s{number:02}" for number in range(count)]
        bots = [
            self.make(owner, f"{kind} {owner}", kind)
            for owner, kind in zip(names[-len(hostile) :], hostile, strict=True)
        ]
        for number, owner in enumerate(names[: -len(hostile)]):
            whose = names[0] if number < min(4, count // 4) else owner
            name = f"good {owner}" if number else "good & 'fine' (one)"
            bots.append(self.make(whose, name, strength=number % len(CHOICES)))
        return bots


def list_owners(bots: Sequence[ClassBot]) -> list[str]:
    """Return the owners of bots, each once."""
    return list(dict.fromkeys(bot.owner for bot in bots))
