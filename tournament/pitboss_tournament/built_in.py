"""What comes with Pitboss, offered by the hooks of all plugins. Nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pitboss.plugins.hookspec import hookimpl

if TYPE_CHECKING:
    from pitboss.plugins.formats import AnyFormat
    from pitboss_tournament.exchange.exporters import Exporter
    from pitboss_tournament.exchange.importers import Importer
    from pitboss_tournament.reporting.sections import ReportSection
    from pitboss_tournament.running.engine import Engine


@hookimpl
def pitboss_formats() -> Iterable[AnyFormat]:
    """Return the built-in formats; no other plugin can take their names."""
    from pitboss_tournament.formats import FORMATS

    return FORMATS


@hookimpl
def pitboss_exporters() -> Iterable[Exporter]:
    """Return the built-in formats of `pitboss export`."""
    from pitboss_tournament.exchange.exporters import EXPORTERS

    return EXPORTERS


@hookimpl
def pitboss_importers() -> Iterable[Importer]:
    """Return the built-in formats of `pitboss import`."""
    from pitboss_tournament.exchange.importers import IMPORTERS

    return IMPORTERS


@hookimpl
def pitboss_report_sections() -> Iterable[ReportSection]:
    """Return the sections of every report."""
    from pitboss_tournament.reporting.sections import SECTIONS

    return SECTIONS


@hookimpl
def pitboss_engines() -> Iterable[Engine]:
    """Return the engines that play on this machine and on others."""
    from pitboss_tournament.cluster.engines import DASK, LOCAL, UNENCRYPTED
    from pitboss_tournament.running.worker_pool import PROCESSES

    return [PROCESSES, LOCAL, DASK, UNENCRYPTED]
