"""`pitboss plugins`: what each plugin adds, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import typer

from pitboss.plugins.registry import Registry, describe_distribution
from pitboss_tournament.cli.app import find_plugin_commands, list_refused_commands
from pitboss_tournament.cli.output import print_json, print_paragraph, print_table
from pitboss_tournament.exchange.exporters import Exporter
from pitboss_tournament.exchange.importers import Importer
from pitboss_tournament.reporting.sections import ReportSection
from pitboss_tournament.running.engine import Engine

MAIN_KINDS: Final = ("games", "bots", "packs", "formats")  # what plugins add mostly


def plugins(as_json: bool) -> None:
    """Run `pitboss plugins`."""
    registry, by_plugin = Registry(), dict[str, dict[str, list[str]]]()
    offers: dict[str, Mapping[str, object]] = {kind: getattr(registry, kind) for kind in MAIN_KINDS}
    of_runner = {"exporters": Exporter, "importers": Importer, "report_sections": ReportSection, "engines": Engine}
    for kind, struct in of_runner.items():
        offers[kind] = registry.offers(f"pitboss_{kind}", struct)
    kinds = (*offers, "commands")
    for kind in offers:
        for name, plugin in registry.list_distributions(f"pitboss_{kind}").items():
            by_plugin.setdefault(plugin, {one: [] for one in kinds})[kind].append(name)
    for name, entry in find_plugin_commands().items():
        by_plugin.setdefault(describe_distribution(entry), {one: [] for one in kinds})["commands"].append(name)
    left_out = [" ".join(str(problem).split()) for problem in registry.problems] + list_refused_commands()
    found = [{"plugin": plugin, **by_plugin[plugin]} for plugin in sorted(by_plugin)]
    if as_json:
        print_json({"plugins": found, "left_out": left_out})
    else:
        rows = [(plugin, *_list_cells(by_plugin[plugin])) for plugin in sorted(by_plugin)]
        print_table(("Plugin", *(kind.capitalize() for kind in MAIN_KINDS), "Other"), rows)
        for sentence in left_out:
            print_paragraph(sentence)
    if left_out:
        raise typer.Exit(1)


def _list_cells(names: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what a plugin adds: a cell for each of the main kinds, and one for all else."""
    more = [kind for kind in names if kind not in MAIN_KINDS and names[kind]]
    others = [f"{kind.replace('_', ' ')} {', '.join(names[kind])}" for kind in more]
    return [*(", ".join(names[kind]) or "-" for kind in MAIN_KINDS), "; ".join(others) or "-"]
