"""The page of a game for the author of a bot: how to start, rules, questions, actions, view, events, options.

It is made from the rule book, the game's structs and a random game. It has at most `MAX_PAGE_TOKENS` tokens, as a
budget for language models estimates them. A page that is too long is told with less detail, level by level; after
the last level the longest sections of the rules are cut, and the page says where the rest is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from pitboss.action_range import RANGE_TYPES, locate_ranges, lowest_action, sample_actions
from pitboss.game import AnyGame, resolve_options
from pitboss.plugins.rule_book import extract_rules
from pitboss.table.events import AnyEvent
from pitboss.text import join_words
from pitboss_tournament.authoring.game_reference import FieldReference, GameReference
from pitboss_tournament.models.chat import estimate_text_tokens
from pitboss_tournament.simulation.random_games import (
    RandomGameDecision,
    sample_decisions,
    sample_events,
)
from pitboss_tournament.text.schema_text import plain_value_text
from pitboss_tournament.text.terminal_text import action_tag

MAX_PAGE_TOKENS: Final = 3_000
_ACTIONS_SHOWN: Final = 3  # of a longer list: the first ones; also the first of each kind, and the last
MAX_EVENT_TEXT: Final = 200  # of an event that is shown as it is
_PATTERN: Final = re.compile(r"a string that matches (\^\S*?\$)(?=[,.]?(?:\s|$))")


class _Detail(NamedTuple):
    """How much a page tells."""

    views: bool = True  # with each question, and not with the first alone
    patterns: bool = True  # of cards, each time
    options: bool = True  # what they allow and mean, and not their defaults alone
    examples: bool = True  # of actions, of events, and how each question is answered


_LEVELS: Final = (
    _Detail(),
    _Detail(views=False),
    _Detail(views=False, patterns=False),
    _Detail(views=False, patterns=False, options=False),
    _Detail(views=False, patterns=False, options=False, examples=False),
)


def render_game_page(game: AnyGame, about: GameReference, book: str = "", most: int | None = MAX_PAGE_TOKENS) -> str:
    """Return the page of a game, as Markdown, of at most `most` tokens; None: in all detail.

    `about` is the game's reference, of `describe_game`, `book` its rule book.

    Raises:
        RandomGameError: the game failed in a random game.
    """
    seats = min(game.seats)
    options = resolve_options(game, seats)
    questions = list(sample_decisions(game, seats, options, "page"))
    events = sample_events(game, seats, options, "page")
    rules = extract_rules(book)
    for detail in _LEVELS:
        page = _render(about, questions, events, rules, seats, detail)
        if most is None or estimate_text_tokens(page) <= most:
            return page
    assert most is not None
    more = f"\n\n(… stands for rules that `pitboss rules {about.name}` has.)"
    least = len(_render(about, questions, events, more, seats, _LEVELS[-1]))
    page = _render(about, questions, events, shorten_rules(rules, most * 4 - least) + more, seats, _LEVELS[-1])
    if estimate_text_tokens(page) <= most:
        return page
    rest = f"… The rest: `pitboss games {about.name}`, `pitboss rules {about.name}`.\n"
    return page[: page.rfind("\n", 0, most * 4 - len(rest)) + 1] + rest


def shorten_rules(rules: str, room: int) -> str:
    """Return rules of at most `room` characters: the longest section loses its last line, again and again."""
    parts = re.split(r"^(?=###+ )", rules, flags=re.MULTILINE)
    sections = [part.rstrip().split("\n") for part in parts if part.strip()]
    cut = set[int]()
    short = rules
    while len(short) > room and any(sections):
        longest = max(range(len(sections)), key=lambda at: sum(map(len, sections[at])))
        sections[longest].pop()
        cut.add(longest)
        short = "\n\n".join("\n".join([*lines, *["…"] * (at in cut)]) for at, lines in enumerate(sections))
    return short[: max(0, room)]


def _render(
    about: GameReference,
    questions: Sequence[RandomGameDecision],
    events: Sequence[AnyEvent],
    rules: str,
    seats: int,
    detail: _Detail,
) -> str:
    parts = [
        *_head_lines(about),
        *_start_lines(about),
        *([f"\n## The rules\n\n{rules}"] if rules else ()),
        *_question_lines(about, questions, seats, detail),
        *_action_lines(about, questions, detail),
        *_view_lines(about, detail),
        *_event_lines(events, detail),
        *_option_lines(about, detail),
    ]
    text = "\n".join(parts).rstrip() + "\n"
    return text if detail.patterns else _name_pattern(text)


def _name_pattern(text: str) -> str:
    """Return a text in which the pattern that it repeats most, which is that of a card, stands once."""
    found = _PATTERN.findall(text)
    if not found:
        return text
    pattern = max(found, key=found.count)
    short = text.replace(f"a string that matches {pattern}", "a CARD")
    return short.replace(
        "\n## What it may do\n", f"\n## What it may do\n\nA CARD is a string that matches {pattern}.\n"
    )


def _head_lines(reference: GameReference) -> Iterator[str]:
    yield f"# {reference.title}: what your bot sees, and what it may do"
    yield (
        f"\nMade by `pitboss games {reference.name} --page` from version {reference.version} of the game "
        f"({reference.plugin}).\n"
    )
    yield f"{reference.about}\n"
    yield (
        f"It is played by {join_words(reference.seats)}. More: `pitboss games {reference.name}`; as JSON Schema: "
        f"`pitboss schema {reference.name}`; all rules with test cases: `pitboss rules {reference.name}`."
    )


def _start_lines(reference: GameReference) -> Iterator[str]:
    name = reference.name
    yield (
        f"\n## How to start\n\n`pitboss new bot python mine --game {name}` makes a bot that plays at random: "
        f"change `choose`. `pitboss check mine` checks it, `pitboss match {name} mine house:random --deals 10` plays "
        "(`pitboss bots` lists opponents), `pitboss why STORE mine --bundle` tells what to mend. On the wire "
        'a bot reads a JSON object a line: `hello` (answer `{"type": "ready"}`; `"want": "both"` in it adds events), '
        '`start`, `decide` (answer `{"type": "act", "id": its id, "choose": an index into legal}`), `end`, `bye`. '
        "Standard error is free."
    )


def _question_lines(
    reference: GameReference, questions: Sequence[RandomGameDecision], seats: int, detail: _Detail
) -> Iterator[str]:
    """Yield of each phase the first question with the most kinds of actions, if possible one with a choice."""
    yield "\n## What it is asked\n"
    yield f"From a random game of {seats}, a question of each phase; on the wire it is one line."
    met = {phase: max(asked, key=_count_kinds) for phase, asked in _group_by_phase(questions).items()}
    for number, moment in enumerate(met.values()):
        if number and not detail.examples:
            yield f"\nPhase `{moment.phase}`, legal: `{', '.join(_list_legal(moment))}`"
            continue
        shown = _render_question(moment, with_view=detail.views or not number)
        yield f"\n### Phase `{moment.phase}`\n\n```json\n{shown}\n```\n"
        yield f'To choose the last one: `{{"type": "act", "id": 1, "choose": {len(moment.legal) - 1}}}`,'
        last = sample_actions(moment.legal)[-1]
        yield f'or the action itself: `{{"type": "act", "id": 1, "action": {_format_json(last)}}}`.'
        for place, entry in enumerate(moment.legal):
            if type(entry) in RANGE_TYPES:
                yield (
                    f"Entry {place} stands for each number in `{entry.ranged_field}` from {entry.bounds[0]} to "
                    f"{entry.bounds[1]}; its index chooses the smallest."
                )
    others = [f"`{phase.phase}`" for phase in reference.phases if phase.phase not in met]
    if others:
        yield f"\nSeldom, or by other options, it is asked in the phase {join_words(others)}."


def _group_by_phase(questions: Sequence[RandomGameDecision]) -> dict[str, list[RandomGameDecision]]:
    phases: dict[str, list[RandomGameDecision]] = {}
    for question in questions:
        phases.setdefault(question.phase, []).append(question)
    return phases


def _count_kinds(question: RandomGameDecision) -> tuple[int, bool]:
    return len(set(map(action_tag, question.legal))), len(question.legal) > 1


def _find_examples(legal: Sequence[Any]) -> dict[str, int]:
    """Return where the first action of each kind stands, by its tag."""
    found: dict[str, int] = {}
    for at, action in enumerate(legal):
        found.setdefault(action_tag(action), at)
    return found


def _list_legal(moment: RandomGameDecision) -> list[str]:
    """Return legal actions as JSON; of a long list some, and how many more there are."""
    shown = {*range(_ACTIONS_SHOWN), *_find_examples(moment.legal).values(), len(moment.legal) - 1}
    if len(moment.legal) <= len(shown) + 1:
        shown = {*range(len(moment.legal))}
    legal: list[str] = []
    for is_shown, places in groupby(range(len(moment.legal)), shown.__contains__):
        actions = [moment.legal[at] for at in places]
        legal += map(_format_json, actions) if is_shown else [f"… {len(actions)} more"]
    return legal


def _render_question(moment: RandomGameDecision, *, with_view: bool) -> str:
    ranges = locate_ranges(moment.legal)
    view = msgspec.json.decode(msgspec.json.encode(moment.view))
    seen = (
        ",\n".join(f'    "{key}": {_format_json(value)}' for key, value in view.items())
        if isinstance(view, dict)
        else f"    {_format_json(view)}"
    )
    if not with_view:
        seen = "    … as above"
    told = f', "ranges": {_format_json(ranges)}' if ranges else ""
    return "\n".join(
        [
            f'{{"type": "decide", "id": 1, "seat": {moment.seat}, "phase": "{moment.phase}",',
            '  "legal": [',
            ",\n".join(f"    {action}" for action in _list_legal(moment)),
            '  ],\n  "view": {',
            seen,
            f'  }},\n  "clock": {{"decision_ms": 1000, "game_ms": null}}{told}}}',
        ]
    )


def _action_lines(reference: GameReference, questions: Sequence[RandomGameDecision], detail: _Detail) -> Iterator[str]:
    examples = {
        tag: lowest_action(one.legal[at])
        for one in reversed(questions)
        for tag, at in _find_examples(one.legal).items()
    }
    beside = ", or one of a kind in `open`" if any(action.is_open for action in reference.actions) else ""
    yield f"\n## What it may do\n\nOnly the actions in `legal` of the question{beside}; the kinds of actions:\n"
    for action in reference.actions:
        yield f"* `{action.shape}`: {action.explanation}"
        if action.fields and action.tag in examples and detail.examples:
            yield f"  * for example `{_format_json(examples[action.tag])}`"
        yield from ("  * " + field.line("`") for field in action.fields)


def _view_lines(reference: GameReference, detail: _Detail) -> Iterator[str]:
    yield "\n## What it sees\n\n`view` in the question:\n"
    for number, struct in enumerate(reference.view):
        if number:
            yield f"\n`{struct.name}`:\n"
        yield from ("* " + _field_line(field, detail) for field in struct.fields)


def _field_line(field: FieldReference, detail: _Detail) -> str:
    return field.line("`") if detail.examples else f"`{field.name}`: {field.meaning or field.allowed}"


def _event_lines(events: Sequence[AnyEvent], detail: _Detail) -> Iterator[str]:
    """Yield the first event of each kind; without examples the names of the kinds by what the table does."""
    yield (
        "\n## Events\n\nWhat has happened since the last question, for a bot that wants it, as it may see it (null: "
        "hidden). `pitboss schema events` has all fields. From a random game:\n"
    )
    if detail.examples:
        for event in events:
            text = _format_json(event)
            yield f"* `{text}`" if len(text) <= MAX_EVENT_TEXT else f"* `{text[:MAX_EVENT_TEXT]}` …"
        return
    by_verb: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        plain = msgspec.to_builtins(event)
        by_verb.setdefault(plain["verb"], []).append(plain)
    for verb, same in by_verb.items():
        keys = [f"`{key}`" for key in same[0] if key not in ("verb", "event")]
        yield f"* verb `{verb}`, with {join_words(keys, 'and')}; event {', '.join(one['event'] for one in same)}"


def _option_lines(reference: GameReference, detail: _Detail) -> Iterator[str]:
    yield "\n## By which rules it is played\n\n`options` in `hello`, which the bot hears when it is started:\n"
    if not detail.options:
        yield ", ".join(f"`{option.name}` {plain_value_text(option.default)}" for option in reference.options)
        return
    for option in reference.options:
        default = plain_value_text(option.default)
        yield f"* `{option.name}` ({default} by default): {option.allowed}. {option.meaning}".rstrip()


def _format_json(value: Any) -> str:  # noqa: ANN401 - plain data, and the game's own
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
