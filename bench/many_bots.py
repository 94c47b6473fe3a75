"""What a game costs as the field grows and a table plays fewer deals: short games of Rack-O between equal bots.

    python -m bench.many_bots [--bots 2 100 1000] [--deals 1 5 20] [--games 1200] [--pitboss COMMAND ...]

A row is a field. The figure is the processor time of the runner, its worker and its bots for a game more, in
milliseconds: that of a run over so many games, less that of a run over a quarter of them. Each COMMAND has a column, so
that two versions are measured in turn; by default it is that of this environment.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

BENCH: Final = Path(__file__).resolve().parent
PYTHON_BOT: Final = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "act", "id": message["id"], "choose": 0}), flush=True)
"""
PLAN: Final = """
game = "racko"
seats = 2
deals = {deals}
seed = "many"
workers = 1
sandbox = "{sandbox}"
options = {{ max_rounds = 1, max_turns = 5 }}
"""


def make_bot(kind: str, folder: Path) -> str:
    """Return the folder of a bot of a kind, which is built."""
    if kind == "C":
        command = ["cc", "-std=c11", "-O2", "-o", str(folder / "bot"), str(BENCH / "first" / "bot.c")]
        subprocess.run(command, check=True)
        words = '["./bot"]'
    else:
        (folder / "bot.py").write_text(PYTHON_BOT)
        words = '["python", "bot.py"]'
    (folder / "bot.toml").write_text(f"command = {words}\n")
    return str(folder)


def measure_run(command: str, plan: str, games: int) -> float:
    """Return the processor time of a run over so many games, in seconds.

    Raises:
        SystemExit: the run failed.
    """
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        Path(folder, "many.toml").write_text(plan)
        words = [command, "run", "many.toml", "--games", str(games)]
        run = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert run.stdout
        said = run.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(run.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(words)}: {said[-500:]}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description="What a game costs as the field grows.")
    parser.add_argument("--bots", type=int, nargs="+", default=[2, 100, 1_000])
    parser.add_argument("--deals", type=int, nargs="+", default=[1, 5, 20])
    parser.add_argument("--games", type=int, default=1_200)
    parser.add_argument("--kinds", nargs="+", choices=["C", "Python"], default=["C", "Python"])
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--pitboss", nargs="+", default=[str(Path(sys.executable).with_name("pitboss"))])
    given = parser.parse_args()
    print(f"{'bots':6} {'field':>6} {'deals':>6}  ms a game: {' | '.join(given.pitboss)}")
    for kind, field in itertools.product(given.kinds, given.bots):
        with tempfile.TemporaryDirectory(prefix="pitboss-bot-") as folder:
            bot = make_bot(kind, Path(folder))
            entries = "".join(f'[[bots]]\nname = "b{number}"\nbot = "{bot}"\n' for number in range(field))
            for deals in given.deals if field > 2 else [given.games]:
                plan = PLAN.format(deals=deals, sandbox=given.sandbox) + entries
                figures = []
                for command in given.pitboss:
                    few, many = (measure_run(command, plan, games) for games in (given.games // 4, given.games))
                    figures.append(1_000 * (many - few) / (given.games - given.games // 4))
                print(f"{kind:6} {field:6,} {deals:6,}  {'  '.join(f'{ms:7.2f}' for ms in figures)}", flush=True)


if __name__ == "__main__":
    main()
