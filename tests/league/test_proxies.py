"""The proxies of docs/open-ladder.md, with TLS, in front of a league: each as the page writes it."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest

from tests.free_port import find_free_port
from tests.league.archives import make_bot_tar
from tests.league.league_process import HttpAnswer, LeagueProcess, make_league, run_league

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "open-ladder.md").read_text(encoding="utf-8")
NAME: Final = "ladder.example.org"
LARGE: Final = 3 << 20  # bytes that a client cannot pack
WAIT_S: Final = 60


def read_recipe(beginning: str) -> str:
    """Return the block of the page that begins so."""
    return beginning + PAGE.split(f"```text\n{beginning}", 1)[1].split("```", 1)[0]


def start_nginx(folder: Path, league: int, port: int) -> list[str]:
    """Write the files of nginx; return its command."""
    server = read_recipe("server {").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    server = server.replace("127.0.0.1:8000", f"127.0.0.1:{league}")
    for name in ("fullchain", "privkey"):
        server = server.replace(f"/etc/letsencrypt/live/{NAME}/{name}.pem", str(folder / f"{name}.pem"))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    whole = (
        f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\nhttp {{ access_log off; {places}\n{server}}}\n"
    )
    (folder / "nginx.conf").write_text(("user root; " if os.geteuid() == 0 else "") + whole)
    return ["nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)]


def start_caddy(folder: Path, league: int, port: int) -> list[str]:
    """Write the file of Caddy; return its command."""
    site = read_recipe(f"{NAME} {{").replace("127.0.0.1:8000", f"127.0.0.1:{league}")
    keys = f"    tls {folder}/fullchain.pem {folder}/privkey.pem\n"
    site = site.replace(f"{NAME} {{\n", f"https://{NAME}:{port} {{\n{keys}")
    (folder / "Caddyfile").write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def run_proxy(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a proxy until it listens, and end it."""
    with (folder / "proxy.log").open("w") as log:
        process = subprocess.Popen(command, stderr=log, stdout=log, env={**os.environ, "HOME": str(folder)})
    try:
        until = monotonic() + WAIT_S
        while not _listens(port):
            assert process.poll() is None, (folder / "proxy.log").read_text()
            assert monotonic() < until, (folder / "proxy.log").read_text()
            sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class NamedConnection(http.client.HTTPSConnection):
    """HTTPS to a port of this machine, under the name of the ladder."""

    def connect(self) -> None:
        """Connect to this machine, whatever the name is."""
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.sock = context.wrap_socket(plain, server_hostname=NAME)


def ask(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> HttpAnswer:
    """Return the answer of a league behind a proxy."""
    with closing(NamedConnection(NAME, port, timeout=WAIT_S)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return HttpAnswer(answer.status, found, answer.read().decode())


@pytest.fixture
def league(tmp_path: Path) -> Iterator[tuple[LeagueProcess, str]]:
    """Return a league under the name, and a token."""
    tokens = make_league(tmp_path / "ladder", owners="ada")
    rules = tmp_path / "ladder" / "league.toml"
    rules.write_text(rules.read_text().replace("max_mb = 1\n", "max_mb = 20\n"))
    with run_league(tmp_path / "ladder", "--no-play", "--name", NAME) as running:
        yield running, tokens["ada"]


@pytest.mark.once
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@pytest.mark.parametrize(
    "start",
    [
        pytest.param(one, id=name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not here"))
        for name, one in (("nginx", start_nginx), ("caddy", start_caddy))
    ],
)
def test_a_proxy_of_the_page(
    league: tuple[LeagueProcess, str], start: Callable[[Path, int, int], list[str]], tmp_path: Path
) -> None:
    """A bot of 3 MB is taken, and a browser logs in by a cookie that is sent over TLS alone."""
    running, token = league
    port = find_free_port()
    files = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", *files]
    subprocess.run(made, check=True, capture_output=True)
    archive = make_bot_tar({"bot.py": b"", "net.bin": os.urandom(LARGE)})

    with run_proxy(start(tmp_path, running.port, port), tmp_path, port):
        sent = ask(port, "PUT", "/api/submissions/fox", archive, Authorization=f"Bearer {token}")
        origin = f"https://{NAME}:{port}"
        logged = ask(port, "POST", "/login", b"token=" + token.encode(), Origin=origin)
        page = ask(port, "GET", "/")

        assert (sent.status, logged.status, page.status) == (202, 303, 200), (sent.value, logged.value)
        assert "Secure" in logged.headers["set-cookie"]
        assert "The ladder as JSON" in page.value
