"""Whether this machine can start bots at the level `landlock`, shown by trying it, and what to do if it cannot."""

from __future__ import annotations

from pitboss_tournament.processes.sandbox_trial import SandboxProbe


def probe_landlock() -> SandboxProbe:
    """Try whether Landlock can hold a bot here."""
    return SandboxProbe("this Pitboss has no launcher for Landlock", "use another level of the sandbox")
