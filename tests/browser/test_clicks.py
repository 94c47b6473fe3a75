"""Each installed game, played to its end by real clicks alone at each size of a window: the page is sound throughout.

`tests/browser/clicks.py` says what that means, and plays games as a script too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import Browser
from tests.browser.clicks import GAMES, SIZES, open_clicks
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

TRIALS: Final = [(game, size) for size in ("844x390", *SIZES) for game in ("euchre", *GAMES)]
ON_BUTTONS: Final = {"poker"}  # games in which little on the table can be clicked


@first_rows(1)(("game", "size"), dict.fromkeys(TRIALS))
def test_a_game_is_played_by_clicks(tmp_path: Path, browser: Browser, game: str, size: str) -> None:
    """At most three clicks choose each action, most of them on the table; nothing is cut or lies on another, no word is
    one of the wire; the record replays.
    """
    with open_clicks(browser, game, size, tmp_path) as player:
        player.play()

    assert player.faults == {}
    assert player.turns > 2
    assert player.heading.endswith(" won.")
    assert (2 * player.targets["button"] <= player.targets.total()) == (game not in ON_BUTTONS), player.targets
    assert run_pitboss("integrity", "--replay", f"{game}-{size}.pitboss", cwd=tmp_path).status == 0
