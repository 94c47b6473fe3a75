"""A compact notation of games: a line for each decision, as people write down games of chess, to mail and to compare.

    [game "racko"]
    [players ["alice","bob"]]
    …

    1. 0 draw {118}
    2. 0 swap slot=25 {96 "26 belongs there"}
    3. 1 take slot=5 {131 [[{"do":"draw"},0.25],[{"do":"take","slot":5},0.75]]}

A game is its tags and its decisions. A tag is a field of the record (all but its decisions), or the number of the game
(`game_id`), with its value as JSON. A decision is its number and a dot, the seat, the action, `!` if it was the neutral
action in the place of a bot, and in braces the thinking time in microseconds, the note, a JSON string, and the policy,
pairs of an action and a probability as JSON; what is 0 or not there is left out. An action is its `do` and its other
fields as name=value; a value is JSON, but a string that is a word (of letters, digits and _ + - * # /, the first no
digit and no -) stands without quotes. Any other action is JSON.
Empty lines have no meaning, nor has a byte order mark, which some editors write at the start. The notation holds all of
a record, and needs no knowledge of the game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple, NoReturn

import msgspec
from msgspec import Meta

from pitboss.errors import RecordError, RefusedGame
from pitboss.foreign_input import LARGEST_NUMBER, InputRefused, NumberRefused, read_json_at, read_whole_number
from pitboss.protocol.policy import Policy
from pitboss.records.record import Decision, Record, require_games, require_valid
from pitboss.text import escape_json

_WORD: Final = re.compile(r"[A-Za-z_+*#/][A-Za-z0-9_+*#/-]*")
_FIELD: Final = re.compile(r" +([A-Za-z_][A-Za-z0-9_]*)=")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TAG: Final = re.compile(r"\[([a-z_]+) (.*)\]")
_MOVE: Final = re.compile(r"([0-9]+)\. ([0-9]+) (.+)")
_TIME: Final = re.compile(r"\{([0-9]*) ?")
_LITERALS: Final = ("true", "false", "null", "NaN", "Infinity")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SHOWN: Final = 40  # characters of what is wrong


class NotedGame(NamedTuple):
    """A record, and the number of its game in a tournament; None if it has none."""

    record: Record
    game_id: int | None = None


def format_notation(game: NotedGame) -> str:
    """Return a game in the notation, with a newline at its end."""
    fields = {"game_id": game.game_id, **msgspec.to_builtins(game.record)}
    if game.game_id is None:
        del fields["game_id"]
    del fields["decisions"]
    tags = [f"[{name} {_encode(value)}]" for name, value in fields.items()]
    moves = [_format_decision(number, one) for number, one in enumerate(game.record.decisions, 1)]
    return "\n".join([*tags, "", *moves, ""])


def format_action(action: Any) -> str:  # noqa: ANN401 - any game's action
    """Return an action, given as plain data, in the notation: `swap slot=25`."""
    if not _is_named(action):
        return _encode(action)
    return " ".join([action["do"], *(f"{key}={_format_value(value)}" for key, value in action.items() if key != "do")])


def parse_action(text: str) -> Any:  # noqa: ANN401 - plain data
    """Return the action that a text in the notation says, as plain data: the inverse of `format_action`.

    Raises:
        RefusedGame: it is none.
    """
    action, rest = _read_action(text.strip(), 1)
    return _fail(1, f"after the action stands {rest[:_SHOWN]!r}") if rest else action


def parse_notation(lines: Iterable[str]) -> Iterator[NotedGame]:
    """Yield the games of a text.

    Raises:
        RefusedGame: a line is wrong, or a game is no record of this format; the text names the line.
    """
    return require_games(read_notation(lines))


def read_notation(lines: Iterable[str]) -> Iterator[NotedGame | RefusedGame]:
    """Yield the games of a text, and in the place of each that cannot be read its first line that is wrong, and why."""
    for game in _split_games(lines):
        try:
            found: NotedGame | RefusedGame = _read_game(game)
        except RefusedGame as refused:
            found = refused
        yield found


def _split_games(lines: Iterable[str]) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each game, with their numbers: a tag behind a decision begins another game."""
    game: list[tuple[int, str]] = []
    has_decision = False
    for number, line in enumerate(lines, 1):
        text = (line.removeprefix("\ufeff") if number == 1 else line).strip()
        is_tag = text.startswith("[")
        if is_tag and has_decision:
            yield game
            game, has_decision = [], False
        if text:
            game.append((number, text))
            has_decision |= not is_tag
    if game:
        yield game


def _read_game(lines: list[tuple[int, str]]) -> NotedGame:
    fields: dict[str, Any] = {}
    decisions: list[Decision] = []
    for number, text in lines:
        if text.startswith("["):
            _read_tag(text, fields, number)
        else:
            decisions.append(_read_decision(text, len(decisions) + 1, number))
    return _make_game(fields, decisions, lines[0][0] if fields else 0)


def _is_named(action: Any) -> bool:  # noqa: ANN401 - any game's action
    """Tell whether an action is an object whose first field is `do`, a word, and whose other keys are names."""
    return (
        isinstance(action, Mapping)
        and next(iter(action), None) == "do"
        and isinstance(action["do"], str)
        and _is_word(action["do"])
        and all(_NAME.fullmatch(key) for key in action)
    )


def _is_word(text: str) -> bool:
    return _WORD.fullmatch(text) is not None and text not in _LITERALS


def _format_value(value: Any) -> str:  # noqa: ANN401 - any value of JSON
    return value if isinstance(value, str) and _is_word(value) else _encode(value)


def _encode(value: object) -> str:
    return escape_json(msgspec.json.encode(value).decode())


def _format_decision(number: int, decision: Decision) -> str:
    time = str(decision.us) if decision.us else ""
    note = "" if decision.note is None else _encode(decision.note)
    policy = "" if decision.policy is None else _encode(decision.policy)
    comment = " ".join(filter(None, [time, note, policy]))
    parts = [f"{number}.", str(decision.seat), format_action(decision.action)]
    return " ".join([*parts, *(["!"] if decision.forced else []), *([f"{{{comment}}}"] if comment else [])])


def _read_tag(text: str, fields: dict[str, Any], line: int) -> None:
    found = _TAG.fullmatch(text)
    if found is None:
        _fail(line, "a tag is [name value]")
    if found[1] in fields:
        _fail(line, f"there are two tags {found[1]!r}")
    fields[found[1]] = _read_whole_json(found[2], line)


def _read_decision(text: str, expected: int, line: int) -> Decision:
    found = _MOVE.fullmatch(text)
    if found is None:
        _fail(line, "a decision is its number and a dot, a seat and an action")
    if found[1] != str(expected):
        _fail(line, f"decision {found[1][:_SHOWN]} stands where decision {expected} should be")
    action, rest = _read_action(found[3], line)
    is_forced = rest.startswith("!")
    rest = rest.removeprefix("!").strip()
    time, note, policy = _read_comment(rest, line) if rest else ("", None, None)
    return Decision(
        seat=_read_number(found[2], "the seat", line),
        action=action,
        us=_read_number(time or "0", "the thinking time", line),
        forced=is_forced,
        note=note,
        policy=policy,
    )


def _read_comment(text: str, line: int) -> tuple[str, str | None, Policy | None]:
    """Return the digits of the thinking time, the note and the policy."""
    note, policy = None, None
    if (time := _TIME.match(text)) is not None:
        at = time.end()
        if text.startswith('"', at):
            note, at = _read_json(text, at, line)
            at += text.startswith(" [", at)
        if text.startswith("[", at):
            policy, at = _read_policy(text, at, line)
        if text[at:] == "}" and not text[:at].endswith(" "):
            return time[1], note, policy
    return _fail(line, f'after the action stands {text[:_SHOWN]!r}; it may be ! and {{microseconds "note" [policy]}}')


def _read_policy(text: str, at: int, line: int) -> tuple[Policy, int]:
    value, end = _read_json(text, at, line)
    try:
        return msgspec.convert(value, Policy), end
    except msgspec.ValidationError as error:
        _fail(line, f"{text[at:end][:_SHOWN]} is no policy: {error}")


def _read_action(text: str, line: int) -> tuple[Any, str]:
    """Return an action, and the text behind it."""
    word = _WORD.match(text)
    if word is None or not _is_word(word[0]):
        action, end = _read_json(text, 0, line)
        return action, text[end:].strip()
    fields: dict[str, Any] = {"do": word[0]}
    at = word.end()
    while (field := _FIELD.match(text, at)) is not None:
        if field[1] in fields:
            _fail(line, f"the action has two fields {field[1]!r}")
        value = _WORD.match(text, field.end())
        if value is not None and _is_word(value[0]):
            fields[field[1]], at = value[0], value.end()
        else:
            fields[field[1]], at = _read_json(text, field.end(), line)
    return fields, text[at:].strip()


def _read_json(text: str, at: int, line: int) -> tuple[Any, int]:
    try:
        value, end = read_json_at(text, at)
    except NumberRefused as refused:
        _fail(line, str(refused))
    except InputRefused:
        _fail(line, f"{text[at:].strip()[:_SHOWN]!r} is no value: write JSON, or a word")
    if "\\u" in text[at:end] and _has_surrogate(value):
        _fail(line, "a text has half of a surrogate pair, \\ud800 to \\udfff, which is no character")
    return value, end


def _read_number(digits: str, what: str, line: int) -> int:
    try:
        return read_whole_number(digits)
    except NumberRefused:
        _fail(line, f"{what} is {digits[:_SHOWN]}; it may be 0 to {LARGEST_NUMBER}")


def _has_surrogate(value: Any) -> bool:  # noqa: ANN401 - any value of JSON
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def _read_whole_json(text: str, line: int) -> Any:  # noqa: ANN401 - any value of JSON
    value, end = _read_json(text, 0, line)
    if end != len(text):
        _fail(line, f"after {text[:end][:_SHOWN]} stands {text[end:][:_SHOWN]!r}")
    return value


def _make_game(fields: dict[str, Any], decisions: list[Decision], line: int) -> NotedGame:
    try:
        game_id = msgspec.convert(fields.pop("game_id", None), Annotated[int, Meta(ge=0)] | None)
        record = msgspec.convert({**fields, "decisions": decisions}, Record)
        return NotedGame(require_valid(record), game_id)
    except (msgspec.ValidationError, RecordError) as error:
        _fail(line, f"this is not a game: {error}")


def _fail(line: int, text: str) -> NoReturn:
    raise RefusedGame(line, text)
