"""`pitboss play --browser` as a process, and people who play on its pages."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.browser.chromium import Browser, Page
from tests.tournament.command_line import COMMAND

# Each helper waits for what it needs; nothing here depends on how long that takes.
HEADING: Final = "document.querySelector('.panel h2')?.textContent"
MY_TURN: Final = "document.querySelector('.panel .turn')"
PLAY_FIRST: Final = f"""(() => {{
    if (!{MY_TURN}) return false;
    const list = document.querySelector('.panel [data-key=list]');
    if (!document.querySelector('.confirm')) {{
        if (!document.querySelector('.panel .action')) list.click();
        document.querySelector('.panel .action').click();
    }}
    document.querySelector('.confirm').click();
    return true;
}})()"""
AT_ONCE: Final = "localStorage['pitboss.pace'] ??= 'at once'"  # the pace at which no test waits for what it shows
IS_OVER: Final = f"({HEADING} ?? '').startsWith('The game is over')"
SEND: Final = """new Promise(done => {
    const socket = new WebSocket(`${location.href.replace(/^http/, 'ws')}/socket`);
    const heard = [];
    socket.onmessage = event => {
        heard.push(JSON.parse(event.data));
        if (heard.length === 2) { socket.send(%s); socket.close(); }
    };
    socket.onclose = () => done(heard.at(-1));
})"""


class PlayServer:
    """A running `pitboss play --browser`."""

    def __init__(self, process: subprocess.Popen[str], links: Mapping[str, str]) -> None:
        self.process = process
        self.links = links

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(next(iter(self.links.values())).split("/")[2].rpartition(":")[2])

    def stop(self) -> tuple[int, str]:
        """End it as Ctrl-C does; return its exit status and what it has printed since the links."""
        self.process.terminate()
        assert self.process.stdout is not None
        said = self.process.stdout.read()
        return self.process.wait(), said


@contextmanager
def open_play(*words: str | Path, cwd: Path, people: int = 1) -> Iterator[PlayServer]:
    """Run `pitboss play` for so many people on a free port."""
    command = [*COMMAND, "play", *map(str, words), "--browser", "--port", "0", "--sandbox", "none"]
    if "--resume" in words:
        command = command[:-2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd) as process:
        try:
            assert process.stdout is not None
            links: dict[str, str] = {}
            said = ""
            while len(links) < people + 1:
                line = process.stdout.readline()
                assert line, said
                said += line
                if found := re.match(r"  For (.+): (http://\S+)$", line):
                    links[found[1]] = found[2]
            yield PlayServer(process, links)
        finally:
            process.kill()


def open_link(
    browser: Browser,
    address: str,
    width: int = 1400,
    *,
    height: int = 900,
    has_motion: bool = False,
    pace: str | None = "at once",
) -> Page:
    """Return the page of a link, with its game on it; `pace` None: the person has set nothing."""
    page = browser.open("about:blank", width, height=height, has_motion=has_motion)
    if pace is not None:
        page.prepare(AT_ONCE.replace("at once", pace))
    page.go(address)
    page.wait_for("document.querySelector('.panel h2')?.textContent")
    return page


def play_first(page: Page) -> None:
    """Choose the first action of the list, and play it."""
    page.wait_for(MY_TURN)
    page.run(PLAY_FIRST)


def play_turn(*pages: Page) -> bool:
    """Let whoever is asked choose the first action; tell whether the game goes on."""
    while not pages[0].run(IS_OVER):
        for page in pages:
            if page.run(PLAY_FIRST):
                return True
    return False


def read_game(page: Page) -> Any:  # noqa: ANN401 - any JSON
    """Return the first message of the server to another socket of this page: the game so far."""
    return page.run(
        """new Promise(done => {
            const socket = new WebSocket(`${location.href.replace(/^http/, 'ws')}/socket`);
            socket.onmessage = event => { socket.close(); done(JSON.parse(event.data)); };
        })"""
    )
