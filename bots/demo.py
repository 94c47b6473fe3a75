"""Play a demonstration tournament between the example bots whose language this machine has.

python bots/demo.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

BOTS = Path(__file__).resolve().parent
STORE = "demo.pitboss"
MATCH = ["racko", "--seats", "2", "--deals", "10", "--seed", "demo", "-o", "max_rounds=3", "--store", STORE]


def main() -> int:
    """Play."""
    folders = [folder for folder in sorted(toml.parent for toml in BOTS.glob("*/bot.toml")) if is_ready(folder)]
    for old in Path().glob(f"{STORE}*"):
        old.unlink()
    pitboss = Path(sys.executable).with_name("pitboss")
    command = [str(pitboss), "match", *MATCH, *(f"bots/{folder.name}" for folder in folders), "house:random"]
    print("The bots:", ", ".join(f"{read_bot(folder)['name']} (bots/{folder.name})" for folder in folders))
    print("$", " ".join(["pitboss", *command[1:]]), flush=True)
    status = subprocess.run(command, cwd=BOTS.parent, check=False).returncode
    print("What next: `. .venv/bin/activate`, then your own bot, as README.md or docs/first-bot.md shows.")
    return status


def is_ready(folder: Path) -> bool:
    """Tell whether a bot can run here; say why not."""
    missing = [tool for tool in read_bot(folder).get("needs", ()) if shutil.which(tool) is None]
    if missing:
        print(f"skipping bots/{folder.name}: it needs {', '.join(missing)}, which is not on this machine", flush=True)
    return not missing


def read_bot(folder: Path) -> dict[str, Any]:
    """Return what the bot.toml of a folder says."""
    return tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
