"""Archives to submit: good ones, and those of somebody who means harm."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

BOT_TOML: Final = b'command = ["{python}", "bot.py"]\n'
GOOD_BOT: Final = b"""\
import sys
for line in sys.stdin:
    kind = line[9:].partition('"')[0]
    if kind == "hello":
        print('{"type":"ready"}', flush=True)
    elif kind == "decide":
        number = line.partition('"id":')[2].partition(",")[0].rstrip("}\\n")
        print('{"type":"act","id":%s,"choose":0}' % number, flush=True)
    elif kind == "bye":
        break
"""
COMPRESSIONS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "xz": lzma.compress,
}


def make_member(name: str, size: int = 0, **attributes: object) -> tarfile.TarInfo:
    """Return the header of a member."""
    member = tarfile.TarInfo(name)
    member.size = size
    for key, value in attributes.items():
        setattr(member, key, value)
    return member


def make_tar(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return an archive of headers with their contents."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for member, content in members:
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def make_bot_tar(files: Mapping[str, bytes] = {}, form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return the archive of a bot with these files beside its bot.toml."""
    whole = {"bot.toml": BOT_TOML, **files}
    return make_tar(*((make_member(name, len(content)), content) for name, content in whole.items()), form=form)


def add_to_bot(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """Return the archive of a bot that has these members, too."""
    return make_tar((make_member("bot.toml", len(BOT_TOML)), BOT_TOML), *members)


def write_archive(folder: Path, content: bytes) -> Path:
    """Write an archive to a file."""
    path = folder / "upload.tar"
    path.write_bytes(content)
    return path


def list_tree(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder with their contents."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
