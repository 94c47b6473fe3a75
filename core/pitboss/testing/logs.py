"""The log: it tells everything that happened, and to each seat only what that seat may see."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from pitboss.events import AnyEvent, Entry
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment, Step
from pitboss.zones import EMPTY, Kind

LATEST: Final = 200  # events that are looked at: a log can be long

_encode = msgspec.json.encode


def log_only_grows(step: Step) -> None:
    """A play adds to the log and changes nothing that is written there."""
    log = step.state.table.log
    if log is None or len(log) < step.log:
        raise Broken(f"the log had {step.log} entries; now it has {None if log is None else len(log)}")


def log_tells_where_cards_went(step: Step) -> None:
    """Every card that came to another zone is in the log of that play."""
    table = step.state.table
    told = _told((table.log or [])[step.log :])
    for index, (before, after) in enumerate(zip(step.zones, table.zones, strict=True)):
        for card in set(after) - set(before) - {EMPTY}:
            zone = table.layout.zones[index]
            if told.get(card) != zone:
                face = table.layout.deck.faces[card]
                raise Broken(f"{face!r} has come to {zone.name}; the log tells that it went to {told.get(card)}")


def log_tells_the_whole_table(moment: Moment) -> None:
    """Who reads the log from its beginning knows in which zone each card lies; cards that it never names lie where the deck was."""
    table = moment.state.table
    told = _told(table.log or [])
    faces = table.layout.deck.faces
    lies = {card: zone for zone, cards in zip(table.layout.zones, table.zones, strict=True) for card in cards if card != EMPTY}
    for card, zone in told.items():
        if lies.get(card) != zone:
            raise Broken(f"{faces[card]!r} lies in {lies.get(card)}; the log tells that it went to {zone}")
    untold = {zone for card, zone in lies.items() if card not in told}
    if len(untold) > 1:
        raise Broken(f"the log never names some of the cards in {sorted(map(repr, untold))!r}; the deal too has to be told")


def log_shows_nobody_too_much(step: Step) -> str | None:
    """A face that an event shows to a seat is a face that this seat knows from then on."""
    table = step.state.table
    entries = (table.log or [])[step.log :]
    if any(entry.verb == "shuffle" or (entry.source is not None and entry.source.kind is Kind.HAND) for entry in entries[1:]):
        return "cards were mixed after the event"
    for entry in entries:
        for card, seen in zip(entry.cards, entry.seen, strict=True):
            if seen & table.layout.everybody & ~table.known[card]:
                raise Broken(
                    f"event {entry.event!r} shows {table.layout.deck.faces[card]!r} to mask {seen:b}; known to mask {table.known[card]:b}"
                )
    return None


def knowledge_comes_from_events(step: Step) -> str | None:
    """What a seat comes to know was shown to it by an event, or lies open on the table."""
    table = step.state.table
    entries = (table.log or [])[step.log :]
    if any(entry.verb == "shuffle" for entry in entries):
        return "the cards were shuffled"
    shown = {card: seen for entry in entries for card, seen in zip(entry.cards, entry.seen, strict=True)}
    tops = {cards[-1] for zone, cards in zip(table.layout.zones, table.zones, strict=True) if zone.uncovers and cards}
    for card, (before, now) in enumerate(zip(step.known, table.known, strict=True)):
        if card not in tops and now & ~before & ~shown.get(card, 0):
            face = table.layout.deck.faces[card]
            raise Broken(
                f"mask {now & ~before:b} has come to know where {face!r} is; events showed it to mask {shown.get(card, 0):b}"
            )
    return None


def view_follows_events(step: Step) -> str | None:
    """What a seat is shown changes only if it made the decision or an event told it something: a secret decision is not seen."""
    actor = step.course.turns[step.number].seat
    unaware = [seat for seat in step.course.setting.everyone if seat != actor and not step.state.table.events(seat, step.log)]
    for seat in unaware:
        before, after = step.before.views[seat], _encode(step.state.view(seat))
        if before != after:
            raise Broken(f"no event told seat {seat} anything, but its view changed: {before.decode()} became {after.decode()}")
    return None if unaware else "every play was seen by everybody"


def full_log_hides_nothing(moment: Moment) -> None:
    """In the full log every card has its face, and each seat's projection is the log with some faces and private entries left out."""
    table = moment.state.table
    log = (table.log or [])[-LATEST:]
    since = len(table.log or ()) - len(log)
    full = table.events(None, since)
    if len(full) != len(log):
        raise Broken(f"the full log has {len(full)} events for {len(log)} entries")
    for seat in moment.setting.everyone:
        own = [event for event, entry in zip(full, log, strict=True) if entry.audience & 1 << seat]
        projected = table.events(seat, since)
        if len(own) != len(projected) or not all(map(_is_hidden_form, map(_plain, projected), map(_plain, own))):
            raise Broken(f"the events of seat {seat} are not those of the full log with faces left out")


def private_entries_stay_private(moment: Moment) -> str | None:
    """What was told to one seat alone is in no other seat's events."""
    table = moment.state.table
    log = (table.log or [])[-LATEST:]
    since = len(table.log or ()) - len(log)
    for seat in moment.setting.everyone:
        expected = sum(bool(entry.audience & 1 << seat) for entry in log)
        if len(table.events(seat, since)) != expected:
            raise Broken(f"seat {seat} has {len(table.events(seat, since))} of the last events; {expected} are for it")
    return None if any(entry.audience != -1 for entry in log) else "nothing was told to one seat alone"


def events_survive_json(moment: Moment) -> None:
    """Every event, written as JSON and read again, is the same event, for every seat."""
    since = max(0, len(moment.state.table.log or ()) - LATEST)
    for seat in (None, *moment.setting.everyone):
        events = moment.state.table.events(seat, since)
        again = msgspec.json.decode(_encode(events), type=list[AnyEvent])
        if again != events:
            odd = next(pair for pair in zip(events, again, strict=True) if pair[0] != pair[1])
            raise Broken(f"event {odd[0]!r} comes back from JSON as {odd[1]!r}")


def _told(entries: Iterable[Entry]) -> dict[int, Any]:
    """Return for each card that the entries move the zone where they leave it."""
    told: dict[int, Any] = {}
    for entry in entries:
        if entry.verb == "swap":
            told[entry.cards[0]], told[entry.cards[1]] = entry.zones[0], entry.target
        elif entry.verb == "deal":
            told.update(zip(entry.cards, entry.zones, strict=True))
        else:
            told.update(dict.fromkeys(entry.cards, entry.target))
    return told


def _plain(event: AnyEvent) -> Any:  # noqa: ANN401 - plain data
    return msgspec.to_builtins(event)


def _is_hidden_form(shown: Any, full: Any) -> bool:  # noqa: ANN401 - plain data
    """Tell whether one is the other with some values left out."""
    if isinstance(full, dict) and isinstance(shown, dict):
        return shown.keys() == full.keys() and all(_is_hidden_form(shown[key], full[key]) for key in full)
    if isinstance(full, list) and isinstance(shown, list):
        return len(shown) == len(full) and all(map(_is_hidden_form, shown, full))
    return shown is None or bool(shown == full)


OF_A_STEP: Final = (
    log_only_grows,
    log_tells_where_cards_went,
    log_shows_nobody_too_much,
    knowledge_comes_from_events,
    view_follows_events,
)
OF_A_MOMENT: Final = (log_tells_the_whole_table, full_log_hides_nothing, private_entries_stay_private, events_survive_json)
