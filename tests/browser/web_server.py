"""`pitboss serve` as a process, and requests to it."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from tests.tournament.command_line import COMMAND

TIMEOUT_S: Final = 600  # only a server that hangs takes so long


class WebServer:
    """A running server. Its addresses begin with `address`."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address, _, self.query = address.partition("?")
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return found

    def get_json(self, path: str) -> Any:  # noqa: ANN401 - any JSON
        """Return a JSON answer."""
        status, _, body = self.get(path)
        assert status == 200, body
        return json.loads(body)

    @contextmanager
    def listen(self, path: str) -> Iterator[Iterator[tuple[str, Any]]]:
        """Listen to a stream of events: an iterator over their names and data, until the server ends it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        connection.request("GET", path)
        with closing(connection), connection.getresponse() as answer:
            assert answer.status == 200
            yield _read_events(answer)

    @contextmanager
    def watch(self, name: str) -> Iterator[Iterator[dict[str, Any]]]:
        """Listen to a tournament: an iterator over its summaries."""
        with self.listen(f"/t/{name}/events") as events:
            yield (data for kind, data in events if kind == "message")


def _read_events(lines: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    name = "message"
    for line in lines:
        field, _, value = line.rstrip(b"\n").partition(b": ")
        if field == b"event":
            name = value.decode()
        elif field == b"data":
            yield name, json.loads(value)
            name = "message"


@contextmanager
def serve_stores(*words: str | Path, port: int = 0) -> Iterator[WebServer]:
    """Run `pitboss serve` with these words, on a free port if none is given, and end it as Ctrl-C does."""
    command = [*COMMAND, "serve", *map(str, words), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"http://\S+", said)
            assert found, said + process.stdout.read()
            yield WebServer(process, found[0])
        finally:
            process.terminate()
            process.wait()
