"""`pitboss plugins`: what each plugin adds and requires, what was left out, and what this Pitboss breaks in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, entry_points, version
from typing import Final

import typer
from packaging.requirements import InvalidRequirement, Requirement

from pitboss import __version__
from pitboss.errors import ConfigError
from pitboss.plugins.hookspec import OWN_DISTRIBUTION, PROJECT
from pitboss.plugins.registry import Registry, describe_distribution
from pitboss.text import describe_exception, make_safe_line
from pitboss_tournament.cli.app import PLUGIN_COMMANDS, find_plugin_commands, list_refused_commands
from pitboss_tournament.cli.output import print_item, print_json, print_paragraph
from pitboss_tournament.exchange.exporters import Exporter
from pitboss_tournament.exchange.importers import Importer
from pitboss_tournament.reporting.sections import ReportSection
from pitboss_tournament.running.engine import Engine

MAIN_KINDS: Final = ("games", "bots", "packs", "formats")  # what plugins add mostly


def plugins(check: bool, as_json: bool) -> None:
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
    if check:
        _print_checks(registry, left_out, as_json)
        return
    requires = {plugin: _list_requirements(dist) for plugin, dist in _find_distributions().items()}
    if as_json:
        found = [{"plugin": one, **by_plugin[one], "requires": requires.get(one, [])} for one in sorted(by_plugin)]
        print_json({"plugins": found, "left_out": left_out})
    else:
        for plugin in sorted(by_plugin):
            needs = f"; requires {', '.join(requires[plugin])}" if requires.get(plugin) else ""
            print_paragraph(f"{plugin}: {_describe_offers(by_plugin[plugin])}{needs}", hanging=4)
        for sentence in left_out:
            print_paragraph(sentence)
    if left_out:
        raise typer.Exit(1)


def _describe_offers(names: Mapping[str, Sequence[str]]) -> str:
    """Return what a plugin adds: "games racko; bots house:racko"."""
    return "; ".join(f"{kind.replace('_', ' ')} {', '.join(added)}" for kind, added in names.items() if added)


def _find_distributions() -> dict[str, Distribution]:
    """Return each distribution that has a plugin, by its name and version."""
    entries = [*entry_points(group=PROJECT), *entry_points(group=PLUGIN_COMMANDS)]
    return {describe_distribution(one): one.dist for one in entries if one.dist is not None}


def _list_requirements(dist: Distribution) -> list[str]:
    """Return what a distribution requires, its extras left out."""
    return [make_safe_line(line) for line in dist.requires or () if "extra ==" not in line]


def _print_checks(registry: Registry, left_out: Sequence[str], as_json: bool) -> None:
    """Print for each installed plugin what this Pitboss breaks in it; end with status 1 if there is something."""
    found = {plugin: [*_find_faults(registry, plugin, dist)] for plugin, dist in sorted(_find_distributions().items())}
    others = [one for one in left_out if not any(one.endswith(fault) for faults in found.values() for fault in faults)]
    if as_json:
        print_json({"checked": [{"plugin": plugin, "faults": faults} for plugin, faults in found.items()]})
    else:
        for plugin, faults in found.items():
            mark, colour = ("FAILED", "red") if faults else ("ok    ", "green")
            print_item(mark, ": ".join([plugin, "; ".join(faults)]) if faults else plugin, colour)
        for sentence in others:
            print_paragraph(sentence)
    if left_out or any(found.values()):
        raise typer.Exit(1)


def _find_faults(registry: Registry, plugin: str, dist: Distribution) -> Iterator[str]:
    """Yield what is wrong with a plugin: requirements, the import, hooks, types of games, commands."""
    for line in _list_requirements(dist):
        if fault := _judge_requirement(line):
            yield fault
    yield from (" ".join(one.reason.split()) for one in registry.broken_plugins if one.distribution == plugin)
    for name, source in registry.list_distributions("pitboss_games").items():
        if source == plugin:
            try:
                registry.find_game(name)
            except ConfigError as error:
                yield str(error)
    for entry in dist.entry_points:
        if entry.group == PLUGIN_COMMANDS and (fault := _judge_command(entry)):
            yield fault


def _judge_requirement(line: str) -> str:
    """Return what is wrong with a requirement here, "" if it is met."""
    try:
        wanted = Requirement(line)
    except InvalidRequirement:
        return f"its requirement {line!r} cannot be read"
    if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
        return ""
    try:
        has = __version__ if wanted.name == OWN_DISTRIBUTION else version(wanted.name)
    except PackageNotFoundError:
        return f"it requires {line}, which is not installed"
    is_met = wanted.specifier.contains(has, prereleases=True)
    return "" if is_met else f"it requires {line}, but {wanted.name} {has} is installed"


def _judge_command(entry: EntryPoint) -> str:
    """Return why the command of a plugin cannot be loaded, "" if it can."""
    try:
        entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the border to a plugin's code
        return f"its command {entry.name!r} cannot be loaded: {' '.join(describe_exception(error).split())}"
    return ""
