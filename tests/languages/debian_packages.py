"""What languages lack on this machine, from Debian's packages."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Collection, Sequence


def can_install() -> bool:
    """Tell whether packages can be installed here: by root, with apt-get."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_packages(packages: Collection[str]) -> None:
    """Install packages.

    Raises:
        CalledProcessError: it did not work; apt-get has said why.
    """
    quiet: Sequence[str] = ("-y", "-qq", "--no-install-recommends")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(["apt-get", "install", *quiet, *sorted(packages)], check=True, env=environment)
