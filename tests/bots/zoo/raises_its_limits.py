"""Asks for no limits at all, and notes what it was given."""

import resource

from polite import answer, questions

LIMITS = ("AS", "CORE", "CPU", "DATA", "FSIZE", "NOFILE", "NPROC")


def lifted(name: str) -> bool:
    """Tell whether a limit that was there can be lifted."""
    number = getattr(resource, f"RLIMIT_{name}")
    if resource.getrlimit(number)[1] == resource.RLIM_INFINITY:
        return False
    try:
        resource.setrlimit(number, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError):
        return False
    return True


note = " ".join(filter(lifted, LIMITS)) or "refused"
for number in questions():
    answer(number, note)
