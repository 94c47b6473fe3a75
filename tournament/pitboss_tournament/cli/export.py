"""`pitboss export` and `pitboss report`: what a store holds as files, for other programs and as a page for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pitboss_tournament.cli.output import print_data_lines
from pitboss_tournament.cli.parameters import Anchor, ReduceOption, StoreFiles
from pitboss_tournament.cli.registry import find_offer, load_offers, load_registry
from pitboss_tournament.cli.whole_file import require_new, write_whole_file

if TYPE_CHECKING:
    from pitboss_tournament.store.store import Store

KINDS: Final = ("records", "events", "incidents", "logs", "notation", "csv", "parquet", "decisions")


def export(
    files: StoreFiles,
    what: Annotated[
        str,
        typer.Option(
            "--what",
            "-w",
            metavar="|".join(KINDS),
            help="Records, event logs, incidents or logs as JSON lines; games in notation; results as CSV or Parquet; "
            "decisions as numbers for machine learning; or a format of the game, such as phh of poker.",
            autocompletion=lambda: KINDS,
        ),
    ] = "records",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file to write; by default standard output.")
    ] = None,
    times: Annotated[
        bool,
        typer.Option(
            help="With thinking times and the evidence of faults. "
            "Without them two runs of a tournament export the same bytes."
        ),
    ] = True,
) -> None:
    """Export all games of a tournament, in the order of their numbers; of several stores as `pitboss merge` has them.

    Records hold everything that is needed to rebuild a game, and its incidents: what the bots did wrong, with the
    evidence. Events are the full log of the table, hidden cards included, rebuilt from the records. Incidents are those
    of the records, a line for each, with the bot's name. Logs are what was said and what was written to standard error,
    of the games whose logs are kept. Notation has a line for each decision, to read, to mail and to compare; `pitboss
    import` makes records of it again. A game may have formats of its own, which its tools read: poker has phh.

    CSV and Parquet have a line for each seat of each game: round (of the format), points and place with forfeits
    considered, fault (the kind by which it forfeited), substituted (for how many decisions the neutral action was
    played, the game going on), decisions (its own), think_ms (all of them together), think_p50_ms and think_p99_ms
    (half, and 99 of 100, took no longer, to within 5 %), and lag_p99_ms of the game: by how much the runner was late to
    read answers, for which nobody is billed.

    Decisions have a row for each letter that a player chose: what its seat knew and what was legal, as numbers, and
    what came of it. The file is one of numpy (.npz) or of Parquet (.parquet), by its name: docs/learning.md.
    """
    from pitboss.errors import ConfigError
    from pitboss.text import escape_json
    from pitboss_tournament.exchange.exporters import Exporter, ExportRequest, list_own_exporters
    from pitboss_tournament.exchange.pooling import open_pooled

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
    files: StoreFiles,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The page to write; by default the store's name with .html at its end. For several stores name one.",
            show_default=False,
        ),
    ] = None,
    anchor: Anchor = None,
    date: Annotated[
        str | None, typer.Option(help="What the page says of when it was made; by default nothing.", show_default=False)
    ] = None,
    reduce: ReduceOption = None,
    replays: Annotated[
        bool,
        typer.Option(
            "--replays", help="Link the notable games and one of each bot, as pages in a folder beside the report."
        ),
    ] = False,
) -> None:
    """Write the report of a tournament, finished or not: one page that opens in any browser, without a network.

    It shows who is better and how sure that is, who beats whom, how long bots thought and games were, what the seat is
    worth, what went wrong with the evidence, what duplicate deals saved, which games are worth a look, and everything
    that the tournament was played with.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.cli.luck import choose_luck, measure_luck_of_stores
    from pitboss_tournament.exchange.pooling import open_pooled
    from pitboss_tournament.reporting.page import render_report
    from pitboss_tournament.reporting.replay_links import ReplayLinks
    from pitboss_tournament.reporting.sections import ReportSection

    if output is None and len(files) > 1:
        raise ConfigError("several stores have no name in common: name the page to write with --output")
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


def merge(
    files: StoreFiles,
    output: Annotated[Path, typer.Option("--output", "-o", help="The store to write.", show_default=False)],
) -> None:
    """Write the games of several stores into one, of one game, with the same options and clock.

    Each version of a bot stays one by itself: `alice` of one store and `alice` of another are the same if their files
    are. Games get new numbers, and the deals of a table follow those of the stores before. The new store has no
    schedule: it can be shown, replayed and exported, and nothing is played into it. Calls of language models go with
    their games, and so does what was spent on games that were broken off.
    """
    from pitboss.errors import ConfigError
    from pitboss.text import format_count
    from pitboss_tournament.exchange.pooling import merge_stores
    from pitboss_tournament.store.store import Store

    if len(files) < 2:
        raise ConfigError("merge takes at least two stores")
    require_new(output)
    with write_whole_file(output, *files) as part:
        merge_stores(files, part)
    typer.echo(f"{output} has {format_count(Store(output).count_games(), 'game')} of {len(files)} stores.")


def _write_replays(store: Store, games: Sequence[int], folder: Path) -> None:
    """Write the pages of some games into a folder, which is made if it is not there."""
    from pitboss_tournament.reporting.replay_links import page_name
    from pitboss_tournament.web.replay_page import write_replay_pages

    folder.mkdir(exist_ok=True)
    game = load_registry().find_game(store.header.game)
    for game_id in games:
        page = folder / page_name(game_id)
        record, calls = store.record(game_id), store.calls.read_game(game_id)
        write_replay_pages(record, game, game_id, page, lambda path: write_whole_file(path, store.path), calls=calls)
