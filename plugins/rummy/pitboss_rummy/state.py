"""A game of Rummy at one moment: views, evaluation, positions and the picture; the rules are in `rules`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import Any, Final, NamedTuple

from pitboss import (
    PositionError,
    PublicCount,
    PublicCounts,
    Turn,
)
from pitboss.parts.melds import BITS, CARDS, SUIT_MASK, mask_of, suit_masks
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones, stack_deck
from pitboss.text import truncate_text, wrap_words
from pitboss_rummy.melds import (
    NO_CARD,
    RANKS,
    RUN_STARTS,
    SUITS,
    places_of,
)
from pitboss_rummy.messages import (
    PlacedMeld,
    Position,
    View,
)
from pitboss_rummy.rules import (
    POINTS,
    RummyRules,
    is_over,
)

# The chance to go out first: e to the power of these, in relation to those of the others.
# Found from 5500 deals that `house:rummy` played.
# By the number of cards that fit nothing:
READINESS: Final = (2.5, 0.95, 0.35, 0.4, -0.3, -0.8, -0.75, -1.0, -1.1, -1.2, -1.3)
OUT_READINESS: Final = 4.9  # of the player on turn, who needs no other card
COMPLETING: Final = 2.3  # if all cards that may come completed a meld
FITTING: Final = 1.0  # if all cards that may come could be laid down with what is there
LAST: Final = 3.9  # the same, if one card is left that fits nothing
SECOND_CARD_SHARE: Final = 0.5  # of the difference that the next card but one makes, if it is known

# tuned by play, as are MELDED_SHARE and RUMMY_FACTOR
DEAD_SHARE: Final = 1.0  # of the points of a card that fits nothing, what it will cost
MELDED_SHARE: Final = 0.5  # the same of one that can be laid down
RUMMY_FACTOR: Final = 2.0  # what the chance of Going Rummy makes of the points

CACHED_SHAPES: Final = 1 << 14  # hands of which is kept what they are
LAST_READINESS: Final = len(READINESS) - 1
PACES: Final = [*map(exp, READINESS)]
PACE_OUT: Final = exp(OUT_READINESS)
ALL_SUITS: Final = sum(1 << RANKS * suit for suit in range(SUITS))
ACES: Final = ALL_SUITS  # the aces
KINGS: Final = ALL_SUITS << RANKS - 1  # the kings

CARD_COLUMN: Final = 26  # where cards begin; with `ROOM` the picture is 60 wide
CARD_WIDTH: Final = 34
KIND_WORDS: Final = {  # note 2: what people call the two kinds of meld
    "group": {"sequence": "sequence", "group": "group"},
    "set": {"sequence": "sequence", "group": "set"},
    "set_for_both": {"sequence": "set", "group": "set"},
}


def _points_by_ranks() -> list[int]:
    """Return by mask of ranks the points of these cards of one suit."""
    found = [0]
    for rank in range(RANKS):
        found += [points + POINTS[rank] for points in found]
    return found


HAND_POINTS: Final = _points_by_ranks()


class RummyState(RummyRules):
    """A game of Rummy at one moment."""

    # ---- what is seen

    def view(self, seat: int) -> View:
        """Return what a seat, or the spectator, may know."""
        board, zones = self.board, self.table.zones
        seats = range(len(board.hands))
        drawn, stock, faces = self.visible_drawn_card(seat), zones[board.stock], board.faces
        own = board.sorted_faces(self.hand_masks[seat]) if seat in seats else []
        return View(
            dealer=self.dealer,
            deal=self.deal_no,
            turns_done=self.turns_done,
            max_turns=self.options.max_turns,
            hand=own,
            drawn=drawn,
            taken=drawn if self.has_taken else None,
            counts=[len(zones[hand]) for hand in board.hands],
            known=[own[:] if owner == seat else self.public_cards(owner) for owner in seats],
            melds=[*self.meld_messages],
            discard=[faces[card] for card in zones[board.discard]],
            stock=len(stock),
            stock_known=[faces[card] for card in reversed(stock)] if self.is_stock_public else [],
            clean=[not self.active_seats >> owner & 1 for owner in seats],
            scores=self.totals[:],
        )

    def visible_drawn_card(self, seat: int) -> str | None:
        """2.4: return the drawn card as `seat` may see it; None if it came unseen from the stock.

        It is its owner's secret, also when it has been melded since, unless the stock was public.
        """
        turn = self.turn
        if self.drawn_place == NO_CARD or turn is None or turn.phase == "draw":
            return None
        is_seen = self.has_taken or self.is_stock_public or seat == turn.seat
        return self.board.pack[self.drawn_place] if is_seen else None

    # ---- what search players expect

    def evaluate(self) -> list[float]:
        """Return by seat the expected total after the deal, negated where the lowest wins.

        A player who needs fewer turns is more likely to go out.
        """
        scoring, totals, turn = self.options.scoring, self.totals, self.turn
        if turn is None:
            return [-total if scoring == "penalty" else total for total in map(float, totals)]
        shapes = [hand_shape(places_of(held), _layoff_mask(self, seat)) for seat, held in enumerate(self.hand_masks)]
        paces = _paces(self, turn, shapes)
        at_stake, whole, unclean = sum([points for _, _, _, points in shapes]), sum(paces), _unclean_seats(self, turn)
        expected = []
        for seat, (total, (_, _, _, points), pace) in enumerate(zip(totals, shapes, paces, strict=True)):
            wins = pace / whole
            loses = (1 - wins) * points
            gains = wins * (at_stake - points) * (1.0 if unclean >> seat & 1 else RUMMY_FACTOR)
            if scoring == "penalty":
                expected.append(-total - loses)
            elif scoring == "chips":
                expected.append(total + gains - loses)
            else:
                expected.append(total + gains)
        return expected

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card, and what everybody knows."""
        table, board, turn = self.table, self.board, self.turn
        seats = range(len(board.hands))

        def faces(cards: Sequence[int]) -> list[Any]:
            return [board.pack[card % CARDS] for card in cards]

        drawn = self.visible_drawn_card(turn.seat) if turn else None
        return Position(
            dealer=self.dealer,
            deal=self.deal_no,
            turn=turn.seat if turn else None,
            phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
            hands=[faces(table.zones[hand]) for hand in board.hands],
            drawn=drawn,
            taken=drawn if self.has_taken else None,
            discard=faces(table.zones[board.discard]),
            stock=faces(table.zones[board.stock][::-1]),
            stock_public=self.is_stock_public,
            melds=[
                PlacedMeld(owner, faces(table.zones[zone]))
                for owner, zone in zip(self.meld_owners, board.melds, strict=False)
            ],
            known=[self.public_cards(seat) for seat in seats],
            active=[bool(self.active_seats >> seat & 1) for seat in seats],
            melded=turn is not None and self.has_melded,
            laid_off=turn is not None and self.has_laid_off,
            over=turn is None,
            turns_done=self.turns_done,
            scores=list(self.totals),
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        seats, cap = len(self.board.hands), self.options.max_turns
        check_seats(seats, dealer=position.dealer, turn=position.turn)
        if position.turns_done >= cap * seats + position.over:
            raise PositionError(f"turns_done is {position.turns_done}; a deal is over after {cap * seats} turns")
        check_row_lengths(
            seats, hands=position.hands, known=position.known, active=position.active, scores=position.scores
        )
        self.deal_no = position.deal
        self.totals = list(position.scores) if position.scores is not None else self.totals
        if position.deck is not None:
            stack_deck(self.table, self.board.stock, position.deck, position, ("dealer", "deal", "scores"))
            self.deal_cards(position.dealer)
        else:
            _lay_out(self, position)

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        table, board, cap = self.table, self.board, self.options.max_turns * len(self.board.hands)
        turn = min(self.turns_done + 1, cap)
        dealer = f"dealer {self.dealer} {truncate_text(names[self.dealer], NAME_WIDTH)}"
        yield f"  deal {self.deal_no}, turn {turn} of up to {cap}, {dealer}"
        if self.last_deal is not None:
            winner, scores = self.last_deal.winner, " ".join(map(str, self.last_deal.scores))
            way = "Rummy" if self.last_deal.rummy else "out"
            ended = "stalled" if winner is None else f"{winner} {truncate_text(names[winner], NAME_WIDTH)} went {way}"
            yield f"  {'last deal' if self.turn else 'it ended'}: {ended}: {scores}"
        for pile in (board.stock, board.discard):
            yield f"  {pile.name:8}  {render_zone(table, pile, seat, CARD_WIDTH + CARD_COLUMN - 12)[0]}"
        yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
        for owner, hand in enumerate(board.hands):
            is_on_turn = self.turn is not None and self.turn.seat == owner
            head = f"{player_heading(is_on_turn, owner, names[owner])}{self.totals[owner]:>6}"
            yield from render_beside(head, render_zone(table, hand, seat, CARD_WIDTH), CARD_COLUMN)
        for number, (owner, meld) in enumerate(zip(self.meld_owners, self.melds, strict=True), 1):
            head = f"  meld {number:>2}, {KIND_WORDS[self.options.set_name][meld.kind]} by {owner}"
            yield from render_beside(head, wrap_words(board.faces_at(meld.cards), " ", CARD_WIDTH), CARD_COLUMN)

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal; of each seat its score, and who deals."""
        seats = [
            [PublicCount("score", total), *[PublicCount("dealer", role="button")] * (seat == self.dealer)]
            for seat, total in enumerate(self.totals)
        ]
        return PublicCounts([PublicCount("deal", self.deal_no, "part")], seats)


class HandShape(NamedTuple):
    """The cards of a hand by their use, with one another and with the melds on the table."""

    dead: int  # the number of cards that fit nothing
    completing: int  # the mask of the cards that would make a meld with two of these
    fitting: int  # the mask of the cards that could be laid down with the others, or on the table
    points: float  # that it will cost whoever does not go out


def _paces(state: RummyState, turn: Turn, shapes: Sequence[HandShape]) -> list[float]:
    """Return by seat the relative chance to be the first to go out."""
    zones, masks, (turn_seat, phase) = state.table.zones, state.hand_masks, turn
    stock, pile, seats, has_drawn = zones[state.board.stock], zones[state.board.discard], len(masks), phase == "play"
    order = stock if state.is_stock_public else []
    unseen = mask_of(order or [*stock, *_hidden_cards(state)])
    paces = []
    for seat, hand in enumerate(shapes):
        is_on, at = seat == turn_seat, (seat - turn_seat - has_drawn) % seats
        dead = hand.dead - (is_on and has_drawn)
        saves = _cards_saved(hand, order, at) if order else 0
        if is_on and not has_drawn:
            saves = max(saves, _cards_saved(hand, pile, 0))
        soon = dead - saves
        if is_on and (dead if has_drawn else soon) <= 0:
            paces.append(PACE_OUT)
            continue
        pace = PACES[soon] if 0 < soon < LAST_READINESS else PACES[0 if soon <= 0 else LAST_READINESS]
        if order and (later := soon - _cards_saved(hand, order, at + seats)) < soon:
            pace += SECOND_CARD_SHARE * (PACES[max(0, min(later, LAST_READINESS))] - pace)
        if soon > 0:
            may_come = places_of(unseen & ~masks[seat])
            chance = COMPLETING * (hand.completing & may_come).bit_count()
            chance += (LAST if soon == 1 else FITTING) * (hand.fitting & may_come).bit_count()
            pace *= exp(chance / (may_come.bit_count() or 1))
        paces.append(pace)
    return paces


def _hidden_cards(state: RummyState) -> list[int]:
    """Return the cards in the hands that not everybody knows to be there."""
    known, zones, everybody = state.table.known_by, state.table.zones, state.table.layout.everybody
    return [card for hand in state.board.hands for card in zones[hand] if known[card] != everybody]


def _cards_saved(hand: HandShape, pile: Sequence[int], at: int) -> int:
    """Return by how many the dead cards fall after a turn with the card at depth `at` of a pile."""
    if at >= len(pile):
        return 0
    bit = BITS[pile[-1 - at] % CARDS]
    if hand.completing & bit:
        return 3  # it makes a meld with two of them, and a third is discarded
    return 1 if hand.fitting & bit else 0


def _layoff_mask(state: RummyState, seat: int) -> int:
    """Note 4: return the mask of the cards that the seat may lay off."""
    return state.layoff_mask if not state.options.layoff_needs_meld or seat in state.meld_owners else 0


@lru_cache(CACHED_SHAPES)
def hand_shape(held: int, fits: int) -> HandShape:
    """Return the shape of a hand; the cards in `fits` may be laid off."""
    runs, groups = _runs(held), _groups(held)
    if runs & groups:
        runs, groups = max(
            (runs, _groups(held & ~runs)),
            (_runs(held & ~groups), groups),
            key=lambda both: (both[0] | both[1]).bit_count(),
        )
    melded = held & (runs | groups | fits)
    dead = held ^ melded
    one, two, three, four = suit_masks(dead)
    pairs = one & two | three & four | (one | two) & (three | four)
    beside = dead & dead >> 1 & ~KINGS
    around = dead & dead >> 2 & RUN_STARTS
    completing = pairs * ALL_SUITS | (beside & ~ACES) >> 1 | (beside << 1 & ~KINGS) << 1 | around << 1
    fitting, points = fits, DEAD_SHARE * (HAND_POINTS[one] + HAND_POINTS[two] + HAND_POINTS[three] + HAND_POINTS[four])
    if melded:
        ranks = groups | groups >> 2 * RANKS
        fitting |= (runs & ~ACES) >> 1 | (runs & ~KINGS) << 1 | ((ranks | ranks >> RANKS) & SUIT_MASK) * ALL_SUITS
        points += MELDED_SHARE * sum([HAND_POINTS[ranks] for ranks in suit_masks(melded)])
    return HandShape(dead.bit_count(), completing & ~held, fitting & ~held, points)


def _runs(held: int) -> int:
    runs = held & held >> 1 & held >> 2 & RUN_STARTS
    return runs | runs << 1 | runs << 2 if runs else 0


def _groups(held: int) -> int:
    one, two, three, four = suit_masks(held)
    ranks = (one & two & (three | four)) | (three & four & (one | two))
    return held & ranks * ALL_SUITS if ranks else 0


def _unclean_seats(state: RummyState, turn: Turn) -> int:
    """Return the mask of the seats that cannot go Rummy any more: they have melded or laid off, in this turn too."""
    if state.options.going_rummy == "off":
        return -1
    return state.active_seats | (1 << turn.seat if state.has_melded or state.has_laid_off else 0)


def _lay_out(state: RummyState, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    board = state.board
    turn = position.turn if position.turn is not None else board.left_neighbour[position.dealer]
    _lay_melds(state, position)
    rows = _hand_rows(state, position, turn)
    _place_cards(state, position, rows)
    state.count_hands()
    state.dealer, state.turns_done, state.is_stock_public = position.dealer, position.turns_done, position.stock_public
    state.active_seats = sum(1 << seat for seat, active in enumerate(position.active or ()) if active)
    _set_knowledge(state, position, turn)
    if position.over:
        _check_end(state, position)
        return
    state.turn = board.draw_turns[turn] if position.phase == "draw" else board.play_turns[turn]
    _check_piles(state, position)
    _begin_turn(state, position, turn)


def _lay_melds(state: RummyState, position: Position) -> None:
    """Lay the melds on the table, if they are some."""
    board, seats = state.board, len(state.board.hands)
    if len(position.melds) > len(board.melds):
        raise PositionError(f"there are {len(position.melds)} melds; the cards are enough for {len(board.melds)}")
    for number, meld in enumerate(position.melds, 1):
        combination = board.find_meld(meld.cards)
        if combination is None or not meld.owner < seats:
            raise PositionError(
                f"meld {number}, {meld.cards!r} of seat {meld.owner}, is no meld, or its owner is no seat of {seats}"
            )
        state.add_meld(meld.owner, combination)


def _hand_rows(state: RummyState, position: Position, turn: int) -> list[list[str | None]]:
    """Return the hands as they are written.

    An open hand has as many cards as were dealt, and one more once a card is drawn.
    """
    rows: list[list[str | None]] = [list(row) for row in position.hands or ()]
    if position.hands is None:
        known = position.known or [[] for _ in state.board.hands]
        rows = [[*faces, *[None] * (state.options.hand_size or 0)][: state.options.hand_size] for faces in known]
        if position.phase == "play":
            rows[turn].append(position.taken or position.drawn)
    if not all(rows) and not position.over:
        raise PositionError("a hand is empty: then its player has gone out, and the deal is over (2.2)")
    return rows


def _place_cards(state: RummyState, position: Position, rows: Sequence[Sequence[str | None]]) -> None:
    """Put every card somewhere, those that are not mentioned at random."""
    table, board = state.table, state.board
    piles = [
        *((zone, meld.cards) for zone, meld in zip(board.melds, position.melds, strict=False)),
        (board.discard, [None] if position.discard is None else position.discard),
        (board.stock, (position.stock or [])[::-1]),
    ]
    left = set_up_zones(table, board.stock, [*zip(board.hands, rows, strict=True), *piles])
    if position.stock is not None:
        table.place(left, board.stock, board.box, 0)


def _check_end(state: RummyState, position: Position) -> None:
    """Check that a game can be over like this: by its totals, with at most one empty hand, all hands shown."""
    table, board = state.table, state.board
    if not is_over(state.totals, position.deal, state.options):
        raise PositionError(f"the game is not over after deal {position.deal} with scores {state.totals!r} (2.3)")
    if position.turn is not None or position.phase != "draw" or position.drawn or position.taken:
        raise PositionError("the game is over; nobody is on turn in any phase, and nothing is drawn or taken")
    if position.melded or position.laid_off:
        raise PositionError("the game is over; nobody is on turn, so nobody has melded or laid off in this turn")
    if state.hand_masks.count(0) > 1:
        raise PositionError("two hands are empty; the first player without a card ends the deal (2.2)")
    if not all(table.is_known(hand, table.layout.spectator) for hand in board.hands):
        raise PositionError("the game is over; known has every card, because all hands are shown (2.3)")


def _begin_turn(state: RummyState, position: Position, turn: int) -> None:
    """Set what the player on turn has drawn and laid down in this turn."""
    drawn = position.taken or position.drawn
    if position.phase == "draw":
        if drawn is not None or position.melded or position.laid_off:
            raise PositionError("in phase 'draw' nothing is drawn, taken, melded or laid off as yet")
        return
    if position.drawn not in (None, drawn):
        raise PositionError(
            f"the card drawn is {position.drawn!r}, and the card taken is {position.taken!r}: they are one"
        )
    if (position.melded and turn not in state.meld_owners) or (position.laid_off and not state.meld_owners):
        raise PositionError(
            f"seat {turn} is said to have melded or laid off in this turn, but no such meld is on the table"
        )
    state.has_melded, state.has_laid_off = position.melded, position.laid_off
    if drawn is not None:
        state.drawn_place = _drawn_card(state, position, turn) % CARDS
        if position.taken is not None:
            state.mark_taken()


def _drawn_card(state: RummyState, position: Position, turn: int) -> int:
    """Return the card that was drawn: the last such in the hand, or one that has gone to a meld since.

    D12: of two copies, one that everybody saw drawn is one that everybody knows.
    """
    zones, known, everybody = state.table.zones, state.table.known_by, state.table.layout.everybody
    drawn = position.taken or position.drawn
    copies = state.board.layout.deck.copies(drawn or "")
    for card in reversed(zones[state.board.hands[turn]]):
        if card in copies and (known[card] == everybody or not _is_drawn_card_public(position)):
            return card
    melds = [card for zone in state.board.melds for card in zones[zone] if card in copies]
    if not melds or not (state.has_melded or state.has_laid_off):
        raise PositionError(f"seat {turn} is said to have drawn {drawn!r}, but neither holds it nor has melded it")
    return melds[0]


def _is_drawn_card_public(position: Position) -> bool:
    """Whether everybody saw the card that was drawn."""
    return position.taken is not None or position.stock_public


def _check_piles(state: RummyState, position: Position) -> None:
    """Check that the turn can be played.

    A player who draws finds a discard, and with note 5 the stock is never empty then.
    """
    zones, board = state.table.zones, state.board
    stock, discard = len(zones[board.stock]), len(zones[board.discard])
    if position.phase == "draw" and not discard:
        raise PositionError("the discard pile is never empty when a turn starts (section 1)")
    if state.options.stock_out == "reshuffle" and not (stock if position.phase == "draw" else stock + discard):
        raise PositionError("with stock_out 'reshuffle' the stock is never empty when a turn starts (note 5)")


def _set_knowledge(state: RummyState, position: Position, turn: int) -> None:
    """2.4: everybody knows the open cards, what is said to be known, and a card that was seen as it was drawn."""
    table, board, everybody = state.table, state.board, state.table.layout.everybody
    for card in table.zones[board.stock]:
        table.known_by[card] = everybody if position.stock_public else 0
    for seat, (hand, known) in enumerate(zip(board.hands, _known_rows(state, position, turn), strict=True)):
        for card in reversed(table.zones[hand]):  # the card just drawn is the last of two copies
            face = board.pack[card % CARDS]
            table.known_by[card] = everybody if face in known else hand.viewers
            if face in known:
                known.remove(face)
        if known:
            raise PositionError(
                f"everybody is said to know {known!r} in the hand of seat {seat}, which does not hold it"
            )


def _known_rows(state: RummyState, position: Position, turn: int) -> list[list[str]]:
    """Return what everybody knows of the hands.

    Before the first meld or layoff of a turn that includes a card that was seen as it was drawn.
    """
    rows = [list(known) for known in position.known] if position.known is not None else [[] for _ in state.board.hands]
    drawn = position.taken or position.drawn
    if drawn is not None and _is_drawn_card_public(position) and drawn not in rows[turn]:
        is_held = any(state.board.pack[card % CARDS] == drawn for card in state.table.zones[state.board.hands[turn]])
        if is_held and (position.known is None or not (position.melded or position.laid_off)):
            rows[turn].append(drawn)
    return rows
