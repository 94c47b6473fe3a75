"""Bots named on the command line, as entrants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pitboss_tournament.plan.plan import Entrant


def resolve_bots(specs: Sequence[str], base: Path, game: str) -> list[Entrant]:
    """Return bots given by name, command, or folder relative to `base`, built where the build is not current.

    Raises:
        ConfigError: a bot cannot be built, is not found, or does not play the game.
    """
    from pitboss_tournament.authoring.bot_build import build_changed
    from pitboss_tournament.config.entrants import resolve_entrant
    from pitboss_tournament.text.validation import collect_errors

    build_changed(specs, base, print_note)
    return collect_errors(specs, lambda spec: resolve_entrant(spec, load_registry(), base.absolute(), game))
