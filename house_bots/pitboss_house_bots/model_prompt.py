"""What a language model is told of a game: the story of the deal in words, earlier deals in a line each, legal actions.

The view has what the seat may know; the story says how it came to that, in as few tokens as it can. Cards are written
as the actions write them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import comb
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.bot import Question
from pitboss.rendering.model_words import tell_by_seat, tell_legal
from pitboss.rendering.presentation import SILENT, PartSheet, Presentation, Speech
from pitboss.text import format_count

STORY_CHARACTERS: Final = 3_000  # of the deal: its latest part
DEALS_TOLD: Final = 3  # earlier ones, in a line each
LINE_CHARACTERS: Final = 300  # of an earlier deal
FEW_ACTIONS: Final = 30  # that are listed one by one, though all are choices of cards from one set

_NO_FACES: Final[Mapping[str, str]] = {}
_SETTING: Final = ("shuffle", "tell")  # verbs before a deal that belong to it
_CUT: Final = "… (earlier in this deal)"


class Story(NamedTuple):
    """What has happened, in lines."""

    text: str
    is_whole: bool  # all of this deal is told


def make_speech(presentation: Presentation = SILENT, seat: int | None = None) -> Speech:
    """Return the words of a game for a model; `seat` is called "you"."""
    return Speech(presentation, _NO_FACES, (), seat)


def tell_story(
    events: Sequence[Mapping[str, Any]], seat: int, presentation: Presentation = SILENT, *, tells_hand: bool = True
) -> Story:
    """Return what has happened in this deal, a line for what belongs together, after the results of earlier deals.

    `events` are all of the game, as the seat may know them. `tells_hand`: the cards that were dealt to the seat, too.
    """
    begin = _find_deal(events, presentation)
    results = [event for event in events[:begin] if event["event"] in presentation.sheets]
    lines = [_sum_up(event, seat, presentation)[:LINE_CHARACTERS] for event in results[-DEALS_TOLD:]]
    story = "\n".join(_join_phrases(events[begin:], seat, presentation, tells_hand))
    is_whole = len(story) <= STORY_CHARACTERS
    if not is_whole:
        story = f"{_CUT}\n{story[story.find(chr(10), len(story) - STORY_CHARACTERS) + 1 :]}"
    return Story("\n".join([*lines, *([story] if story else [])]) or "nothing", is_whole)


def describe_legal(question: Question, *, shows_all: bool, speech: Speech | None = None) -> str:
    """Return the legal actions, a line each, or how many there are; without `speech` they are written as data.

    Where many actions are all choices of as many cards from a set, the set is told: one is chosen by itself.
    """
    legal = question.legal
    if not shows_all:
        return (
            f"There are {len(legal)}, which are not listed: you know them by the rules. Choose one by itself: "
            'end with {"action": {…}}, written as in the rules.'
        )
    if (told := _describe_choices(legal)) and not question.ranges:
        return told
    if speech is not None:
        return "\n".join(
            f"{number}: {words}" for number, words in enumerate(tell_legal(legal, question.ranges, speech))
        )
    lines = []
    for number, action in enumerate(legal):
        line = f"{number}: {_encode(action)}"
        if (field := question.ranges.get(number)) is not None:
            lowest, highest = action[field]
            line += f' where "{field}" is any whole number from {lowest} to {highest}: add "number" to your answer'
        lines.append(line)
    return "\n".join(lines)


def _find_deal(events: Sequence[Mapping[str, Any]], presentation: Presentation) -> int:
    """Return where the events of the deal in play begin; 0 if none is dealt."""
    begin = next((at for at in range(len(events) - 1, -1, -1) if events[at]["event"] == "deal"), 0)
    while begin and events[begin - 1].get("verb") in _SETTING and events[begin - 1]["event"] not in presentation.sheets:
        begin -= 1
    return begin


def _sum_up(event: Mapping[str, Any], seat: int, presentation: Presentation) -> str:
    """Return the result of an earlier deal: "Deal 1 is over: seat 0 23, you 3"; the view has the sums."""
    sheet: PartSheet = presentation.sheets[event["event"]]
    facts, speech = _list_facts(event), make_speech(presentation, seat)
    values = facts.get(next(iter(sheet.columns.values())))  # of this deal
    told = tell_by_seat(values, speech) if isinstance(values, list) else _encode(values)
    return f"{speech.fill(sheet.title, facts)}: {told}"


def _join_phrases(
    events: Sequence[Mapping[str, Any]], seat: int, presentation: Presentation, tells_hand: bool
) -> Iterator[str]:
    """Yield lines of what players did in turn; what nobody did begins a line, and a trick that is taken ends it."""
    speech, names = make_speech(presentation), make_speech(seat=seat)
    phrases: list[str] = []
    for event in events:
        if event["event"] in presentation.unspoken:
            continue
        actor, phrase = _tell_event(event, seat, speech, tells_hand)
        if not phrase:
            continue
        if actor is None and phrases:
            yield _count_phrases(phrases)
            phrases = []
        phrases.append(phrase if actor is None else f"{names.name(actor)}: {phrase}")
        if event.get("verb") == "turn_over":
            yield _count_phrases(phrases)
            phrases = []
    if phrases:
        yield _count_phrases(phrases)


def _count_phrases(phrases: Sequence[str]) -> str:
    """Return phrases in a line, each that comes several times in a row once: "seat 1: draw a card (3 times)"."""
    counted = ((phrase, len(list(same))) for phrase, same in groupby(phrases))
    return "; ".join(phrase if times == 1 else f"{phrase} ({times} times)" for phrase, times in counted)


def _tell_event(event: Mapping[str, Any], seat: int, speech: Speech, tells_hand: bool) -> tuple[int | None, str]:
    """Return who did what, in a few words; "" for what tells nothing."""
    verb, name = event.get("verb"), str(event["event"]).replace("_", " ")
    facts = _list_facts(event) if verb == "tell" else event
    actor = facts.get("seat") if isinstance(facts.get("seat"), int) else None
    if verb == "shuffle":
        return None, ""
    if verb == "deal":
        dealt = {
            zone: cards
            for zone, cards in event["cards"].items()
            if any(card is not None for card in cards) and (tells_hand or not zone.endswith(f" {seat}"))
        }
        told = ", ".join(f"{zone} {_tell_cards(cards)}" for zone, cards in dealt.items())
        return None, f"{name}: {told}" if told else name if tells_hand else ""
    if verb == "turn_over":
        return _tell_taken(event, name, speech)
    if told := speech.tell_event(str(event["event"]), facts):
        return actor, told
    if verb == "tell":
        others = {key: fact for key, fact in facts.items() if key != "seat"}
        return actor, f"{name} {_encode(others)}" if others else name
    return actor, f"{name} {_tell_cards(_list_cards(event))}{_tell_place(event)}".rstrip()


def _tell_taken(event: Mapping[str, Any], name: str, speech: Speech) -> tuple[int | None, str]:
    """Return who takes open cards, as a trick; "" if they go to nobody: the view shows where they are."""
    owner = str(event.get("to", "")).rpartition(" ")[2]
    if not owner.isdecimal():
        return None, ""
    return int(owner), speech.tell_event(str(event["event"]), event) or f"gets the cards of the {name}"


def _list_facts(event: Mapping[str, Any]) -> Mapping[str, Any]:
    facts = event.get("facts")
    return facts if isinstance(facts, Mapping) else {}


def _list_cards(event: Mapping[str, Any]) -> list[Any]:
    """Return the cards, or values, that an event names."""
    if "card" in event:
        return [event["card"]]
    found = event.get("cards", event.get("values", []))
    return list(found) if isinstance(found, list) else []


def _tell_cards(cards: Sequence[Any]) -> str:
    """Return cards as they are written, and how many are hidden: "SA D7 2 cards"."""
    seen = [str(card) for card in cards if card is not None]
    hidden = len(cards) - len(seen)
    told = "a card" if hidden == 1 else format_count(hidden, "card")
    return " ".join([*seen, *([told] if hidden else [])])


def _tell_place(event: Mapping[str, Any]) -> str:
    """Return where a card was swapped in, and what came out."""
    if event.get("verb") != "swap":
        return ""
    return f" into slot {event.get('slot')}, {_tell_cards([event.get('discarded')])} out"


def _describe_choices(legal: Sequence[Any]) -> str:
    """Return in a line that the legal actions are all choices of as many cards from a set; "" if they are not."""
    first = legal[0] if legal else None
    if len(legal) <= FEW_ACTIONS or not isinstance(first, Mapping):
        return ""
    for field, value in first.items():
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in legal):
            continue
        rest = {**first, field: None}
        if any({**one, field: None} != rest or not isinstance(one.get(field), list) for one in legal):
            continue
        chosen = [tuple(one[field]) for one in legal]
        cards = list(dict.fromkeys(card for choice in chosen for card in choice))
        size = len(value)
        if comb(len(cards), size) == len(legal) and set(map(frozenset, chosen)) == set(
            map(frozenset, combinations(cards, size))
        ):
            shown = _encode(first)
            return (
                f'Each is like {shown}, with any {size} of {_encode(cards)} in "{field}". Choose one by itself, in '
                f'place of "choose": end with {{"reason": "…", "action": {shown}}}.'
            )
    return ""


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
