"""`pitboss replay` and `pitboss log`: a recorded game, decision by decision, and what its bots and the runner said."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final

import typer

from pitboss.errors import ConfigError, ReplayDiffers
from pitboss.records.notation import NotedGame, format_notation
from pitboss.records.record import Record, adopt_version, replay_states, verify
from pitboss_tournament.cli.output import (
    print_compact_json,
    print_data_lines,
    print_game_heading,
    print_json,
    print_note,
    terminal_width,
)
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.whole_file import write_whole_file
from pitboss_tournament.plan.seating import check_seat_number
from pitboss_tournament.reask.bot_lookup import check_decision, find_faulty_decision, locate_question
from pitboss_tournament.results.fault_evidence import fault_text
from pitboss_tournament.results.model_calls import call_title, conversation_lines, model_answer_lines
from pitboss_tournament.showing.log_output import cut_to_question, describe_logs, shorten_wire
from pitboss_tournament.showing.replay_output import describe_replay
from pitboss_tournament.showing.replay_pages import ReplayPage, ReplayPages
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.card_signs import CardSigns, can_show_colour, can_show_signs
from pitboss_tournament.text.terminal_text import decode_text, escape_line, escape_lines, set_behind_margin, wrap_text
from pitboss_tournament.web.replay_page import count_parts, write_replay_pages

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss_tournament.models.calls import CallRow
    from pitboss_tournament.store.rows import StoredLog

ARROW_KEYS: Final = {"\x1b[c": "", "\x1b[d": "b"}  # what a terminal sends for right and left, and the key meant
_LOG_TITLES: Final = {"errors": "standard error", "wire": "the wire (seconds, > to the bot, < from it)"}


def replay(
    file: Path,
    game_id: int | None,
    decision: int | None,
    seat: int | None,
    legal: bool,
    whole: bool,
    check: bool,
    brief: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Run `pitboss replay`."""
    store = Store(file)
    if as_json and (check or brief or whole or html is not None):
        raise ConfigError("--json goes without --check, --brief, --whole and --html: each writes something else")
    if decision is not None and (check or brief or html is not None):
        raise ConfigError("a DECISION goes without --check, --brief and --html: they are of whole games")
    if check:
        _check_replays(store, game_id)
        return
    if game_id is None:
        game_id = store.choose_game()
    record = store.record(game_id)
    check_seat_number(seat, len(record.players))
    if decision is not None:
        check_decision(record, game_id, decision)
    if brief:
        print_data_lines(format_notation(NotedGame(record, game_id)).splitlines())
        return
    if html is not None:
        _write_page(store, record, game_id, seat, html)
        return
    width = terminal_width()
    game = load_registry().find_game(record.game)
    calls = store.calls.read_game(game_id)
    adopted, note = adopt_version(record, game)
    if as_json:
        found = describe_replay(
            *(adopted, game, game_id, seat),
            decision=decision,
            with_legal=legal,
            version=record.game_version,
            note=note,
        )
        print_compact_json(found)
        return
    pages = ReplayPages(adopted, game, seat, width=width, with_legal=legal, calls=calls)
    print_game_heading(game_id, record)
    hint = note or f"to ask a bot again: {_ask_command(file, game_id, record)}"
    typer.echo("\n".join(wrap_text(hint, width)))
    show = _choose_signs(adopted, game)
    if sys.stdout.isatty() and sys.stdin.isatty():
        _step_through(pages, whole, show, decision or 0)
    else:
        shown: ReplayPage | None = None
        for page in pages:
            text = show(page.text if whole or shown is None or decision else page.changes(shown))
            if decision in (None, page.decision):
                typer.echo(f"\n{text}" if page.decision else text)
            shown = page


def log(
    file: Path,
    game_id: int | None,
    decision: int | None,
    seat: int | None,
    wire: bool,
    errors: bool,
    models: bool,
    raw: bool,
    brief: bool,
    as_json: bool,
) -> None:
    """Run `pitboss log`."""
    if raw and brief:
        raise ConfigError("--raw writes the bytes as they are, and --brief shortens them; give one of them")
    store = Store(file)
    if game_id is None:
        game_id = next((number for number, *_ in store.raw_logs()), store.choose_game())
    record = store.record(game_id)
    check_seat_number(seat, len(record.players))
    question = None
    if decision is not None:
        check_decision(record, game_id, decision)
        asked_seat, question = locate_question(record, decision)
        if seat not in (None, asked_seat):
            raise ConfigError(f"decision {decision} of game {game_id} is that of seat {asked_seat}")
        seat = asked_seat
    calls = [
        call
        for call in store.calls.read_game(game_id)
        if seat in (None, call.place.seat) and question in (None, call.place.decision)
    ]
    if models:
        _check_asked(store, game_id, calls)
    logs = [] if models else [one for one in _load_logs(store, game_id, record, calls) if seat in (None, one.seat)]
    if question is not None:
        logs = [cut_to_question(one, question, f"decision {decision} of game {game_id}") for one in logs]
    if brief:
        logs = [shorten_wire(one) for one in logs]
    wanted = [part for part, is_wanted in (("errors", errors or not wire), ("wire", wire or not errors)) if is_wanted]
    if raw:
        _write_raw(logs, wanted)
    elif as_json:
        print_json(describe_logs(game_id, record, logs, wanted, () if wire or errors else calls))
    else:
        _print_logs(game_id, record, logs, wanted)
        if not (wire or errors):
            _print_calls(record, calls, in_full=models)


def _write_page(store: Store, record: Record, game_id: int, seat: int | None, page: Path) -> None:
    game = load_registry().find_game(record.game)
    calls = store.calls.read_game(game_id)
    write_replay_pages(record, game, game_id, page, lambda path: write_whole_file(path, store.path), seat, calls)
    more = count_parts(record) - 1
    typer.echo(f"The game is in {page}{f' and the {more} pages that follow it' if more else ''}.")


def _ask_command(file: Path, game_id: int, record: Record) -> str:
    """Return the command that re-asks a bot, about the first fault if there is one."""
    number = find_faulty_decision(record)
    return f"pitboss ask {quote(str(file))} {game_id} {number or 'DECISION'}"


def _check_replays(store: Store, game_id: int | None) -> None:
    games = store.records() if game_id is None else [(game_id, store.record(game_id))]
    decisions, notes = list[int](), dict[str, None]()
    for _, record in games:
        game = load_registry().find_game(record.game)
        adopted, note = adopt_version(record, game)
        if note and note not in notes:
            notes[note] = None
            print_note(note)
        decisions.append(verify(adopted, game))
    typer.echo(f"{len(decisions):,} games with {sum(decisions):,} decisions replay as they were recorded")


def _choose_signs(record: Record, game: AnyGame) -> Callable[[str], str]:
    """Return what puts the signs of suits into a text, if the terminal can show them."""
    if not can_show_signs():
        return str
    deck = next(replay_states(record, game)).table.layout.deck
    return CardSigns(game, deck, record.players, has_colour=can_show_colour()).show


def _step_through(every: Iterable[ReplayPage], whole: bool, show: Callable[[str], str], decision: int) -> None:
    """Show the pages that the person asks for, beginning with a decision: of the next one what has changed, of any
    other the whole table.

    Raises:
        ReplayDiffers: the game does not replay; the pages before that were shown.
    """
    pages: list[ReplayPage] = []
    differs = None
    try:
        pages.extend(every)
    except ReplayDiffers as error:
        if not pages:
            raise
        differs = error
    at: int | None = next((place for place, page in enumerate(pages) if page.decision >= decision), 0)
    shown: int | None = None
    while at is not None:
        typer.echo(show(pages[at].changes(pages[at - 1]) if not whole and shown == at - 1 else pages[at].text))
        shown, at = at, _ask_page(pages, at)
        typer.echo()
    if differs is not None:
        raise differs


def _ask_page(pages: Sequence[ReplayPage], at: int) -> int | None:
    """Prompt until the answer is valid; return the page number, None to quit."""
    last = pages[-1].decision
    faults = [number for number, page in enumerate(pages) if page.has_fault]
    fault_key = "f: fault, " if faults else ""
    keys = f"Enter: next, b: back, t: table, {fault_key}0-{last}: go there, q: quit"
    while True:
        *before, prompt = wrap_text(f"[{pages[at].decision}/{last}] {keys}:", terminal_width())
        typer.echo("".join(f"{line}\n" for line in before), nl=False)
        try:
            typed = input(f"{prompt} ").strip().lower()
        except EOFError:
            return None
        answer = ARROW_KEYS.get(typed[-3:], typed)
        if answer == "q" or (not answer and at == len(pages) - 1):
            return None
        if answer == "t":
            return at
        if answer == "f" and faults:
            return next((number for number in faults if number > at), faults[0])
        if answer in ("", "b"):
            return max(at + (-1 if answer else 1), 0)
        if answer.isdecimal() and int(answer) <= last:
            return next(number for number, page in enumerate(pages) if page.decision >= int(answer))
        typer.echo(f"not understood: {typed!r}")


def _check_asked(store: Store, game_id: int, calls: Sequence[CallRow]) -> None:
    if not calls:
        raise ConfigError(f"--models: in game {game_id} of {store.path} no language model was asked")


def _print_calls(record: Record, calls: Sequence[CallRow], *, in_full: bool) -> None:
    width = terminal_width()
    for seat in sorted({call.place.seat for call in calls}):
        typer.echo(f"\nseat {seat} ({escape_line(record.players[seat])}) asked its language model")
        for call in calls:
            if call.place.seat == seat and in_full:
                typer.echo("\n".join(wrap_text(f"  {call_title(call)}", width)))
                typer.echo("\n".join(conversation_lines(call, width)))
            elif call.place.seat == seat:
                typer.echo("\n".join(model_answer_lines([call], width)))


def _load_logs(store: Store, game_id: int, record: Record, calls: Sequence[CallRow]) -> list[StoredLog]:
    logs = store.logs(game_id)
    if not logs and not calls:
        why = "the game has no fault" if not record.faults else "the games were not played by this Pitboss"
        raise ConfigError(
            f"{store.path}: no logs of game {game_id} are kept, because {why}; to keep the logs of all "
            "games of a tournament, write "
            '[logs] keep = "all" in the tournament file, or call `pitboss match` with -s logs.keep=all'
        )
    return logs


def _write_raw(logs: Sequence[StoredLog], wanted: Sequence[str]) -> None:
    if len(logs) != 1 or len(wanted) != 1:
        raise ConfigError("--raw writes one log: say which with --seat, and --wire or --errors")
    if sys.stdout.isatty():
        raise ConfigError("--raw is for a file or a pipe: what a bot wrote may do anything to a terminal")
    sys.stdout.buffer.write(getattr(logs[0], wanted[0]))


def _print_logs(game_id: int, record: Record, logs: Sequence[StoredLog], wanted: Sequence[str]) -> None:
    width = terminal_width()
    print_game_heading(game_id, record)
    for one in logs:
        typer.echo(f"\nseat {one.seat} ({escape_line(record.players[one.seat])})")
        for fault in record.faults:
            if fault.seat == one.seat:
                typer.echo("\n".join(wrap_text(f"  question {fault.decision}: {fault_text(fault)}", width)))
        for part in wanted:
            text = decode_text(getattr(one, part))
            typer.echo(f"  {_LOG_TITLES[part]}{':' if text else ': nothing'}")
            for line in escape_lines(text) if text else ():
                typer.echo("\n".join(set_behind_margin(line, "  | ", width)))
