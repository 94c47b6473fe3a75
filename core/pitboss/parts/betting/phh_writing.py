"""PHH, the open hand history format of poker tools: hands of records as the sections of a .phhs file.

The format is that of the specification at https://phh.readthedocs.io. Players are numbered clockwise from left of the
button. A `BettingVariant` says what the format calls it; names of fields that begin with _ are ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.parts.betting.betting_round import CALL, CHECK
from pitboss.parts.betting.board_state import AnyBoardState
from pitboss.parts.betting.messages import BettingOptions
from pitboss.parts.betting.named_cards import write_cards
from pitboss.records.record import Record, replay_events
from pitboss.table.events import AnyEvent, Deal, Lay, Reveal, Tell
from pitboss.text import join_words

BOARD: Final = "board"  # the zones
OPEN_CARDS: Final = "up"


def write_hand_histories(game: AnyGame, games: Iterable[tuple[int, Record]]) -> Iterator[str]:
    """Yield the lines of a .phhs file with all hands of some games, each with the number of its game.

    Raises:
        ConfigError: PHH has no notation for this kind of poker.
    """
    number = 0
    for game_id, record in games:
        options = game.Options(**record.options)
        fixed_bets = _require_notation(options)
        for events in _split_hands(replay_events(record, game)):
            number += 1
            if number > 1:
                yield ""
            yield f"[{number}]"
            hand = HandHistory(options, events, record.players)
            for name, value in {**hand.fields(fixed_bets), "_game_id": game_id, "_seed": record.seed}.items():
                yield f"{name} = {_format_toml(value)}"


def write_deals(states: Iterable[AnyBoardState]) -> Iterator[str]:
    """Yield the lines of a .phhs file with the first hand of dealt states, checked down, so that all cards are told.

    Raises:
        ConfigError: PHH has no notation for this kind of poker.
    """
    for number, state in enumerate(states, 1):
        fixed_bets = _require_notation(state.options)
        while state.turn is not None and state.hand_no == 1:
            state.play(CALL if state.to_call else CHECK)
        events, *_ = _split_hands(state.table.events(None))
        hand = HandHistory(state.options, events, [f"p{seat + 1}" for seat in range(state.seats)])
        yield f"[{number}]"
        yield from (f"{name} = {_format_toml(value)}" for name, value in hand.fields(fixed_bets).items())
        yield ""


class HandHistory:
    """The events of one hand, retold as PHH does."""

    def __init__(self, options: BettingOptions, events: list[AnyEvent], names: list[str]) -> None:
        self.options = options
        self.names = names
        self.began = _facts(events[0])
        self.stacks = list(self.began["stacks"])
        self.scale = self.began["big_blind"] // options.big_blind if options.big_blind else 1  # of the level
        self.big_seat: int | None = None
        self.blinds = [0] * len(names)
        self.actions: list[str] = []
        self.won: list[int] = []
        self.dealt: dict[int, list[object]] = {}  # by seat, cards that no action tells yet
        self.open_cards: dict[int, list[object]] = {}  # by seat; who shows tells them again
        seats = [(self.began["button"] + step) % len(names) for step in range(1, len(names) + 1)]
        self.seats = [seat for seat in seats if self.stacks[seat]]
        for event in events:
            if not isinstance(event, Deal):
                self._tell_dealt()
            self._retell(event)

    def fields(self, fixed_bets: tuple[int, int] | None) -> dict[str, Any]:
        """Return the fields of the section, the required ones first."""
        big_blind, ante = self.began["big_blind"], self.began["ante"]
        sizes: dict[str, Any] = (
            {"min_bet": big_blind or ante}
            if fixed_bets is None
            else {"small_bet": fixed_bets[0] * self.scale, "big_bet": fixed_bets[1] * self.scale}
        )
        blinds = [self.blinds[seat] for seat in self.seats]
        forced: dict[str, Any] = {"blinds_or_straddles": blinds[::-1] if len(blinds) == 2 else blinds}
        if bring_in := self.options.find_bring_in():
            forced = {"bring_in": bring_in}
        return {
            "variant": self.options.find_variant(len(self.names)).phh[self.options.betting],
            "ante_trimming_status": self.options.ante_from == "everybody",
            "antes": [ante if self._pays_ante(seat) else 0 for seat in self.seats],
            **forced,
            **sizes,
            "starting_stacks": [self.stacks[seat] for seat in self.seats],
            "actions": self.actions,
            "hand": self.began["hand"],
            "seats": [seat + 1 for seat in self.seats],
            "seat_count": len(self.names),
            "players": [self.names[seat] for seat in self.seats],
            "finishing_stacks": [self.stacks[seat] + self.won[seat] for seat in self.seats],
        }

    def _retell(self, event: AnyEvent) -> None:
        match event:
            case Deal(cards=cards) if BOARD in cards:
                self._tell_dealt()
                self.actions.append(f"d db {write_cards(cards[BOARD])}")
            case Deal(cards=cards):
                for zone, faces in cards.items():
                    kind, _, seat = zone.rpartition(" ")
                    self.dealt.setdefault(int(seat), []).extend(faces)
                    if kind == OPEN_CARDS:
                        self.open_cards.setdefault(int(seat), []).extend(faces)
            case Lay(event="fold", seat=int(seat)):
                self.actions.append(f"{self._player(seat)} f")
            case Lay(event="muck", seat=int(seat)):
                self.actions.append(f"{self._player(seat)} sm")
            case Reveal(event="show", seat=int(seat), cards=cards):
                self.actions.append(f"{self._player(seat)} sm {write_cards([*cards, *self.open_cards.get(seat, [])])}")
            case Tell(event=name, facts=facts):
                self._retell_told(name, facts)
            case _:
                pass

    def _retell_told(self, name: str, facts: Mapping[str, Any]) -> None:
        match name:
            case "small_blind" | "big_blind":
                self.blinds[facts["seat"]] = self.began[name]
                self.big_seat = facts["seat"]
            case "straddle":
                straddle = sum(map(bool, self.blinds)) - 2
                self.blinds[facts["seat"]] = self.options.straddles[straddle] * self.scale
            case "check" | "call":
                self.actions.append(f"{self._player(facts['seat'])} cc")
            case "bet" | "raise":
                self.actions.append(f"{self._player(facts['seat'])} cbr {facts['to']}")
            case "bring_in":
                self.actions.append(f"{self._player(facts['seat'])} pb")
            case "hand_end":
                self.won = facts["won"]

    def _tell_dealt(self) -> None:
        """Tell the cards that were dealt to players since the last action: hidden ones first, then open ones."""
        self.actions += [
            f"d dh {self._player(seat)} {write_cards(self.dealt[seat])}" for seat in self.seats if seat in self.dealt
        ]
        self.dealt = {}

    def _pays_ante(self, seat: int) -> bool:
        return self.options.ante_from == "everybody" or seat == self.big_seat

    def _player(self, seat: int) -> str:
        return f"p{self.seats.index(seat) + 1}"


def _require_notation(options: BettingOptions) -> tuple[int, int] | None:
    """Return the small and the big bet with limit, None without.

    Raises:
        ConfigError: PHH has no notation for this kind of poker.
    """
    variant = options.find_variant(2)
    if options.betting not in variant.phh:
        known = join_words([repr(betting) for betting in variant.phh], "and")
        has = f"has {options.kind} with betting {known}" if known else f"has no notation for {options.kind}"
        raise ConfigError(f"PHH {has}; this is played with {options.betting!r}")
    if options.bets is None:
        return None
    small, big = (
        {bet for bet, street in zip(options.bets, variant.streets, strict=True) if (street.bet_step > 1) is is_big}
        for is_big in (False, True)
    )
    if len(small) != 1 or len(big) != 1:
        raise ConfigError(f"PHH has a small and a big bet, each for its rounds; here bets are {list(options.bets)}")
    return small.pop(), big.pop()


def _split_hands(events: Iterable[AnyEvent]) -> Iterator[list[AnyEvent]]:
    """Yield the events of each hand, from the one that tells of its beginning on."""
    hand: list[AnyEvent] = []
    for event in events:
        if event.event == "hand" and hand:
            yield hand
            hand = []
        if hand or event.event == "hand":
            hand.append(event)
    if hand:
        yield hand


def _facts(event: AnyEvent) -> Mapping[str, Any]:
    assert isinstance(event, Tell)
    return event.facts


def _format_toml(value: Any) -> str:  # noqa: ANN401 - any value of a section
    """Return a value as TOML, which writes these kinds of values as JSON does."""
    return json.dumps(value, ensure_ascii=False)
