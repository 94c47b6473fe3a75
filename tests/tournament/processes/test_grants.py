"""What an organizer grants to single bots: the network, and variables of the environment. Others have neither."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.plan import Entrant, Grants
from pitboss_tournament.processes.sandbox import build_launch
from pitboss_tournament.processes.start_errors import BotStartError
from pitboss_tournament.results.own_settings import own_settings_text
from pitboss_tournament.store.header import Header, OwnSettings, make_header
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap, python_entrant, run_for_output
from tests.tournament.stored_games import with_own_settings

KEY = "PITBOSS_TEST_KEY"
CONNECT = """
import socket
def attempt(name, connect):
    try:
        print(name, connect())
    except OSError as error:
        print(name, type(error).__name__)
def fetch(port):
    with socket.create_connection(("localhost", port), 5) as one:
        return one.recv(9).decode()
def reach(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(path)
        return "connected"
"""


@pytest.fixture
def server() -> Iterator[int]:
    """Serve hello on this machine, and yield the port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            while True:
                try:
                    one, _ = listening.accept()
                except OSError:
                    return
                with one:
                    one.sendall(b"hello")

        Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]


@pytest.mark.once
@needs_bubblewrap
def test_only_who_is_granted_the_network_has_it(server: int) -> None:
    """A bot that is granted the network finds the machine's servers by their names; the others reach nobody."""
    code = f"{CONNECT}\nattempt('tcp', lambda: fetch({server}))"
    bot = python_entrant(code)

    assert run_for_output(replace(bot, grants=Grants(network=True))) == "tcp hello"
    assert run_for_output(bot).startswith("tcp ") and "hello" not in run_for_output(bot)


@pytest.mark.once
@needs_bubblewrap
def test_the_network_brings_no_unix_sockets() -> None:
    """The network brings no Unix sockets with abstract names, through which a bot would see the games that
    are watched.
    """
    name = "\0pitboss-test-grants"
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(name)
        listening.listen()
        code = f"{CONNECT}\nattempt('unix', lambda: reach({name!r}))"

        assert run_for_output(replace(python_entrant(code), grants=Grants(network=True))) == "unix OSError"


@pytest.mark.once
@needs_bubblewrap
def test_no_pair_of_sockets_reaches_others() -> None:
    """One of a pair of datagram sockets could send to any abstract name; pairs of streams cannot, and work."""
    name = f"\0pitboss-test-pairs-{os.getpid()}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(name)
        code = (
            f"{CONNECT}\nattempt('pair', lambda: socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b'x', {name!r}))"
        )
        bot = python_entrant(
            f"{code}\nattempt('streams', lambda: (lambda pair: pair[0].send(b'x'))(socket.socketpair()))"
        )

        assert run_for_output(replace(bot, grants=Grants(network=True))) == "pair OSError\nstreams 1"


@pytest.mark.once
@needs_bubblewrap
@pytest.mark.parametrize("mode", ["bubblewrap", "none"])
def test_only_who_is_granted_a_variable_has_it(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is granted a variable has it with its value; what else is in the environment stays hidden."""
    monkeypatch.setenv(KEY, "secret")
    monkeypatch.setenv("PITBOSS_TEST_OTHER", "secret")
    bot = python_entrant("import os; print(sorted(name for name in os.environ if 'TEST' in name))")

    assert run_for_output(replace(bot, grants=Grants(env=(KEY,)))) == f"['{KEY}']"
    assert run_for_output(bot) == "[]"


def test_a_variable_that_is_gone_is_no_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that lacks a granted variable does not start the bot: a variable that is gone is no empty one."""
    monkeypatch.delenv(KEY, raising=False)
    with pytest.raises(BotStartError, match=f"variable '{KEY}', which it may have, is not set on this machine"):
        build_launch(Entrant(name="x", command=("true",), grants=Grants(env=(KEY,))), "mark", "none")


FILE = """\
game = "magpie"
seats = 2
deals = 1
sandbox = "none"
seed = "s"

[[bots]]
bot = "house:first"

[[bots]]
bot = "house:random"
"""


def test_the_file_grants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store says what the file grants, never a value."""
    monkeypatch.setenv(KEY, "secret")
    path = tmp_path / "t.toml"
    path.write_text(f'{FILE}network = true\nenv = ["{KEY}"]\n')
    plan = load_plan(path, load_registry())

    assert [bot.grants for bot in plan.entrants] == [Grants(), Grants(network=True, env=(KEY,))]
    assert "secret" not in repr(make_header(plan, "1", "1"))


def test_results_name_who_is_granted_what(header: Header) -> None:
    """Standings and report name the bots that are granted something, where all settings of single bots stand."""
    own = with_own_settings(header, 1, OwnSettings(grants=Grants(network=True, env=("KEY", "URL"))))

    assert own_settings_text(own) == (
        "Not the same for all bots: b (it may use the network, the environment variables KEY and URL)."
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f'env = ["{KEY}_GONE"]', f"t.toml:12: the environment variable {KEY}_GONE is not set here"),
        ('env = ["PATH"]', "t.toml:12: the variable PATH cannot be granted: the sandbox sets it"),
        ('env = ["a=b"]', "it must be the name of an environment variable"),
    ],
)
def test_what_cannot_be_granted(tmp_path: Path, line: str, said: str) -> None:
    """The line of a grant that there is not is named."""
    path = tmp_path / "t.toml"
    path.write_text(f"{FILE}{line}\n")

    with pytest.raises(ConfigError, match=said):
        load_plan(path, load_registry())


@pytest.mark.long
@pytest.mark.once
def test_a_whole_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: int) -> None:
    """A bot that needs both plays, and neither store nor logs hold the secret."""
    (tmp_path / "bot.py").write_text(
        f"{CONNECT}\nimport json, os, sys\nassert os.environ['{KEY}'] == 'a secret value'\n"
        f"assert fetch({server}) == 'hello'\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'hello': print('{\"type\": \"ready\"}', flush=True)\n"
        "    if m['type'] == 'decide':\n"
        "        print(json.dumps({'type': 'act', 'id': m['id'], 'choose': 0}), flush=True)\n"
    )
    (tmp_path / "t.toml").write_text(
        f'game = "magpie"\nseats = 2\ndeals = 1\nlogs = {{ keep = "all" }}\n'
        f'[[bots]]\nbot = "python bot.py"\nname = "needy"\nnetwork = true\nenv = ["{KEY}"]\n'
        '[[bots]]\nbot = "house:first"\n'
    )
    ran = run_pitboss("run", str(tmp_path / "t.toml"), env={KEY: "a secret value"})

    assert ran.status == 0, ran.out + ran.err
    assert f"needy (it may use the network, the environment variable {KEY})" in " ".join(ran.out.split())
    assert "forfeit" not in run_pitboss("standings", str(tmp_path / "t.pitboss")).out
    assert b"a secret value" not in (tmp_path / "t.pitboss").read_bytes()
