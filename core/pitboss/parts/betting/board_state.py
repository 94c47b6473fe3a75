"""A game of poker at one moment: views, evaluation, positions and the picture; the rules are in `hand`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Final, TypeAlias

from pitboss.errors import PositionError
from pitboss.game import PublicCount, PublicCounts
from pitboss.parts.betting.betting_round import A, O
from pitboss.parts.betting.hand import HandRules
from pitboss.parts.betting.messages import Card, HandPosition, HandView, Pot
from pitboss.parts.betting.pots import NOBODY, SEATS_IN, PotResult, find_best, share_pot
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones, stack_deck
from pitboss.table.zones import Zone
from pitboss.text import truncate_text

PICTURE_COLUMNS: Final = 60
UNKNOWN_CARD: Final = "??"
HELD_BACK: Final = (  # fields of a position that only the middle of a hand has
    "bets", "dead_ante", "missing_blinds", "turn", "acted", "folded", "shown", "aggressor", "board", "over", "discards",
    "seen", "stage", "deciding",
)  # fmt: skip


AnyBoardState: TypeAlias = "BoardState[Any, Any]"


class BoardState(HandRules[O, A]):
    """A game of poker with hidden hands and a board at one moment."""

    view_type: ClassVar[type[HandView]] = HandView
    evaluates_unseen = True  # the cards of the board that are still to come

    # without slots Python is slow to find the attributes of an object that has more than 30
    __slots__ = tuple(one.name for one in fields(HandRules))

    # ---- what is seen

    @property
    def street_name(self) -> str:
        """The name of the street."""
        return self.variant.street_names[self.street]

    def view(self, seat: int) -> Any:  # noqa: ANN401 - the `view_type` of the game
        """Return what a seat, or the spectator, may know. Of all cards it shows only the seat's own and the board."""
        zones, faces, seats = self.table.zones, self.table.layout.deck.faces, len(self.stacks)
        players, live = self.players, self.live
        all_in = live & ~self.able if self.turn else 0
        own = zones[self.hands[seat]] or zones[self.mucks[seat]] if seat < seats else []
        return self.view_type(  # in order: of a call with more than fifteen names Python makes a dict
            self.hand_no,
            self.variant.street_names[self.street],
            [faces[card] for card in own],
            [faces[card] for card in zones[self.board]],
            sum(self.paid),
            [Pot(chips, SEATS_IN[mask]) for chips, mask in self.list_pots()] if all_in else [],
            self.stacks[:],
            self.bets[:],
            self.paid[:],
            self.button,
            self.small_seat if self.small_blind and players >> self.small_seat & 1 else None,
            self.big_seat if self.big_blind else None,
            (self.small_blind, self.big_blind),
            SEATS_IN[players & ~live],
            SEATS_IN[all_in],
            SEATS_IN[(1 << seats) - 1 & ~players],
            self.to_call,
            self.min_to or None,
            self.max_to or None,
            self.net[:],
            [*self.past_history, self.history[:-1]],
        )

    def describe_unknown(self, seat: int) -> str:
        """S9: return that the cards of a seat are not told, "" if they are."""
        return f"the cards of seat {seat}" if (self.unknown | self.drawn) >> seat & 1 else ""

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the chips won so far, if the hand is checked down to the end with the cards of this world.

        A bet that is not yet called counts as far as it was called.
        """
        zones, keys, ranked = self.table.zones, self.variant.card_keys, SEATS_IN[self.live]
        board = zones[self.board]
        missing = self.variant.board_size - len(board)
        run_out = zones[self.stock][len(zones[self.stock]) - missing :]
        open_keys = [keys[card] for card in (*board, *run_out)]
        if self.variant.second is not None:
            return self.value_hands(
                {seat: [keys[card] for card in zones[self.hands[seat]]] for seat in ranked}, open_keys
            )
        rank = self.variant.rank
        strengths = {seat: rank([keys[card] for card in zones[self.hands[seat]]], open_keys) for seat in ranked}
        values = [float(won - paid) for won, paid in zip(self.net, self.paid, strict=True)]
        for chips, seats in self.list_pots():
            winners, _ = find_best(strengths, seats)
            for seat, share in share_pot(chips, winners, self.button).items():
                values[seat] += share
        return values

    def value_hands(self, hands: Mapping[int, Sequence[int]], board: Sequence[int]) -> list[float]:
        """Return by seat the chips won so far, if hands and a board, given by their keys, decided the pots."""
        rank, values = self.variant.rank, [float(won - paid) for won, paid in zip(self.net, self.paid, strict=True)]
        strengths = {seat: rank(hand, board) for seat, hand in hands.items()}
        parts: list[tuple[int, int, Mapping[int, int]]]
        if self.variant.second is None:
            parts = [(chips, seats, strengths) for chips, seats in self.list_pots()]
        else:
            second = {seat: self.variant.second.rank(hand, board) for seat, hand in hands.items()}
            parts = [part[:3] for part in self.halve_pots(strengths, second)]
        for chips, seats, compared in parts:
            winners, _ = find_best(compared, seats)
            for seat, share in share_pot(chips, winners, self.button).items():
                values[seat] += share
        return values

    # ---- positions (section 6)

    def write_hand(self) -> dict[str, Any]:
        """Return the fields of a `HandPosition`: every card, all chips, and what the betting depends on."""
        table, seats, everybody = self.table, range(len(self.stacks)), self.table.layout.everybody
        held = [table.zones[hand] or table.zones[muck] for hand, muck in zip(self.hands, self.mucks, strict=True)]
        return {
            "hand": self.hand_no,
            "button": self.button,
            "small_blind": _seat_or_none(self.small_seat),
            "big_blind": _seat_or_none(self.big_seat),
            "stacks": self.stacks[:],
            "net": self.net[:],
            "out_hands": self.out_hands[:],
            "out_stacks": self.out_stacks[:],
            "hands": [[*map(str, table.layout.deck.faces_of(cards))] for cards in held],
            "board": self.faces(self.board),
            "stock": self.faces(self.stock)[::-1],
            "paid": self.paid[:],
            "dead_ante": self.dead_ante,
            "missing_blinds": self.missing_blinds,
            "bets": self.bets[:],
            "street": self.street_name,
            "turn": self.turn.seat if self.turn else None,
            "folded": [seat for seat in seats if table.zones[self.mucks[seat]]],
            "acted": [*SEATS_IN[self.acted]],
            "current_bet": self.current_bet,
            "last_raise": self.last_raise,
            "full_bet": self.full_bet,
            "bet_count": self.bet_count,
            "aggressor": _seat_or_none(self.aggressor),
            "history": [*self.past_history, self.history[:-1]],
            "shown": [
                seat for seat in seats if held[seat] and all(table.known_by[card] == everybody for card in held[seat])
            ],
            "over": self.turn is None,
        }

    def set_up(self, position: HandPosition) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        _set_chips(self, position)
        _set_button(self, position)
        if position.deck is not None:
            beside = ("hand", "button", "small_blind", "big_blind", "stacks", "net", "out_hands", "out_stacks")
            stack_deck(self.table, self.stock, position.deck, position, beside)
            self.begin_hand()
            self.deal_cards()
            self.open_betting()
            self.play_on()
        elif position.paid is None:
            _begin_written_hand(self, position)
        else:
            _resume_hand(self, position, position.paid)

    def lay_cards(self, position: HandPosition) -> None:
        """Put the cards that are written where they lie, then deal the rest to the places left open."""
        size, players = self.variant.hole_cards, self.live
        rows: list[list[Card | None]] = []
        for seat in range(len(self.stacks)):
            row = position.hands[seat] if position.hands is not None else []
            wanted = size if players >> seat & 1 else 0
            if len(row) > wanted or (position.over and position.hands is not None and len(row) not in (0, size)):
                raise PositionError(f"seat {seat} has {len(row)} cards in hands; it has {wanted}")
            rows.append([*row, *[None] * (wanted - len(row))])
        zones = [self.mucks[seat] if seat in position.folded else self.hands[seat] for seat in range(len(self.stacks))]
        piles: list[tuple[Zone, Sequence[Card | None]]] = [(self.board, position.board)]
        if position.stock:
            piles.append((self.stock, position.stock[::-1]))
        set_up_zones(self.table, self.stock, [*zip(zones, rows, strict=True), *piles])
        for seat in position.folded:
            for card in self.table.zones[self.mucks[seat]]:
                self.table.known_by[card] |= 1 << seat
        for seat in position.shown:
            for card in self.table.zones[self.hands[seat]]:
                self.table.known_by[card] = self.table.layout.everybody

    def open_turn(self, position: Any) -> None:  # noqa: ANN401 - the game's own
        """Give the turn to the player of a position.

        Raises:
            PositionError: it has nothing to decide.
        """
        _open_betting_turn(self, position)

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        blinds = f", blinds {_describe_blinds(self)}" if self.big_blind else ""
        ante = f", ante {self.ante:,}" if self.ante else ""
        yield f"  hand {_describe_hand(self)}, {self.street_name}{blinds}{ante}"
        if self.turn is None or self.hand_no > 1:
            for pot in self.last_pots:
                yield truncate_text(_describe_win(self, pot, names), PICTURE_COLUMNS)
        yield f"  board  {render_zone(self.table, self.board, seat)[0]}"
        yield from _render_pots(self)
        yield f"{'':{NAME_WIDTH + 4}}{'':3}{'stack':>9}{'bet':>8}  cards"
        for owner, name in enumerate(names):
            is_on_turn = self.turn is not None and self.turn.seat == owner
            mark = "B" if owner == self.button else ""
            bet = f"{self.bets[owner]:,}" if self.bets[owner] else ""
            head = f"{player_heading(is_on_turn, owner, name)}{mark:^3}{self.stacks[owner]:>9,} {bet:>7}"
            yield from self.render_cards(head, self.describe_cards(owner, seat))

    def describe_cards(self, owner: int, seat: int | None) -> str:
        """Return the cards of a player as far as `seat` knows them, and how the player stands."""
        return " ".join([*self.list_card_words(owner, seat), _describe_status(self, owner)]).rstrip()

    def list_card_words(self, owner: int, seat: int | None) -> list[str]:
        """Return the hidden cards of a player as far as `seat` knows them; folded ones only if it knows them."""
        table, known = self.table, self.table.known_by
        hand, muck = table.zones[self.hands[owner]], table.zones[self.mucks[owner]]
        cards = hand or muck
        if seat is None or (cards and known[cards[0]] >> seat & 1):
            return [str(face) for face in table.layout.deck.faces_of(cards)]
        return [UNKNOWN_CARD] * len(hand)

    def render_cards(self, head: str, cards: str) -> Iterator[str]:
        """Yield the chips of a player and its cards: a line."""
        yield f"{head}  {cards}".rstrip()

    def public_counts(self) -> PublicCounts:
        """Return the pots, blinds, ante and hand of the table; of each seat its stack, its bet, and how it stands."""
        table = [PublicCount("pot", sum(self.paid), "pot")]
        pots = [chips for chips, seats in _split_all_in(self) if seats & seats - 1]
        if len(pots) > 1:
            table += [
                PublicCount(f"side pot {number}" if number else "main pot", pot) for number, pot in enumerate(pots)
            ]
        if self.big_blind:
            table.append(PublicCount("blinds", _describe_blinds(self)))
        if self.ante:
            table.append(PublicCount("ante", self.ante))
        table.append(PublicCount("hand", _describe_hand(self), "part"))
        return PublicCounts(table, [_count_seat(self, seat) for seat in range(self.seats)])

    def own_counts(self, seat: int) -> Sequence[PublicCount]:
        """Return what a seat holds with the board, in words: "pair, K"."""
        if self.unknown >> seat & 1 or not (self.table.zones[self.hands[seat]] and self.table.zones[self.board]):
            return ()
        return (PublicCount("holds", self.variant.rankings[0].describe(self.rank_hands(1 << seat)[seat])),)


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _set_chips(state: AnyBoardState, position: HandPosition) -> None:
    """Set the stacks, what was won before, and the seats that are out."""
    seats = len(state.stacks)
    rows = {"stacks": position.stacks, "net": position.net, "paid": position.paid, "bets": position.bets}
    check_row_lengths(seats, **rows, out_hands=position.out_hands, out_stacks=position.out_stacks, hands=position.hands)
    if position.net is not None:
        if sum(position.net):
            raise PositionError(f"net is {position.net}; what some have won others have lost, so its sum is 0")
        state.net = [*position.net]
    if position.stacks is not None:
        state.stacks = [*position.stacks]
    if state.options.hands is not None and position.hand > state.options.hands:
        raise PositionError(f"hand is {position.hand}; the game ends after {state.options.hands} (E1)")
    state.hand_no = position.hand
    if state.options.stacks == "reset":
        if any(position.out_hands or ()) or any(position.out_stacks or ()):
            raise PositionError("out_hands or out_stacks is given, but stacks are reset, so no seat is ever out (E1)")
        return
    paid = position.paid or [0] * seats
    broke = [not stack + one for stack, one in zip(state.stacks, paid, strict=True)]
    state.out_hands = [*(position.out_hands or [max(1, position.hand - 1) if out else 0 for out in broke])]
    state.out_stacks = [*(position.out_stacks or state.out_stacks)]
    for seat, out in enumerate(state.out_hands):
        if bool(out) != broke[seat] or out > position.hand:
            raise PositionError(
                f"seat {seat} has {state.stacks[seat]} chips; out_hands says {out} in hand {position.hand}"
            )
        state.players &= ~(bool(out) << seat)


def _set_button(state: AnyBoardState, position: HandPosition) -> None:
    """Set the button and the blinds; a blind that is not written is left of the button."""
    seats = len(state.stacks)
    check_seats(seats, button=position.button, small_blind=position.small_blind, big_blind=position.big_blind)
    button = position.button if position.button is not None else state.options.first_button or 0
    players = state.players
    if not players:
        raise PositionError("nobody has chips")
    state.place_button(button)
    if state.big_seat == NOBODY:
        if position.small_blind is not None or position.big_blind is not None:
            raise PositionError("a seat of a blind is given, but the options have no blinds")
        return
    if position.small_blind is not None:
        state.small_seat = position.small_blind
    if position.big_blind is not None:
        state.big_seat = position.big_blind
    if not position.over and not players >> state.big_seat & 1:
        raise PositionError(f"seat {state.big_seat} has the big blind, and no chips")


def _begin_written_hand(state: AnyBoardState, position: HandPosition) -> None:
    """Begin a hand with written cards: antes and blinds are posted."""
    closed = [name for name in HELD_BACK if name in position.__struct_fields__]
    blank = type(position)()
    if given := [name for name in closed if getattr(position, name) != getattr(blank, name)]:
        raise PositionError(f"without paid a hand begins; it cannot give {', '.join(given)}")
    players = state.players
    if not players & players - 1 or not all(state.stacks[seat] for seat in SEATS_IN[players]):
        raise PositionError(
            f"a hand cannot begin with stacks {state.stacks}: two players need chips, with reset all do"
        )
    state.begin_hand()
    state.lay_cards(position)
    state.open_betting()
    state.play_on()


def find_street(state: AnyBoardState, name: str) -> int:
    """Return the number of a street; "" is the first.

    Raises:
        PositionError: there is none of this name.
    """
    if not name:
        return 0
    for number, street in enumerate(state.variant.streets):
        if street.name == name:
            return number
    raise PositionError(f"street is {name!r}; {state.options.kind} has {len(state.variant.streets)} rounds")


def _resume_hand(state: AnyBoardState, position: HandPosition, paid: Sequence[int]) -> None:
    """Set up the middle of a hand, or the end of a game."""
    seats, variant = len(state.stacks), state.variant
    for name in ("turn", "aggressor"):
        check_seats(seats, **{name: getattr(position, name)})
    for name in ("folded", "acted", "shown"):
        for seat in getattr(position, name):
            check_seats(seats, **{name: seat})
    street = find_street(state, position.street)
    if street > variant.last_street or len(position.history) > street + 1:
        raise PositionError(f"street is {position.street!r}; {state.options.kind} has {variant.last_street + 1} rounds")
    state.set_level()
    dealt = state.players
    if position.over:
        dealt |= sum(1 << seat for seat, out in enumerate(state.out_hands) if out == position.hand)
    state.live = dealt
    state.lay_cards(position)
    state.live = dealt & ~sum(1 << seat for seat in set(position.folded))
    state.street, state.missing_blinds = street, position.missing_blinds
    state.paid, state.bets = [*paid], [*(position.bets or [0] * seats)]
    if position.dead_ante > paid[state.big_seat]:
        raise PositionError(f"dead_ante is {position.dead_ante}; the big blind has paid {paid[state.big_seat]}")
    state.dead_ante = position.dead_ante
    *past, last = position.history or [""]
    state.past_history, state.history = tuple(past), last + " " * bool(last)
    state.acted = sum(1 << seat for seat in set(position.acted))
    state.current_bet, state.last_raise = position.current_bet, position.last_raise
    state.full_bet, state.bet_count = position.full_bet, position.bet_count
    state.aggressor = NOBODY if position.aggressor is None else position.aggressor
    if position.over:
        _check_end(state, position)
    else:
        state.open_turn(position)


def _check_end(state: AnyBoardState, position: HandPosition) -> None:
    """Check that the game can be over like this."""
    if not state.is_over():
        raise PositionError(f"the game is not over after hand {position.hand} with stacks {state.stacks} (E1)")
    if position.turn is not None or any(state.paid) or any(state.bets):
        raise PositionError("the game is over; nobody is on turn, and no chips are in the pot")


def _open_betting_turn(state: AnyBoardState, position: HandPosition) -> None:
    """Give the turn to the player of the position, which must have something to decide."""
    state.able = sum(1 << seat for seat in SEATS_IN[state.live] if state.stacks[seat])
    bets, current = state.bets, state.current_bet
    state.waiting = sum(
        1 << seat for seat in SEATS_IN[state.able] if not state.acted >> seat & 1 or bets[seat] < current
    )
    board = sum(state.variant.board_cards[: state.street + 1])
    if len(state.table.zones[state.board]) != board:
        raise PositionError(
            f"the board has {len(state.table.zones[state.board])} cards; on the {position.street} {board}"
        )
    if any(bet > paid for bet, paid in zip(bets, state.paid, strict=True)) or max(bets) > max(current, 0):
        raise PositionError(f"bets are {bets}, paid is {state.paid}, a call is to {current}: they do not go together")
    if position.turn is None or not state.waiting >> position.turn & 1 or not state.live & state.live - 1:
        raise PositionError(f"turn is {position.turn}; to act are the seats {list(SEATS_IN[state.waiting])}")
    state.turn = state.variant.turns[state.street][position.turn]
    state.set_limits(position.turn)


def _count_seat(state: AnyBoardState, seat: int) -> list[PublicCount]:
    counts = [PublicCount("stack", state.stacks[seat], "stack")]
    if state.bets[seat]:
        counts.append(PublicCount("bet", state.bets[seat], "bet"))
    if state.options.stacks == "reset" and state.hand_no > 1:
        counts.append(PublicCount("net", f"{state.net[seat]:+,}"))
    if seat == state.button:
        counts.append(PublicCount("button", role="button"))
    if status := _describe_status(state, seat):
        counts.append(PublicCount(status, role="" if status == "all in" else "out"))
    return counts


def _describe_hand(state: AnyBoardState) -> str:
    hands = state.options.hands
    return f"{state.hand_no} of {hands}" if hands else f"{state.hand_no}"


def _describe_blinds(state: AnyBoardState) -> str:
    return "/".join(f"{chips:,}" for chips in (state.small_blind, state.big_blind, *state.straddles))


def _describe_win(state: AnyBoardState, pot: PotResult, names: Sequence[str]) -> str:
    who = ", ".join(f"{winner} {truncate_text(names[winner], NAME_WIDTH)}" for winner in pot.winners)
    hand = f": {state.variant.rankings[pot.ranking].describe(pot.strength)}" if pot.strength else ""
    return f"  {'it ended' if state.turn is None else 'last hand'}: {pot.chips:,} to {who}{hand}"


def _render_pots(state: AnyBoardState) -> Iterator[str]:
    """Yield the pot; and its parts, with the seats that can win them, once a player is all in."""
    yield f"  pot    {sum(state.paid):,}"
    for chips, mask in _split_all_in(state):
        yield f"         {chips:,} for {', '.join(map(str, SEATS_IN[mask]))}"


def _split_all_in(state: AnyBoardState) -> list[tuple[int, int]]:
    """Return the parts of the pot as `list_pots` does, once a player is all in."""
    return state.list_pots() if state.turn is not None and state.live & ~state.able else []


def _describe_status(state: AnyBoardState, owner: int) -> str:
    """Return whether a player is all in, has folded, mucked or is out; "" if none of these."""
    zones = state.table.zones
    if zones[state.mucks[owner]]:
        return "folded" if f" {owner}f " in f" {' '.join(state.past_history)} {state.history}" else "mucked"
    if not zones[state.hands[owner]]:
        return "out"
    return "all in" if state.turn is not None and not state.stacks[owner] else ""
