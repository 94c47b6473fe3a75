"""Headless Chromium, driven through a pair of pipes by its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WAIT_JS: Final = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"


class PageError(Exception):
    """A script on a page raised an exception."""


class PageLeft(PageError):
    """The page went to another address while a script waited."""


class Browser:
    """A running browser. Messages end in a zero byte."""

    def __init__(self, process: subprocess.Popen[bytes], commands: int, answers: int) -> None:
        self._process = process
        self._commands = commands
        self._answers = answers
        self._pending = b""
        self._number = 0
        self._targets: list[str] = []  # of the pages
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol; return its result."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    said = answer["error"]["message"]
                    raise (PageLeft if "navigated" in said else PageError)(f"{method}: {said}")
                found: dict[str, Any] = answer["result"]
                return found
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._pending:
            piece = os.read(self._answers, 1 << 20)
            if not piece:
                raise PageError(f"the browser has ended with status {self._process.wait()}")
            self._pending += piece
        line, _, self._pending = self._pending.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def open(
        self, address: str, width: int = 1400, *, height: int = 900, has_motion: bool = False, is_apart: bool = False
    ) -> Page:
        """Return a page with an address, loaded, in a window of this size.

        One that `is_apart` has cookies of its own, as a browser of another person.
        """
        context = {"browserContextId": self.call("Target.createBrowserContext")["browserContextId"]} if is_apart else {}
        target = self.call("Target.createTarget", url="about:blank", **context)["targetId"]
        self._targets.append(target)
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.call("Runtime.enable")
        page.call("Log.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        if not has_motion:
            reduced = {"name": "prefers-reduced-motion", "value": "reduce"}
            page.call("Emulation.setEmulatedMedia", features=[reduced])
        page.go(address)
        return page

    def close_pages(self) -> None:
        """Close all pages, and forget what happened on them."""
        for target in self._targets:
            self.call("Target.closeTarget", targetId=target)
        self._targets.clear()
        self.events.clear()


class Page:
    """A page of a browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol for this page."""
        return self._browser.call(method, self._session, **parameters)

    def prepare(self, script: str) -> None:
        """Run a script in each document that is loaded from now on, before its own scripts."""
        self.call("Page.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def go(self, address: str) -> None:
        """Load an address."""
        self.call("Page.navigate", url=address)
        self.run(WAIT_JS)

    def run(self, script: str) -> Any:  # noqa: ANN401 - any value of JSON
        """Return the value of an expression, or what it promises.

        Raises:
            PageError: it raised an exception.
        """
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise PageError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> Any:  # noqa: ANN401 - any value of JSON
        """Return the value of an expression when it is true, or something; on the next page, if this one is left.

        An expression that fails, as an element is not there yet, is not true.
        """
        look = f"let found; try {{ found = {condition} }} catch {{}} found && done(found, clearInterval(timer))"
        while True:
            with suppress(PageLeft):
                return self.run(f"new Promise(done => {{ const timer = setInterval(() => {{ {look} }}, 10) }})")

    def press(self, key: str) -> None:
        """Press and release a key."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        code = {"Enter": 13, " ": 32, "Tab": 9}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=code,
                **({"text": text} if text and kind == "keyDown" else {}),
            )

    def click_at(self, x: float, y: float) -> None:
        """Press and release the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def messages(self) -> list[str]:
        """Return what went wrong on the page so far: exceptions, refused scripts, failed loads."""
        self.run("1")
        return [
            json.dumps(event["params"])
            for event in self._browser.events
            if event.get("sessionId") == self._session
            and event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        ]

    def take_screenshot(self, file: Path, kind: str = "png") -> None:
        """Write what the page looks like, as "png" or "webp"."""
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format=kind)["data"]))


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a browser, and end it afterwards. CHROMIUM must be there."""
    assert CHROMIUM is not None
    to_browser, from_browser = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(prefix="pitboss-chromium-", ignore_cleanup_errors=True) as profile:
        command = [
            *("bash", "-c", f'exec 3<&{to_browser[0]} 4>&{from_browser[1]}; exec "$@"', "bash"),
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"),
            *("--no-first-run", "--disable-dev-shm-usage", f"--user-data-dir={profile}"),
        ]
        with subprocess.Popen(
            command,
            pass_fds=(to_browser[0], from_browser[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            os.close(to_browser[0])
            os.close(from_browser[1])
            browser = Browser(process, to_browser[1], from_browser[0])
            try:
                yield browser
            finally:
                browser.call("Browser.close")
                process.wait()
                os.close(to_browser[1])
                os.close(from_browser[0])
