"""Make a release, up to the upload: check, build, try.

    python -m tests.release [FOLDER]              check, build and try; leave wheels and sdists in FOLDER (dist/)
    python -m tests.release --trial [FOLDER]      the same before the day: what is not ready yet is said, and no more
    python -m tests.release --set-version 0.2.0   write this version wherever one stands

The check: each file names the same version, CHANGELOG.md has an entry with a date for it, git has no change that is not
committed and no tag of this version. Then wheels and sdists are built (each wheel from its sdist), judged by
`twine check`, installed in fresh environments by each way in (`tests/ways_in.py`), and played. The exit status is 1 if
something is wrong.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pitboss
from tests import ROOT, ways_in
from tests.wheels import SOURCES, build_wheels

CORE: Final = ROOT / "core/pitboss/__init__.py"  # where the version is read; each other place repeats it
PROJECTS: Final = SOURCES[1:]
VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+((a|b|rc)[0-9]+)?")


def main(words: Sequence[str]) -> int:
    """Set the version, or check, build and try; return the exit status."""
    if words[:1] == ["--set-version"] and len(words) == 2:
        return set_version(words[1])
    is_trial = words[:1] == ["--trial"]
    places = words[1:] if is_trial else words
    if faults := [*find_version_faults(), *find_changelog_faults(), *find_git_faults()]:
        print(*faults, sep="\n", flush=True)
        if not is_trial:
            return 1
    dist = (Path(places[0]) if places else ROOT / "dist").resolve()
    wheels = build_wheels(dist)
    print(f"{len(wheels)} wheels, each from its sdist, are in {dist}", flush=True)
    check_by_twine(dist)
    if status := ways_in.main([str(dist)]):
        return status
    tag = f"v{pitboss.__version__}"
    if not is_trial:
        print(f"ready: `git tag --annotate {tag} --message 'Pitboss {pitboss.__version__}'`, then push the tag")
    return 0


def set_version(version: str) -> int:
    """Write a version where one stands; return the exit status."""
    if VERSION.fullmatch(version) is None:
        print(f"{version!r} is no version such as 0.2.0 or 0.2.0rc1")
        return 1
    CORE.write_text(re.sub(r'(?m)^__version__ = ".*"', f'__version__ = "{version}"', CORE.read_text("utf-8")), "utf-8")
    for project in PROJECTS:
        file = project / "pyproject.toml"
        file.write_text(write_version(file.read_text("utf-8"), version), "utf-8")
    return 0


def write_version(text: str, version: str) -> str:
    """Return a pyproject.toml with this version, also in requirements that fix the version of another distribution."""
    text = re.sub(r'(?m)^version = ".*"', f'version = "{version}"', text)
    return re.sub(r'(?m)^(    "pitboss-[\w-]+(?:==|~=)).*(",)$', rf"\g<1>{version}\g<2>", text)


def find_version_faults() -> Iterator[str]:
    """Yield each project that has another version, and each game that `pitboss` lacks or requires at another one."""
    version, games = pitboss.__version__, set[str]()
    for project in PROJECTS:
        found = read_project(project)
        if found["version"] != version:
            yield f"{found['name']} has the version {found['version']}, pitboss-core {version}"
        if project.parent.name == "plugins":
            games.add(f"{found['name']}~={version}")
    required = set(read_project(ROOT / "distribution")["dependencies"])
    for line in sorted(required ^ {f"pitboss-core=={version}", *games}):
        yield f"distribution/pyproject.toml {'should not require' if line in required else 'lacks'} {line}"


def read_project(folder: Path) -> dict[str, Any]:
    """Return the table `project` of a pyproject.toml."""
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def find_changelog_faults() -> Iterator[str]:
    """Yield a sentence if the newest entry is of another version, or has no date."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heading = next(line for line in text.splitlines() if line.startswith("## "))
    if re.fullmatch(rf"## {re.escape(pitboss.__version__)} \([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}\)", heading) is None:
        yield f"CHANGELOG.md begins with {heading!r}: write `## {pitboss.__version__} (YEAR-MONTH-DAY)`"


def find_git_faults() -> Iterator[str]:
    """Yield what git has to say: changes that are not committed, a tag that is there already."""
    if changed := run_git("status", "--porcelain"):
        yield f"these files have changes that are not committed: {' '.join(changed.split()[1::2])}"
    tag = f"v{pitboss.__version__}"
    if run_git("tag", "--list", tag) and run_git("rev-list", "-n1", tag) != run_git("rev-parse", "HEAD"):
        yield f"the tag {tag} is that of another commit: a version is released once"


def run_git(*words: str) -> str:
    """Return what a command of git prints."""
    return subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def check_by_twine(dist: Path) -> None:
    """Let twine judge the files, in an environment of its own."""
    with TemporaryDirectory(prefix="pitboss-twine-") as folder:
        venv.create(folder, with_pip=True)
        subprocess.run([Path(folder, "bin/pip"), "install", "--quiet", "twine"], check=True)
        files = sorted([*dist.glob("*.whl"), *dist.glob("*.tar.gz")])
        subprocess.run([Path(folder, "bin/twine"), "check", "--strict", *files], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
