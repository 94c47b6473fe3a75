"""The page of a game that lies beside a new bot: what it is asked, what it sees, what it may do; made from the game's structs and a random game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pitboss.game import AnyGame
from pitboss.options import resolved
from pitboss_tournament.planning.wording import listed, shown
from pitboss_tournament.showing.sheets import ActionSheet, FieldSheet, GameSheet, sheet
from pitboss_tournament.simulating.playouts import Moment, moments

_ACTIONS_SHOWN: Final = 4


def game_page(game: AnyGame, plugin: str) -> str:
    """Return the page, as Markdown.

    Raises:
        GameBroke: the game failed in a random game.
    """
    about = sheet(game, plugin)
    parts = [*_head(about), *_questions(game, about), *_actions(about), *_view(about), *_options(about)]
    return "\n".join(parts).rstrip() + "\n"


def _head(about: GameSheet) -> Iterator[str]:
    yield f"# {about.title}: what your bot sees, and what it may do"
    yield f"\nMade by `pitboss new bot --game {about.name}` from version {about.version} of the game ({about.plugin}).\n"
    yield f"{about.about}\n"
    yield f"It is played by {listed(about.seats)}. More: `pitboss games {about.name}`; as JSON Schema: `pitboss schema {about.name}`."


def _questions(game: AnyGame, about: GameSheet) -> Iterator[str]:
    yield "\n## What it is asked\n"
    yield f"From a random game of {min(game.seats)}, a question of each phase; on the wire it is one line."
    met: dict[str, Moment] = {}
    for moment in moments(game, min(game.seats), resolved(game, min(game.seats)), "page"):
        if len(moment.legal) > 1 or moment.phase not in met:
            met.setdefault(moment.phase, moment)
    for moment in met.values():
        yield f"\n### Phase `{moment.phase}`\n\n```json\n{_question(moment)}\n```\n"
        yield f'To choose the last one: `{{"type": "act", "id": 1, "choose": {len(moment.legal) - 1}}}`,'
        yield f'or the action itself: `{{"type": "act", "id": 1, "action": {_text(moment.legal[-1])}}}`.'
    others = [f"`{phase.phase}`" for phase in about.phases if phase.phase not in met]
    if others:
        yield f"\nSeldom, or by other options, it is asked in the phase {listed(others)}."


def _question(moment: Moment) -> str:
    legal = [f"    {_text(action)}" for action in moment.legal]
    if len(legal) > _ACTIONS_SHOWN + 2:
        legal[_ACTIONS_SHOWN:-1] = [f"    … {len(legal) - _ACTIONS_SHOWN - 1} more"]
    view = msgspec.json.decode(msgspec.json.encode(moment.view))
    seen = (
        ",\n".join(f'    "{key}": {_text(value)}' for key, value in view.items())
        if isinstance(view, dict)
        else f"    {_text(view)}"
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


def _actions(about: GameSheet) -> Iterator[str]:
    yield "\n## What it may do\n\nOnly what stands in `legal` of the question; the kinds of actions:\n"
    for action in about.actions:
        yield f"* `{_shape(action)}`: {action.meaning}"
        yield from (f"  * {_field(field)}" for field in action.fields)


def _shape(action: ActionSheet) -> str:
    tag = [f'"{action.tag_field}": "{action.tag}"'] if action.tag_field else []
    keys = [*tag, *(f'"{field.name}": …' for field in action.fields)]
    return f"{{{', '.join(keys)}}}"


def _view(about: GameSheet) -> Iterator[str]:
    yield "\n## What it sees\n\n`view` in the question:\n"
    for number, struct in enumerate(about.view):
        if number:
            yield f"\n`{struct.name}`:\n"
        yield from (f"* {_field(field)}" for field in struct.fields)


def _field(field: FieldSheet) -> str:
    return f"`{field.name}`: {field.allowed}. {field.meaning}".rstrip()


def _options(about: GameSheet) -> Iterator[str]:
    yield "\n## By which rules it is played\n\n`options` in `hello`, which the bot hears when it is started:\n"
    for option in about.options:
        yield f"* `{option.name}` ({shown(option.default)} by default): {option.allowed}. {option.meaning}".rstrip()


def _text(value: Any) -> str:  # noqa: ANN401 - plain data, and the game's own
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
