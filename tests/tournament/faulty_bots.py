"""One good bot, and the mistakes that make a bad one of it: for each check of `pitboss check` the classic mistake that
it is there for.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

from pitboss_tournament.bot_checks import raw_connection, scripted_table
from pitboss_tournament.bot_checks.suite import FAMILIES

# Seconds that the checks wait, at the longest, for what a good bot does at once: no good bot is late on a busy machine.
GENEROUS_WAITS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "FAREWELL_S": 30.0,
        "CHECKED_EXIT_SECONDS": 5.0,
        "FLUSH_WAIT_S": 30.0,
        "CROWDED_GAME_S": 60.0,
        "LONGEST_LEAK_TEST_S": 40.0,
        "IDLE_WATCH_S": 2.0,
    }
)
LONG_GAME_SECONDS: Final = 60.0  # a game of Magpie ends long before that

GOOD: Final = """\
import json, os, random, select, subprocess, sys, time

state = {"games": 0, "playing": False, "leak": []}

def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def lines():
    yield from sys.stdin.buffer

def at_the_end():
    pass

# before
for line in lines():
    m = json.loads(line)
    # each
    if m["type"] == "hello":
        # hello
        say({"type": "ready", "name": "good"})
    elif m["type"] == "start":
        state.update(games=state["games"] + 1, playing=True)
        # start
    elif m["type"] == "decide":
        act = {"type": "act", "id": m["id"], "choose": 0}
        # decide
        say(act)
        # decided
    elif m["type"] == "end":
        state["playing"] = False
        # end
    elif m["type"] == "bye":
        # bye
        break
    # other
at_the_end()
"""

READY: Final = 'say({"type": "ready", "name": "good"})'
TAKE_TABLES: Final = (
    'say({"type": "ready", "name": "good", **({"tables": min(4, m["tables"])} if "tables" in m else {})})'
)
FLUSH: Final = "    sys.stdout.flush()\n"
LOOP: Final = "    yield from sys.stdin.buffer\n"
AT_THE_END: Final = "def at_the_end():\n    pass\n"
BYE: Final = "        # bye\n        break\n"
TWICE: Final = "line = json.dumps({}) + '\\n'; sys.stdout.write(line * 2); sys.stdout.flush()"  # nothing lies between
ALONE: Final = """
import fcntl
mine = open(__file__)
for _ in range(20):  # a process that was ended holds the lock until it has gone
    try:
        fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        break
    except OSError:
        time.sleep(0.1)
else: sys.exit(3)
"""
COMPUTE: Final = """
def compute(seconds):
    # processor time is billed on a busy machine too; nobody can tell how long a sleep would have taken there
    began = time.process_time()
    while time.process_time() < began + seconds: pass
"""
COMPUTE_BESIDE: Final = f"""{COMPUTE}
def is_beside(words):
    runner = os.getppid()
    for child in open(f"/proc/{{runner}}/task/{{runner}}/children").read().split():
        try:
            if child != str(os.getpid()) and words in open(f"/proc/{{child}}/cmdline", "rb").read(): return True
        except OSError:  # it has just gone
            pass
    return False
"""
CHUNKS: Final = """    while chunk := os.read(0, 1 << 16):
        yield from chunk.splitlines()
"""
FIRST_OF_A_CHUNK: Final = """    while chunk := os.read(0, 1 << 22):
        yield chunk.splitlines()[0]
"""
BUSY_LOOP: Final = """    os.set_blocking(0, False)
    while True:
        line = sys.stdin.buffer.readline()
        if line: yield line
"""
IMPATIENT: Final = """    held = b""
    while True:
        if not select.select([0], [], [], 2)[0]: sys.exit(3)
        chunk = os.read(0, 1 << 16)
        if not chunk: return
        *whole, held = (held + chunk).split(b"\\n")
        yield from whole
"""


class BotMistake(NamedTuple):
    """What is changed in the good bot, and the clocks under which that shows: short ones only for what never comes."""

    changes: dict[str, str]
    toml: str = ""
    start_ms: int = 60_000
    decision_ms: int = 30_000
    game_ms: int | None = None
    memory_mb: int = 1024
    cpu_s: int = 3600
    spec: str = ""  # what is given as the bot, within its folder
    waits: Mapping[str, float] = MappingProxyType({})  # of the checks, where the generous ones do not do


def insert_code(place: str, code: str, **clock: int) -> BotMistake:
    """Return the mistake of having more code at a place."""
    return BotMistake({f"# {place}\n": f"{code.lstrip()}\n"}, **clock)  # type: ignore[arg-type]


def set_waits(monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
    """Let the checks wait as long as `GENEROUS_WAITS` says, or so many seconds."""
    for name, value in {**GENEROUS_WAITS, **seconds}.items():
        waiting = [one for one in (raw_connection, scripted_table, *FAMILIES.values()) if hasattr(one, name)]
        assert waiting, name
        for module in waiting:
            monkeypatch.setattr(module, name, value)


DIE: Final = "sys.exit(3)"

MISTAKES: Final[dict[str, BotMistake]] = {
    # program
    "describes-itself": BotMistake({}, 'comand = ["true"]'),
    "names-games-that-exist": BotMistake({}, 'command = ["{python}", "bot.py"]\ngames = ["chess"]'),
    "names-presets-that-exist": BotMistake({}, 'command = ["{python}", "bot.py"]\npresets = ["grvaes"]'),
    "names-seats-that-exist": BotMistake({}, 'command = ["{python}", "bot.py"]\ngames = ["magpie"]\nseats = [99]'),
    "has-what-it-needs": BotMistake({}, 'command = ["{python}", "bot.py"]\nneeds = ["no-such-program"]'),
    "can-be-built": BotMistake({}, 'command = ["{python}", "bot.py"]\nbuild = ["false"]'),
    "names-a-program": BotMistake({}, 'command = ["./nobody"]'),
    "program-may-be-run": BotMistake({}, 'command = ["./bot.py"]'),
    "interpreter-exists": BotMistake({}, 'command = ["./run"]'),
    "script-has-unix-line-ends": BotMistake({}, 'command = ["./windows"]'),
    "can-be-entered": BotMistake({}, spec="bot.toml"),
    "brings-its-packages": BotMistake({"# before\n": "import pytest\n"}, 'command = ["{python}", "bot.py"]'),
    # greeting
    "stays-up": insert_code("before", "import no_such_module"),
    "flushes-its-output": BotMistake({FLUSH: ""}, start_ms=500),
    "reads-line-by-line": BotMistake({LOOP: "    yield from sys.stdin.buffer.read().splitlines()\n"}, start_ms=500),
    "answers-hello": BotMistake({READY: "pass"}, start_ms=500),
    "prints-no-noise": insert_code("before", "print('Loading the model', flush=True)"),
    "ends-its-lines": BotMistake({' + "\\n"': "", READY: f"{READY}; break"}),
    "speaks-utf8": BotMistake({READY: 'sys.stdout.write(\'\\ufeff{"type": "ready"}\\n\'); sys.stdout.flush()'}),
    "speaks-json": BotMistake({"json.dumps(message)": "str(message)"}),
    "says-ready": BotMistake({'"type": "ready"': '"type": "hello"'}),
    "adds-no-keys-to-ready": BotMistake({'"name": "good"': '"mood": "good"'}),
    "wants-what-there-is": BotMistake({'"name": "good"': '"want": "all"'}),
    "has-a-fitting-name": BotMistake({'"name": "good"': '"name": "good" * 30'}),
    "says-ready-once": BotMistake({READY: TWICE.format('{"type": "ready"}')}),
    "starts-in-time": insert_code("before", "time.sleep(3)", start_ms=3_000),
    "waits-for-hello": BotMistake(
        {"# before\n": f"{READY}\n", f"        {READY}\n": "        pass\n"},
        waits={"GREETING_WAIT_S": 3.0, "LONGEST_WAIT_S": 3.0, "SILENCE_S": 3.0},
    ),
    "meets-another-protocol": insert_code("each", "    if m.get('protocol', 1) > 1: continue", start_ms=3_000),
    # answering
    "says-nothing-to-start": BotMistake({"# start\n": "say({'type': 'ok'})\n"}, waits={"SILENCE_S": 2.0}),
    "flushes-its-answers": BotMistake(
        {FLUSH: "    if message['type'] == 'ready': sys.stdout.flush()\n"}, decision_ms=200
    ),
    "answers-questions": insert_code("decide", "        m['vew']"),
    "answers-with-act": BotMistake({'"type": "act"': '"type": "move"'}),
    "answers-once": BotMistake({"say(act)": TWICE.format("act")}),
    "answers-the-question-asked": BotMistake({'"id": m["id"]': '"id": 1'}),
    "adds-no-keys-to-act": insert_code("decide", "        act['score'] = 0.5"),
    "says-what-it-does": insert_code("decide", "        act['action'] = m['legal'][0]"),
    "chooses-what-is-legal": BotMistake({'"choose": 0': '"choose": len(m["legal"])'}),
    "keeps-notes-short": insert_code("decide", "        act['note'] = 'because ' * 100"),
    "reads-several-lines-at-once": BotMistake({LOOP: FIRST_OF_A_CHUNK}, decision_ms=1_500, waits={"SILENCE_S": 1.0}),
    # playing
    "decides-in-time": insert_code("decide", "        if m['id'] == 7: time.sleep(3)", decision_ms=1_500),
    "decides-in-time-at-first": insert_code("decide", "        if m['id'] == 1: time.sleep(3)", decision_ms=1_500),
    "plays-a-whole-game": insert_code("decide", f"        if m['id'] > 7: {DIE}"),
    "plays-at-every-table": insert_code("hello", f"        if m['seats'] > 2: {DIE}"),
    "plays-with-every-preset": insert_code("hello", f"        if m['options']['graves']: {DIE}"),
    "plays-in-every-seat": insert_code("hello", f"        if m['seat'] == 1 and m['seats'] == 2: {DIE}"),
    "meets-every-phase": insert_code("decide", f"        if m['phase'] == 'boast': {DIE}"),
    "draws-as-it-states": BotMistake(
        {
            '{"type": "ready", "name": "good"}': '{"type": "ready", **({"policy": True} if "policy" in m else {})}',
            "        # decide\n": "        count = len(m['legal'])\n"
            "        if 'policy' in hello and count < 9: act['policy'] = [[at, 1 / count] for at in range(count)]\n",
            "        # hello\n": "        hello = m\n",
        }
    ),
    # understanding
    "plays-several-games": insert_code("start", f"        if state['games'] > 1: {DIE}"),
    "ignores-unknown-fields": insert_code("each", f"    if 'later' in m: {DIE}"),
    "ignores-unknown-types": insert_code("other", f"    else: {DIE}"),
    "takes-a-second-start": BotMistake(
        {"        state.update(": f"        if state['playing']: {DIE}\n        state.update("}
    ),
    "takes-games-without-a-question": BotMistake(
        {
            "        # start\n": "        asked = 0\n",
            "        # decide\n": "        asked += 1\n",
            "        # end\n": "        1 / asked\n",
        }
    ),
    "plays-from-another-seat": insert_code("each", f"    if m.get('seat', 0) != 0: {DIE}"),
    "echoes-any-id": BotMistake({'"id": m["id"]': '"id": m["id"] & 0x7fffffff'}),
    "reads-a-long-list": insert_code("decide", f"        if len(m['legal']) > 100: {DIE}"),
    "reads-a-long-line": BotMistake({LOOP: "    while line := sys.stdin.buffer.readline(65536): yield line\n"}),
    "reads-a-line-in-pieces": BotMistake({LOOP: CHUNKS}, waits={"PAUSE_S": 0.3}),
    "reads-odd-names": insert_code("each", f"    if b'\\\\\"' in line: {DIE}"),
    "reads-odd-numbers": insert_code("end", "        [int(str(point).removesuffix('.0')) for point in m['points']]"),
    "takes-faults-in-end": insert_code("end", f"        if m['faults']: {DIE}"),
    "takes-either-clock": insert_code("each", f"    if m.get('clock', {{}}).get('game_ms') is not None: {DIE}"),
    "waits-patiently": BotMistake({LOOP: IMPATIENT}, waits={"LONG_WAIT_S": 10.0}),
    # starting
    "runs-in-the-sandbox": insert_code("before", "os.listdir('/var')"),
    "starts-several-times-at-once": insert_code("before", ALONE),
    "starts-elsewhere": insert_code("before", f"if ' ' in os.getcwd(): {DIE}"),
    "needs-no-environment": insert_code("before", "os.environ['LANG']"),
    "needs-no-home": insert_code("before", "os.listdir(os.path.expanduser('~'))"),
    "needs-no-locale": insert_code("each", "    if os.environ.get('LC_ALL') == 'C': line.decode('ascii')"),
    # leaving
    "ends-at-bye": BotMistake({AT_THE_END: "def at_the_end():\n    time.sleep(60)\n"}, waits={"FAREWELL_S": 0.5}),
    "ends-with-status-0": insert_code("bye", f"        {DIE}"),
    "says-nothing-at-the-end": insert_code("bye", "        say({'type': 'bye'})"),
    "ends-with-its-input": BotMistake(
        {BYE: "        sys.exit()\n", AT_THE_END: "def at_the_end():\n    time.sleep(60)\n"}, waits={"FAREWELL_S": 0.5}
    ),
    "ends-with-its-input-in-a-game": BotMistake(
        {AT_THE_END: "def at_the_end():\n    state['playing'] and time.sleep(60)\n"}, waits={"FAREWELL_S": 4.0}
    ),
    "ends-in-the-middle-of-a-line": BotMistake(
        {"# before\n": "sys.excepthook = lambda *wrong: time.sleep(60)\n"}, waits={"FAREWELL_S": 4.0}
    ),
    "ends-after-a-fault": BotMistake(
        {"# each\n": "if m['type'] == 'fault': time.sleep(60)\n"}, waits={"FAREWELL_S": 4.0}
    ),
    "leaves-nobody-behind": insert_code(
        "hello",
        "        subprocess.Popen(['sleep', '60'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL, start_new_session=True)",
    ),
    # speed
    "keeps-to-the-game-clock": insert_code("decide", "        time.sleep(0.05)", game_ms=100),
    "keeps-to-its-processor-time": insert_code("decide", "        time.sleep(0.2)", cpu_s=1),
    "decides-in-time-at-several-tables": BotMistake(
        {
            "# before\n": COMPUTE_BESIDE,
            "        # decide\n": "        if m['id'] == 2 and is_beside(b'bot.py'): compute(0.9)\n",
        },
        decision_ms=600,
    ),
    "decides-in-time-on-a-busy-machine": BotMistake(
        {
            "# before\n": COMPUTE_BESIDE,
            "        # decide\n": "        if m['id'] == 2 and is_beside(b'while True: pass'): compute(0.9)\n",
        },
        decision_ms=600,
    ),
    "waits-without-computing": BotMistake({LOOP: BUSY_LOOP}),
    "keeps-to-its-memory": insert_code(
        "start", "        if state['games'] == 30: state['leak'].append(b'x' * (200 << 20))", memory_mb=100
    ),
    "memory-stays-level": insert_code("start", "        state['leak'].append(b'x' * 100_000)"),
    # manners
    "keeps-standard-error-short": insert_code("decide", "        print('deciding ' * 100, file=sys.stderr)"),
    "does-the-same-again": BotMistake({'"choose": 0': '"choose": random.randrange(len(m["legal"]))'}),
    "writes-nothing-into-its-folder": insert_code("start", "        open('games.log', 'a').write(line.decode())"),
    # tables
    "answers-at-many-tables": BotMistake(
        {READY: TAKE_TABLES, '"choose": 0}': '"choose": 0, **({"table": 0} if "table" in m else {})}'}
    ),
    "keeps-tables-apart": BotMistake(
        {
            READY: TAKE_TABLES,
            '"choose": 0}': '"choose": state["games"] % len(m["legal"]), **named}',
            "        act = {": "        state['games'] += m.get('table', 0)\n"
            "        named = {'table': m['table']} if 'table' in m else {}\n        act = {",
        }
    ),
}


def write_bot(folder: Path, mistake: BotMistake | None = None) -> Path:
    """Write a bot into a folder and return the folder."""
    code = GOOD
    for old, new in (mistake.changes if mistake else {}).items():
        assert old in code, old
        code = code.replace(old, new)
    folder.mkdir()
    (folder / "bot.py").write_text(code)
    (folder / "bot.toml").write_text(
        (mistake and mistake.toml) or f'command = ["{sys.executable}", "bot.py"]\nlanguage = "Python 3"\n'
    )
    (folder / "bot.toml").chmod(0o755)
    for name, text in (("run", b"print('no shebang')\n"), ("windows", b"#!/bin/sh\r\nexec cat\r\n")):
        (folder / name).write_bytes(text)
        (folder / name).chmod(0o755)
    return folder
