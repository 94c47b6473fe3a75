"""The page of a game for the author of a bot: questions, view, actions, options, from its structs and random games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pitboss.game import AnyGame, resolve_options
from pitboss.text import join_words
from pitboss_tournament.authoring.game_reference import GameReference, describe_game
from pitboss_tournament.simulation.random_games import RandomGameDecision, sample_decisions
from pitboss_tournament.text.schema_text import value_text

_ACTIONS_SHOWN: Final = 4


def render_game_page(game: AnyGame, plugin: str) -> str:
    """Return the page, as Markdown.

    Raises:
        RandomGameError: the game failed in a random game.
    """
    about = describe_game(game, plugin)
    parts = [
        *_head_lines(about),
        *_question_lines(game, about),
        *_action_lines(about),
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


def _question_lines(game: AnyGame, reference: GameReference) -> Iterator[str]:
    yield "\n## What it is asked\n"
    yield f"From a random game of {min(game.seats)}, a question of each phase; on the wire it is one line."
    met: dict[str, RandomGameDecision] = {}
    for moment in sample_decisions(game, min(game.seats), resolve_options(game, min(game.seats)), "page"):
        if len(moment.legal) > 1 or moment.phase not in met:
            met.setdefault(moment.phase, moment)
    for moment in met.values():
        yield f"\n### Phase `{moment.phase}`\n\n```json\n{_render_question(moment)}\n```\n"
        yield f'To choose the last one: `{{"type": "act", "id": 1, "choose": {len(moment.legal) - 1}}}`,'
        yield f'or the action itself: `{{"type": "act", "id": 1, "action": {_format_json(moment.legal[-1])}}}`.'
    others = [f"`{phase.phase}`" for phase in reference.phases if phase.phase not in met]
    if others:
        yield f"\nSeldom, or by other options, it is asked in the phase {join_words(others)}."


def _render_question(moment: RandomGameDecision) -> str:
    legal = [f"    {_format_json(action)}" for action in moment.legal]
    if len(legal) > _ACTIONS_SHOWN + 2:
        legal[_ACTIONS_SHOWN:-1] = [f"    … {len(legal) - _ACTIONS_SHOWN - 1} more"]
    view = msgspec.json.decode(msgspec.json.encode(moment.view))
    seen = (
        ",\n".join(f'    "{key}": {_format_json(value)}' for key, value in view.items())
        if isinstance(view, dict)
        else f"    {_format_json(view)}"
    )
    return "\n".join(
        [
            f'{{"type": "decide", "id": 1, "seat": {moment.seat}, "phase": "{moment.phase}",',
            '  "legal": [',
            ",\n".join(legal),
            '  ],\n  "view": {',
            seen,
            '  },\n  "clock": {"decision_ms": 1000, "game_ms": null}}',
        ]
    )


def _action_lines(reference: GameReference) -> Iterator[str]:
    yield "\n## What it may do\n\nOnly what stands in `legal` of the question; the kinds of actions:\n"
    for action in reference.actions:
        yield f"* `{action.shape}`: {action.meaning}"
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
        default = value_text(option.default)
        yield f"* `{option.name}` ({default} by default): {option.allowed}. {option.meaning}".rstrip()


def _format_json(value: Any) -> str:  # noqa: ANN401 - plain data, and the game's own
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
