"""The rule book of a game: the description of its distribution."""

from __future__ import annotations

from importlib.metadata import distribution

from pitboss.plugins.registry import Registry
from pitboss_tournament.authoring.game_reference import describe_briefly
from pitboss_tournament.text.terminal_text import escape_lines


def read_rule_book(registry: Registry, name: str) -> str:
    """Return the rule book of the game `name`, safe to print; if its author names none, what the game says of itself.

    Raises:
        ConfigError: there is no such game, or several.
    """
    game = registry.find_game(name)
    plugin = registry.list_distributions("pitboss_games")[name]
    described = distribution(plugin.split()[0]).read_text("METADATA") or ""
    book = described.partition("\n\n")[2].strip()  # behind the headers
    if not book:
        book = f"{describe_briefly(game)}\n\n({plugin} has no rule book: its author can name one as `readme`.)"
    return "\n".join(escape_lines(book))
