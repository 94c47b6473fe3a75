"""A check that plays a game by real clicks alone, and looks at the page at each turn.

`ClickPlayer.play` notes what is wrong: an action that three clicks do not choose, a hint that frames nothing, words of
the wire, texts and cards that lie on each other or are cut, and what a click does not hit. As a script the module plays
games at sizes of a window, and says where the pictures of faults lie:

    python -m tests.browser.clicks hearts 400x800 700x450@2
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from pitboss.plugins.registry import Registry
from tests.browser.axe import set_scheme
from tests.browser.chromium import Browser, Page, open_browser
from tests.browser.play_page import AT_ONCE, IS_OVER, MY_TURN, open_play

GAMES: Final = {  # a house bot, and options with which the game ends soon
    "racko": ("house:racko", "-o", "max_rounds=1", "-o", "max_turns=6"),
    "rummy": ("house:rummy", "-o", "deals=1", "-o", "max_turns=8"),
    "lucky-maker": ("house:lucky-maker", "-o", "games=1"),
    "ragamaru": ("house:ragamaru", "-o", "max_turns=100"),
    "poker": ("house:caller", "-o", "hands=3"),
    "hearts": ("house:hearts", "--preset", "single"),
    "spades": ("house:spades", "--preset", "single"),
    "oh-hell": ("house:oh-hell", "--preset", "single"),
    "eights": ("house:eights", "--preset", "single"),
    "euchre": ("house:euchre", "--preset", "single"),
    "cribbage": ("house:cribbage", "--preset", "single"),
    "gin-rummy": ("house:gin-rummy", "--preset", "single"),
    "bridge": ("house:bridge", "--preset", "single"),
    "fireworks": ("house:fireworks",),
    "dou-dizhu": ("house:dou-dizhu",),
}
OTHERS: Final = {"spades": 3, "euchre": 3, "bridge": 3, "fireworks": 3}  # opponents, if not two
SEEDS: Final = {"bridge": "b"}  # of a game in which one is no dummy; else "s"
SIZES: Final = ("1400x900", "1920x1080", "400x800", "844x390", "700x450@2")  # the last: 1400 x 900 at 200 %
PICTURES: Final = 5  # of faults, of one game
SHOWN_TURNS: Final = (1, 6, 14)  # turns of which a picture is kept, if pictures are wanted
SCRIPT: Final = (Path(__file__).parent / "clicks.js").read_text("utf-8")
LISTEN: Final = """
window.told = {};
window.WebSocket = class extends WebSocket {
    constructor(...words) {
        super(...words);
        this.addEventListener("message", event => {
            const message = JSON.parse(event.data);
            if (message.type !== "part") window.told[message.type] = message;
        });
    }
};
"""
CHOOSE_BY_NAME: Final = """(() => {
    document.querySelector('.panel [data-key=list]')?.click();
    document.querySelector('.all-actions [data-key="action %s"]').click();
    const list = document.querySelector('.panel [data-key=list]');
    if (list?.ariaExpanded === 'true') list.click(); // it lies over the button that plays
})()"""
DRAWN: Final = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
SHEET: Final = "document.querySelector('.sheet:not([hidden]) button')"
QUESTION: Final = "window.told.status?.question?.number"
IS_NEXT: Final = f"{SHEET} || {IS_OVER} || ({MY_TURN} && {QUESTION} !== %s)"


def name_wire_words(game: str) -> list[str]:
    """Return names of a game's messages that are no words: of actions and their fields, with an underscore."""
    played = Registry().find_game(game)
    known = json.dumps(msgspec.json.schema(played.Action)) + json.dumps(msgspec.json.schema(played.Options))
    return sorted({name for name in re.findall(r'"(\w+)"', known) if "_" in name.strip("_")})


def open_at(browser: Browser, address: str, size: str) -> Page:
    """Return a page in a window of a size such as "700x450@2", which keeps what the server last told it."""
    width, height, scale = (int(part) for part in re.fullmatch(r"(\d+)x(\d+)(?:@(\d))?", size).groups("1"))  # type: ignore[union-attr]
    page = browser.open("about:blank", width, height=height)
    page.prepare(AT_ONCE)
    page.call(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600
    )
    page.prepare(LISTEN)
    page.go(address)
    page.run(SCRIPT + ";0")
    return page


class ClickPlayer:
    """Somebody who plays on a page with clicks alone, and notes what is wrong with it."""

    def __init__(self, page: Page, game: str, folder: Path, label: str, *, has_pictures: bool = False) -> None:
        self.faults: dict[str, str] = {}  # where each was seen first
        self.clicks = 0
        self.turns = 0
        self.kinds: Counter[str] = Counter()  # of actions that were played
        self.targets: Counter[str] = Counter()  # of clicks that chose actions: "card", "slot", "zone", "seat", "button"
        self.heading = ""  # of the page, at the end
        self._page = page
        self._names = name_wire_words(game)
        self._folder = folder
        self._label = label
        self._has_pictures = has_pictures
        self._last = -1

    def play(self) -> None:
        """Play to the end of the game."""
        page = self._page
        while True:
            page.wait_for(IS_NEXT % self._last)
            if page.run(f"{SHEET} !== null"):
                self._look("at a score sheet")
                self._click(page.run("clicks.pointOf('.sheet button')"))
            elif page.run(IS_OVER):
                break
            else:
                self._play_turn()
        page.wait_for("document.querySelector('.panel [data-key=\"new cards\"]')")
        self.heading = page.run("document.querySelector('.panel h2').textContent")
        self._look("at the end")
        self._keep("end")
        for message in page.messages():
            self._note(f"console: {message[:300]}", "")

    def _play_turn(self) -> None:
        page = self._page
        self.turns += 1
        where = f"at turn {self.turns}"
        self._look(where)
        if self.turns in SHOWN_TURNS:
            self._keep(f"turn-{self.turns}")
        question = page.run("window.told.status.question")
        texts = [one["text"] for one in question["actions"]]
        plans = page.run("clicks.plan()")
        for text, clicks in zip(texts, plans, strict=True):
            if clicks is None:
                self._note(f"more than three clicks in {question['phase']!r}: {name_kind(text)}", f"{where}: {text}")
        index = self._choose(texts, plans)
        for click in plans[index] or []:
            point = page.run(f"clicks.pointAt({json.dumps(click)})")
            if point is None:
                self._note(f"a click of {name_kind(texts[index])!r} hits nothing: {click['kind']}", f"{where}: {click}")
                break
            self.targets[click["kind"]] += 1
            self._click(point)
        if not page.run("document.querySelector('.panel .confirm') !== null"):
            self._note(f"clicks do not choose {name_kind(texts[index])!r}", f"{where}: {plans[index]}")
            page.run(CHOOSE_BY_NAME % index)
        self._look(f"{where}, before {texts[index]}")
        self._last = question["number"]
        self.kinds[name_kind(texts[index])] += 1
        self._click(page.run("clicks.pointOf('.panel .confirm')"))

    def _choose(self, texts: Sequence[str], plans: Sequence[Any]) -> int:
        """Return the index of an action that clicks choose: of the kind that was played least, another each turn."""
        reached = [index for index, clicks in enumerate(plans) if clicks is not None]
        reached = reached or list(range(len(texts)))
        rarest = min(self.kinds[name_kind(texts[index])] for index in reached)
        some = [index for index in reached if self.kinds[name_kind(texts[index])] == rarest]
        return some[self.turns * 7 % len(some)]

    def _click(self, point: Sequence[float]) -> None:
        self.clicks += 1
        self._page.click_at(*point)

    def _look(self, where: str) -> None:
        self._page.run(DRAWN)
        for fault in self._page.run(f"clicks.findFaults({json.dumps(self._names)})"):
            self._note(fault, where)

    def _note(self, fault: str, where: str) -> None:
        if fault in self.faults:
            return
        if len(self.faults) < PICTURES:
            file = self._folder / f"{self._label}-fault-{len(self.faults)}.png"
            self._page.take_screenshot(file)
            where = f"{where} ({file})"
        self.faults[fault] = where

    def _keep(self, moment: str) -> None:
        if self._has_pictures:
            self._page.take_screenshot(self._folder / f"{self._label}-{moment}.png")


def name_kind(text: str) -> str:
    """Return the kind of an action that is given in words: its first word."""
    return text.split()[0]


@contextmanager
def open_clicks(
    browser: Browser, game: str, size: str, folder: Path, *, scheme: str = "light", has_pictures: bool = False
) -> Iterator[ClickPlayer]:
    """Start a game with house bots, and let somebody sit at its page."""
    bot, *options = GAMES[game]
    words = (game, *("--against", bot) * OTHERS.get(game, 2), *options)
    store = ("--seat", "0", "--seed", SEEDS.get(game, "s"), "--store", f"{game}-{size}.pitboss")
    with open_play(*words, *store, cwd=folder) as server:
        page = open_at(browser, server.links["You"], size)
        set_scheme(page, scheme)
        yield ClickPlayer(page, game, folder, f"{game}-{size}-{scheme}", has_pictures=has_pictures)
        server.stop()


def main(games: Sequence[str], sizes: Sequence[str], scheme: str) -> None:
    """Play games at sizes, and print what is wrong."""
    folder = Path(tempfile.mkdtemp(prefix="pitboss-clicks-"))
    with open_browser() as browser:
        for game in games:
            for size in sizes:
                with open_clicks(browser, game, size, folder, scheme=scheme, has_pictures=True) as player:
                    player.play()
                print(f"{game} {size}: {player.turns} turns, {player.clicks} clicks, {len(player.faults)} faults")
                for fault, where in player.faults.items():
                    print(f"    {fault} {where}")
                browser.close_pages()
    print(f"pictures in {folder}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    main(
        [word for word in asked if word in GAMES] or list(GAMES),
        [word for word in asked if word[:1].isdigit()] or SIZES,
        "dark" if "dark" in asked else "light",
    )
