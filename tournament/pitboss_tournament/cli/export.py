"""`pitboss export` and `pitboss report`: what a store holds as files, for other programs, and as a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import typer

from pitboss.errors import ConfigError
from pitboss.text import escape_json, format_count
from pitboss_tournament.cli.games_report import read_games_table
from pitboss_tournament.cli.luck import choose_luck, measure_luck_of_stores
from pitboss_tournament.cli.output import print_data_lines, print_json
from pitboss_tournament.cli.registry import find_offer, load_offers, load_registry
from pitboss_tournament.cli.whole_file import require_new, write_whole_file
from pitboss_tournament.exchange.exporters import Exporter, ExportRequest, list_own_exporters
from pitboss_tournament.exchange.pooling import group_by_game, merge_stores, open_pooled
from pitboss_tournament.reporting.certificates import render_certificates
from pitboss_tournament.reporting.games_page import render_table_markdown, render_table_page
from pitboss_tournament.reporting.markdown import render_markdown
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.reporting.replay_links import ReplayLinks, page_name
from pitboss_tournament.reporting.sections import ReportSection
from pitboss_tournament.store.store import Store
from pitboss_tournament.web.replay_page import write_replay_pages

UNNAMED: Final = "several stores need a name for their page: name the file with --output"


def export(files: list[Path], what: str, output: Path | None, times: bool) -> None:
    """Run `pitboss export`."""
    with open_pooled(files) as store:
        own = list_own_exporters(store, load_registry())
        exporter = find_offer("--what", what, "pitboss_exporters", Exporter, own)
        wanted = ExportRequest(store, load_registry(), times, output.suffix if output else "")
        if output is None:
            if exporter.lines is None:
                raise ConfigError(f"--what {what} is no text: name the file to write with --output")
            plain = escape_json if sys.stdout.isatty() else str
            print_data_lines(map(plain, exporter.lines(wanted)))
            return
        with write_whole_file(output, *files) as part:
            if exporter.write is not None:
                exporter.write(wanted, part)
            elif exporter.lines is not None:
                with part.open("w", encoding="utf-8", newline="\n") as out:
                    out.writelines(f"{line}\n" for line in exporter.lines(wanted))


def report(
    files: list[Path],
    output: Path | None,
    anchor: str | None,
    date: str | None,
    reduce: Literal["none", "luck"] | None,
    replays: bool,
    markdown: bool,
    certificates: bool,
    as_json: bool,
) -> None:
    """Run `pitboss report`."""
    groups = group_by_game(files)
    if as_json or len(groups) > 1:
        _refuse_for_table(as_json=as_json, markdown=markdown, replays=replays, certificates=certificates)
        _write_table(groups, output, anchor, date, reduce, as_json=as_json, markdown=markdown)
        return
    if certificates:
        if markdown or replays:
            raise ConfigError("--certificates writes no report: leave out --markdown and --replays")
        _write_certificates(files, output, date)
        return
    if markdown:
        if replays:
            raise ConfigError("--markdown has no pages of games: leave out --markdown or --replays")
        _write_markdown(files, output, anchor, date, reduce)
        return
    if output is None and len(files) > 1:
        raise ConfigError(UNNAMED)
    target = output or files[0].with_suffix(".html")
    folder = target.parent / f"{target.stem}-games"
    links = ReplayLinks(folder.name) if replays else None
    measure_luck_of_stores(files, reduce)
    with open_pooled(files) as store, write_whole_file(target, *files) as part:
        sections = load_offers("pitboss_report_sections", ReportSection).values()
        page = render_report(store, date, anchor, choose_luck(store, reduce), links, sections)
        if links is not None:
            _write_replays(store, sorted(links.games), folder)
        part.write_text(page, encoding="utf-8", newline="\n")
    typer.echo(f"The report is in {target}{f', its games are in {folder}' if replays else ''}.")


def _refuse_for_table(*, as_json: bool, markdown: bool, replays: bool, certificates: bool) -> None:
    """Refuse what a table of games does not have.

    Raises:
        ConfigError: it was asked for.
    """
    if as_json and markdown:
        raise ConfigError("--json prints the table as JSON: leave out --json or --markdown")
    for option, is_asked in (("--replays", replays), ("--certificates", certificates)):
        if is_asked:
            reason = "--json" if as_json else "stores of several games"
            raise ConfigError(f"{option} is for the report of one game: leave out {option} or {reason}")


def _write_table(
    groups: Sequence[Sequence[Path]],
    output: Path | None,
    anchor: str | None,
    date: str | None,
    reduce: Literal["none", "luck"] | None,
    *,
    as_json: bool,
    markdown: bool,
) -> None:
    """Write the table of several games: a page, or Markdown; with `as_json` JSON is printed, and a page if it is asked.

    Raises:
        ConfigError: there is no name for the page.
    """
    if output is None and not (as_json or markdown):
        raise ConfigError(UNNAMED)
    found = read_games_table(groups, anchor, reduce)
    text = render_table_markdown(found, date) if markdown else render_table_page(found, date)
    if output is not None:
        with write_whole_file(output, *(path for files in groups for path in files)) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    if as_json:
        print_json(found)
    elif output is None:
        print_data_lines(text.splitlines())
    else:
        typer.echo(f"The report is in {output}.")


def _write_certificates(files: list[Path], output: Path | None, date: str | None) -> None:
    target = output or files[0].with_name(f"{files[0].stem}-certificates.html")
    with open_pooled(files) as store:
        page = render_certificates(store, date)
    with write_whole_file(target, *files) as part:
        part.write_text(page, encoding="utf-8", newline="\n")
    typer.echo(f"The certificates are in {target}: print them on A4 or Letter, with backgrounds.")


def _write_markdown(
    files: list[Path], output: Path | None, anchor: str | None, date: str | None, reduce: Literal["none", "luck"] | None
) -> None:
    measure_luck_of_stores(files, reduce)
    with open_pooled(files) as store:
        text = render_markdown(store, date, anchor, choose_luck(store, reduce))
    if output is None:
        print_data_lines(text.splitlines())
        return
    with write_whole_file(output, *files) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def merge(files: list[Path], output: Path) -> None:
    """Run `pitboss merge`."""
    if len(files) < 2:
        raise ConfigError("merge takes at least two stores")
    require_new(output)
    with write_whole_file(output, *files) as part:
        merge_stores(files, part)
    typer.echo(f"{output} has {format_count(Store(output).count_games(), 'game')} of {len(files)} stores.")


def _write_replays(store: Store, games: Sequence[int], folder: Path) -> None:
    """Write the pages of some games into a folder, which is made if it is not there."""
    folder.mkdir(exist_ok=True)
    game = load_registry().find_game(store.header.game)
    for game_id in games:
        page = folder / page_name(game_id)
        record, calls = store.record(game_id), store.calls.read_game(game_id)
        write_replay_pages(record, game, game_id, page, lambda path: write_whole_file(path, store.path), calls=calls)
