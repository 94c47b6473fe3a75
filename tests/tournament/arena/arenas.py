"""Small arenas: entrants that are Python scripts, and a game of a few decisions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from pitboss.plugins.registry import Registry
from pitboss_tournament.arena.arena_folder import Arena, create_arena, read_arena
from pitboss_tournament.arena.journal import Journal

IDLE = 'print("I leave it as it is")'


def change_choice(line: str) -> str:
    """Return an entrant that puts a line in the place of what the starter bot answers."""
    return f"""
        import re
        from pathlib import Path
        bot = Path("bot/bot.py")
        bot.write_text(re.sub(r'    return table.luck.randrange.*', {line!r}, bot.read_text()))
    """


def make_arena(
    folder: Path,
    agents: Mapping[str, str],
    *,
    rounds: int = 1,
    game: str = "poker",
    preset: str = "kuhn",
    more: str = "",
    **judge: object,
) -> Path:
    """Return the folder of an arena with these scripts, by their names, by default of one hand of Kuhn poker.

    `more`: lines of arena.toml.
    """
    scripts = folder / "agents"
    scripts.mkdir(parents=True, exist_ok=True)
    tables = []
    for name, text in agents.items():
        (scripts / name).mkdir(exist_ok=True)
        (scripts / name / "edit.py").write_text(dedent(text))
        tables.append(f'[entrants.{name}]\nedit = ["{{python}}", "agents/{name}/edit.py"]\n')
    (folder / "entrants.toml").write_text("\n".join(tables))
    is_poker = game == "poker"
    chosen = preset if is_poker else None
    made = create_arena(folder / "arena", Registry().find_game(game), chosen, rounds, folder / "entrants.toml")
    settings = {"deals": 3, "practice": 2, "check": False, "why": False, "anchors": ["house:random"], **judge}
    text = made.file.read_text()
    for key, value in settings.items():
        said = str(value).lower() if isinstance(value, bool) else str(value).replace("'", '"')
        text, count = re.subn(rf"(?m)^(# )?{key} = .*$", f"{key} = {said}", text)
        assert count == 1, key
    text = text.replace("[edit]", f"{more}\n[options]\nhands = 1\n\n[edit]" if is_poker else f"{more}\n[edit]", 1)
    made.file.write_text(text)
    return made.root


def open_arena(root: Path) -> tuple[Arena, Journal]:
    """Return an arena and its journal."""
    arena = read_arena(root, Registry())
    return arena, Journal(arena.folder.journal)
