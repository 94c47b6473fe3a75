"""What a language model is told of a game: the story of the deal in words, earlier deals in a line each, legal actions.

The view has what the seat may know; the story says how it came to that, in as few tokens as it can. Cards are written
as the actions write them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, Final

import msgspec

from pitboss.bot import Question
from pitboss.rendering.presentation import SILENT, Presentation, Speech

STORY_CHARACTERS: Final = 2_400  # of the deal: its latest part
DEALS_TOLD: Final = 3  # earlier ones, in a line each
LINE_CHARACTERS: Final = 300  # of an earlier deal
FEW_ACTIONS: Final = 30  # that are listed one by one, though all are choices of cards from one set

_NO_FACES: Final[Mapping[str, str]] = {}
_SETTING: Final = ("shuffle", "tell")  # verbs before a deal that belong to it
_HIDDEN: Final = "a card"
_CUT: Final = "… (earlier in this deal)"


def tell_story(events: Sequence[Mapping[str, Any]], seat: int, presentation: Presentation = SILENT) -> str:
    """Return what has happened in this deal, a line for what belongs together, after the results of earlier deals.

    `events` are all of the game, as the seat may know them.
    """
    begin = _find_deal(events, presentation)
    results = [event for event in events[:begin] if event["event"] in presentation.sheets]
    lines = [f"Earlier: {_encode(_list_facts(event))}"[:LINE_CHARACTERS] for event in results[-DEALS_TOLD:]]
    speech = Speech(presentation, _NO_FACES, (), seat)
    story = "\n".join(_join_phrases(events[begin:], seat, speech))
    if len(story) > STORY_CHARACTERS:
        story = f"{_CUT}\n{story[story.find(chr(10), len(story) - STORY_CHARACTERS) + 1 :]}"
    return "\n".join([*lines, *([story] if story else [])]) or "nothing"


def describe_legal(question: Question, *, shows_all: bool) -> str:
    """Return the legal actions, a line each, or how many there are.

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


def _join_phrases(events: Sequence[Mapping[str, Any]], seat: int, speech: Speech) -> Iterator[str]:
    """Yield lines of what players did one after another; what nobody did begins a line."""
    phrases: list[str] = []
    for event in events:
        actor, phrase = _tell_event(event, seat, speech)
        if not phrase:
            continue
        if actor is None:
            if phrases:
                yield "; ".join(phrases)
            phrases = [phrase]
        else:
            phrases.append(f"{speech.name(actor)}: {phrase}")
    if phrases:
        yield "; ".join(phrases)


def _tell_event(event: Mapping[str, Any], seat: int, speech: Speech) -> tuple[int | None, str]:
    """Return who did what, in a few words; "" for what tells nothing."""
    verb, name = event.get("verb"), str(event["event"]).replace("_", " ")
    facts = _list_facts(event) if verb == "tell" else event
    actor = facts.get("seat") if isinstance(facts.get("seat"), int) else None
    if verb == "shuffle":
        return None, ""
    if verb == "deal":
        dealt = {zone: cards for zone, cards in event["cards"].items() if any(card is not None for card in cards)}
        told = ", ".join(f"{zone} {_tell_cards(cards)}" for zone, cards in dealt.items())
        return None, f"{name}: {told}" if told else name
    if verb == "turn_over":
        owner = str(event.get("to", "")).rpartition(" ")[2]
        return None, f"{name} to seat {owner}" if owner.isdecimal() else f"{name} to {event.get('to')}"
    if told := speech.tell_event(str(event["event"]), facts):
        return actor, told
    if verb == "tell":
        others = {key: fact for key, fact in facts.items() if key != "seat"}
        return actor, f"{name} {_encode(others)}" if others else name
    return actor, f"{name} {_tell_cards(_list_cards(event))}{_tell_place(event)}".rstrip()


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
    return " ".join(_HIDDEN if card is None else str(card) for card in cards)


def _tell_place(event: Mapping[str, Any]) -> str:
    """Return where a card was swapped in, and what came out."""
    if event.get("verb") != "swap":
        return ""
    out = event.get("discarded")
    return f" into slot {event.get('slot')}, {_HIDDEN if out is None else out} out"


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
