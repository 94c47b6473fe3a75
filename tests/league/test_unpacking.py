"""Unpacking: what honest people send arrives as it was, and what others send is refused with a sentence."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.league.tar_reader import MAX_HEADER_BYTES, ArchiveRefused
from pitboss_tournament.league.unpacking import (
    MAX_FOLDER_DEPTH,
    MAX_PATH_BYTES,
    UnpackBounds,
    split_name,
    unpack_archive,
)
from tests.league.archives import (
    BOT_TOML,
    COMPRESSIONS,
    add_to_bot,
    list_tree,
    make_bot_tar,
    make_member,
    make_tar,
    write_archive,
)

SMALL = UnpackBounds(max_mb=1, max_files=20)
MEMBER_KINDS = (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)


def unpack(tmp_path: Path, content: bytes, bounds: UnpackBounds = SMALL) -> Path:
    """Unpack an archive into a folder of its own."""
    folder = tmp_path / "bots" / "new"
    folder.mkdir(parents=True)
    unpack_archive(write_archive(tmp_path, content), folder, bounds)
    return folder


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_an_honest_archive(tmp_path: Path, form: int, compression: str) -> None:
    """Files come out as they were, in each form of tar and compression, long names and large files among them."""
    files = {
        "src/main.py": b"x = 1\n",
        f"deep/{'long-' * 18}/{'name' * 22}.txt": b"far away",
        "weights.bin": bytes(range(256)) * 400,
        "empty": b"",
    }

    folder = unpack(tmp_path, COMPRESSIONS[compression](make_bot_tar(files, form)))

    assert list_tree(folder) == {"bot.toml": BOT_TOML, **files}


def test_a_long_name_before_a_pax_header(tmp_path: Path) -> None:
    """A long name as GNU writes it stays that of the next file, if a pax header without a name comes between."""
    name, record = "n" * 150, b"20 mtime=1700000000\n"
    long_name = make_tar((make_member(name, 2), b"it"), form=tarfile.GNU_FORMAT)
    pax = make_tar((make_member("pax", len(record), type=tarfile.XHDTYPE), record), form=tarfile.USTAR_FORMAT)
    whole = make_bot_tar(form=tarfile.USTAR_FORMAT)[:1024] + long_name[:1024] + pax[:1024] + long_name[1024:]

    assert list_tree(unpack(tmp_path, whole)) == {"bot.toml": BOT_TOML, name: b"it"}


def test_names_of_every_script(tmp_path: Path) -> None:
    """A name is UTF-8, of any script."""
    assert "ボット/José.txt" in list_tree(unpack(tmp_path, make_bot_tar({"ボット/José.txt": b"1"})))


def test_several_gzip_files_in_one(tmp_path: Path) -> None:
    """Several gzip streams in one file are read as one, as gzip does."""
    whole = make_bot_tar({"a": b"1" * 5_000})

    assert list_tree(unpack(tmp_path, gzip.compress(whole[:700]) + gzip.compress(whole[700:])))["a"] == b"1" * 5_000


def test_an_archive_of_a_folder(tmp_path: Path) -> None:
    """`tar cf bot.tar mybot` and the archives of forges have the bot in a folder at their top."""
    content = make_tar(
        (make_member("mybot", type=tarfile.DIRTYPE), b""),
        (make_member("mybot/bot.toml", len(BOT_TOML)), BOT_TOML),
        (make_member("mybot/mybot/a", 1), b"1"),
    )

    assert list_tree(unpack(tmp_path, content)) == {"bot.toml": BOT_TOML, "mybot/a": b"1"}


def test_an_archive_of_the_folder_here(tmp_path: Path) -> None:
    """`tar cf bot.tar .` names everything with `./` before it."""
    content = make_tar(
        (make_member("./", type=tarfile.DIRTYPE), b""), (make_member("./bot.toml", len(BOT_TOML)), BOT_TOML)
    )

    assert list_tree(unpack(tmp_path, content)) == {"bot.toml": BOT_TOML}


def test_permissions_are_normalised(tmp_path: Path) -> None:
    """An unpacked file keeps of its permissions only that it may be run: no set-user-id, nothing that
    others may write.
    """
    folder = unpack(
        tmp_path,
        add_to_bot(
            (make_member("run", 1, mode=0o6777, uid=12345), b"1"),
            (make_member("read", 1, mode=0o000), b"1"),
            (make_member("open", type=tarfile.DIRTYPE, mode=0o1777), b""),
        ),
    )

    modes = {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()}
    assert modes == {"run": "0o755", "read": "0o644", "open": "0o755", "bot.toml": "0o644"}
    assert {path.stat().st_uid for path in folder.iterdir()} == {folder.stat().st_uid}


SPARSE = make_member("holes", 0)
SPARSE.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.name": "x"}


@pytest.mark.parametrize(
    ("member", "said"),
    [
        (make_member("a", type=tarfile.SYMTYPE, linkname="/etc/passwd"), "'a' is a symbolic link"),
        (make_member("a", type=tarfile.LNKTYPE, linkname="bot.toml"), "'a' is a hard link"),
        (make_member("a", type=tarfile.CHRTYPE, devmajor=1, devminor=3), "'a' is a device"),
        (make_member("a", type=tarfile.BLKTYPE), "'a' is a device"),
        (make_member("a", type=tarfile.FIFOTYPE), "'a' is a named pipe"),
        (make_member("a", type=b"Z"), "'a' is an entry of kind b'Z'"),
        (SPARSE, "a file with holes"),
        (make_member("/etc/cron.d/a"), "absolute"),
        (make_member("../a"), "that no file of a submission may have"),
        (make_member("a/../../b"), "that no file of a submission may have"),
        (make_member("a//b"), "that no file of a submission may have"),
        (make_member("a\\b"), "that no file of a submission may have"),
        (make_member("a\nb"), "that no file of a submission may have"),
        (make_member("a\u202eb"), "that no file of a submission may have"),
        (make_member("a" * (MAX_PATH_BYTES + 1)), "is longer than 240 bytes"),
        (make_member("/".join("a" * (MAX_FOLDER_DEPTH + 1))), "more than 16 folders deep"),
        (make_member("bot.toml"), "two files 'bot.toml'"),
        (make_member("bot.toml/a"), "is a file and a folder"),
        (make_member("bot.toml", type=tarfile.DIRTYPE), "is a file and a folder"),
        (make_member("Bot.TOML"), "one name for some disks"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_submission_may_hold(tmp_path: Path, member: tarfile.TarInfo, said: str) -> None:
    """A member that no submission may hold is refused, and the sentence says which and why."""
    with pytest.raises(ArchiveRefused, match=said):
        unpack(tmp_path, add_to_bot((member, b"")))


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    """A name must be UTF-8."""
    content = add_to_bot((make_member("aXa"), b"")).replace(b"aXa", b"a\xffa")
    header = bytearray(content[1024:1536])
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)

    with pytest.raises(ArchiveRefused, match="not UTF-8"):
        unpack(tmp_path, content[:1024] + bytes(header) + content[1536:])


def test_two_names_that_differ_in_how_an_accent_is_written(tmp_path: Path) -> None:
    """Two names that differ in how an accent is written are refused, as some disks take them for one."""
    with pytest.raises(ArchiveRefused, match="one name for some disks"):
        unpack(tmp_path, make_bot_tar({"\u00e9": b"", "e\u0301": b""}))


@pytest.mark.parametrize("compression", ["gz", "xz"])
def test_a_bomb(tmp_path: Path, compression: str) -> None:
    """An archive that is compressed to nearly nothing is refused before it has filled the disk."""
    bounds = UnpackBounds(max_mb=64, max_files=20)
    bomb = COMPRESSIONS[compression](make_bot_tar({"zeros": bytes(30 << 20)}))

    with pytest.raises(ArchiveRefused, match="less than 1/200 of its size"):
        unpack(tmp_path, bomb, bounds)
    assert (tmp_path / "bots" / "new" / "zeros").stat().st_size < 10 << 20


def test_files_that_are_too_large_together(tmp_path: Path) -> None:
    """The bound is on all files of a submission."""
    half = bytes(range(256)) * 2_500

    with pytest.raises(ArchiveRefused, match="larger than 1 MiB together"):
        unpack(tmp_path, make_bot_tar({"a": half, "b": half}))


def test_a_size_that_is_a_lie(tmp_path: Path) -> None:
    """A header that promises petabytes is refused before a byte is written, however the number is written."""
    huge = make_member("a", 1 << 50)
    content = add_to_bot()[:1024] + huge.tobuf(tarfile.GNU_FORMAT) + bytes(1024)

    with pytest.raises(ArchiveRefused, match="larger than 1 MiB together"):
        unpack(tmp_path, content)
    assert not (tmp_path / "bots" / "new" / "a").exists()


def test_a_size_below_zero(tmp_path: Path) -> None:
    """A number below zero is no number of a header."""
    huge = bytearray(make_member("a", 1 << 50).tobuf(tarfile.GNU_FORMAT))
    huge[124:136] = b"\xff" * 12
    huge[148:156] = b" " * 8
    huge[148:156] = b"%06o\0 " % sum(huge)

    with pytest.raises(ArchiveRefused, match="in place of a number"):
        unpack(tmp_path, add_to_bot()[:1024] + bytes(huge) + bytes(1024))


def test_a_header_without_end(tmp_path: Path) -> None:
    """A pax header is read into memory: it may not be large."""
    long = make_member("x", MAX_HEADER_BYTES + 1, type=tarfile.XHDTYPE)

    with pytest.raises(ArchiveRefused, match="a header of 65,537 bytes"):
        unpack(tmp_path, make_tar((long, bytes(MAX_HEADER_BYTES + 1))))


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE])
def test_too_many_entries(tmp_path: Path, kind: bytes) -> None:
    """Files and folders count, also folders that only stand in a path."""
    with pytest.raises(ArchiveRefused, match="more than 20 files and folders"):
        unpack(tmp_path, add_to_bot(*((make_member(f"{one}/x", type=kind), b"") for one in range(10))))


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_an_archive_that_was_cut_off(tmp_path: Path, compression: str) -> None:
    """Half an upload is not a bot that lacks some files."""
    whole = COMPRESSIONS[compression](make_bot_tar({"a": bytes(range(256)) * 40}))

    with pytest.raises(ArchiveRefused, match="was it cut off"):
        unpack(tmp_path, whole[: len(whole) // 2])


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04" + bytes(600), b"\x1f\x8bnonsense", b"\xfd7zXZ\0nonsense", b"x" * 999]
)
def test_what_is_no_archive(tmp_path: Path, content: bytes) -> None:
    """A file that is no archive is refused as such."""
    with pytest.raises(ArchiveRefused, match=r"no tar archive|damaged|cut off"):
        unpack(tmp_path, content)


def test_a_folder_without_bot_toml(tmp_path: Path) -> None:
    """A submission is a bot."""
    with pytest.raises(ArchiveRefused, match=r"there is no bot\.toml in it"):
        unpack(tmp_path, make_tar((make_member("readme", 1), b"1")))


NAMES = st.one_of(
    st.sampled_from(["..", ".", "", "/", "a", "A", "bot.toml", "~", "\u00e9", "e\u0301", "a" * 120]),
    st.text(max_size=8),
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(st.lists(st.tuples(PATHS, st.sampled_from(MEMBER_KINDS), PATHS), max_size=5), st.sampled_from([*COMPRESSIONS]))
def test_nothing_is_written_outside(
    tmp_path_factory: pytest.TempPathFactory, members: list[tuple[str, bytes, str]], compression: str
) -> None:
    """Any archive, whatever its names, links and devices, leaves everything outside the folder as it was, and makes
    only files and folders inside.
    """
    tmp_path = tmp_path_factory.mktemp("any")
    (tmp_path / "secret").write_text("as it was")
    content = add_to_bot(
        *(
            (make_member(name.encode("utf-8", "replace").decode() or "x", 3, type=kind, linkname=link), b"abc")
            for name, kind, link in members
        )
    )
    before = set(tmp_path.rglob("*")) | {
        tmp_path / "upload.tar",
        tmp_path / "bots",
        tmp_path / "bots/new",
    }
    try:
        unpack(tmp_path, COMPRESSIONS[compression](content))
    except ArchiveRefused as error:
        assert str(error)

    inside = set((tmp_path / "bots" / "new").rglob("*"))
    assert set(tmp_path.rglob("*")) - inside == before
    assert (tmp_path / "secret").read_text() == "as it was"
    assert all(path.is_file() or path.is_dir() for path in inside)
    assert not any(path.is_symlink() for path in inside)


@given(st.binary(max_size=2_000), st.integers(0, 1_600), st.sampled_from([*COMPRESSIONS]))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int, compression: str) -> None:
    """Bytes of any kind, alone or in the midst of an archive, are unpacked or refused; there is no third way."""
    whole = bytearray(make_bot_tar({"a": b"1" * 400}))
    whole[at : at + len(noise)] = noise
    for content in (noise, COMPRESSIONS[compression](bytes(whole))):
        try:
            unpack(tmp_path_factory.mktemp("any"), content)
        except ArchiveRefused as error:
            assert str(error)


@given(st.binary(max_size=60))
def test_a_name_that_is_taken_stays_below(name: bytes) -> None:
    """The parts of a name, put together, are a path that leads nowhere else."""
    try:
        parts = split_name(name)
    except ArchiveRefused:
        return
    assert not {"", ".", "..", "/"} & set(parts)
    assert Path(*parts) == Path(io.BytesIO("/".join(parts).encode()).read().decode() or ".")
