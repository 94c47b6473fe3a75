"""PHH read again: each hand of a .phh or .phhs file becomes the record of a game of one hand.

The format is that of the specification at https://phh.readthedocs.io; `hand_history` writes it. Numbers of chips may
have decimals, as in the hands of handhq: a chip of the record is then a part of one that makes all of them whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from math import isfinite
from typing import Any, Final, NamedTuple, TypeAlias

from pitboss.errors import OptionError, RefusedGame
from pitboss.foreign_input import LARGEST_NUMBER
from pitboss.game import AnyGame
from pitboss.parts.betting.foreign_hand import BetSize, ForeignAction, ForeignHand, draw_board, fail, replay_hand
from pitboss.parts.betting.named_cards import NamedCards, read_cards, write_seed
from pitboss.parts.betting.variant import BettingVariant
from pitboss.records.record import Record, read_each
from pitboss.text import join_words

HEADER: Final = re.compile(r"\s*\[\s*([\w-]+|\"[^\"]*\"|'[^']*')\s*\]\s*(#.*)?")
TOML_LINE: Final = re.compile(r"at line (\d+)")
PLAYER: Final = re.compile(r"p([1-9]\d?)")
CHIPS: Final = re.compile(r"\d{1,18}(\.\d{1,12})?")
BET: Final = re.compile(r"\s*p\d+\s+cbr\s+(\d{1,18}\.\d{1,12})\b")
CHIP_FIELDS: Final = (
    "antes", "blinds_or_straddles", "starting_stacks", "min_bet", "small_bet", "big_bet", "bring_in",
)  # fmt: skip
MAX_DECIMALS: Final = 6
ACTIONS: Final = "d dh p1 AcKd, d db 2s3s4s, p1 f, p1 cc, p1 cbr 300, p1 pb and p1 sm"

Fields: TypeAlias = Mapping[str, Any]


class HandText(NamedTuple):
    """The lines of a hand."""

    line: int  # of the first
    name: str  # of its header; "" in a file of one hand
    rows: list[str]


def read_hand_histories(game: AnyGame, lines: Iterable[str]) -> Iterator[Record | RefusedGame]:
    """Yield the record of each hand, and of each that cannot be read why.

    That is a hand which is no TOML, one of another kind of poker, and one that cannot have been played so.
    """
    yield from read_each(_split_sections(lines), lambda section: replay_hand(game, _read_section(game, section)))


def read_deals(game: AnyGame, seats: int, options: Any, lines: Iterable[str]) -> Iterator[str | RefusedGame]:  # noqa: ANN401
    """Yield the seed of the cards of each hand, and of each whose cards are not told why. Stakes are the options'.

    Cards of the board that the hand did not come to are drawn by the others.

    Raises:
        OptionError: it is no Hold'em, or a game has more than one hand.
    """
    variant = options.find_variant(seats)
    if variant.hole_cards != 2 or not variant.phh or options.hands != 1:
        raise OptionError(f"{game.name}: given hands are of Hold'em, played one a game: hands = 1", "hands", "cards")
    for section in _split_sections(lines):
        try:
            hand = _read_section(game, section)
            if len(hand.players) != seats:
                fail(hand, f"{len(hand.players)} players have cards; {seats} are at a table")
            yield write_seed(_draw_board(hand, variant))
        except RefusedGame as refused:
            yield refused


def _draw_board(hand: ForeignHand, variant: BettingVariant) -> NamedCards:
    try:
        return draw_board(hand.cards, variant)
    except ValueError as wrong:
        fail(hand, str(wrong))


def _split_sections(lines: Iterable[str]) -> Iterator[HandText]:
    """Yield the hands of a file; one that has no headers is one hand."""
    section = HandText(1, "", [])
    for number, line in enumerate(lines, 1):
        row = line.removeprefix("\ufeff").rstrip("\r\n")
        if header := HEADER.fullmatch(row):
            if not _is_empty(section):
                yield section
            section = HandText(number, header[1].strip("\"'"), [])
        else:
            section.rows.extend(row.split("\n"))
    if not _is_empty(section):
        yield section


def _is_empty(section: HandText) -> bool:
    return not section.name and all(not row.strip() or row.lstrip().startswith("#") for row in section.rows)


def _read_section(game: AnyGame, section: HandText) -> ForeignHand:
    """Return a hand.

    Raises:
        RefusedGame: it is no TOML, or a field is wrong.
    """
    import tomllib  # noqa: PLC0415 - every command that lists games loads this module

    from pitboss.foreign_input import InputRefused, read_toml  # noqa: PLC0415 - every command loads this module

    before = f"hand {section.name}: " if section.name else ""
    offset = section.line if section.name else 0
    try:
        fields = read_toml("\n".join(section.rows))
    except (tomllib.TOMLDecodeError, InputRefused) as wrong:
        said = TOML_LINE.sub(lambda found: f"at line {int(found[1]) + offset}", str(wrong))
        raise RefusedGame(section.line, f"{before}this is no PHH, which is TOML: {said}") from None
    try:
        return HandReader(section, fields, find_kinds(game)).read_hand()
    except ValueError as wrong:
        is_other_game = isinstance(wrong, UnknownVariant)
        raise RefusedGame(section.line, f"{before}{wrong}", is_other_game=is_other_game) from None


class UnknownVariant(ValueError):
    """A hand is of a variant that the game does not have."""


class NotedKind(NamedTuple):
    """A kind of the game by its name in PHH, with how much may be bet."""

    cards: str
    betting: str
    variant: BettingVariant


def find_kinds(game: AnyGame) -> dict[str, NotedKind]:
    """Return the kinds of a game that PHH has a name for, by that name."""
    kinds: Mapping[str, BettingVariant] = game.Options.variants
    return {
        code: NotedKind(cards, betting, variant)
        for cards, variant in kinds.items()
        for betting, code in variant.phh.items()
    }


class HandReader:
    """The fields of a hand, read. Its methods raise ValueError for a field that is wrong."""

    def __init__(self, section: HandText, fields: Fields, kinds: Mapping[str, NotedKind]) -> None:
        self.section, self.fields, self.kinds = section, fields, kinds
        self.deals: list[dict[int, list[str | None]]] = []  # by street
        self.unit = self.find_unit()

    def read_hand(self) -> ForeignHand:
        """Return the hand."""
        stacks, fields = self.read_chips("starting_stacks"), self.fields
        if not 2 <= len(stacks) <= 10:
            raise ValueError(f"starting_stacks has {len(stacks)} numbers; 2 to 10 play")
        names = fields.get("players", [f"p{seat}" for seat in range(1, len(stacks) + 1)])
        if not isinstance(names, list) or len(names) != len(stacks) or not all(isinstance(one, str) for one in names):
            raise ValueError(f"players is {names!r}; it is a list of {len(stacks)} names")
        players = names if len(set(names)) == len(names) else [f"p{seat}" for seat in range(1, len(stacks) + 1)]
        options = self.read_stakes(stacks)
        cards, actions = self.read_actions(len(stacks))
        ended = self.read_result("finishing_stacks", len(stacks))
        return ForeignHand(
            line=self.section.line,
            name=f"hand {self.section.name}" if self.section.name else "",
            players=players,
            options=options,
            cards=cards,
            actions=actions,
            won=None if ended is None else [after - before for after, before in zip(ended, stacks, strict=True)],
            collected=self.read_result("winnings", len(stacks)),
            deals=self.deals,
            unit="" if self.unit == 1 else f"{1 / self.unit:f}",
        )

    def find_unit(self) -> Decimal:
        """Return how many chips of the record one of the file is: the least power of 10 that makes all bets whole."""
        values: list[Any] = []
        for name in CHIP_FIELDS:
            value = self.fields.get(name)
            values += value if isinstance(value, list) else [value]
        numbers = [Decimal(repr(value)) for value in values if isinstance(value, float) and isfinite(value)]
        actions = self.fields.get("actions")
        texts = actions if isinstance(actions, list) else []
        numbers += [Decimal(found[1]) for one in texts if isinstance(one, str) and (found := BET.match(one))]
        places = max((-int(one.normalize().as_tuple().exponent) for one in numbers if one), default=0)
        if places > MAX_DECIMALS:
            raise ValueError(f"a number of chips has {places} decimals; {MAX_DECIMALS} are read")
        return Decimal(10) ** max(places, 0)

    def scale(self, value: Any) -> int | None:  # noqa: ANN401 - any value of TOML
        """Return a number of chips in those of the record; None if it is no such number."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
            return None
        chips = Decimal(repr(value)) * self.unit
        return int(chips) if chips == int(chips) <= LARGEST_NUMBER else None

    def read_stakes(self, stacks: Sequence[int]) -> dict[str, object]:
        """Return the options of the hand."""
        kind = self.find_kind()
        antes = self.read_chips("antes", len(stacks))
        if "bring_in" in self.fields:
            return self.read_stud_stakes(kind, antes, stacks)
        blinds = self.read_chips("blinds_or_straddles", len(stacks))
        small, big, *straddles = blinds
        straddles = [chips for chips in straddles if chips]
        if blinds[2 : 2 + len(straddles)] != straddles:
            raise ValueError(f"blinds_or_straddles is {blinds}; read are those of the first players")
        options: dict[str, object] = {
            **({} if kind.cards == next(iter(self.kinds.values())).cards else {"cards": kind.cards}),
            "betting": kind.betting,
            "small_blind": small,
            "big_blind": big,
            "straddles": straddles,
            "ante": max(antes),
        }
        payer = 0 if len(stacks) == 2 else 1  # the big blind
        if len({*antes}) > 1:
            if sum(antes) != antes[payer]:
                raise ValueError(f"antes is {antes}; read are equal ones, and that of the big blind alone")
            options["ante_from"] = "big-blind"
        options |= self.read_stacks(stacks)
        if kind.betting == "limit":
            return {**options, "bets": self.read_bets(kind)}
        least = self.read_number("min_bet")
        if least != (big or max(antes)):
            raise ValueError(f"min_bet is {least}; read are hands where it is the big blind, {big or max(antes)}")
        return options

    def find_kind(self) -> NotedKind:
        """Return the kind of poker of the hand."""
        code = self.fields.get("variant")
        if not isinstance(code, str) or code not in self.kinds:
            raise UnknownVariant(
                f"variant is {code!r}; read are {join_words([*self.kinds], 'and') or 'none of this game'}"
            )
        return self.kinds[code]

    def read_stacks(self, stacks: Sequence[int]) -> dict[str, object]:
        """Return the options of the stacks."""
        return {"stack": stacks[0]} if len({*stacks}) == 1 else {"seat_stacks": stacks}

    def read_bets(self, kind: NotedKind) -> list[int]:
        """Return the fixed bets by street."""
        small, big = (self.read_number(name) for name in ("small_bet", "big_bet"))
        return [big if street.bet_step > 1 else small for street in kind.variant.streets]

    def read_stud_stakes(self, kind: NotedKind, antes: Sequence[int], stacks: Sequence[int]) -> dict[str, object]:
        """Return the options of a hand that the lowest open card opens."""
        if len({*antes}) > 1:
            raise ValueError(f"antes is {antes}; read are equal ones")
        return {
            "cards": kind.cards,
            "ante": antes[0],
            "bring_in": self.read_number("bring_in"),
            "bets": self.read_bets(kind),
            **self.read_stacks(stacks),
        }

    def note_deal(self, seat: int, cards: list[str | None]) -> None:
        """Note cards that a player gets: on the next street if it has got cards of this one."""
        if not self.deals or seat in self.deals[-1]:
            self.deals.append({})
        self.deals[-1][seat] = cards

    def read_number(self, name: str) -> int:
        """Return a field of one number."""
        chips = self.scale(self.fields.get(name))
        if chips is None:
            raise ValueError(f"{name} is {self.fields.get(name)!r}; it is a number of chips")
        return chips

    def read_chips(self, name: str, count: int | None = None) -> list[int]:
        """Return a field of a number by player."""
        value = self.fields.get(name)
        chips = [self.scale(one) for one in value] if isinstance(value, list) else [None]
        found = [one for one in chips if one is not None]
        if len(found) < len(chips):
            raise ValueError(f"{name} is {value!r}; it is a list of numbers of chips, by player")
        if count is not None and len(found) != count:
            raise ValueError(f"{name} has {len(found)} numbers; {count} play")
        return found

    def read_result(self, name: str, count: int) -> list[float] | None:
        """Return a field of what each player has or gets in the end, perhaps parts of a chip; None if it is absent."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != count or not all(map(_is_number, value)):
            raise ValueError(f"{name} is {value!r}; it is a list of {count} numbers of chips")
        return [float(Decimal(repr(one)) * self.unit) for one in value]

    def read_actions(self, seats: int) -> tuple[NamedCards, list[ForeignAction]]:
        """Return the cards that the actions tell, and what the players did."""
        texts = self.fields.get("actions")
        if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
            raise ValueError(f"actions is {texts!r}; it is a list of texts")
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
                        self.note_deal(_read_player(player, seats), read_cards(cards))
                    case [player, "sm", cards] if cards != "-":
                        _show_cards(hands, _read_player(player, seats), read_cards(cards))
                    case [player, "sm"] | [player, "sm", "-"]:
                        _read_player(player, seats)
                    case [player, "f" | "cc" as kind]:
                        actions.append(ForeignAction(text, kind[0], _read_player(player, seats)))
                    case [player, "pb"]:
                        actions.append(ForeignAction(text, "i", _read_player(player, seats)))
                    case [player, "cbr", chips] if CHIPS.fullmatch(chips):
                        size: BetSize = partial(_fixed_size, int(Decimal(chips) * self.unit))
                        actions.append(ForeignAction(text, "r", _read_player(player, seats), size))
                    case []:
                        pass
                    case _:
                        raise ValueError(f"{text!r} is no action that is read here; these are {ACTIONS}")
            except ValueError as wrong:
                raise ValueError(f"action {number}: {wrong}") from None
        return NamedCards(hands, board), actions


def _is_number(value: object) -> bool:
    """Tell whether a value is a number of chips, perhaps with a fraction: a pot that was split may have one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value >= 0


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


def _fixed_size(chips: int, _state: object, _seat: int) -> int:
    return chips


def _read_player(word: str, seats: int) -> int:
    found = PLAYER.fullmatch(word)
    if found is None or int(found[1]) > seats:
        raise ValueError(f"{word!r} is no player; they are p1 to p{seats}")
    return int(found[1]) - 1
