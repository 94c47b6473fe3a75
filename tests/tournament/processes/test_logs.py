"""Logs: bounded, and honest about what is left out."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.processes.logs import EXCHANGE_LINES, HeadTailBuffer, WireLog, compress_text, decompress_text


@given(st.lists(st.binary(max_size=40)))
def test_what_fits_is_kept_whole(pieces: list[bytes]) -> None:
    """A log of up to twice the size leaves nothing out, and does not say that it does."""
    log = HeadTailBuffer(40 * 25)
    for piece in pieces[:50]:
        log.append(piece)

    assert log.to_bytes() == b"".join(pieces[:50])


@given(st.lists(st.binary(max_size=60)), st.integers(1, 30))
def test_head_and_tail(pieces: list[bytes], size: int) -> None:
    """The head and the tail are kept, each up to its size, with the number of bytes between them."""
    log, whole = HeadTailBuffer(size), b"".join(pieces)
    for piece in pieces:
        log.append(piece)

    text = log.to_bytes()
    if text == whole:
        return
    head, rest = text[:size], text[size:].removeprefix(b"\n[")
    number, _, tail = rest.partition(b" bytes are left out here]\n")
    assert len(tail) <= size
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + int(number) + len(tail) == len(whole)


@given(st.lists(st.binary(max_size=60)), st.integers(1, 30))
def test_the_end(pieces: list[bytes], size: int) -> None:
    """The last bytes are the last bytes, as far as they are kept."""
    log, whole = HeadTailBuffer(size), b"".join(pieces)
    for piece in pieces:
        log.append(piece)

    end = log.tail(size)
    assert whole.endswith(end)
    assert end or not whole


def test_an_exchange_is_the_last_few_lines_each_with_who_said_it() -> None:
    """An exchange is the last few lines with who said each; lines too long to be read are cut, and their length is
    told; what is no text is shown by its bytes.
    """
    log = WireLog(began=10.0)
    for number in range(EXCHANGE_LINES):
        log.log_sent(b'{"n":%d}\n' % number, 10.5)
    log.log_received(b"\xff" + b"x" * 1000 + b"\n", 10.75)

    *_, asked, answered = log.last_lines()
    assert len(log.last_lines()) == EXCHANGE_LINES
    assert asked == f'> {{"n":{EXCHANGE_LINES - 1}}}'
    assert answered.startswith(r"< \xffxxx")
    assert answered.endswith("xxx… (1002 bytes)")
    assert log.to_bytes().splitlines()[0] == b'0.500000 > {"n":0}'
    assert log.to_bytes().splitlines()[-1].startswith(b"0.750000 < \xffxxx")


WORDS = st.text("ab\r", max_size=30).map(str.encode)


@given(st.lists(st.tuples(st.booleans(), WORDS), max_size=60), st.integers(1, 60))
def test_of_a_long_exchange_head_and_tail_are_kept(said: list[tuple[bool, bytes]], size: int) -> None:
    """The head and the tail of a long exchange are those of all lines in full, with the number of bytes between them;
    and the last lines are there.
    """
    log, whole = WireLog(0.0, size), HeadTailBuffer(size)
    for number, (is_bot, words) in enumerate(said):
        if is_bot:
            log.log_received(words + b"\n", number)
        else:
            log.log_sent(words + b"\n", number)
        for line in (words + b"\n").splitlines() if is_bot else [words]:
            whole.append(b"%.6f %b %b\n" % (number, b"<" if is_bot else b">", line))

    assert log.to_bytes() == whole.to_bytes()
    assert log.last_lines() == [
        f"{'<' if is_bot else '>'} {words.decode()}" for is_bot, words in said[-EXCHANGE_LINES:]
    ]


def test_a_long_game_takes_bounded_memory() -> None:
    """The log of a long game keeps nothing between its head and its tail, and takes bounded memory."""
    tracemalloc.start()
    log = WireLog(0.0)
    for number in range(5_000):
        log.log_sent(b"x" * 1_000, number)
        log.log_received(b"{}\n", number)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 1_000_000


def test_what_is_packed_comes_back() -> None:
    """Packed text comes back to the byte; no text is no bytes."""
    assert decompress_text(compress_text(b"")) == compress_text(b"") == b""
    assert decompress_text(compress_text(b"\xff\x00" * 1000)) == b"\xff\x00" * 1000


def test_no_line_of_the_log_can_be_forged() -> None:
    """Several lines in one breath are each the bot's, whatever they look like."""
    log = WireLog(began=0.0)
    log.log_received(b'{}\n0.700000 > {"type":"bye"}\r\x0b> x\n', 1.0)
    log.log_received(b"{}\n0.800000 > not yet at its", 1.0)
    log.log_received(b" end", 1.0)

    assert len(log.to_bytes().splitlines()) == 5
    assert all(line.startswith(b"1.000000 < ") for line in log.to_bytes().splitlines())
