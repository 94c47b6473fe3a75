"""What of the machine a sandbox shows: the system's folders, a few files of /etc, and the network if that is granted.

A granted network is the machine's own: what listens on the machine can be reached, and abstract Unix sockets would be
too, if `seccomp` did not refuse them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pitboss_tournament.processes.visible_paths import SYSTEM_FOLDERS

_OWN_FILES: Final = MappingProxyType(  # of the sandbox: one user besides root, and one machine
    {
        "/etc/passwd": b"root:x:0:0:root:/:/usr/sbin/nologin\nbot:x:65534:65534:bot:/tmp:/bin/sh\n",
        "/etc/group": b"root:x:0:\nbot:x:65534:\n",
        "/etc/hosts": b"127.0.0.1 localhost bot\n::1 localhost\n",
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
    }
)

_SOME_OF_ETC: Final = (  # what programs cannot do without
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "ssl/openssl.cnf"),
    *("java*", "php", "perl", "python3*", "mono"),
)
_NETWORK_FILES: Final = (  # of /etc: names of machines, and whom to trust
    *("resolv.conf", "hosts", "nsswitch.conf", "services", "protocols", "gai.conf"),
    *("ssl/certs", "pki", "ca-certificates", "ca-certificates.conf"),
)
_NO_NETWORK: Final = "--unshare-net"
_NAMESPACES: Final = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--disable-userns", "--uid", "65534", "--gid", "65534", "--hostname", "bot"),
    *("--new-session", "--die-with-parent"),
)


def list_namespaces(*, has_network: bool) -> tuple[str, ...]:
    """Return arguments for the namespaces that a sandbox has of its own."""
    return tuple(word for word in _NAMESPACES if not (has_network and word == _NO_NETWORK))


def list_sandbox_files(*, has_network: bool) -> Mapping[str, bytes]:
    """Return the files, by path, that a sandbox has in place of the machine's."""
    if not has_network:
        return _OWN_FILES
    return {path: text for path, text in _OWN_FILES.items() if Path(path).name not in _NETWORK_FILES}


def find_system_files(*, has_network: bool) -> tuple[Path, ...]:
    """Return the few files and folders of /etc that programs need."""
    some = [path for pattern in _SOME_OF_ETC for path in sorted(Path("/etc").glob(pattern))]
    network = [Path("/etc", name) for name in _NETWORK_FILES] if has_network else []
    return tuple(path for path in (*some, *network) if path.exists())


@cache
def find_system_mounts(*, has_network: bool) -> tuple[str, ...]:
    """Return arguments that mount the system's folders and the few files of /etc that programs need."""
    words: list[str] = []
    for folder in SYSTEM_FOLDERS:
        if folder.is_symlink():
            words += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            words += ["--ro-bind", str(folder), str(folder)]
    for path in find_system_files(has_network=has_network):
        words += ["--ro-bind", str(path), str(path)]
    return tuple(words)
