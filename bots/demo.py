"""Build the example bots, and play a demonstration tournament between those whose language this machine has.

python bots/demo.py [--build-only]
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

BOTS = Path(__file__).resolve().parent
STORE = "demo.pitboss"
MATCH = ["racko", "--seats", "2", "--deals", "10", "--seed", "demo", "-o", "max_rounds=3", "--store", STORE]


def main() -> int:
    """Build all that can be built; unless that is all, play."""
    folders = sorted(toml.parent for toml in BOTS.glob("*/bot.toml"))
    ready = [folder for folder in folders if is_ready(folder)]
    if "--build-only" in sys.argv[1:]:
        return 0
    for old in Path().glob(f"{STORE}*"):
        old.unlink()
    pitboss = Path(sys.executable).with_name("pitboss")
    command = [str(pitboss), "match", *MATCH, *(f"bots/{folder.name}" for folder in ready), "house:random"]
    print("$", " ".join(["pitboss", *command[1:]]), flush=True)
    return subprocess.run(command, cwd=BOTS.parent, check=False).returncode


def is_ready(folder: Path) -> bool:
    """Build a bot if it needs that, and tell whether it can run here; say why not."""
    bot = tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))
    for tool in bot.get("needs", ()):
        if shutil.which(tool) is None:
            print(f"skipping bots/{folder.name}: it needs {tool!r}, which is not on this machine", flush=True)
            return False
    if "build" in bot:
        subprocess.run(bot["build"], cwd=folder, check=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
