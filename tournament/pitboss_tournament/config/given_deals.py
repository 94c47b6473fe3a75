"""Files of deals that tables are to play: boards of bridge, hands of poker, games in notation, cards as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from pitboss.errors import ConfigError, OptionError, PositionError, RecordError, RefusedGame
from pitboss.foreign_input import LARGEST_INPUT, InputRefused, read_json
from pitboss.game import AnyGame
from pitboss.loadouts import open_loadouts
from pitboss.records.notation import read_notation
from pitboss.records.record import LONGEST_RECORD_TEXT, DealFormat, DealImporter
from pitboss.table.stacked_seed import write_stacked_seed
from pitboss.table.table import Table
from pitboss.table.zones import Zone
from pitboss.text import format_count, join_words
from pitboss_tournament.plan.plan import GivenDeals

JSON_ENDING: Final = "json"
NOTATION_ENDING: Final = "txt"
MAX_GIVEN_DEALS: Final = 100_000
SHOWN_REFUSALS: Final = 5


def read_given_deals(
    path: Path,
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - the game's own, resolved
) -> tuple[GivenDeals, int]:
    """Return the deals of a file, and the number of those that were left out because they repeat an earlier one.

    Raises:
        ConfigError: the file or one of its deals cannot be read, there is none, or the game cannot be dealt so.
    """
    formats = list_deal_formats(game)
    ending = path.suffix.removeprefix(".").lower()
    if ending not in formats:
        known = join_words([f".{one}" for one in formats], "and")
        raise ConfigError(f"deals is {str(path)!r}; files with deals of {game.name} end in {known}")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise ConfigError(f"deals is {str(path)!r}, which cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST_INPUT:
        raise ConfigError(f"deals is {str(path)!r}, which has more than {LARGEST_INPUT:,} bytes")
    lines = decode_deals(data).splitlines(keepends=True)
    try:
        found = [*formats[ending].read(game, seats, options, lines)]
    except (OptionError, RecordError) as wrong:
        raise ConfigError(f"deals is {str(path)!r}: {wrong}") from None
    refused = [one for one in found if isinstance(one, RefusedGame)]
    if refused:
        more = len(refused) - SHOWN_REFUSALS
        said = "; ".join([*map(str, refused[:SHOWN_REFUSALS]), *([f"and {more} more"] if more > 0 else [])])
        raise ConfigError(f"deals is {str(path)!r}; {format_count(len(refused), 'deal')} cannot be read: {said}")
    seeds = tuple(dict.fromkeys(one for one in found if isinstance(one, str)))
    if not 1 <= len(seeds) <= MAX_GIVEN_DEALS:
        raise ConfigError(
            f"deals is {str(path)!r}, which has {len(seeds):,} deals; it must have 1 to {MAX_GIVEN_DEALS:,}"
        )
    return GivenDeals(file=path.name, digest=sha256(data).hexdigest(), seeds=seeds), len(found) - len(seeds)


def list_deal_formats(game: AnyGame) -> Mapping[str, DealFormat]:
    """Return the formats of deals of a game by the endings of files: its own, JSON and notation."""
    own = game.deal_files if isinstance(game, DealImporter) else {}
    return {**own, JSON_ENDING: DealFormat(_read_stacked, write_stacked), NOTATION_ENDING: DealFormat(_read_noted)}


def find_deal_writer(game: AnyGame, path: Path) -> Callable[[Iterable[Any]], Iterator[str]]:
    """Return what writes deals of a game into a file of this name.

    Raises:
        ConfigError: no format that is written has its ending.
    """
    writers = {ending: one.write for ending, one in list_deal_formats(game).items() if one.write is not None}
    found = writers.get(path.suffix.removeprefix(".").lower())
    if found is None:
        known = join_words([f".{one}" for one in writers])
        raise ConfigError(f"--write-deals is {str(path)!r}; a file with deals of {game.name} ends in {known}")
    return found


def decode_deals(data: bytes) -> str:
    """Return the text of a file, which old programs write in Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_noted(game: AnyGame, seats: int, options: Any, lines: Iterable[str]) -> Iterator[str | RefusedGame]:  # noqa: ANN401
    """Yield the seeds of games in notation, whose rules have to be those of the tournament."""
    plain = msgspec.to_builtins(options)
    for noted in read_notation(lines):
        if isinstance(noted, RefusedGame):
            yield noted
            continue
        record = noted.record
        where = f"game {noted.game_id or 0}"
        if (record.game, record.game_version, len(record.players)) != (game.name, game.version, seats):
            found = _describe_table(record.game, record.game_version, len(record.players))
            wanted = _describe_table(game.name, game.version, seats)
            yield RefusedGame(None, f"{where} is of {found}; it must be of {wanted}")
        elif open_loadouts(record.options) != msgspec.json.decode(msgspec.json.encode(plain)):
            yield RefusedGame(None, f"{where} has other options than the tournament")
        else:
            yield _extract_deal(game, record.seed, where)


def _describe_table(game: str, version: str, players: int) -> str:
    return f"{game}, version {version}, with {players} players"


def _extract_deal(game: AnyGame, seed: str, where: str) -> str | RefusedGame:
    """Return the seed of the deal of a game that was played: games of other programs may name more by their seeds."""
    if not isinstance(game, DealImporter):
        return seed
    try:
        return game.extract_deal(seed)
    except RefusedGame as refused:
        return RefusedGame(None, f"{where}: {refused}")


def _read_stacked(game: AnyGame, seats: int, options: Any, lines: Iterable[str]) -> Iterator[str | RefusedGame]:  # noqa: ANN401
    """Yield the seeds of deals that are written as JSON: a list of objects with the faces by zone."""
    from pitboss.testing import stack_deal  # noqa: PLC0415 - few tournaments have such a file

    try:
        deals = read_json("".join(lines), list[dict[str, str | list[str | int]]])
    except InputRefused as refused:
        raise RecordError(f'{refused}; it is a list of objects as {{"hand 0": "SA H10"}}') from None
    for number, dealt in enumerate(deals, 1):
        name = sha256(msgspec.json.encode(dealt, order="sorted")).hexdigest()[:16]
        try:
            state = stack_deal(game, seats, dealt, options=options, seed=name)
        except PositionError as wrong:
            yield RefusedGame(None, f"deal {number}: {wrong}")
            continue
        seed = write_stacked_seed(name, state.table.chance_events or ())
        too_long = f"deal {number} has too many cards to be kept as a seed"
        yield seed if len(seed) <= LONGEST_RECORD_TEXT else RefusedGame(None, too_long)


def write_stacked(states: Iterable[Any]) -> Iterator[str]:
    """Yield the lines of a JSON list with the cards and secrets of dealt states: faces by zone, of piles from the top.

    Raises:
        ConfigError: the game has no table of cards.
    """
    before = "["
    for state in states:
        if not isinstance(getattr(state, "table", None), Table):
            raise ConfigError("the game has no table whose cards could be written down")
        yield f"{before}{msgspec.json.encode(_list_dealt(state.table)).decode()}"
        before = ","
    yield "]"


def _list_dealt(table: Table) -> dict[str, list[Any]]:
    faces = table.layout.deck.faces_of
    zones: list[Zone] = [zone for zone in table.layout.zones if table.zones[zone]]
    secrets = {secret.name: [*table.values(secret)] for secret in table.layout.secrets}
    return {
        **{zone.name: [*faces(zone.from_the_top(table.zones[zone]))] for zone in zones},
        **{name: values for name, values in secrets.items() if values},
    }
