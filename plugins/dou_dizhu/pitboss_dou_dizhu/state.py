"""A game of Dou Dizhu at one moment: the auction, play, the count, evaluation and positions.

Numbers (D7) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import Final, Self

from pitboss import (
    Deck,
    IllegalAction,
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Random,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    pile,
    spread,
)
from pitboss.outcome import outcome_by_side
from pitboss.parts.auction import Auction
from pitboss.parts.climbing import ClimbingCombination, ClimbingRound, has_cards
from pitboss.parts.deals import DealsState
from pitboss.rendering.appearance import Colour
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss.text import wrap_words
from pitboss_dou_dizhu.combinations import (
    DECK,
    TWO_PACKS,
    Rules,
    code_cards,
    code_faces,
    list_beating,
    list_leads,
    read_play,
)
from pitboss_dou_dizhu.messages import (
    BIDS,
    CALLS,
    PASS,
    ROBBING,
    Bid,
    Claim,
    DouDizhuAction,
    DouDizhuOptions,
    Laid,
    Pass,
    Play,
    Position,
    Rob,
    View,
)
from pitboss_dou_dizhu.strategy import need_of

HANDS: Final = {3: 17, 4: 25}  # cards, by how many play
BOTTOMS: Final = {3: 3, 4: 8}
MAX_REDEALS: Final = 10  # D8
# Of the log odds that the landlord wins; found from 1200 deals that `house:dou-dizhu` played.
SLOPE: Final = 0.4  # by how much less it needs than the better farmer
TURN: Final = 0.65  # if it is on turn
OWNS: Final = 1.0  # if what lies on top is its own
EVEN: Final = -1.2
JOKERS: Final[dict[str, tuple[str, Colour]]] = {"BJ": ("black joker", "black"), "RJ": ("red joker", "red")}
PICTURE_WIDTH: Final = 60
COLUMN: Final = NAME_WIDTH + 4 + 6 + 10


def count_stake(base: int, doublings: int, options: DouDizhuOptions) -> int:
    """L10: return what a farmer wins or loses."""
    return base << min(doublings, options.max_doublings)


class DouDizhuState(DealsState[DouDizhuOptions, DouDizhuAction]):
    """A game of Dou Dizhu at one moment."""

    deck = DECK
    has_outcome_so_far = True
    evaluates_unseen = True  # in the auction, the bottom

    bottom: Zone = pile(Visibility.NOBODY)  # the cards before they are dealt, then those for the landlord
    top: Zone = spread()  # what has to be beaten
    played: Zone = pile()  # what was laid before
    hands: Zones = hand_each()
    rules: Rules = Rules()
    redeals: int = 0  # of this deal
    auction: Auction[Claim] = Auction(3)
    landlord: int | None = None
    bottom_faces: tuple[str, ...] = ()  # that the landlord has taken
    round: ClimbingRound = ClimbingRound(3, 0)
    plays: tuple[Laid, ...] = ()
    doublings: int = 0  # by robbing, bombs and the rocket
    totals_before: tuple[int, ...] = ()  # this deal

    @classmethod
    def make_deck(cls, seats: int, options: DouDizhuOptions) -> Deck:
        """L1: return the pack, or two packs if four play."""
        return deck_of(seats)

    @classmethod
    def create(cls, seats: int, options: DouDizhuOptions, rng: Random) -> Self:
        """Return a state before the first deal."""
        state = super().create(seats, options, rng)
        state.rules = rules_of(options, seats)
        return state

    def read_hand(self, seat: int) -> int:
        """Return the cards of a hand as a set of ranks."""
        return code_cards(self.table.zones[self.hands[seat]], self.table.layout.deck)

    def is_match_over(self) -> bool:
        """L12: return whether all deals are played."""
        return self.deal_no >= self.options.deals

    def outcome(self) -> Outcome:
        """L12: return the outcome in which the most points win; each seat is a side of its own (D9)."""
        return outcome_by_side(self.totals)

    # ---- L3: the deal

    @property
    def first_caller(self) -> int:
        """L4: the seat that calls first."""
        return (self.deal_no - 1 + self.redeals) % self.seats

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        self.totals_before = tuple(self.totals)
        self.redeals = 0

    def deal_cards(self) -> None:
        """L3: deal 17 cards each, or 25 if four play; some are left for the landlord."""
        self.table.deal(self.bottom, self.hands, HANDS[self.seats])
        self.begin_auction()

    def begin_auction(self) -> None:
        """L4: ask the first player."""
        self.auction = Auction(self.seats, self.first_caller)
        self.landlord, self.bottom_faces, self.plays, self.doublings = None, (), (), 0
        self.turn = Turn(self.first_caller, self.calling_phase)

    @property
    def calling_phase(self) -> str:
        """The phase in which the auction begins."""
        return "call" if self.options.auction == "rob" else "bid"

    # ---- L4 to L6: the auction

    def legal(self) -> Sequence[DouDizhuAction]:
        """Return the calls, or the combinations that can be laid."""
        if self.turn is None:
            return ()
        seat, phase = self.turn
        match phase:
            case "play":
                top = self.round.top
                if top is None:
                    return list_leads(self.read_hand(seat), self.rules)
                return [PASS, *list_beating(self.read_hand(seat), top, self.rules)]
            case "bid":
                last = self.auction.last_call
                return (PASS, *BIDS[last.stake if isinstance(last, Bid) else 0 :])
            case "call":
                return CALLS
            case _:
                return ROBBING

    def apply(self, action: DouDizhuAction) -> None:
        """L5, L6: make a call, or pass."""
        seat = self.require_turn().seat
        claim = None if isinstance(action, Pass | Play) else action
        stake = {"stake": claim.stake} if isinstance(claim, Bid) else {}
        self.table.tell("pass" if claim is None else type(claim).__name__.lower(), seat=seat, **stake)
        self.auction = self.auction.add_call(claim)
        self.doublings += isinstance(claim, Rob)
        self.ask_next()

    def ask_next(self) -> None:
        """L5, L6: ask the next player, or end the auction."""
        auction = self.auction
        made, last = len(auction.calls), auction.last_call
        if last is None:
            is_over = made == self.seats
        elif self.options.auction == "rob":
            is_over = self.pass_over()
        elif self.options.auction == "once":
            is_over = made == self.seats or last == BIDS[-1]
        else:
            is_over = auction.passes == self.seats - 1 or last == BIDS[-1]
        if not is_over:
            phase = "rob" if last is not None and self.options.auction == "rob" else self.calling_phase
            self.turn = Turn(self.auction.caller, phase)
        elif last is None:
            self.end_without_landlord()
        else:
            landlord = self.auction.last_caller
            assert landlord is not None
            self.take_bottom(landlord)

    def pass_over(self) -> bool:
        """L6: pass over seats that have passed; return whether no seat is left that may rob.

        The others may rob once each, and then who called first, if somebody has.
        """
        calls = [*self.auction.calls_by_seat()]
        caller, called = next((seat, number) for number, (seat, call) in enumerate(calls) if call is not None)
        while True:
            seat = self.auction.caller
            if seat == caller:
                return not self.doublings or len(self.auction.calls) > called + self.seats
            if len(self.auction.calls) > called + self.seats:
                return True
            if all(one != seat for one, _ in calls):
                return False
            self.auction = self.auction.add_call(None)

    def end_without_landlord(self) -> None:
        """L7: nobody wants to be the landlord."""
        if self.options.all_pass == "forced":
            self.take_bottom(self.first_caller)
        elif self.options.all_pass == "void" or self.redeals == MAX_REDEALS:
            self.end_deal([0] * self.seats)
        else:
            self.redeals += 1
            self.collect_and_shuffle(self.bottom, f"deal-{self.deal_no}/{self.redeals}")
            self.deal_cards()

    def take_bottom(self, landlord: int) -> None:
        """L8: the landlord shows the cards that are left, takes them, and leads."""
        table = self.table
        self.landlord = landlord
        self.bottom_faces = tuple(self.faces(self.bottom))
        table.tell("landlord", seat=landlord)
        table.reveal(self.bottom, "bottom")
        for _ in self.bottom_faces:
            table.draw(self.bottom, self.hands[landlord], "take")
        self.round = ClimbingRound(self.seats, landlord)
        self.turn = play_turn(landlord)

    # ---- L9: play

    def play(self, action: DouDizhuAction) -> None:
        """L9: lay a combination or pass, or do what `apply` says."""
        turn = self.turn
        if not isinstance(action, Play):
            if turn is not None and turn.phase == "play" and self.round.top is not None and isinstance(action, Pass):
                self.pass_play(turn.seat)
            else:
                super().play(action)
            return
        combination = None if turn is None or turn.phase != "play" else self.read(action, turn.seat)
        if turn is None or combination is None:
            self.refuse(action)
        self.lay(turn.seat, action, combination)

    def read(self, action: Play, seat: int) -> ClimbingCombination | None:
        """L9: return what the cards of a play are read as, so that they can be laid; None: they cannot."""
        try:
            cards = code_faces(action.cards)
        except KeyError:
            return None
        if len(action.cards) > len(self.table.zones[self.hands[seat]]) or not has_cards(self.read_hand(seat), cards):
            return None
        return next(filter(self.round.can_lay, read_play(cards, self.rules)), None)

    def lay(self, seat: int, action: Play, combination: ClimbingCombination) -> None:
        """L9: lay a combination; a seat without cards has won the deal."""
        table, hand = self.table, self.hands[seat]
        self.clear_top()
        table.lay_faces(action.cards, hand, self.top, combination.kind)  # D7: of equal cards those known to all first
        self.plays = (*self.plays, Laid(seat, action.cards))
        self.doublings += combination.power > 0
        self.round = self.round.lay(combination)
        if table.zones[hand]:
            self.turn = play_turn(self.round.turn)
        else:
            self.score_deal(seat)

    def pass_play(self, seat: int) -> None:
        """L9: pass; when all others have passed, who laid last leads."""
        self.table.tell("pass", seat=seat)
        self.plays = (*self.plays, Laid(seat))
        self.round = self.round.add_pass()
        if self.round.top is None:
            self.clear_top()
        self.turn = play_turn(self.round.turn)

    def clear_top(self) -> None:
        """Put what lies on top to the cards that were laid before."""
        if self.table.zones[self.top]:
            self.table.turn_over(self.top, self.played, "laid_before")

    # ---- L10 to L12: the count

    @property
    def base(self) -> int:
        """L10: the stake before it is doubled."""
        last = self.auction.last_call
        return last.stake if isinstance(last, Bid) else 1

    @property
    def stake(self) -> int:
        """L10: what a farmer wins or loses, as it stands."""
        return count_stake(self.base, self.doublings, self.options)

    def is_spring(self, winner: int) -> bool:
        """L11: return whether the farmers have laid nothing, or the landlord but once before it lost."""
        laid = [play.seat for play in self.plays if play.cards]
        if winner == self.landlord:
            return all(seat == winner for seat in laid)
        return laid.count(self.landlord or 0) == 1

    def score_deal(self, winner: int) -> None:
        """L10, L11: count the deal."""
        if self.options.spring and self.is_spring(winner):
            self.table.tell("spring")
            self.doublings += 1
        stake, landlord = self.stake, self.landlord
        sign = 1 if winner == landlord else -1
        farmers = self.seats - 1
        self.end_deal([sign * stake * (farmers if seat == landlord else -1) for seat in range(self.seats)])

    # ---- what is seen

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 7."""
        zones, printed = self.table.zones, self.table.layout.deck.faces
        top, owner = self.round.top, self.round.owner
        last = next((play for play in reversed(self.plays) if play.cards), None)
        is_laid = top is not None and owner is not None and last is not None and self.landlord is not None
        return View(
            hand=[str(printed[card]) for card in sorted(zones[self.hands[seat]])] if seat < self.seats else [],
            counts=[len(zones[hand]) for hand in self.hands],
            calls=self.auction.calls,
            first_caller=self.first_caller,
            landlord=self.landlord,
            bottom=[*self.bottom_faces],
            stake=self.stake,
            to_beat=last if is_laid else None,
            kind=top.kind if top is not None and is_laid else None,
            plays=self.plays,
            totals=self.totals,
            deal_no=self.deal_no,
        )

    def public_counts(self) -> PublicCounts:
        """Return deal, stake and what is to be beaten; of each seat its score, its part, and what it called last."""
        top = self.round.top if self.landlord is not None else None
        table = [PublicCount("deal", self.deal_no, "part"), PublicCount("stake", self.stake)]
        if top is not None:
            table.append(PublicCount("to beat", top.kind))
        seats = []
        for seat, total in enumerate(self.totals):
            parts = [PublicCount("score", total)]
            if self.landlord is not None:
                parts.append(PublicCount("landlord" if seat == self.landlord else "farmer"))
            elif calls := [call for caller, call in self.auction.calls_by_seat() if caller == seat]:
                parts.append(PublicCount(word_call(calls[-1])))
            seats.append(parts)
        return PublicCounts(table, seats)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total after this deal; in the auction as if the last caller was the landlord."""
        totals = [float(total) for total in self.totals]
        landlord = self.landlord if self.landlord is not None else self.auction.last_caller
        if self.turn is None or landlord is None:
            return totals
        packs = self.rules.packs
        needs = [need_of(self.read_hand(seat), packs=packs) for seat in range(self.seats)]
        if self.landlord is None:
            bottom = code_cards(self.table.zones[self.bottom], self.table.layout.deck)
            needs[landlord] = need_of(self.read_hand(landlord) + bottom, packs=packs)
        is_first = self.landlord is None or self.turn.seat == landlord
        owns = self.landlord is not None and self.round.owner == landlord
        farmers = min(need for seat, need in enumerate(needs) if seat != landlord)
        odds = EVEN + SLOPE * (farmers - needs[landlord]) + TURN * is_first + OWNS * owns
        gain = self.stake * (2 / (1 + exp(-odds)) - 1)
        share = self.seats - 1
        return [total + (share * gain if seat == landlord else -gain) for seat, total in enumerate(totals)]

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal, calls and plays, and the points before it."""
        return Position(
            hands=[[*self.faces(hand)] for hand in self.hands],
            bottom=[*(self.bottom_faces or self.faces(self.bottom))],
            calls=[*self.auction.calls],
            plays=[*self.plays],
            totals=[*self.totals_before],
            deal_no=self.deal_no,
            redeals=self.redeals,
        )

    def set_up(self, position: Position) -> None:
        """Deal the cards as they were dealt, make the calls, and lay again what was laid.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        check_row_lengths(self.seats, hands=position.hands, totals=position.totals)
        _check_seats_and_bottom(self.seats, position)
        if position.deal_no > self.options.deals:
            raise PositionError(f"deal_no is {position.deal_no}; the game has {self.options.deals} deals")
        most = MAX_REDEALS if self.options.all_pass == "redeal" else 0
        if position.redeals > most:
            raise PositionError(f"redeals is {position.redeals}; with these options it is {most} at most")
        self.deal_no, self.totals = position.deal_no, [*(position.totals or [0] * self.seats)]
        self.begin_deal()
        self.redeals = position.redeals
        trial = self.copy()
        _make_calls(trial, position)
        dealt, bottom = _cards_as_dealt(position, self.seats, trial.landlord, self.table.rng)
        set_up_zones(self.table, self.bottom, [*zip(self.hands, dealt, strict=True), (self.bottom, bottom)])
        _make_calls(self, position)
        for number, laid in enumerate(position.plays, 1):
            if self.landlord is None or self.turn is None or self.turn.seat != laid.seat:
                raise PositionError(f"play {number} of the deal is by seat {laid.seat}; the turn is {self.turn}")
            _do(self, Play(laid.cards) if laid.cards else PASS, f"play {number} of the deal")

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        counts = self.public_counts()
        yield f"  {', '.join(f'{count.name} {count.value}'.strip() for count in counts.table)}"
        shown = self.bottom_faces or ("?",) * len(self.table.zones[self.bottom])
        yield f"  bottom   {' '.join(shown)}"
        for play in self.plays[-3:]:
            lines = wrap_words(play.cards, " ", PICTURE_WIDTH - 11) or ["pass"]
            yield from render_beside(f"  {play.seat}", lines, 11)
        yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
        for owner, (row, hand) in enumerate(zip(counts.seats, self.hands, strict=True)):
            is_on_turn = self.turn is not None and self.turn.seat == owner
            words = " ".join(count.name for count in row[1:])
            head = f"{player_heading(is_on_turn, owner, names[owner])}{row[0].value:>6} {words}"
            yield from render_beside(head, render_zone(self.table, hand, seat, PICTURE_WIDTH - COLUMN), COLUMN)


def word_call(call: Claim | None) -> str:
    """Return a call in a word or two."""
    if isinstance(call, Bid):
        return f"bid {call.stake}"
    return "pass" if call is None else type(call).__name__.lower()


@lru_cache
def rules_of(options: DouDizhuOptions, seats: int) -> Rules:
    """Return what options say about combinations, with one pack or two."""
    return Rules(options.kickers == "any", options.quads, packs=1 if seats == 3 else 2)


def deck_of(seats: int) -> Deck:
    """L1: return the cards for a number of players."""
    return DECK if seats == 3 else TWO_PACKS


@lru_cache
def play_turn(seat: int) -> Turn:
    """Return the turn in which a seat plays."""
    return Turn(seat, "play")


def _check_seats_and_bottom(seats: int, position: Position) -> None:
    """Check what the type of a position leaves open, as it holds for three and for four.

    Raises:
        PositionError: a play is by a seat that there is not, or the bottom has too many or too few cards.
    """
    for number, laid in enumerate(position.plays, 1):
        if laid.seat >= seats:
            raise PositionError(f"play {number} of the deal is by seat {laid.seat}; {seats} play")
    if position.bottom is not None and len(position.bottom) != BOTTOMS[seats]:
        raise PositionError(f"bottom has {len(position.bottom)} cards; if {seats} play it is {BOTTOMS[seats]}")


def _cards_as_dealt(
    position: Position, seats: int, landlord: int | None, rng: Random
) -> tuple[list[list[str | None]], list[str | None]]:
    """Return the cards that each seat was dealt, and those that were left; the landlord holds or has laid these too.

    Raises:
        PositionError: a seat has more or fewer cards than it can have.
    """
    bottom = [*(position.bottom or [None] * BOTTOMS[seats])]
    dealt: list[list[str | None]] = []
    for seat in range(seats):
        gone = [face for laid in position.plays if laid.seat == seat for face in laid.cards]
        size = HANDS[seats] + (BOTTOMS[seats] if seat == landlord else 0)
        given = None if position.hands is None else position.hands[seat]
        held = [None] * (size - len(gone)) if given is None else given
        if len(held) + len(gone) != size:
            raise PositionError(f"seat {seat} holds {len(held)} cards and has laid {len(gone)}; together it is {size}")
        rest: list[str | None] = [*held]
        if seat == landlord:
            bottom = _take_bottom_out(rest, gone, bottom, rng)
        dealt.append([*gone, *rest])  # of equal cards the first one is laid
    return dealt, bottom


def _take_bottom_out(
    held: list[str | None], gone: list[str], bottom: Sequence[str | None], rng: Random
) -> list[str | None]:
    """Remove the landlord's bottom cards from `held` and `gone`, and return them; open ones (None) are chosen.

    `held` are the cards in its hand, `gone` those that it has laid. Bottom cards came last to the hand, and left it
    before equal ones.

    Raises:
        PositionError: the landlord does not have one of them.
    """
    taken = [*bottom]
    for number in sorted(range(len(bottom)), key=lambda number: bottom[number] is None):
        face = bottom[number]
        if face is None and None not in held:
            taken[number] = face = rng.choice([*filter(None, held), *gone])
        if face in gone:
            gone.remove(face)
        elif face in held or None in held:
            last = [*reversed(held)].index(face if face in held else None)
            del held[len(held) - 1 - last]
        else:
            raise PositionError(f"{face!r} of the bottom is not among the landlord's {held!r}")
    return taken


def _make_calls(state: DouDizhuState, position: Position) -> None:
    """Make the calls, each of which must be legal; a seat that is passed over is written as a pass."""
    redeals = state.redeals
    state.begin_auction()
    for number, call in enumerate(position.calls, 1):
        if number <= len(state.auction.calls):
            if call is not None:
                raise PositionError(f"call {number} is {call!r}; the seat has passed before")
        elif state.landlord is not None or state.redeals != redeals or state.turn is None:
            raise PositionError(f"there is no call {number}; the auction is over")
        else:
            _do(state, PASS if call is None else call, f"call {number}")


def _do(state: DouDizhuState, action: DouDizhuAction, what: str) -> None:
    try:
        state.play(action)
    except IllegalAction as error:
        raise PositionError(f"{what}: {error}") from None
