"""A bot made from the template for JavaScript makes an offer that is not listed, in a game that takes it."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.authoring.templates import NewBot, load_templates, make_bot
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.languages.template_trial import NAME
from tests.languages.test_template_examples import RANDOM
from tests.tournament.command_line import install_plugin, run_pitboss

pytestmark = [pytest.mark.once, pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")]

HAGGLE: Final = ROOT / "examples/plugins/pitboss-haggle/haggle.py"
OFFERS: Final = """\
  if (question.open?.includes("offer")) {
    return { action: { do: "offer", books: 1, hats: 1, balls: Math.floor(question.view.left / 2) % 2 } };
  }
"""


def test_a_template_that_makes_offers(tmp_path: Path) -> None:
    """Node's bot keeps the rules of the wire, and its offers are played."""
    env = install_plugin(tmp_path, "haggle", HAGGLE.read_text(encoding="utf-8"))
    template = load_templates()["javascript"]
    bot = NewBot(name=NAME, into=tmp_path)
    make_bot(bot, template)
    program = bot.folder / template.about.change
    drawn = RANDOM["javascript"]
    program.write_text(program.read_text(encoding="utf-8").replace(drawn, OFFERS + drawn), encoding="utf-8")

    words = (str(bot.folder), "house:first", "--deals", "1", "--seed", "x", "--store", "x.pitboss")
    ran = run_pitboss("match", "haggle", *words, cwd=tmp_path, env=env)
    checked = run_pitboss(
        "check", str(bot.folder), "--game", "haggle", "--only", "plays-a-whole-game", cwd=tmp_path, env=env
    )

    assert ran.status == 0, ran.err
    assert (checked.status, "0 failed" in checked.out) == (0, True), checked.out
    with closing(Store(tmp_path / "x.pitboss")) as store:
        records = [record for _, record in store.records()]
    assert all(record.faults == [] for record in records)
    own = [one.action["do"] for one in records[0].decisions if records[0].players[one.seat] == NAME]
    assert own == ["offer"] * 4
