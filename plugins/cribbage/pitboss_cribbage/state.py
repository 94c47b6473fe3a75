"""A game of Cribbage at one moment: laying away, the play, the show, evaluation and positions.

Numbers (C5) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from pitboss import (
    IllegalAction,
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Sides,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    outcome_by_side,
    pile,
    pile_each,
    solo_sides,
    spread_each,
)
from pitboss.outcome import spread_over_sides
from pitboss.parts.deals import DealsState
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss.text import wrap_words
from pitboss_cribbage.messages import (
    ClaimPoints,
    CribbageAction,
    CribbageOptions,
    Go,
    LayAway,
    PlayToCount,
    Position,
    SeatPlay,
    View,
)
from pitboss_cribbage.scoring import (
    DECK,
    MAX_COUNT,
    MAX_PLAYED,
    MAX_SHOWN,
    VALUES,
    count_play,
    count_ranks,
    count_show,
    name_play,
)

PARTNERS: Final = ((0, 2), (1, 3))
HEELS: Final = 2
THREE_FOR_LAST: Final = 3
SKUNK: Final = 30  # points behind
GO: Final = (Go(),)
CLAIMS: Final = tuple(map(ClaimPoints, range(MAX_SHOWN + 1)))
PLAYS: Final = tuple(PlayToCount(str(face)) for face in DECK.faces)  # by card
CARD_OF: Final = {str(face): card for card, face in enumerate(DECK.faces)}
TOO_HIGH: Final = [  # by what is left to 31: the cards of who says "go"
    frozenset(card for card, value in enumerate(VALUES) if value > room) for room in range(MAX_COUNT + 1)
]
PICTURE_WIDTH: Final = 60
STARTER: Final = 2.3  # points that a starter adds to a hand, on average
CRIB: Final = 4.6  # what a crib is worth before its cards are known
LEFT_TO_PEG: Final = 0.6  # points of a card that is still to be played
Row = Sequence[str | None]


@lru_cache
def list_sides(seats: int) -> Sides:
    """C1: return the sides: four play as partners."""
    return PARTNERS if seats == 4 else solo_sides(seats)


def count_kept(options: CribbageOptions) -> int:
    """C4: return how many cards a player keeps."""
    return 3 if options.five_card else 4


def count_laid_away(seats: int) -> int:
    """C4: return how many cards a player lays away."""
    return 2 if seats == 2 else 1


class CribbageState(DealsState[CribbageOptions, CribbageAction]):
    """A game of Cribbage at one moment."""

    deck = DECK
    has_outcome_so_far = True

    stock: Zone = pile(Visibility.NOBODY)
    crib: Zone = pile(Visibility.NOBODY)
    starter: Zone = pile()
    hands: Zones = hand_each()
    laid_away: Zones = pile_each(Visibility.OWNER)
    played: Zones = spread_each()
    first_dealer: int = 0
    totals_before: tuple[int, ...] = ()  # this deal, by seat
    count: int = 0
    series: tuple[tuple[int, int], ...] = ()  # seat and card, since the count began at 0
    plays: tuple[tuple[int, int | None], ...] = ()  # of this deal, seat and card; None: it said "go"
    gone: int = 0  # the seats that have said "go" at this count, as a mask
    counted: tuple[int, ...] = ()  # points that were claimed for hands and crib
    play_claims: tuple[int, ...] = ()  # points that were claimed for the cards played in this deal

    # ---- C3, C4: the deal, and laying away

    def start(self) -> None:
        """C3: begin the first deal; with `cut_for_deal` the players cut for it."""
        if self.options.cut_for_deal:
            self.first_dealer = self.cut_for_deal()
        self.totals = self.initial_totals()
        self.start_deal()

    def cut_for_deal(self) -> int:
        """C3: let each seat cut a card, and return that with the lowest; seats with equal lowest cards cut again."""
        cutting: list[int] = [*range(self.seats)]
        cuts = 0
        while len(cutting) > 1:
            cuts += 1
            self.collect_and_shuffle(self.stock, f"cut-{cuts}", most_drawn=len(cutting))
            ranks = [self.table.draw(self.stock, self.played[seat], "cut") >> 2 for seat in cutting]
            cutting = [seat for seat, rank in zip(cutting, ranks, strict=True) if rank == min(ranks)]
        return cutting[0]

    def initial_totals(self) -> list[int]:
        """C13: return by seat the points before the first deal; with five cards the non-dealer has three "for last"."""
        for_last = THREE_FOR_LAST * self.options.five_card
        return [0 if seat == self.first_dealer else for_last for seat in range(self.seats)]

    def begin_deal(self) -> None:
        """Forget the deal before."""
        self.totals_before = tuple(self.totals)
        self.count = self.gone = 0
        self.series = self.plays = ()
        self.counted = self.play_claims = ()

    @property
    def dealer(self) -> int:
        """C3: the dealer, whose crib it is."""
        return (self.first_dealer + self.deal_no - 1) % self.seats

    def seats_from_eldest(self) -> list[int]:
        """Return all seats, that after the dealer first."""
        return [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]

    def deal_cards(self) -> None:
        """C4: deal; with three players a card goes to the crib."""
        self.table.deal(self.stock, self.hands, count_kept(self.options) + count_laid_away(self.seats))
        if self.seats == 3:
            self.table.draw(self.stock, self.crib, "deal_crib")
        self.turn = Turn(0, "lay_away")

    def together(self) -> Sequence[int]:
        """C4: return all seats while they lay away."""
        return range(self.seats) if self.turn is not None and self.turn.phase == "lay_away" else ()

    def lay_away(self, seat: int, faces: Sequence[str]) -> None:
        """C4: lay cards away; when all have done so, the starter is turned up."""
        hand, chosen = self.hands[seat], [CARD_OF[face] for face in faces]
        in_order = [
            card for card in self.table.zones[hand] if card in chosen
        ]  # an order that says nothing of the cards
        self.table.lay(in_order, hand, self.laid_away[seat], "lay_away")
        if seat + 1 < self.seats:
            self.turn = Turn(seat + 1, "lay_away")
        else:
            self.turn_up_starter()

    def turn_up_starter(self) -> None:
        """C5: make the crib, turn up a card, and peg two for a jack; the seat after the dealer leads."""
        for zone in self.laid_away:
            self.table.turn_over(zone, self.crib, "crib")
        card = self.table.draw(self.stock, self.starter, "starter")
        if not (str(DECK.faces[card])[1:] == "J" and self.peg(self.dealer, HEELS, "heels")):
            self.turn = Turn((self.dealer + 1) % self.seats, "play")

    # ---- pegging

    def peg(self, seat: int, points: int, name: str) -> bool:
        """C12: add points to a side, up to the target, and tell what for; return whether that ends the game."""
        if points:
            total = min(self.totals[seat] + points, self.options.target)
            for partner in next(side for side in list_sides(self.seats) if seat in side):
                self.totals[partner] = total
            self.table.tell(name, seat=seat, points=points)
            if total == self.options.target:
                self.turn = None
                return True
        return False

    def is_match_over(self) -> bool:
        """C12: return whether all deals are played; that a side has the points ends the game at once."""
        return self.deal_no >= self.options.deals

    # ---- C6 to C8: the play

    def legal(self) -> Sequence[CribbageAction]:
        """Return the cards to lay away or to play, or the points to claim."""
        if self.turn is None:
            return []
        seat, phase = self.turn
        held = sorted(self.table.zones[self.hands[seat]])
        if phase == "play":
            room = MAX_COUNT - self.count
            return [PLAYS[card] for card in held if VALUES[card] <= room] or GO
        if phase == "claim":
            return CLAIMS[: MAX_PLAYED + 1] if self.series else CLAIMS
        faces = [str(DECK.faces[card]) for card in held]
        return [*map(LayAway, combinations(faces, count_laid_away(self.seats)))]

    def apply(self, action: CribbageAction) -> None:
        """Do a legal action."""
        seat = self.require_turn().seat
        match action:
            case PlayToCount(card):
                self.play_card(seat, CARD_OF[card])
            case Go():
                self.say_go(seat)
            case LayAway(cards):
                self.lay_away(seat, cards)
            case ClaimPoints(points):
                self.count_claim(seat, points)

    def play_card(self, seat: int, card: int) -> None:
        """C6, C7: play a card, and peg what it scores; with `muggins_in_play` its player claims that first."""
        self.table.move(card, self.hands[seat], self.played[seat], "play")
        self.count += VALUES[card]
        self.series = (*self.series, (seat, card))
        self.plays = (*self.plays, (seat, card))
        if self.options.muggins_in_play:
            self.turn = Turn(seat, "claim")
            return
        for name, points in name_play(self.series_ranks(), self.count):
            if self.peg(seat, points, name):
                return
        self.play_on(seat)

    def series_ranks(self) -> list[int]:
        """Return the ranks of the cards of the series, in the order of play."""
        return [card >> 2 for _, card in self.series]

    def play_on(self, seat: int) -> None:
        """C7, C8: let the next seat play after a card of `seat`; at 31 the count begins again."""
        if self.count == MAX_COUNT:
            self.end_series(seat)
        else:
            self.ask_next(seat, seat)

    def ask_next(self, last: int, seat: int) -> None:
        """C8: ask the next seat after one that has cards and has not said "go"; if there is none, `last` pegs one."""
        zones = self.table.zones
        for step in range(1, self.seats + 1):
            other = (seat + step) % self.seats
            if zones[self.hands[other]] and not self.gone >> other & 1:
                self.turn = Turn(other, "play")
                return
        is_last = not any(zones[hand] for hand in self.hands)
        if not self.peg(last, 1, "last_card" if is_last else "for_go"):
            self.end_series(last)

    def say_go(self, seat: int) -> None:
        """C8: say "go": so all know that the seat holds no card that could be played."""
        self.gone |= 1 << seat
        self.plays = (*self.plays, (seat, None))
        self.table.tell("go", seat=seat)
        self.table.restrict(self.table.zones[self.hands[seat]], TOO_HIGH[MAX_COUNT - self.count])
        self.ask_next(self.series[-1][0], seat)

    def end_series(self, last: int) -> None:
        """C8: begin the count again: the next seat that has cards leads; if none has any, the show begins."""
        self.count = self.gone = 0
        self.series = ()
        seats = [(last + step) % self.seats for step in range(1, self.seats + 1)]
        holding = [seat for seat in seats if self.table.zones[self.hands[seat]]]
        if not holding or self.options.five_card:
            self.show()
        else:
            self.turn = Turn(holding[0], "play")

    # ---- C9 to C11: the show

    def show(self) -> None:
        """C9: count the hands from the seat after the dealer on, and then the crib; with `muggins` their owners do."""
        owners = [*self.seats_from_eldest(), self.dealer]
        for number in range(len(self.counted), len(owners)):
            is_crib = number == self.seats
            shown = self.crib if is_crib else self.hands[owners[number]]
            if self.table.zones[shown]:
                self.table.reveal(shown, "show")
            if self.options.muggins:
                self.turn = Turn(owners[number], "claim")
                return
            points = self.worth_of_show(number)
            self.counted = (*self.counted, points)
            if self.peg(owners[number], points, "crib" if is_crib else "hand"):
                return
        gained = [total - before for total, before in zip(self.totals, self.totals_before, strict=True)]
        self.totals = list(self.totals_before)
        self.end_deal(gained)

    def worth_of_show(self, number: int) -> int:
        """C9: return what the hand of a number counts, from the seat after the dealer on; the last one is the crib."""
        zones = self.table.zones
        [starter] = zones[self.starter]
        if number == self.seats:
            return count_show(zones[self.crib], starter, is_crib=True)
        seat = (self.dealer + 1 + number) % self.seats
        return count_show([*zones[self.hands[seat]], *zones[self.played[seat]]], starter)

    def count_claim(self, seat: int, points: int) -> None:
        """C14: count a claim for the card that was just played, or else for a hand or the crib; then go on."""
        number = len(self.counted)
        if self.series:
            self.play_claims = (*self.play_claims, points)
            if not self.peg_claim(seat, points, count_play(self.series_ranks(), self.count), "in_play"):
                self.play_on(seat)
            return
        self.counted = (*self.counted, points)
        if not self.peg_claim(seat, points, self.worth_of_show(number), "crib" if number == self.seats else "hand"):
            self.show()

    def peg_claim(self, seat: int, points: int, worth: int, name: str) -> bool:
        """C14: peg what was claimed, up to the worth of the cards; the next seat pegs the difference to the worth.

        Return whether that ends the game.
        """
        self.table.tell("claim", seat=seat, points=points, worth=worth)
        is_over = self.peg(seat, min(points, worth), name)
        return is_over or self.peg((seat + 1) % self.seats, abs(worth - points), "muggins")

    # ---- the result, and what is seen

    def outcome(self) -> Outcome:
        """C12, C15: the most points win; with `skunks` the result is in games."""
        sides = list_sides(self.seats)
        totals = [self.totals[side[0]] for side in sides]
        if self.options.skunks == "none" or max(totals) < self.options.target:
            return outcome_by_side(totals, sides)
        places = outcome_by_side(totals, sides).places
        won = float(sum(self.count_games(total) for total in totals if total < self.options.target))
        return Outcome(tuple(won if place == 1 else 0.0 for place in places), places, sides)

    def count_games(self, total: int) -> int:
        """C15: return how many games a loser with some points loses."""
        behind = self.options.target - total
        return 1 + (behind > SKUNK) + (behind > 2 * SKUNK and self.options.skunks == "double")

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        printed, zones, is_player = DECK.faces, self.table.zones, seat < self.seats
        starter = zones[self.starter]
        laid = [*zones[self.laid_away[seat]], *zones[self.crib]] if is_player else []
        bit = 1 << seat
        is_shown = self.turn is not None and self.turn.phase == "claim" and len(self.counted) == self.seats
        return View(
            hand=[str(printed[card]) for card in sorted(zones[self.hands[seat]])] if is_player else [],
            laid_away=[str(printed[card]) for card in sorted(laid) if self.table.known_by[card] & bit and not is_shown],
            dealer=self.dealer,
            starter=str(printed[starter[0]]) if starter else None,
            count=self.count,
            series=tuple([(player, str(printed[card])) for player, card in self.series]),
            gone=[player for player in range(self.seats) if self.gone >> player & 1],
            played=[self.faces(zone) for zone in self.played],
            crib=self.faces(self.crib) if is_shown else [],
            counted=self.counted if self.options.muggins else (),
            totals=list(self.totals),
            deal_no=self.deal_no,
        )

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal and the count; of each seat its points, and who deals."""
        seats = [
            (PublicCount("score", total), *[PublicCount("dealer", role="button")] * (seat == self.dealer))
            for seat, total in enumerate(self.totals)
        ]
        return PublicCounts((PublicCount("deal", self.deal_no, "part"), PublicCount("count", self.count)), seats)

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        starter = "".join(self.faces(self.starter)) or "none yet"
        yield f"  deal {self.deal_no}, starter {starter}, to {self.options.target}"
        series = [f"{player} {DECK.faces[card]}" for player, card in self.series]
        series += [f"{player} go" for player in range(self.seats) if self.gone >> player & 1]
        yield from render_beside(f"  count {self.count:<3}", wrap_words(series, ", ", PICTURE_WIDTH - 11) or [""], 11)
        if self.table.zones[self.crib]:
            yield f"  crib     {render_zone(self.table, self.crib, seat, PICTURE_WIDTH - 11)[0]}"
        yield f"{'':{NAME_WIDTH + 4}} score"
        for owner, hand in enumerate(self.hands):
            is_on_turn = self.turn is not None and self.turn.seat == owner
            heading = f"{player_heading(is_on_turn, owner, names[owner])}{self.totals[owner]:>6}"
            column = len(heading) + 2
            lines = render_zone(self.table, hand, seat, PICTURE_WIDTH - column)
            for label, zone in (("laid away", self.laid_away[owner]), ("played", self.played[owner])):
                if self.table.zones[zone]:
                    lines.append(f"{label} {render_zone(self.table, zone, seat, PICTURE_WIDTH - column)[0]}")
            if owner == self.dealer:
                lines[0] += "  (dealer)"
            yield from render_beside(heading, lines, column)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the points of its side after the show, as far as the target."""
        totals = [float(total) for total in self.totals]
        if self.turn is None:
            return totals
        seats, sides, zones = self.seats, list_sides(self.seats), self.table.zones
        gained = [0.0] * seats
        if zones[self.starter]:
            for number in range(len(self.counted), seats + 1):
                gained[(self.dealer + 1 + number) % seats if number < seats else self.dealer] += self.worth_of_show(
                    number
                )
        else:
            for seat, hand in enumerate(self.hands):
                kept = tuple(sorted([card >> 2 for card in zones[hand]]))
                gained[seat] += worth_of_kept(kept, bool(zones[self.laid_away[seat]])) + STARTER
            laid = tuple(sorted([card >> 2 for zone in (self.crib, *self.laid_away) for card in zones[zone]]))
            gained[self.dealer] += count_ranks(laid) * 0.8 + CRIB
        if self.turn.phase == "claim" and self.series:
            gained[self.turn.seat] += count_play(self.series_ranks(), self.count)
        for seat, hand in enumerate(self.hands):
            gained[seat] += LEFT_TO_PEG * len(zones[hand])
        target = float(self.options.target)
        values = [min(target, totals[side[0]] + sum(gained[seat] for seat in side)) for side in sides]
        return spread_over_sides(values, sides)

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal, and the points before it."""
        starter, crib = self.faces(self.starter), self.faces(self.crib)
        dealt_to_crib = int(self.seats == 3)
        laid_away: list[list[str | None]] = [[*self.faces(zone)] for zone in self.laid_away]
        if starter:
            size, laid = count_laid_away(self.seats), crib[dealt_to_crib:]
            laid_away = [[*laid[seat * size : (seat + 1) * size][::-1]] for seat in range(self.seats)]
        return Position(
            hands=[[*self.faces(zone)] for zone in self.hands],
            laid_away=laid_away,
            crib_card=crib[0] if dealt_to_crib else None,
            starter=starter[0] if starter else None,
            stock=[*reversed(self.faces(self.stock))],
            plays=[(seat, None if card is None else str(DECK.faces[card])) for seat, card in self.plays],
            claims=list(self.counted) if self.options.muggins else [],
            totals=[self.totals_before[side[0]] for side in list_sides(self.seats)],
            deal_no=self.deal_no,
            play_claims=list(self.play_claims) if self.options.muggins_in_play else None,
            first_dealer=self.first_dealer if self.options.cut_for_deal else None,
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        _begin_deal(self, position)
        laid_away = _fill_laid_away(self, position)
        held = _fill_hands(self, position, laid_away)
        played = [[face for player, face in position.plays if player == seat and face] for seat in range(self.seats)]
        starter: Row = [position.starter] if position.starter else []
        stock: list[tuple[Zone, Row]] = [(self.stock, [*reversed(position.stock or []), *starter])]
        crib: list[tuple[Zone, Row]] = [(self.crib, [position.crib_card])] if self.seats == 3 else []
        rows = [
            *zip(self.hands, [[*row, *gone] for row, gone in zip(held, played, strict=True)], strict=True),
            *zip(self.laid_away, laid_away, strict=True),
        ]
        domains = dict(zip(self.hands, _possible_cards(self.seats, position.plays), strict=True))
        set_up_zones(self.table, self.stock, [*crib, *rows, *stock], domains)
        count = sum(map(bool, laid_away))
        if count < self.seats:
            self.turn = Turn(count, "lay_away")
            return
        self.turn_up_starter()
        _do_plays(self, position)
        if position.claims and self.series and self.options.muggins_in_play:
            raise PositionError("claim 1 of the deal is for a hand; the play is not over then")
        for number, points in enumerate(position.claims, 1):
            _do(self, f"claim {number}", None, ClaimPoints(points))
        if self.deal_no != position.deal_no:
            raise PositionError(f"deal {position.deal_no} is over with these plays, and the game is not")


@lru_cache(maxsize=1 << 14)
def worth_of_kept(ranks: tuple[int, ...], is_laid_away: bool) -> int:
    """Return what the cards count that a hand keeps: all of them, or the best four if it has not laid away."""
    if is_laid_away or len(ranks) <= 4:
        return count_ranks(ranks)
    return max(map(count_ranks, combinations(ranks, 4)))


def _begin_deal(state: CribbageState, position: Position) -> None:
    """Set the number of the deal, the seat that dealt first, and the points before the deal."""
    check_seats(state.seats, first_dealer=position.first_dealer)
    if position.first_dealer and not state.options.cut_for_deal:
        raise PositionError(f"first_dealer is {position.first_dealer}; without cut_for_deal it is seat 0")
    state.first_dealer = position.first_dealer or 0
    sides, target = list_sides(state.seats), state.options.target
    check_row_lengths(len(sides), totals=position.totals)
    initial = state.initial_totals()
    totals = position.totals or [initial[side[0]] for side in sides]
    if position.deal_no > state.options.deals:
        raise PositionError(f"deal_no is {position.deal_no}; the game has {state.options.deals} deals")
    if not all(0 <= total < target for total in totals):
        raise PositionError(f"totals are {totals!r}; before a deal each is from 0 to {target - 1}")
    state.deal_no = position.deal_no
    state.totals = [*spread_over_sides(totals, sides)]
    state.begin_deal()


def _fill_laid_away(state: CribbageState, position: Position) -> list[Row]:
    """Return by seat the cards that it has laid away; None for open ones."""
    check_row_lengths(state.seats, laid_away=position.laid_away)
    if position.crib_card is not None and state.seats != 3:
        raise PositionError(f"crib_card is {position.crib_card!r}; a card is dealt to the crib of 3 players")
    size, is_played = count_laid_away(state.seats), bool(position.plays)
    rows: list[Row] = [*(position.laid_away or [[None] * (size * is_played)] * state.seats)]
    sizes, count = [*map(len, rows)], sum(map(bool, rows))
    if sizes != [size] * count + [0] * (state.seats - count) or (is_played and count < state.seats):
        when = "all have done so before the play" if is_played else "they do so in turn, from seat 0 on"
        raise PositionError(f"laid_away is {rows!r}; a seat lays away {size}, and {when}")
    return rows


def _fill_hands(state: CribbageState, position: Position, laid_away: Sequence[Row]) -> list[Row]:
    """Return by seat the cards that it holds; None for open ones."""
    check_row_lengths(state.seats, hands=position.hands)
    is_kept = all(laid_away)
    size = count_kept(state.options) + (0 if is_kept else count_laid_away(state.seats))
    gone = [
        sum(player == seat and face is not None for player, face in position.plays)
        + (0 if is_kept else len(laid_away[seat]))
        for seat in range(state.seats)
    ]
    rows: list[Row] = [*(position.hands or [[None] * (size - lacking) for lacking in gone])]
    for seat, (row, lacking) in enumerate(zip(rows, gone, strict=True)):
        if len(row) + lacking != size:
            done = "played" if is_kept else "laid away"
            raise PositionError(f"seat {seat} holds {len(row)} cards and has {done} {lacking}; together it is {size}")
    return rows


def _possible_cards(seats: int, plays: Sequence[SeatPlay]) -> list[frozenset[int]]:
    """C8: return by seat the cards that its hand can hold after some plays: none that could be played at its "go"."""
    possible = [frozenset(range(len(DECK)))] * seats
    count = 0
    for seat, face in plays:
        if face in CARD_OF:
            value = VALUES[CARD_OF[face]]
            count = value if count + value > MAX_COUNT or count == MAX_COUNT else count + value
        elif seat < seats:
            possible[seat] &= TOO_HIGH[MAX_COUNT - count]
    return possible


def _do_plays(state: CribbageState, position: Position) -> None:
    """C6, C14: play the cards that were played, and claim what was claimed for each of them."""
    claims = None if position.play_claims is None else [*position.play_claims]
    if claims and not state.options.muggins_in_play:
        raise PositionError(f"play_claims are {claims!r}; without muggins_in_play nobody claims points in the play")
    cards = sum(face is not None for _, face in position.plays)
    if claims is not None and state.options.muggins_in_play and not cards - 1 <= len(claims) <= cards:
        raise PositionError(f"play_claims are {claims!r}; {cards} cards are played, and only the last can be unclaimed")
    for number, (seat, face) in enumerate(position.plays, 1):
        _do(state, f"play {number}", seat, PlayToCount(face) if face else Go())
        if state.turn is not None and state.turn.phase == "claim" and state.series and claims != []:
            worth = count_play(state.series_ranks(), state.count)
            points = worth if claims is None else claims.pop(0)
            _do(state, f"the claim for play {number}", None, ClaimPoints(points))


def _do(state: CribbageState, what: str, seat: int | None, action: CribbageAction) -> None:
    """Do an action that a position tells of."""
    if state.turn is None or (seat is not None and state.turn.seat != seat):
        on_turn = f"seat {state.turn.seat} is on turn" if state.turn else "the game is over"
        raise PositionError(f"{what} of the deal is by seat {seat}; {on_turn} then")
    try:
        state.play(action)
    except IllegalAction as error:
        raise PositionError(f"{what} of the deal: {error}") from None
