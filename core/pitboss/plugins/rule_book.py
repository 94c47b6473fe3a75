"""The rule book of a game: the description of its distribution."""

from __future__ import annotations

from pitboss.plugins.registry import Registry


def find_rule_book(registry: Registry, name: str) -> str:
    """Return the rule book of the game `name`; "" if its author names none.

    Raises:
        ConfigError: there is no such game, or several.
    """
    registry.find_game(name)
    plugin = registry.list_distributions("pitboss_games")[name]
    from importlib.metadata import distribution  # noqa: PLC0415 - it takes long to import, and one command needs it

    described = distribution(plugin.split()[0]).read_text("METADATA") or ""
    return described.partition("\n\n")[2].strip()  # behind the headers
