"""Which seat and which bot to ask: the named bot, or the recorded one if it is found again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record
from pitboss_tournament.config.entrants import resolve_named_bot, resolve_rung
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.seating import check_seat_number
from pitboss_tournament.reask.recorded_game import RecordedBot, RecordedGame

NO_FAULT: Final = "no bot committed a fault when it was asked"


def find_bot(game: RecordedGame, seat: int, registry: Registry, here: Path) -> tuple[str, Path]:
    """Return a specification of the bot that sat in `seat` and the folder it is relative to: `here` or the record's.

    Raises:
        ConfigError: the bot is not found.
    """
    bot = game.bots[seat]
    for base in dict.fromkeys((here, game.path.absolute().parent)):
        for spec in _candidate_specs(bot, registry, game.record.game, base):
            return spec, base
    raise ConfigError(
        f"{game.path} does not say where the bot {bot.name!r} of seat {seat} lies, and this folder does not hold the "
        "bot; name it with --bot"
    )


def find_faulty_decision(record: Record, seat: int | None = None) -> int | None:
    """Return the number of the first decision with a fault of a bot, or of the bot in `seat`."""
    for fault in record.faults:
        if fault.decision and seat in (None, fault.seat):
            own = [number for number, one in enumerate(record.decisions, 1) if one.seat == fault.seat]
            return own[fault.decision - 1]
    return None


def choose_decision(game: RecordedGame, seat: int | None) -> int:
    """Return the number of the decision with the first fault, or of the last one of `seat`: the default of a command.

    Without a fault and a seat it is the one at which the record stops.

    Raises:
        ConfigError: there is no such seat, or it was asked nothing, or no seat is named and no bot has a fault.
    """
    check_seat_number(seat, len(game.record.players))
    number = find_faulty_decision(game.record, seat)
    if number is None and seat is not None:
        own = (number for number in range(1, game.last_question + 1) if game.seat_of(number) == seat)
        number = max(own, default=None)
    if number is None and seat is None and game.open_seat is not None:
        number = game.last_question
    if number is None:
        who = f"seat {seat} ({game.record.players[seat]}) was asked nothing" if seat is not None else NO_FAULT
        raise ConfigError(
            f"in game {game.game_id} {who}; say which decision to ask, from 1 to {game.last_question}, "
            "behind the number of the game, or with --seat whose last one"
        )
    return number


def check_decision(record: Record, game_id: int, number: int, last: int | None = None) -> None:
    """Check that a game has a decision of this number; `last` is that of the last one, by default of those recorded.

    Raises:
        ConfigError: it has none.
    """
    last = len(record.decisions) if last is None else last
    if not 1 <= number <= last:
        raise ConfigError(f"game {game_id} has no decision {number}; its decisions are numbered 1 to {last}")


def locate_question(record: Record, number: int) -> tuple[int, int]:
    """Return the seat of a decision, and which of its questions it was, from 1."""
    seat = record.decisions[number - 1].seat
    return seat, sum(one.seat == seat for one in record.decisions[:number])


def check_seat(game: RecordedGame, number: int, named: Entrant | None, seat: int | None) -> int:
    """Return the seat of decision `number`, after checking that it was put to a bot and is that of `seat` or `named`.

    Raises:
        ConfigError: there is no such decision or seat, or the decision is another seat's.
    """
    record = game.record
    check_decision(record, game.game_id, number, game.last_question)
    check_seat_number(seat, len(record.players))
    found = game.seat_of(number)
    where = f"decision {number} of game {game.game_id}"
    its = f"{where} is that of seat {found} ({record.players[found]})"
    if seat not in (None, found):
        assert seat is not None
        raise ConfigError(f"{its}; {_describe_nearest_decisions(game, seat, number)}")
    own = [place for place, name in enumerate(record.players) if named is not None and name == named.name]
    if seat is None and own and found not in own:
        nearest = _describe_nearest_decisions(game, own[0], number)
        raise ConfigError(f"{its}; {nearest}; to ask it in the other's place, add --seat {found}")
    if number not in game.decisions_asked(found):
        nearest = _describe_nearest_decisions(game, found, number)
        raise ConfigError(f"{where} was played for seat {found}, which had forfeited; {nearest}")
    return found


def _describe_nearest_decisions(game: RecordedGame, seat: int, number: int) -> str:
    """Name the decisions of a seat's bot that are nearest to decision `number`."""
    asked = game.decisions_asked(seat)
    who = f"seat {seat} ({game.record.players[seat]})"
    before = [one for one in asked if one < number][-1:]
    after = [one for one in asked if one > number][:1]
    near = " and ".join(map(str, [*before, *after]))
    return f"the nearest of {who}: {near}" if near else f"{who} was never asked"


def _candidate_specs(bot: RecordedBot, registry: Registry, game: str, base: Path) -> Iterable[str]:
    """Yield specifications of the bot: its name (also without the number of a namesake), its folder, its command."""
    for name in dict.fromkeys((bot.name, re.sub(r"-\d+\Z", "", bot.name))):
        if _is_named(name, registry, game):
            yield name
        if (base / name / BOT_FILE).is_file():
            yield str(base / name)
    if any((base / word).is_file() for word in bot.command[1:]) or (
        len(bot.command) == 1 and Path(bot.command[0]).is_file()
    ):
        yield shlex.join(bot.command)


def _is_named(name: str, registry: Registry, game: str) -> bool:
    """Whether a name, perhaps with options, is one of `pitboss bots`."""
    try:
        return (resolve_named_bot(name, registry.bots) or resolve_rung(name, registry, game)) is not None
    except ConfigError:
        return False
