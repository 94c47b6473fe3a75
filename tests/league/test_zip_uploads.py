"""Zip archives: what honest people send arrives as it was, and what others send is refused with a sentence."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.unpacking import MAX_PATH_BYTES, UnpackBounds, unpack_archive
from tests.league.archives import BOT_TOML, list_tree, write_archive
from tests.league.zips import ZipMember, add_to_zip, make_bot_zip, write_zip

SMALL = UnpackBounds(max_mb=1, max_files=20)
LINK = 0o120777 << 16


def unpack(tmp_path: Path, content: bytes, bounds: UnpackBounds = SMALL) -> Path:
    """Unpack an archive into a folder of its own."""
    folder = tmp_path / "bots" / "new"
    folder.mkdir(parents=True)
    unpack_archive(write_archive(tmp_path, content), folder, bounds)
    return folder


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("top", ["", "mybot/"])
def test_an_honest_zip(tmp_path: Path, method: int, top: str) -> None:
    """Files come out of a zip archive as they were, at its top or in one folder, deep ones and empty ones too."""
    files = {"src/main.py": b"x = 1\n" * 500, "weights.bin": bytes(range(256)) * 400, "empty": b"", "José.txt": b"1"}

    folder = unpack(tmp_path, make_bot_zip(files, method, top))

    assert list_tree(folder) == {"bot.toml": BOT_TOML, **files}


def test_a_zip_that_was_streamed(tmp_path: Path) -> None:
    """A zip archive whose sizes stand behind the contents, as programs that write to a pipe make it, is read."""

    class Pipe:
        def __init__(self) -> None:
            self.written = bytearray()

        def write(self, part: bytes) -> int:
            self.written += part
            return len(part)

        def flush(self) -> None:
            pass

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        archive.writestr("bot.toml", BOT_TOML)
        archive.writestr("a", b"1" * 5_000)

    assert list_tree(unpack(tmp_path, bytes(pipe.written))) == {"bot.toml": BOT_TOML, "a": b"1" * 5_000}


def test_a_zip_of_macos(tmp_path: Path) -> None:
    """What macOS puts beside the files, and into a folder of its own, is no part of a bot."""
    members = (
        ZipMember(b"mybot/", attributes=0o40755 << 16, method=0),
        ZipMember(b"mybot/bot.toml", BOT_TOML),
        ZipMember(b"__MACOSX/mybot/._bot.toml", b"icons"),
        ZipMember(b"mybot/bot.py", b"1"),
    )

    assert list_tree(unpack(tmp_path, write_zip(members))) == {"bot.toml": BOT_TOML, "bot.py": b"1"}


def test_a_zip_in_a_zip(tmp_path: Path) -> None:
    """A zip archive in a zip archive is a file: it is not unpacked."""
    inner = make_bot_zip({"a": b"1" * 9_000})

    assert list_tree(unpack(tmp_path, make_bot_zip({"inner.zip": inner}))) == {"bot.toml": BOT_TOML, "inner.zip": inner}


def test_names_of_an_old_program(tmp_path: Path) -> None:
    """A name that is not UTF-8 is read in the letters of the first PC."""
    assert "é.txt" in list_tree(unpack(tmp_path, add_to_zip(ZipMember(b"\x82.txt", b"1"))))


def test_permissions_of_a_zip(tmp_path: Path) -> None:
    """An unpacked file keeps of its permissions only that it may be run."""
    folder = unpack(
        tmp_path,
        add_to_zip(ZipMember(b"run", b"1", attributes=0o106777 << 16), ZipMember(b"read", b"1", attributes=0)),
    )

    assert {path.name: oct(path.stat().st_mode & 0o7777) for path in folder.iterdir()} == {
        "run": "0o755",
        "read": "0o644",
        "bot.toml": "0o644",
    }


@pytest.mark.parametrize(
    ("member", "said"),
    [
        (ZipMember(b"a", b"/etc/passwd", attributes=LINK), "'a' is a symbolic link"),
        (ZipMember(b"a", attributes=0o10644 << 16), "'a' is neither a file nor a folder"),
        (ZipMember(b"/etc/cron.d/a"), "absolute"),
        (ZipMember(b"C:/a"), "begins with a drive"),
        (ZipMember(b"c:a"), "begins with a drive"),
        (ZipMember(b"../a"), "that no file of a submission may have"),
        (ZipMember(b"a/../../b"), "that no file of a submission may have"),
        (ZipMember(b"..\\a"), "that no file of a submission may have"),
        (ZipMember(b"\\\\host\\share\\a"), "that no file of a submission may have"),
        (ZipMember(b"a\nb"), "that no file of a submission may have"),
        (ZipMember("a\u202eb".encode(), flags=0x800), "that no file of a submission may have"),
        (ZipMember(b"a\xff", flags=0x800), "not UTF-8"),
        (ZipMember(b"a" * (MAX_PATH_BYTES + 1)), "is longer than 240 bytes"),
        (ZipMember(b"bot.toml"), "two files 'bot.toml'"),
        (ZipMember(b"bot.toml/a"), "is a file and a folder"),
        (ZipMember(b"a", attributes=0o40755 << 16), "'a' is a file and a folder"),
        (ZipMember(b"a/", b"1"), "'a/' is a file and a folder"),
        (ZipMember(b"Bot.TOML"), "one name for some disks"),
        (ZipMember(b"a", b"1", flags=1), "'a' is encrypted"),
        (ZipMember(b"a", b"1", method=99, packed=b"1"), "compressed by method 99"),
        (ZipMember(b"a", b"1", method=14, packed=b"1"), "compressed by method 14"),
        (ZipMember(b"a", b"1", size=0xFFFFFFFF), "zip64"),
        (ZipMember(b"a", b"1", local_name=b"b"), "differs from the directory"),
        (ZipMember(b"a", b"1", crc=1), "another length or checksum"),
        (ZipMember(b"a", b"1" * 99, size=98), "more than the 98 bytes that it promises"),
        (ZipMember(b"a", b"1" * 99, size=100), "another length or checksum"),
        (ZipMember(b"a", b"1", size=1 << 31), "there are more than"),
        (ZipMember(b"a", b"1", packed=b"\xff\xff\xff"), "damaged"),
        (ZipMember(b"a", b"1", packed=b""), "cut off"),
        (ZipMember(b"a", b"1", offset=0), "share bytes, one of them 'a'"),
        (ZipMember(b"a" * 5_000), "is longer than 4,096 bytes"),
        (ZipMember(b"a", b"1", offset=0x7FFFFFFF), "there is no file where"),
        (ZipMember(b"a", b"12", method=0, size=1), "two lengths"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_zip_may_hold(tmp_path: Path, member: ZipMember, said: str) -> None:
    """A member of a zip archive that no submission may hold is refused, and the sentence says which and why."""
    with pytest.raises(ArchiveRefused, match=said):
        unpack(tmp_path, add_to_zip(member))


def test_a_bomb_of_zip(tmp_path: Path) -> None:
    """A zip archive that is compressed to nearly nothing is refused before it has filled the disk."""
    bounds = UnpackBounds(max_mb=64, max_files=20)

    with pytest.raises(ArchiveRefused, match="less than 1/200 of its size"):
        unpack(tmp_path, make_bot_zip({"zeros": bytes(30 << 20)}), bounds)
    assert (tmp_path / "bots" / "new" / "zeros").stat().st_size < 10 << 20


def test_a_bomb_of_files_that_share_bytes(tmp_path: Path) -> None:
    """Files that share their bytes are refused: so a small archive would have many large files."""
    first = ZipMember(b"bot.toml", BOT_TOML)
    shared = ZipMember(b"bot.toml", BOT_TOML, offset=0)

    with pytest.raises(ArchiveRefused, match="share bytes"):
        unpack(tmp_path, write_zip([first, shared]))


def test_files_of_a_zip_that_are_too_large_together(tmp_path: Path) -> None:
    """The bound is on all files of a zip archive together."""
    half = bytes(range(256)) * 2_500

    with pytest.raises(ArchiveRefused, match="larger than 1 MiB together"):
        unpack(tmp_path, make_bot_zip({"a": half, "b": half}))


def test_a_zip_with_too_many_files(tmp_path: Path) -> None:
    """More files than a submission may have are refused before the directory is in memory."""
    with pytest.raises(ArchiveRefused, match="more than 20 files and folders"):
        unpack(tmp_path, make_bot_zip({f"{one}": b"" for one in range(60)}))
    with pytest.raises(ArchiveRefused, match="more than 20 files and folders"):
        unpack(tmp_path / "again", make_bot_zip({f"{one}": b"" for one in range(25)}))


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (8, 0xFFFF, "zip64"),
        (16, 0xFFFFFFFF, "zip64"),
        (4, 1, "several parts"),
        (10, 3, "several parts"),
        (12, 10, "not where it says"),
        (16, 10, "not where it says"),
        (20, 1, "no directory at its end"),
    ],
)
def test_a_lie_at_the_end_of_a_zip(tmp_path: Path, place: int, value: int, said: str) -> None:
    """The record at the end of a zip archive says where the directory is; one that lies is refused."""
    whole = bytearray(make_bot_zip())
    length = 4 if place in (12, 16) else 2
    at = len(whole) - 22 + place
    whole[at : at + length] = struct.pack("<I", value)[:length]

    with pytest.raises(ArchiveRefused, match=said):
        unpack(tmp_path, bytes(whole))


@pytest.mark.parametrize("count", [1, 3])
def test_a_directory_with_other_entries(tmp_path: Path, count: int) -> None:
    """A directory has as many entries as the end says."""
    with pytest.raises(ArchiveRefused, match="its directory has"):
        unpack(tmp_path, write_zip([ZipMember(b"bot.toml", BOT_TOML), ZipMember(b"a")], count=count))


def test_a_zip_with_a_comment(tmp_path: Path) -> None:
    """A comment behind the directory is no harm."""
    assert list_tree(unpack(tmp_path, write_zip([ZipMember(b"bot.toml", BOT_TOML)], comment=b"made by hand")))


def test_a_zip_that_was_cut_off(tmp_path: Path) -> None:
    """Half a zip archive is not a bot that lacks some files."""
    whole = make_bot_zip({"a": bytes(range(256)) * 40})

    with pytest.raises(ArchiveRefused, match="cut off"):
        unpack(tmp_path, whole[: len(whole) // 2])


@pytest.mark.parametrize("length", range(4, 24))
def test_a_zip_that_is_hardly_there(tmp_path: Path, length: int) -> None:
    """A file that only begins as an empty zip archive does is refused, however short."""
    with pytest.raises(ArchiveRefused, match=r"damaged|no bot\.toml"):
        unpack(tmp_path, (b"PK\x05\x06" + bytes(30))[:length])


def test_a_zip_without_bot_toml(tmp_path: Path) -> None:
    """A submission is a bot, in a zip archive too."""
    with pytest.raises(ArchiveRefused, match=r"there is no bot\.toml in it"):
        unpack(tmp_path, write_zip([ZipMember(b"readme", b"1")]))


@given(st.binary(max_size=300), st.integers(0, 900))
def test_any_bytes_in_a_zip(tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int) -> None:
    """Bytes of any kind in the midst of a zip archive leave it unpacked or refused; there is no third way."""
    whole = bytearray(make_bot_zip({"a": bytes(range(256)), "b/c": b"1" * 400}))
    whole[at : at + len(noise)] = noise
    tmp_path = tmp_path_factory.mktemp("any")
    try:
        unpack(tmp_path, bytes(whole))
    except ArchiveRefused as error:
        assert str(error)
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))
    assert {path.name for path in tmp_path.iterdir()} == {"upload.tar", "bots"}
