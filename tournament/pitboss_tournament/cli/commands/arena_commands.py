"""All commands of `pitboss arena`: importing the module below adds its command to the first ones."""

from __future__ import annotations

from pitboss_tournament.cli.commands import arena_rung
from pitboss_tournament.cli.commands.arena import arena

__all__ = ["arena", "arena_rung"]
