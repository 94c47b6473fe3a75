"""Ends of pipes to other processes, none of which makes the loop wait.

On Windows a pipe can neither be waited for in the loop nor be read without waiting. There a thread relays the bytes
between the pipe and a pair of sockets, which can. The thread owns its end of the pipe; it ends when either side does.
"""

from __future__ import annotations

import os
import select
import socket
import sys
from contextlib import suppress
from threading import Thread
from typing import Final

import trio

if sys.platform != "win32":
    import fcntl
    import termios

IS_RELAYED: Final = os.name == "nt"
RELAY_BYTES: Final = 65_536
RELAY_END_SECONDS: Final = 5.0  # for what was written last to reach the pipe

_writing: Final[list[Thread]] = []  # relays to pipes that may still hold bytes


class PipeEnd:
    """One end of a pipe, without waiting: a read or write that would wait raises BlockingIOError."""

    def __init__(self, descriptor: int) -> None:
        """Take over a descriptor."""
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self.is_closed = False
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        self._poll = poll.poll

    def read(self, size: int) -> bytes:
        """Read what is there, up to `size` bytes; b"" at the end.

        Raises:
            BlockingIOError: there is nothing yet.
            OSError: the other side is broken.
        """
        return os.read(self._descriptor, size)

    def write(self, data: bytes) -> int:
        """Write as much as there is room for; return how much.

        Raises:
            BlockingIOError: there is no room now.
            BrokenPipeError: nobody reads any more.
        """
        return os.write(self._descriptor, data)

    async def wait_readable(self) -> None:
        """Wait until there is something to read, or the end; raises trio.ClosedResourceError after `wake`."""
        await trio.lowlevel.wait_readable(self._descriptor)

    async def wait_writable(self) -> None:
        """Wait until there is room; raises trio.ClosedResourceError after `wake`."""
        await trio.lowlevel.wait_writable(self._descriptor)

    def wake(self) -> None:
        """Wake the tasks that wait for this end."""
        if not self.is_closed:
            trio.lowlevel.notify_closing(self._descriptor)

    def has_input(self) -> bool:
        """Tell whether there is something to read; the end is nothing."""
        ready = self._poll(0)
        return bool(ready) and bool(ready[0][1] & select.POLLIN)

    def wait_input(self, milliseconds: int) -> bool:
        """Wait so long for something to read, or the end, while the loop stands still; tell whether either came."""
        return bool(self._poll(milliseconds))

    def unread_bytes(self) -> int:
        """Return how many of the written bytes nobody has read; 0 where the system does not tell."""
        if sys.platform == "win32":
            return 0
        try:
            return int.from_bytes(fcntl.ioctl(self._descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)
        except OSError:
            return 0

    def close(self) -> None:
        """Close this end, and wake the tasks that wait for it."""
        if not self.is_closed:
            self.wake()
            self.is_closed = True
            os.close(self._descriptor)


class RelayedEnd(PipeEnd):
    """One end of a pipe whose bytes a thread relays."""

    def __init__(self, relay: socket.socket) -> None:
        """Take over our socket of the pair."""
        relay.setblocking(False)
        self._relay = relay
        self.is_closed = False

    def read(self, size: int) -> bytes:
        """See `PipeEnd`."""
        return self._relay.recv(size)

    def write(self, data: bytes) -> int:
        """See `PipeEnd`."""
        try:
            return self._relay.send(data)
        except ConnectionError as error:
            raise BrokenPipeError(*error.args) from None

    async def wait_readable(self) -> None:
        """See `PipeEnd`."""
        await trio.lowlevel.wait_readable(self._relay)

    async def wait_writable(self) -> None:
        """See `PipeEnd`."""
        await trio.lowlevel.wait_writable(self._relay)

    def wake(self) -> None:
        """See `PipeEnd`."""
        if not self.is_closed:
            trio.lowlevel.notify_closing(self._relay)

    def has_input(self) -> bool:
        """See `PipeEnd`."""
        return self.wait_input(0)

    def wait_input(self, milliseconds: int) -> bool:
        """See `PipeEnd`."""
        return bool(select.select([self._relay], [], [], milliseconds / 1000)[0])

    def unread_bytes(self) -> int:
        """Return 0: how far the relay has come says nothing about the reader."""
        return 0

    def close(self) -> None:
        """See `PipeEnd`."""
        if not self.is_closed:
            self.wake()
            self.is_closed = True
            self._relay.close()


def open_reading_end(descriptor: int) -> PipeEnd:
    """Return the end to read from of a pipe, whose descriptor it takes over."""
    return RelayedEnd(_relay_output(descriptor)) if IS_RELAYED else PipeEnd(descriptor)


def open_writing_end(descriptor: int) -> PipeEnd:
    """Return the end to write to of a pipe, whose descriptor it takes over."""
    return RelayedEnd(_relay_input(descriptor)) if IS_RELAYED else PipeEnd(descriptor)


class RelayStream:
    """A stream of bytes to or from a pipe, as trio's `FdStream` is one."""

    def __init__(self, relay: socket.socket) -> None:
        """Take over our socket of the pair."""
        relay.setblocking(False)
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(relay))

    def __aiter__(self) -> RelayStream:
        return self

    async def __anext__(self) -> bytes:
        if part := await self.receive_some():
            return part
        raise StopAsyncIteration

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return the next bytes; b"" at the end."""
        return bytes(await self._stream.receive_some(max_bytes))

    async def send_all(self, data: bytes) -> None:
        """Write all of `data`; raises trio.BrokenResourceError if nobody reads any more."""
        await self._stream.send_all(data)

    def close(self) -> None:
        """Close it; what was written is still relayed."""
        self._stream.socket.close()


def open_reading_stream(descriptor: int) -> trio.lowlevel.FdStream | RelayStream:
    """Return a stream that reads from a pipe, whose descriptor it takes over."""
    return RelayStream(_relay_output(descriptor)) if IS_RELAYED else trio.lowlevel.FdStream(descriptor)


def open_writing_stream(descriptor: int) -> trio.lowlevel.FdStream | RelayStream:
    """Return a stream that writes to a pipe, whose descriptor it takes over."""
    return RelayStream(_relay_input(descriptor)) if IS_RELAYED else trio.lowlevel.FdStream(descriptor)


def finish_relays() -> None:
    """Wait until what was written to closed ends has reached its pipes; to be called before a process ends at once."""
    for relay in _writing:
        relay.join(RELAY_END_SECONDS)
    _writing.clear()


def _relay_output(descriptor: int) -> socket.socket:
    """Return a socket from which what a pipe holds can be read."""
    ours, theirs = socket.socketpair()

    def relay() -> None:
        with suppress(OSError), theirs:
            while part := os.read(descriptor, RELAY_BYTES):
                theirs.sendall(part)
        os.close(descriptor)

    Thread(target=relay, name="relay of a pipe's output", daemon=True).start()
    return ours


def _relay_input(descriptor: int) -> socket.socket:
    """Return a socket; what is written to it goes to a pipe, which is closed when the socket is."""
    ours, theirs = socket.socketpair()

    def relay() -> None:
        with suppress(OSError), theirs:
            while part := theirs.recv(RELAY_BYTES):
                while part:
                    part = part[os.write(descriptor, part) :]
        os.close(descriptor)

    thread = Thread(target=relay, name="relay of a pipe's input", daemon=True)
    thread.start()
    _writing[:] = [*(one for one in _writing if one.is_alive()), thread]
    return ours
