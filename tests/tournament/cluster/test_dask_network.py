"""A Dask cluster over a network: machines are network namespaces, joined by a bridge; encrypted, and openly not."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.plugins import magpie_installed
from tests.tournament.dask_processes import DaskProcesses, list_run_workers, run_on_cluster, wait_until
from tests.tournament.dask_tournaments import play_here, read_store, write_held_bot, write_settings, write_zoo_bot

pytest.importorskip("distributed")
pytestmark = pytest.mark.once

NET: Final = "10.77.42"  # .1 is the scheduler and the client, .2 and .3 are nodes
ROLES: Final = ("SCHEDULER", "WORKER", "CLIENT")


class MachineNet:
    """Three machines that reach each other and nothing else."""

    def __init__(self) -> None:
        self.names = [f"pitboss-{os.getpid()}-{number}" for number in (1, 2, 3)]

    def launcher(self, number: int) -> tuple[str, ...]:
        """Return what starts a command on a machine."""
        return ("nsenter", f"--net=/run/netns/{self.names[number - 1]}")

    def plug(self, number: int, state: str) -> None:
        """Plug the cable of a node in ("up") or pull it out ("down")."""
        call_ip("-n", self.names[0], "link", "set", f"port{number}", state)

    def create(self) -> None:
        """Make the machines and the network between them."""
        for name in self.names:
            call_ip("netns", "add", name)
            call_ip("-n", name, "link", "set", "lo", "up")
        first = self.names[0]
        call_ip("-n", first, "link", "add", "bridge0", "type", "bridge")
        call_ip("-n", first, "addr", "add", f"{NET}.1/24", "dev", "bridge0")
        call_ip("-n", first, "link", "set", "bridge0", "up")
        for number in (2, 3):
            name, port = self.names[number - 1], f"port{number}"
            call_ip("-n", first, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
            call_ip("-n", first, "link", "set", port, "master", "bridge0", "up")
            call_ip("-n", name, "addr", "add", f"{NET}.{number}/24", "dev", "eth0")
            call_ip("-n", name, "link", "set", "eth0", "up")

    def remove(self) -> None:
        """Remove all that there is of it."""
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def call_ip(*words: str) -> None:
    """Call `ip`. Raises CalledProcessError if it may not do that."""
    subprocess.run(["ip", *words], capture_output=True, check=True)


@pytest.fixture
def net() -> Iterator[MachineNet]:
    """Return a network of three machines, where this user may make one."""
    if os.geteuid() != 0 or not (shutil.which("ip") and shutil.which("nsenter")):
        pytest.skip("only root can make network namespaces, with ip and nsenter")
    made = MachineNet()
    try:
        try:
            made.create()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.decode().strip()}")
        yield made
    finally:
        made.remove()


@contextmanager
def start_machines(home: Path, net: MachineNet, env: Mapping[str, str] | None = None) -> Iterator[DaskProcesses]:
    """Context manager: a scheduler on the first machine, nodes on the others."""
    with magpie_installed(), DaskProcesses(home, env) as processes:
        processes.start_scheduler(f"{NET}.1", net.launcher(1))
        for number in (2, 3):
            processes.start_node(f"n{number}", "--host", f"{NET}.{number}", launcher=net.launcher(number))
        yield processes


def make_certificates(folder: Path) -> dict[str, str]:
    """Make an authority and a certificate that all machines share; return Dask's configuration for them."""
    folder.mkdir()
    key, request, certificate = (folder / name for name in ("key.pem", "request.pem", "cert.pem"))
    authority, its_key = folder / "ca.pem", folder / "ca-key.pem"
    new_key = ("-newkey", "rsa:2048", "-nodes")
    call_openssl("req", "-x509", *new_key, "-days", "2", "-subj", "/CN=ca", "-keyout", its_key, "-out", authority)
    call_openssl("req", *new_key, "-subj", "/CN=pitboss", "-keyout", key, "-out", request)
    signed_by = ("-CA", authority, "-CAkey", its_key, "-CAcreateserial")
    call_openssl("x509", "-req", "-in", request, *signed_by, "-days", "2", "-out", certificate)
    tls = (
        {"CA_FILE": authority}
        | {f"{role}__KEY": key for role in ROLES}
        | {f"{role}__CERT": certificate for role in ROLES}
    )
    found = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in tls.items()}
    return found | {
        "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "true",
        "DASK_DISTRIBUTED__COMM__DEFAULT_SCHEME": "tls",
    }


def call_openssl(*words: str | Path) -> None:
    """Call openssl."""
    subprocess.run(["openssl", *words], capture_output=True, check=True)


def test_open_and_encrypted_networks(net: MachineNet, tmp_path: Path) -> None:
    """A run over a network without TLS is refused, with what is risked and how to accept it; then it plays. So does a
    run with TLS, where nobody without a certificate is let in.
    """
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    bots = (write_zoo_bot(tmp_path / "good", "good"), "house:random")
    here, there, secret = (write_settings(tmp_path, name, *bots, deals=6) for name in ("here", "there", "secret"))
    with start_machines(tmp_path / "a", net) as dask:
        with run_on_cluster(there, dask.engine, launcher=net.launcher(1)) as run:
            assert run.wait() == 2
            assert f"what is sent to {NET}.1 would not be encrypted" in run.complaints
            assert f"accept the risk: dask+unencrypted://{NET}.1:" in run.complaints
        accepted = dask.engine.replace("dask://", "dask+unencrypted://")
        with run_on_cluster(there, accepted, launcher=net.launcher(1)) as run:
            assert run.wait() == 0, str(run)
    tls = make_certificates(tmp_path / "tls")
    with start_machines(tmp_path / "b", net, tls) as dask:
        assert dask.url.startswith("tls://")
        with run_on_cluster(secret, dask.engine.replace("dask", "dask+unencrypted"), launcher=net.launcher(1)) as run:
            assert run.wait() == 2
            assert "no scheduler of Dask answers there" in run.complaints
        with run_on_cluster(secret, dask.engine, env=tls, launcher=net.launcher(1)) as run:
            assert run.wait() == 0, str(run)

    assert play_here(here).status == 0
    assert read_store(there) == read_store(secret) == read_store(here)


def test_a_cable_is_pulled_out(net: MachineNet, tmp_path: Path) -> None:
    """A node that is cut off is lost, ends what it plays, and plays again when it is reached; no game is lost."""
    hold = tmp_path / "hold"
    bots = (write_held_bot(tmp_path / "held", hold), "house:random", "house:first")
    file, here = (write_settings(tmp_path, name, *bots, deals=12) for name in ("there", "here"))
    hold.write_text("1")
    with start_machines(tmp_path / "a", net) as dask:
        accepted = dask.engine.replace("dask://", "dask+unencrypted://")
        with run_on_cluster(file, accepted, launcher=net.launcher(1)) as run:
            wait_until(lambda: run.is_over or all(map(list_run_workers, dask.nodes)), f"both play: {run}")
            net.plug(3, "down")
            wait_until(lambda: run.is_over or "is lost: " in run.said, "it is lost")
            wait_until(lambda: run.is_over or not dask.nodes[1].list_played(), "it has ended what it played")
            net.plug(3, "up")
            wait_until(lambda: run.is_over or list_run_workers(dask.nodes[1]), "it plays again")
            assert not run.is_over, str(run)
            hold.unlink()
            assert run.wait() == 0, str(run)

    assert play_here(here).status == 0
    assert read_store(file) == read_store(here)
