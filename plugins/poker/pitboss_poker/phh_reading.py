"""PHH read again: each hand of a .phh or .phhs file becomes the record of a game of one hand.

The format is that of the specification at https://phh.readthedocs.io; `hand_history` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, Final, TypeAlias, cast

from pitboss import AnyGame
from pitboss.errors import RecordError
from pitboss.records.record import Record
from pitboss.text import join_words
from pitboss_poker.foreign_hand import BetSize, ForeignAction, ForeignHand, replay_hand
from pitboss_poker.named_cards import NamedCards, read_cards
from pitboss_poker.state import PokerState

BETTING: Final = {"NT": "no-limit", "FT": "limit"}
HEADER: Final = re.compile(r"\s*\[\s*(\w+)\s*\]\s*(#.*)?")
PLAYER: Final = re.compile(r"p([1-9]\d?)")
ACTIONS: Final = "d dh p1 AcKd, d db 2s3s4s, p1 f, p1 cc, p1 cbr 300 and p1 sm"

Fields: TypeAlias = Mapping[str, Any]


def read_hand_histories(game: AnyGame, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the record of each hand.

    Raises:
        RecordError: the text is no PHH, a hand is of another kind of poker, or it cannot have been played so.
    """
    import tomllib  # noqa: PLC0415 - every command that lists games loads this module

    from pitboss.foreign_input import InputRefused, read_toml  # noqa: PLC0415 - every command loads this module

    rows = [line.removeprefix("\ufeff") for line in lines]
    try:
        found = read_toml("\n".join(row.rstrip("\r\n") for row in rows))
    except (tomllib.TOMLDecodeError, InputRefused) as wrong:
        raise RecordError(f"this is no PHH, which is TOML: {wrong}") from None
    if any(not isinstance(value, dict) for value in found.values()):
        yield replay_hand(game, _read_hand("line 1", found))
        return
    begin = {header[1]: number for number, row in enumerate(rows, 1) if (header := HEADER.fullmatch(row.rstrip()))}
    for name, fields in found.items():
        yield replay_hand(game, _read_hand(f"line {begin.get(name, 1)}: hand {name}", fields))


def _read_hand(where: str, fields: Fields) -> ForeignHand:
    """Return a hand as the fields of its section describe it.

    Raises:
        RecordError: a field is missing, or has a value that is not allowed.
    """
    stacks = _read_chips(where, fields, "starting_stacks")
    if not 2 <= len(stacks) <= 10:
        raise RecordError(f"{where}: starting_stacks has {len(stacks)} numbers; 2 to 10 play")
    names = fields.get("players", [f"p{seat}" for seat in range(1, len(stacks) + 1)])
    if not isinstance(names, list) or len(names) != len(stacks) or not all(isinstance(one, str) for one in names):
        raise RecordError(f"{where}: players is {names!r}; it is a list of {len(stacks)} names")
    players = names if len(set(names)) == len(names) else [f"p{seat}" for seat in range(1, len(stacks) + 1)]
    cards, actions = _read_actions(where, fields, len(stacks))
    ended = fields.get("finishing_stacks")
    if ended is not None and not (isinstance(ended, list) and len(ended) == len(stacks) and all(map(_is_chips, ended))):
        raise RecordError(f"{where}: finishing_stacks is {ended!r}; it is a list of {len(stacks)} numbers of chips")
    return ForeignHand(
        where,
        players,
        _read_stakes(where, fields, stacks),
        cards,
        actions,
        None if ended is None else [after - before for after, before in zip(ended, stacks, strict=True)],
    )


def _read_stakes(where: str, fields: Fields, stacks: Sequence[int]) -> dict[str, object]:
    """Return the options of a hand."""
    variant = fields.get("variant")
    if variant not in BETTING:
        raise RecordError(f"{where}: variant is {variant!r}; read are {join_words([*BETTING], 'and')} (Hold'em)")
    antes = _read_chips(where, fields, "antes", len(stacks))
    blinds = _read_chips(where, fields, "blinds_or_straddles", len(stacks))
    small, big, *straddles = blinds
    straddles = [chips for chips in straddles if chips]
    if blinds[2 : 2 + len(straddles)] != straddles:
        raise RecordError(f"{where}: blinds_or_straddles is {blinds}; read are those of the first players")
    options: dict[str, object] = {
        "betting": BETTING[variant],
        "small_blind": small,
        "big_blind": big,
        "straddles": straddles,
        "ante": max(antes),
    }
    payer = 0 if len(stacks) == 2 else 1  # the big blind
    if len({*antes}) > 1:
        if sum(antes) != antes[payer]:
            raise RecordError(f"{where}: antes is {antes}; read are equal ones, and that of the big blind alone")
        options["ante_from"] = "big-blind"
    if len({*stacks}) == 1:
        options["stack"] = stacks[0]
    else:
        options["seat_stacks"] = stacks
    if variant == "FT":
        bets = [_read_number(where, fields, name) for name in ("small_bet", "big_bet")]
        return {**options, "bets": [bets[0], bets[0], bets[1], bets[1]]}
    least = _read_number(where, fields, "min_bet")
    if least != (big or max(antes)):
        raise RecordError(f"{where}: min_bet is {least}; read are hands where it is the big blind, {big or max(antes)}")
    return options


def _is_chips(value: object) -> bool:
    """Tell whether a value is a number of chips, perhaps with a fraction: a pot that was split may have one."""
    return type(value) in (int, float) and 0 <= cast(float, value) < inf


def _read_number(where: str, fields: Fields, name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise RecordError(f"{where}: {name} is {value!r}; it is a whole number of chips")
    return value


def _read_chips(where: str, fields: Fields, name: str, count: int | None = None) -> list[int]:
    value = fields.get(name)
    if not isinstance(value, list) or not all(type(one) is int and one >= 0 for one in value):
        raise RecordError(f"{where}: {name} is {value!r}; it is a list of whole numbers of chips, by player")
    if count is not None and len(value) != count:
        raise RecordError(f"{where}: {name} has {len(value)} numbers; {count} play")
    return value


def _read_actions(where: str, fields: Fields, seats: int) -> tuple[NamedCards, list[ForeignAction]]:
    """Return the cards that the actions tell, and what the players did."""
    texts = fields.get("actions")
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
        raise RecordError(f"{where}: actions is {texts!r}; it is a list of texts")
    hands: list[list[str | None]] = [[] for _ in range(seats)]
    board: list[str | None] = []
    actions = []
    for number, text in enumerate(texts, 1):
        words = text.partition("#")[0].split()
        try:
            match words:
                case ["d", "db", cards]:
                    board += read_cards(cards)
                case ["d", "dh", player, cards]:
                    hands[_read_player(player, seats)] += read_cards(cards)
                case [player, "sm", cards]:
                    _show_cards(hands, _read_player(player, seats), read_cards(cards))
                case [player, "sm"]:
                    _read_player(player, seats)
                case [player, "f" | "cc" as kind]:
                    actions.append(ForeignAction(text, kind[0], _read_player(player, seats)))
                case [player, "cbr", chips] if chips.isdecimal():
                    size: BetSize = partial(_fixed_size, int(chips))
                    actions.append(ForeignAction(text, "r", _read_player(player, seats), size))
                case []:
                    pass
                case _:
                    raise ValueError(f"{text!r} is no action that is read here; these are {ACTIONS}")
        except ValueError as wrong:
            raise RecordError(f"{where}: action {number}: {wrong}") from None
    return NamedCards(hands, board), actions


def _show_cards(hands: list[list[str | None]], seat: int, shown: list[str | None]) -> None:
    """Note cards that are shown: they may not have been told when they were dealt.

    Raises:
        ValueError: others were dealt.
    """
    known = [card for card in hands[seat] if card is not None]
    if not set(known).issubset(shown) and None not in shown:
        raise ValueError(f"p{seat + 1} shows other cards than were dealt")
    if len(known) < len(shown):
        hands[seat] = shown


def _fixed_size(chips: int, _state: PokerState, _seat: int) -> int:
    return chips


def _read_player(word: str, seats: int) -> int:
    found = PLAYER.fullmatch(word)
    if found is None or int(found[1]) > seats:
        raise ValueError(f"{word!r} is no player; they are p1 to p{seats}")
    return int(found[1]) - 1
