"""The user that a bot of root runs as: on a machine, in containers that map few users, and where its files are root's
alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss_tournament.processes.other_user import choose_unused, find_unused_users
from tests import ROOT
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap

pytestmark = pytest.mark.once

GOOD = ROOT / "tests" / "bots/zoo/good.py"
MATCH = ("magpie", "house:first", "--deals", "1", "--seed", "s", "--sandbox", "bubblewrap", "--no-store")


@pytest.mark.parametrize(
    ("user_map", "group_map", "first", "count"),
    [
        ("0 0 4294967295", "0 0 4294967295", 1_900_000_000, 200_000_000),  # a machine
        ("0 1000 1\n1 100000 65536", "0 1000 1\n1 100000 65536", 32_769, 32_765),  # rootless, with subordinate users
        ("0 1000 1\n1 100000 65536", "0 1000 1", 0, 0),
        ("0 1000 1", "0 1000 1", 0, 0),  # `unshare --map-root-user`
        ("", "", 0, 0),
    ],
)
def test_unused_users(user_map: str, group_map: str, first: int, count: int) -> None:
    """An unused user is neither the machine's nor an image's; there is none where only root is mapped."""
    users = choose_unused(user_map, group_map)

    assert (users[0] if users else 0, len(users)) == (first, count)


@pytest.mark.long
@needs_bubblewrap
def test_container_that_maps_root_alone(tmp_path: Path) -> None:
    """Bots play in the sandbox there, as the only user."""
    around = ("unshare", "--user", "--map-root-user")
    if (
        shutil.which("unshare") is None
        or subprocess.run([*around, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no user namespaces here")
    bot = f"/usr/bin/python3 -S {GOOD}" if Path("/usr/bin/python3").exists() else f"{sys.executable} -S {GOOD}"
    ran = subprocess.run(
        [*around, *COMMAND, "match", MATCH[0], bot, *MATCH[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert "forfeited" not in ran.stdout


@needs_bubblewrap
@pytest.mark.skipif(not find_unused_users(), reason="bots run as the same user here")
def test_file_that_only_root_may_read(tmp_path: Path) -> None:
    """A file that only root may read is named before the first game, with what to do about it."""
    bot = tmp_path / "my bot.py"
    shutil.copy(GOOD, bot)
    shutil.copy(GOOD.parent / "polite.py", tmp_path)
    bot.chmod(0o600)
    tmp_path.chmod(0o700)  # is opened for it
    command = f"{sys.executable} -S '{bot}'"
    refused = run_pitboss("match", MATCH[0], command, *MATCH[1:])
    said = f"pitboss: '{bot}' is not readable for others (mode 600): root's bots run as another user"
    cure = f"chmod -R a+rX '{tmp_path}'" if " " in str(tmp_path) else f"chmod -R a+rX {tmp_path}"

    assert (refused.status, refused.err.startswith(said), refused.err.endswith(f"{cure}\n")) == (2, True, True)
    assert os.system(cure) == 0
    assert run_pitboss("match", MATCH[0], command, *MATCH[1:]).status == 0
