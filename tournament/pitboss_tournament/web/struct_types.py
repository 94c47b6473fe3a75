"""Struct types, made ready for threads."""

from __future__ import annotations

import msgspec


def build_struct_types() -> None:
    """Let msgspec build what it keeps of every struct that is imported: to be called before threads convert to any.

    It builds this when it first converts to a struct. A second thread that does so at the same time reads what is not
    there yet, and the process ends by a segmentation fault (msgspec 0.22). What cannot be decoded is left out.
    """
    waiting: list[type[msgspec.Struct]] = [msgspec.Struct]
    seen = set[type[msgspec.Struct]]()
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind not in seen:
                seen.add(kind)
                waiting.append(kind)
                try:
                    msgspec.json.Decoder(kind)
                except (NameError, TypeError):  # a base of others, whose types are open
                    continue
