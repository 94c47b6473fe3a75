"""`make setup`, in a copy of what it reads: an environment that works is kept until a new one is complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed"),
]

# Called as `python3`: `-m venv` makes an environment whose pip is the script below.
PYTHON: Final = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec {python} "$@"
{python} -m venv --without-pip "$3" "$4" "$5"
cat > "$5/bin/pip" <<'EOF'
{pip}
EOF
chmod +x "$5/bin/pip"
"""
FAILS: Final = """#!/bin/sh
echo "there is no network" >&2
exit 1"""
INSTALLS: Final = """#!/bin/sh
python=$(cd "$(dirname "$0")" && pwd)/python
printf '#!%s\\nimport sys; print(sys.prefix)\\n' "$python" > "$(dirname "$0")/tool"
chmod +x "$(dirname "$0")/tool"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with the Makefile, what it reads, and an environment that is older than that."""
    projects = ("pyproject.toml", "distribution/pyproject.toml", "plugins/racko/pyproject.toml")
    for name in ("Makefile", "constraints.txt", *projects):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    ready = tmp_path / ".venv" / "ready"
    ready.touch()
    os.utime(ready, (0, 0))
    return tmp_path


def make_setup(tree: Path, python: str) -> subprocess.CompletedProcess[str]:
    """Run `make setup` with a script as Python."""
    script = tree / "python"
    script.write_text(python)
    script.chmod(0o755)
    words = ["make", "setup", f"PYTHON={script}"]
    return subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False)


def test_an_installation_that_fails(tree: Path) -> None:
    """An installation that fails leaves the environment that was there as it was."""
    ran = make_setup(tree, PYTHON.format(python=sys.executable, pip=FAILS))

    assert ran.returncode != 0
    assert "there is no network" in ran.stderr
    assert (tree / ".venv" / "ready").stat().st_mtime == 0
    assert not (tree / ".venv.old").exists()


def test_an_installation_that_succeeds(tree: Path) -> None:
    """The new environment is in the place of the old one, and its scripts run there; a second `make` does nothing."""
    python = PYTHON.format(python=sys.executable, pip=INSTALLS)
    first, second = make_setup(tree, python), make_setup(tree, python)
    tool = subprocess.run([tree / ".venv" / "bin" / "tool"], capture_output=True, text=True, check=True)

    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert "pip install" not in second.stdout
    assert tool.stdout == f"{tree / '.venv'}\n"
    assert sorted(path.name for path in tree.glob(".venv*")) == [".venv"]


def test_files_that_are_written_again(tree: Path) -> None:
    """Files that git has written again without a change need no installation, and so no network; a change does."""
    python = PYTHON.format(python=sys.executable, pip=INSTALLS)
    make_setup(tree, python)
    for name in ("constraints.txt", "pyproject.toml"):
        (tree / name).touch()

    again = make_setup(tree, PYTHON.format(python=sys.executable, pip=FAILS))
    with (tree / "constraints.txt").open("a") as file:
        file.write("# another\n")
    changed = make_setup(tree, PYTHON.format(python=sys.executable, pip=FAILS))

    assert (again.returncode, "pip install" in again.stdout) == (0, False), again.stderr
    assert (changed.returncode != 0, "there is no network" in changed.stderr) == (True, True)


def test_a_machine_without_python(tree: Path) -> None:
    """Without a Python the sentence names the packages of Debian, venv among them."""
    words = ["make", "setup", "PYTHON=absent"]
    ran = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False)

    assert ran.returncode != 0
    assert "there is no program absent; on Debian and Ubuntu: apt install python3 python3-venv" in ran.stderr


@pytest.mark.parametrize(
    ("test", "said"), [("*ensurepip*", "apt install python3-venv"), ("*version_info*", "is no Python 3.11 or newer")]
)
def test_a_python_that_will_not_do(tree: Path, test: str, said: str) -> None:
    """The sentence about a Python that will not do names what is missing, before anything is begun."""
    ran = make_setup(tree, f'#!/bin/sh\ncase "$2" in {test}) exit 1;; esac\nexec {sys.executable} "$@"\n')

    assert ran.returncode != 0
    assert said in ran.stderr
    assert [path.name for path in tree.glob(".venv*")] == [".venv"]
