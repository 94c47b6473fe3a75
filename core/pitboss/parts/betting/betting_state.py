"""Any game of betting at one moment: open cards, cards dealt on every street, discards, acts, the bring-in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from operator import add, sub
from typing import Any, Final, TypeAlias

from msgspec.structs import astuple

from pitboss.action_range import ActionRange
from pitboss.errors import PositionError
from pitboss.game import PublicCount
from pitboss.parts.betting.betting_round import A, O
from pitboss.parts.betting.board_state import PICTURE_COLUMNS, UNKNOWN_CARD, BoardState
from pitboss.parts.betting.high_hands import rank_hand
from pitboss.parts.betting.messages import Bet, BettingPosition, BettingView, BringIn, Check, Fold
from pitboss.parts.betting.pots import SEATS_IN, first_seat_after, seats_from, split_pots
from pitboss.parts.betting.variant import ACT_LETTERS, SAID_LETTERS, HandAct
from pitboss.plugins.packs import suit_of
from pitboss.rendering.table_text import render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss.table.zone_fields import Zones, pile_each, spread_each
from pitboss.table.zones import Visibility, Zone

BRING_IN: Final = BringIn()
SUIT_ORDER: Final = "CDHS"  # of the lowest card that lies open


AnyBettingState: TypeAlias = "BettingState[Any, Any]"


class BettingState(BoardState[O, A]):
    """A game at one moment. A game adds fields and acts, and may override what happens at a moment of a hand."""

    ups: Zones = spread_each(Visibility.EVERYBODY)
    discards: Zones = pile_each(Visibility.NOBODY)  # what each seat has laid away in this hand

    stage: int = -1  # of this street: the number of the act, or of the betting
    deciding: int = 0  # the seats that are to decide this act
    dead_paid: list[int] = field(default_factory=list)  # what acts have cost each seat in this hand: no part of bets

    was_set_up: bool = False  # in the middle of this hand, where nobody knows what acts should have cost

    # ---- decisions

    def find_act(self) -> HandAct | None:
        """Return the act that is decided; None if it is the betting, or the game is over."""
        return None if self.turn is None else self.variant.stages[self.street][self.stage]

    def is_bring_in_due(self) -> bool:
        """Return whether the player on turn has to bring in."""
        return bool(self.options.find_bring_in() and not self.street and not self.acted and self.turn is not None)

    def legal(self) -> Sequence[A | ActionRange]:
        """2.2: the actions of an act; or those of a bet, and acts that are offered beside them."""
        if (turn := self.turn) is None:
            return []
        if (act := self.find_act()) is not None:
            return act.list_actions(self, turn.seat)
        bets: list[Any] = list(super().legal())
        if self.is_bring_in_due():
            bets = [BRING_IN, *(one for one in bets if not isinstance(one, Check | Fold))]
        return [
            *bets,
            *(action for one in self.list_offered(turn.seat) for action in one.list_actions(self, turn.seat)),
        ]

    def list_offered(self, seat: int) -> Iterator[HandAct]:
        """Yield the acts that are offered to a seat during the betting: each once a street."""
        for act in self.variant.streets[self.street].during:
            if all(other != seat for other, _ in self.find_notes(act.letter, only_street=True)):
                yield act

    def play(self, action: A) -> None:
        """2: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None or not (
            self.play_act(turn.seat, action) if self.find_act() is not None else self.play_bet(turn.seat, action)
        ):
            self.refuse(action)
        if self.turn is None:
            self.play_on()

    def play_act(self, seat: int, action: A) -> bool:
        """Do an action of the act that is decided, if it is legal, and ask the next player; return whether it is."""
        act = self.find_act()
        if act is None or action not in act.list_actions(self, seat):
            return False
        self.do_act(act, seat, action)
        self.deciding &= ~(1 << seat)
        self.ask_next(act, seat)
        return True

    def play_bet(self, seat: int, action: A) -> bool:
        """Do a bet, the bring-in, or an act that is offered beside them, if it is legal; return whether it is."""
        if self.is_bring_in_due() and not isinstance(action, Bet):
            if action == BRING_IN:
                self.bring_in(seat)
            return action == BRING_IN
        for act in self.list_offered(seat):
            if action in act.list_actions(self, seat):
                self.do_act(act, seat, action)
                self.set_limits(seat)
                return True
        return self.play_action(seat, action)

    def do_act(self, act: HandAct, seat: int, action: A) -> None:
        """Do a legal action of an act, and write it into the history."""
        self.note(seat, act.letter, act.apply(self, seat, action))

    def note(self, seat: int, letter: str, number: int | None = None) -> None:
        """Write a word into the history of the hand, which everybody sees and positions keep: "2d3".

        Raises:
            ValueError: the letter is not one of `ACT_LETTERS`, or the number is neither None nor an int from 0 on.
        """
        if letter not in ACT_LETTERS:
            raise ValueError(f"seat {seat} has the letter {letter!r} in the history; it is {SAID_LETTERS}")
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
            raise ValueError(
                f"seat {seat} has the number {number!r} beside {letter!r} in the history; what `apply` of an act "
                "returns is a whole number from 0 on, or None"
            )
        self.history += f"{seat}{letter}{'' if number is None else number} "

    def find_notes(self, letter: str, *, only_street: bool = False) -> list[tuple[int, int]]:
        """Return the words with a letter in the history of the hand, or of this street: seat and number (0 if none)."""
        told = self.history if only_street else " ".join((*self.past_history, self.history))
        return [(int(seat), int(number or 0)) for seat, number in re.findall(rf"(?<!\S)(\d+){letter}(\d*)", told)]

    def neutral(self) -> A:
        """D2: the first action of an act; the bring-in; else check if that is possible, or fold."""
        turn = self.require_turn()
        found: Any = super().neutral()
        if (act := self.find_act()) is not None:
            found = act.list_actions(self, turn.seat)[0]
        elif self.is_bring_in_due():
            found = BRING_IN
        return found  # type: ignore[no-any-return]

    # ---- the course of a hand

    def begin_hand(self) -> None:
        """Clear what belongs to the hand before."""
        self.stage, self.deciding, self.dead_paid = -1, 0, [0] * len(self.stacks)
        self.was_set_up = False
        super().begin_hand()

    def open_betting(self) -> None:
        """S4, S5: post antes, blinds and straddles; `play_on` opens the first stage."""
        self.post_all()

    def play_on(self) -> None:
        """Do all that follows a stage of a hand, up to the next decision."""
        while self.turn is None:
            if self.live & self.live - 1 and self.open_next_stage():
                continue
            winnings = self.end_betting()
            net, dead_paid = [*map(add, self.net, map(sub, winnings, self.paid))], self.dead_paid
            self.end_hand(winnings)
            self.check_other_payments(
                [dead + due - won for dead, due, won in zip(dead_paid, net, self.net, strict=True)]
            )
            if self.is_over():
                return
            self.hand_no += 1
            self.move_button()
            self.deal_hand()

    def open_next_stage(self) -> bool:
        """Open the next stage in which somebody has to decide, dealing streets; return whether there is one."""
        while True:
            self.stage += 1
            stages = self.variant.stages[self.street]
            if self.stage >= len(stages):
                if self.street == self.variant.last_street or not (
                    self.able & self.able - 1 or self.variant.has_acts_after(self.street)
                ):
                    return False
                self.deal_street()
                self.stage = -1
            elif self.open_stage(stages[self.stage]):
                return True

    def open_stage(self, act: HandAct | None) -> bool:
        """Begin an act, or the betting of a street; return whether somebody has to decide."""
        if act is not None:
            self.to_call = self.min_to = self.max_to = 0
            self.deciding = act.find_seats(self)
            self.ask_next(act, self.button)
        elif not self.street:
            if self.options.find_bring_in():
                self.open_bring_in()
            else:
                self.begin_first_round()
        elif self.able & self.able - 1:
            opener = self.variant.streets[self.street].opener
            usual = self.find_seat_before(self.button)
            self.begin_round(0, usual if opener == "usual" else (self.find_best_open() - 1) % len(self.stacks))
        return self.turn is not None

    def ask_next(self, act: HandAct, seat: int) -> None:
        """Give the turn to the next seat left of `seat` that has something to decide; end the act if there is none."""
        while self.deciding:
            seat = first_seat_after(self.deciding, seat)
            if act.list_actions(self, seat):
                self.turn = self.variant.act_turns[act.name][seat]
                return
            self.deciding &= ~(1 << seat)
        self.turn = None
        act.end(self)

    def deal_cards(self) -> None:
        """S3: deal hidden cards one at a time, to the first player left of the button first, then open ones."""
        if self.variant.hole_cards:
            super().deal_cards()
        self.deal_open_cards(self.variant.streets[0].up)

    def deal_street(self) -> None:
        """Deal the cards of the next street: those of the board, hidden ones, open ones."""
        super().deal_street()
        self.current_bet = self.full_bet = self.bet_count = self.acted = 0
        street = self.variant.streets[self.street]
        if street.hole:
            self.table.deal(self.stock, [self.hands[seat] for seat in seats_from(self.live, self.button)], street.hole)
        self.deal_open_cards(street.up)

    def deal_open_cards(self, count: int) -> None:
        """Deal open cards to each player with a hand."""
        if count:
            order = [self.ups[seat] for seat in seats_from(self.live, self.button)]
            self.table.deal(self.stock, order, count, event="up")

    # ---- who begins, where cards lie open

    def open_bring_in(self) -> None:
        """B11: give the turn to the lowest open card; of equal ranks clubs are lowest, then diamonds, then hearts."""
        self.current_bet = self.full_bet = self.bet_count = self.acted = 0
        self.last_raise, self.waiting = self.min_bet, self.able
        if self.able & self.able - 1:
            seat = min(SEATS_IN[self.able], key=self.weigh_lowest)
            self.turn = self.variant.turns[0][seat]
            self.set_limits(seat)

    def weigh_lowest(self, seat: int) -> tuple[int, int]:
        """Return what compares open cards for the bring-in."""
        keys = self.variant.card_keys
        deck = self.variant.deck.faces
        return min((rank_hand([keys[card]]), SUIT_ORDER.index(suit_of(deck[card]))) for card in self.open_cards(seat))

    def bring_in(self, seat: int) -> None:
        """B11: pay the bring-in, which all others have to call; a short stack pays what it has."""
        chips = min(self.options.find_bring_in(), self.stacks[seat])
        self.pay_chips(seat, chips)
        self.current_bet = self.options.find_bring_in()
        self.history += f"{seat}i "
        self.table.tell("bring_in", seat=seat, chips=chips)
        if not self.stacks[seat]:
            self.table.tell("all_in", seat=seat)
        self.acted |= 1 << seat
        self.waiting = self.able & ~(1 << seat)
        self.give_turn(seat)

    def find_best_open(self) -> int:
        """B12: return the seat that can bet with the best open cards, of equal ones the first left of the button."""
        ranked = {seat: rank_hand(self.list_open_keys(seat)) for seat in seats_from(self.able, self.button)}
        return max(ranked, key=lambda seat: ranked[seat])

    def open_cards(self, seat: int) -> Sequence[int]:
        """Return the cards that lie open before a seat."""
        return self.table.zones[self.ups[seat]]

    # ---- chips and the showdown

    def pay_dead(self, seat: int, chips: int) -> int:
        """Let a seat pay chips into the main pot, which are no part of its bets; return how many: it keeps one."""
        chips = max(0, min(chips, self.stacks[seat] - 1))
        self.stacks[seat] -= chips
        self.paid[seat] += chips
        self.dead_paid = [dead + chips * (other == seat) for other, dead in enumerate(self.dead_paid)]
        return chips

    def end_hand(self, winnings: Sequence[int]) -> None:
        """3: count what each seat has won or lost; a seat without chips is out."""
        super().end_hand(winnings)
        self.dead_paid = [0] * len(self.stacks)

    def check_other_payments(self, paid: Sequence[int]) -> None:
        """Check what each seat has paid in the hand beside its bets; the bounds of a game with limit depend on it.

        Raises:
            AssertionError: a seat has paid more than `bound_other_payments` of the options says.
        """
        if self.was_set_up or self.options.bets is None or self.options.stacks != "reset":
            return
        if max(paid) > (most := self.options.bound_other_payments(len(paid))):
            seat = paid.index(max(paid))
            raise AssertionError(
                f"seat {seat} has paid {paid[seat]} chips beside its bets in hand {self.hand_no}; "
                f"{type(self.options).__name__}.bound_other_payments({len(paid)}) is {most}; it is the most of a hand"
            )

    def list_pots(self) -> list[tuple[int, int]]:
        """P2: return the pots; what acts have cost belongs to the main pot."""
        (chips, seats), *side_pots = split_pots(self.count_bets(), self.live)
        return [(chips + self.dead_ante + sum(self.dead_paid), seats), *side_pots]

    def count_bets(self) -> list[int]:
        """Return what each seat has paid in the hand by antes, blinds and bets."""
        bets = [*map(sub, self.paid, self.dead_paid)]
        if self.dead_ante:
            bets[self.big_seat] -= self.dead_ante
        return bets

    def list_open_keys(self, seat: int) -> list[int]:
        """Return the keys of the cards that lie open before a seat."""
        keys = self.variant.card_keys
        return [keys[card] for card in self.open_cards(seat)]

    def list_own_keys(self, seat: int) -> list[int]:
        """Return the keys of the cards of a seat, hidden and open."""
        keys, zones = self.variant.card_keys, self.table.zones
        return [keys[card] for card in (*zones[self.ups[seat]], *zones[self.hands[seat]])]

    def rank_hands(self, seats: int, ranking: Any = None) -> dict[int, int]:  # noqa: ANN401 - a `Ranking`
        """Return the strength of the hand of each seat of a mask, with the board; by the first ranking by default."""
        keys, rank = self.variant.card_keys, self.variant.rank if ranking is None else ranking.rank
        board = [keys[card] for card in self.table.zones[self.board]]
        return {seat: rank(self.list_own_keys(seat), board) for seat in SEATS_IN[seats]}

    def evaluate(self) -> Sequence[float]:
        """Return by seat the chips won so far, if the hand is checked down with the cards of this world, all kept."""
        zones, keys = self.table.zones, self.variant.card_keys
        hands = {seat: self.list_own_keys(seat) for seat in seats_from(self.live, self.button)}
        board = [keys[card] for card in zones[self.board]]
        coming = iter([keys[card] for card in reversed(zones[self.stock])])
        for street in self.variant.streets[self.street + 1 :]:
            targets = [*[board] * street.board, *[*hands.values()] * street.hole, *[*hands.values()] * street.up]
            for target, key in zip(targets, coming, strict=False):
                target.append(key)
        return self.value_hands(hands, board)

    # ---- views and positions

    def view(self, seat: int) -> Any:  # noqa: ANN401 - a `BettingView`
        """Return what a seat, or the spectator, may know."""
        return BettingView(*astuple(super().view(seat)), *self.list_more_fields(seat))

    def list_more_fields(self, seat: int) -> tuple[Any, ...]:
        """Return the fields that a `BettingView` has beside a `HandView`, in order."""
        table, seats = self.table, range(len(self.stacks))
        return (
            [self.faces(zone) for zone in self.ups],
            [
                [] if other == seat else [str(face) for face in table.faces_known_to(self.hands[other], seat) if face]
                for other in seats
            ],
            [len(table.zones[zone]) for zone in self.discards],
        )

    def position(self) -> Any:  # noqa: ANN401 - a `BettingPosition`
        """Write down a state: every card, all chips, and what the next decisions depend on."""
        return BettingPosition(**self.write_hand())

    def write_hand(self) -> dict[str, Any]:
        """Return the fields of a `BettingPosition`."""
        return super().write_hand() | {
            "up": [self.faces(zone) for zone in self.ups],
            "discards": [self.faces(zone) for zone in self.discards],
            "seen": self.write_seen(),
            "stage": self.stage,
            "deciding": [*SEATS_IN[self.deciding]],
            "dead_paid": self.dead_paid[:],
        }

    def write_seen(self) -> dict[str, list[int]]:
        """Return who knows a card, of each card of which that does not follow from where it lies."""
        table, faces, onlookers = self.table, self.table.layout.deck.faces, range(len(self.stacks) + 1)
        usual = self.list_usual_viewers()
        return {
            str(faces[card]): [seat for seat in onlookers if known >> seat & 1]
            for card, known in enumerate(table.known_by)
            if known != usual[card]
        }

    def list_usual_viewers(self) -> list[int]:
        """Return by card who knows it by where it lies: its owner, even if it has laid the card away, or everybody."""
        zones, usual = self.table.zones, [0] * len(self.table.known_by)
        for zone in (self.board, *self.ups):
            for card in zones[zone]:
                usual[card] = self.table.layout.everybody
        for seat, places in enumerate(zip(self.hands, self.mucks, self.discards, strict=True)):
            for card in [card for zone in places for card in zones[zone]]:
                usual[card] = 1 << seat
        return usual

    def lay_cards(self, position: Any) -> None:  # noqa: ANN401 - a `BettingPosition`
        """Put the cards that are written where they lie, then deal the rest to the places left open."""
        seats, streets = len(self.stacks), self.variant.streets[: self.street + 1]
        check_row_lengths(seats, up=position.up, discards=position.discards, dead_paid=position.dead_paid)
        if position.paid is not None:
            for seat in position.deciding:
                check_seats(seats, deciding=seat)
            self.was_set_up = True
            self.stage, self.deciding = position.stage, sum(1 << seat for seat in {*position.deciding})
            self.dead_paid = [*(position.dead_paid or [0] * seats)]
            if any(map(int.__gt__, self.dead_paid, position.paid)):
                raise PositionError(f"dead_paid is {self.dead_paid}; paid in all is {position.paid}")
        rows: list[tuple[Zone, Sequence[Any]]] = []
        for seat in range(seats):
            is_in = self.live >> seat & 1
            hand = self.mucks[seat] if seat in position.folded else self.hands[seat]
            for zone, given, count in (
                (hand, position.hands, sum(street.hole for street in streets)),
                (self.ups[seat], position.up, sum(street.up for street in streets)),
            ):
                row = given[seat] if given is not None else []
                wanted = count if is_in and (given is None or position.paid is None) else len(row)
                if len(row) > wanted or (row and not is_in and not position.over):
                    raise PositionError(f"seat {seat} has {len(row)} cards in {zone.name}; it has {wanted * is_in}")
                rows.append((zone, [*row, *[None] * (wanted - len(row))]))
            rows.append((self.discards[seat], position.discards[seat] if position.discards is not None else []))
        rows += [(self.board, position.board), (self.stock, (position.stock or [])[::-1])]
        set_up_zones(self.table, self.stock, rows)
        self.table.known_by = self.list_usual_viewers()
        for face, knowing in position.seen.items():
            for card in self.table.layout.deck.find_cards([face]):
                self.table.known_by[card] = sum(1 << seat for seat in {*knowing} if seat <= seats)

    def open_turn(self, position: Any) -> None:  # noqa: ANN401 - a `BettingPosition`
        """Give the turn to the player of a position."""
        stages = self.variant.stages[self.street]
        if not 0 <= position.stage < len(stages):
            raise PositionError(f"stage is {position.stage}; this street has {len(stages)}")
        if (act := stages[self.stage]) is None:
            super().open_turn(position)
            return
        self.able = sum(1 << seat for seat in SEATS_IN[self.live] if self.stacks[seat])
        if position.turn is None or not self.deciding >> position.turn & 1:
            raise PositionError(f"turn is {position.turn}; to decide are the seats {list(SEATS_IN[self.deciding])}")
        if not act.list_actions(self, position.turn):
            raise PositionError(f"seat {position.turn} has nothing to decide in {act.name!r}")
        self.turn = self.variant.act_turns[act.name][position.turn]

    # ---- what people see

    def list_card_words(self, owner: int, seat: int | None) -> list[str]:
        """Return the cards of a player, the open ones first, the hidden ones as far as `seat` knows each."""
        table, known, faces = self.table, self.table.known_by, self.table.layout.deck.faces
        hand, muck = table.zones[self.hands[owner]], table.zones[self.mucks[owner]]
        shown = [str(faces[card]) for card in muck if seat is None or known[card] >> seat & 1]
        shown += [str(faces[card]) if seat is None or known[card] >> seat & 1 else UNKNOWN_CARD for card in hand]
        if not self.open_cards(owner):
            return shown
        return [*render_zone(table, self.ups[owner], seat)[:1], "|", *shown]

    def render_cards(self, head: str, cards: str) -> Iterator[str]:
        """Yield the chips of a player and its cards: a line, or two where they are too long for one."""
        if len(head) + 2 + len(cards) <= PICTURE_COLUMNS:
            yield f"{head}  {cards}".rstrip()
        else:
            yield head.rstrip()
            yield f"      {cards}"

    def own_counts(self, seat: int) -> Sequence[PublicCount]:
        """Return what a seat holds, in words: "pair, K"."""
        if not self.table.zones[self.hands[seat]] or self.unknown >> seat & 1:
            return ()
        return (PublicCount("holds", self.variant.rankings[0].describe(self.rank_hands(1 << seat)[seat])),)
