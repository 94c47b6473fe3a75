"""The page of a game for the author of a bot: questions, view, actions, options, from its structs and random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from pitboss.action_range import RANGE_TYPES, locate_ranges, lowest_action, sample_actions
from pitboss.game import AnyGame, resolve_options
from pitboss.text import join_words
from pitboss_tournament.authoring.game_reference import GameReference
from pitboss_tournament.simulation.random_games import RandomGameDecision, action_tag, sample_decisions
from pitboss_tournament.text.schema_text import plain_value_text

_ACTIONS_SHOWN: Final = 3  # of a longer list: the first ones; also the first of each kind, and the last


def render_game_page(game: AnyGame, about: GameReference) -> str:
    """Return the page of a game, as Markdown; `about` is its reference, of `describe_game`.

    Raises:
        RandomGameError: the game failed in a random game.
    """
    seats = min(game.seats)
    questions = list(sample_decisions(game, seats, resolve_options(game, seats), "page"))
    parts = [
        *_head_lines(about),
        *_question_lines(about, questions, seats),
        *_action_lines(about, questions),
        *_view_lines(about),
        *_option_lines(about),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _head_lines(reference: GameReference) -> Iterator[str]:
    yield f"# {reference.title}: what your bot sees, and what it may do"
    yield (
        f"\nMade by `pitboss games {reference.name} --page` from version {reference.version} of the game "
        f"({reference.plugin}).\n"
    )
    yield f"{reference.about}\n"
    yield (
        f"It is played by {join_words(reference.seats)}. More: `pitboss games {reference.name}`; as JSON Schema: "
        f"`pitboss schema {reference.name}`."
    )


def _question_lines(reference: GameReference, questions: Sequence[RandomGameDecision], seats: int) -> Iterator[str]:
    """Yield of each phase the first question with the most kinds of actions, if possible one with a choice."""
    yield "\n## What it is asked\n"
    yield f"From a random game of {seats}, a question of each phase; on the wire it is one line."
    met = {phase: max(asked, key=_count_kinds) for phase, asked in _group_by_phase(questions).items()}
    for moment in met.values():
        yield f"\n### Phase `{moment.phase}`\n\n```json\n{_render_question(moment)}\n```\n"
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


def _render_question(moment: RandomGameDecision) -> str:
    shown = {*range(_ACTIONS_SHOWN), *_find_examples(moment.legal).values(), len(moment.legal) - 1}
    if len(moment.legal) <= len(shown) + 1:
        shown = {*range(len(moment.legal))}
    legal: list[str] = []
    for is_shown, places in groupby(range(len(moment.legal)), shown.__contains__):
        actions = [moment.legal[at] for at in places]
        legal += [f"    {_format_json(one)}" for one in actions] if is_shown else [f"    … {len(actions)} more"]
    ranges = locate_ranges(moment.legal)
    view = msgspec.json.decode(msgspec.json.encode(moment.view))
    seen = (
        ",\n".join(f'    "{key}": {_format_json(value)}' for key, value in view.items())
        if isinstance(view, dict)
        else f"    {_format_json(view)}"
    )
    told = f', "ranges": {_format_json(ranges)}' if ranges else ""
    return "\n".join(
        [
            f'{{"type": "decide", "id": 1, "seat": {moment.seat}, "phase": "{moment.phase}",',
            '  "legal": [',
            ",\n".join(legal),
            '  ],\n  "view": {',
            seen,
            f'  }},\n  "clock": {{"decision_ms": 1000, "game_ms": null}}{told}}}',
        ]
    )


def _action_lines(reference: GameReference, questions: Sequence[RandomGameDecision]) -> Iterator[str]:
    examples = {
        tag: lowest_action(one.legal[at])
        for one in reversed(questions)
        for tag, at in _find_examples(one.legal).items()
    }
    yield "\n## What it may do\n\nOnly the actions in `legal` of the question; the kinds of actions:\n"
    for action in reference.actions:
        yield f"* `{action.shape}`: {action.meaning}"
        if action.fields and action.tag in examples:
            yield f"  * for example `{_format_json(examples[action.tag])}`"
        yield from ("  * " + field.line("`") for field in action.fields)


def _view_lines(reference: GameReference) -> Iterator[str]:
    yield "\n## What it sees\n\n`view` in the question:\n"
    for number, struct in enumerate(reference.view):
        if number:
            yield f"\n`{struct.name}`:\n"
        yield from ("* " + field.line("`") for field in struct.fields)


def _option_lines(reference: GameReference) -> Iterator[str]:
    yield "\n## By which rules it is played\n\n`options` in `hello`, which the bot hears when it is started:\n"
    for option in reference.options:
        default = plain_value_text(option.default)
        yield f"* `{option.name}` ({default} by default): {option.allowed}. {option.meaning}".rstrip()


def _format_json(value: Any) -> str:  # noqa: ANN401 - plain data, and the game's own
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
