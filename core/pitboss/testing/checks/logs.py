"""The log: it tells everything that happened, and its projection for a seat only what that seat may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from pitboss.table.events import AnyEvent, LogEntry
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.decision_point import DecisionPoint, PlayStep
from pitboss.testing.framework.expectations import expect_json_round_trip

MAX_EVENTS: Final = 200  # the last events, which are checked: a log can be long


@check("step")
def log_only_grows(step: PlayStep) -> None:
    """A play adds to the log and changes nothing that is written there."""
    log = step.state.table.log
    if log is None or len(log) < step.log_length:
        raise CheckFailed(f"the log had {step.log_length} entries; now it has {None if log is None else len(log)}")


@check("step")
def log_tells_where_cards_went(step: PlayStep) -> None:
    """Every card that came to another zone is in the log entries of that play, with the zone that it came to."""
    table = step.state.table
    told = _final_zones(step.new_entries)
    for index, (before, after) in enumerate(zip(step.zones_before, table.zones, strict=True)):
        for card in set(after) - set(before) - {EMPTY}:
            zone = table.layout.zones[index]
            if told.get(card) != zone:
                face = table.layout.deck.faces[card]
                raise CheckFailed(f"{face!r} has come to {zone.name}; the log tells that it went to {told.get(card)}")


@check("point", "end")
def log_tells_the_whole_table(point: DecisionPoint) -> None:
    """The log, read from its beginning, tells the zone of each card; the cards that it never names lie in one zone."""
    table = point.state.table
    told = _final_zones(table.log or [])
    lies = {card: zone for zone in table.layout.zones for card in table.zones[zone] if card != EMPTY}
    for card, zone in told.items():
        if lies.get(card) != zone:
            face = table.layout.deck.faces[card]
            raise CheckFailed(f"{face!r} lies in {lies.get(card)}; the log says that it went to {zone}")
    untold = sorted({repr(zone) for card, zone in lies.items() if card not in told})
    if len(untold) > 1:
        raise CheckFailed(f"the log never names some of the cards in {untold!r}; the deal too has to be told")


@check("step")
def log_shows_nobody_too_much(step: PlayStep) -> None:
    """A face that an event shows to a seat is a face that this seat knows from then on."""
    table = step.state.table
    if any(
        entry.verb == "shuffle" or (entry.source is not None and entry.source.hides_places)
        for entry in step.new_entries[1:]
    ):
        raise NotApplicable("cards were mixed after the event")
    for entry in step.new_entries:
        for card, seen in zip(entry.cards, entry.seen_by, strict=True):
            if seen & table.layout.everybody & ~table.known_by[card]:
                raise CheckFailed(
                    f"event {entry.event!r} shows {table.layout.deck.faces[card]!r} to mask {seen:b}; "
                    f"known to mask {table.known_by[card]:b}"
                )


@check("step")
def knowledge_comes_from_events(step: PlayStep) -> None:
    """A card that a seat comes to know was shown to it by an event, or is the open top card of a pile."""
    table, entries = step.state.table, step.new_entries
    if any(entry.verb == "shuffle" for entry in entries):
        raise NotApplicable("the cards were shuffled")
    shown = {card: seen for entry in entries for card, seen in zip(entry.cards, entry.seen_by, strict=True)}
    tops = {table.zones[zone][-1] for zone in table.layout.zones if zone.reveals_next and table.zones[zone]}
    for card, (before, now) in enumerate(zip(step.known_before, table.known_by, strict=True)):
        new, seen = now & ~before, shown.get(card, 0)
        if card not in tops and new & ~seen:
            face = table.layout.deck.faces[card]
            raise CheckFailed(f"mask {new:b} has come to know where {face!r} is; events showed it to mask {seen:b}")


@check("step")
def view_follows_events(step: PlayStep) -> None:
    """A seat's view changes only if the seat made the decision or observed an event: secret decisions are not seen."""
    played_game, number, table = step.point.played_game, step.point.number, step.state.table
    others = set(played_game.setup.observers) - {played_game.turns[number].seat}
    unaware = [seat for seat in sorted(others) if not table.events(seat, step.log_length)]
    for seat in unaware:
        before, after = played_game.snapshots[number].views[seat], msgspec.json.encode(step.state.view(seat))
        if before != after:
            change = f"{before.decode()} became {after.decode()}"
            raise CheckFailed(f"no event told seat {seat} anything, but its view changed: {change}")
    if not unaware:
        raise NotApplicable("every play was seen by everybody")


@check("point", "end")
def full_log_hides_nothing(point: DecisionPoint) -> None:
    """The full log has every face, and each seat's events are those of the full log with some faces and private entries
    left out.
    """
    table, log, since = _take_last_entries(point)
    full = table.events(None, since)
    if len(full) != len(log):
        raise CheckFailed(f"the full log has {len(full)} events for {len(log)} entries")
    for seat in point.setup.observers:
        own = [event for event, entry in zip(full, log, strict=True) if entry.audience & 1 << seat]
        projected = table.events(seat, since)
        if not _is_projection(msgspec.to_builtins(projected), msgspec.to_builtins(own)):
            raise CheckFailed(f"the events of seat {seat} differ from the full log without hidden faces")


@check("point", "end")
def private_entries_stay_private(point: DecisionPoint) -> None:
    """An event that was told to one seat alone is in no other seat's events."""
    table, log, since = _take_last_entries(point)
    for seat in point.setup.observers:
        found, expected = len(table.events(seat, since)), sum(bool(entry.audience & 1 << seat) for entry in log)
        if found != expected:
            raise CheckFailed(f"seat {seat} has {found} of the last events; {expected} are for it")
    if all(entry.audience == -1 for entry in log):
        raise NotApplicable("nothing was told to one seat alone")


@check("point", "end")
def events_survive_json(point: DecisionPoint) -> None:
    """Every event, written as JSON and read again, is the same event, for every seat."""
    table, _, since = _take_last_entries(point)
    for seat in (None, *point.setup.observers):
        for event in table.events(seat, since):
            expect_json_round_trip(event, AnyEvent, "event")


def _take_last_entries(point: DecisionPoint) -> tuple[Table, Sequence[LogEntry], int]:
    """Return the table, the last MAX_EVENTS entries of its log, and how many come before them."""
    log = point.state.table.log or []
    return point.state.table, log[-MAX_EVENTS:], max(0, len(log) - MAX_EVENTS)


def _final_zones(entries: Iterable[LogEntry]) -> dict[int, Any]:
    """Return, by card that the entries move, the zone that it comes to last."""
    told: dict[int, Any] = {}
    for entry in entries:
        if entry.verb == "swap":
            told[entry.cards[0]], told[entry.cards[1]] = entry.zones[0], entry.target
        elif entry.verb == "deal":
            told.update(zip(entry.cards, entry.zones, strict=True))
        else:
            told.update(dict.fromkeys(entry.cards, entry.target))
    return told


def _is_projection(shown: Any, full: Any) -> bool:  # noqa: ANN401 - plain data
    """Return whether `shown` is `full` with some values replaced by None."""
    if isinstance(full, dict) and isinstance(shown, dict):
        return shown.keys() == full.keys() and all(_is_projection(shown[key], full[key]) for key in full)
    if isinstance(full, list) and isinstance(shown, list):
        return len(shown) == len(full) and all(map(_is_projection, shown, full))
    return shown is None or bool(shown == full)
