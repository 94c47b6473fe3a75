"""Whether the system refused memory or a thread, as one sentence. It imports next to nothing, so that it works then."""

from __future__ import annotations

import errno
import os
from typing import Final

_RESERVE_BYTES: Final = 4 << 20  # of addresses; no page is used
_reserve: Final[list[bytearray]] = []


def keep_reserve() -> None:
    """Keep memory back for `report_lack`."""
    _reserve.append(bytearray(_RESERVE_BYTES))


def report_lack(error: BaseException) -> bool:
    """Print one sentence if the error says that the system refused memory or a thread; tell whether it does."""
    _reserve.clear()
    lack = _find_lack(error)
    if lack is None:
        return False
    text = " ".join(f"{type(lack).__name__}: {lack}".split()).removesuffix(":")
    noted = "".join(f" {note}" for note in getattr(lack, "__notes__", ()))
    said = f"pitboss: there is too little memory for this command (see `ulimit -a`): {text}{noted}\n"
    os.write(2, said.encode("utf-8", "backslashreplace"))
    return True


def _find_lack(error: BaseException) -> BaseException | None:
    """Return the error that says that the system refused memory or a thread, also within a group; None if none does."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_find_lack, error.exceptions)), None)
    is_lack = (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or (isinstance(error, ImportError) and ("map segment" in str(error) or "allocate memory" in str(error)))
        or (isinstance(error, RuntimeError) and str(error) == "can't start new thread")
        or (isinstance(error, SystemError) and "without" in str(error))  # the interpreter lost a MemoryError
    )
    if is_lack:
        return error
    cause = error.__cause__ or error.__context__
    return None if cause is None else _find_lack(cause)
