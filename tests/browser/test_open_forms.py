"""A person at a browser does what is not listed: an open action, by a form that is made from its fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from haggle import Offer
from pitboss_tournament.play.browser.browser_table import make_form
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.browser.chromium import Browser
from tests.browser.play_page import MY_TURN, SEND, open_link, open_play, play_turn
from tests.tournament.command_line import install_plugin

pytestmark = pytest.mark.once

HAGGLE: Final = ROOT / "examples/plugins/pitboss-haggle/haggle.py"
FILL: Final = """(values => {
    for (const [name, value] of Object.entries(values)) {
        const input = document.querySelector(`[data-key="open offer ${name}"]`);
        input.value = value;
        input.dispatchEvent(new Event('input'));
    }
    document.querySelector('[data-key="open offer"]').click();
})(%s)"""


@pytest.mark.long
def test_a_form_is_filled_in(tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """An offer is filled in beside the listed actions. One that cannot be made is refused with the reason, what was
    typed stays, and one that can is played; a forged one of no open kind is not.
    """
    env = install_plugin(tmp_path, "haggle", HAGGLE.read_text(encoding="utf-8"))
    monkeypatch.setenv("PYTHONPATH", env["PYTHONPATH"])
    words = ("haggle", "--against", "house:first", "--seat", "0", "--seed", "s", "--store", "x.pitboss")
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], 390, height=800)
        page.wait_for(f"{MY_TURN} && document.querySelector('form.open')")
        labels = page.run("[...document.querySelectorAll('form.open label')].map(one => one.textContent)")
        forged = {"type": "fill_in", "question": 1, "action": {"do": "accept"}}
        status = page.run(SEND % json.dumps(json.dumps(forged)))
        page.run(FILL % json.dumps({"books": 4, "hats": 1}))
        page.wait_for("document.querySelector('.refused')?.textContent.includes('there are 3 books, not 4')")
        kept = page.run("document.querySelector('[data-key=\"open offer hats\"]').value")
        page.run(FILL % json.dumps({"books": 3}))
        page.wait_for("document.querySelector('.refused') === null")
        while play_turn(page):
            pass
        server.stop()

    [(_, record)] = Store(tmp_path / "x.pitboss").records()
    own = [decision.action for decision in record.decisions if decision.seat == 0]
    assert labels == ["books", "hats", "balls"]
    assert status["question"]["number"] == 1
    assert kept == "1"
    assert own[0] == {"do": "offer", "books": 3, "hats": 1, "balls": 0}
    assert [action["do"] for action in own[1:]] == ["wait"] * 3


def test_a_form_has_a_field_for_each_field_of_the_action() -> None:
    """A whole number is typed within its bounds, and what may be typed is said."""
    form = make_form(Offer)

    assert (form.word, form.meaning) == ("offer", "Say what you want; the other gets the rest.")
    assert [(field.name, field.kind, field.least, field.most) for field in form.fields] == [
        ("books", "number", 0, 9),
        ("hats", "number", 0, 9),
        ("balls", "number", 0, 9),
    ]
