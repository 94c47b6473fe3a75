"""A match of Gin Rummy at one moment: drawing, discarding, knocking, the count, evaluation and positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, get_args

from pitboss import Deck, Outcome, PositionError, PublicCount, PublicCounts, Turn, Visibility, Zone, Zones
from pitboss.action_range import find_entry
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.melds import BITS, GIN_WORTH, RANK_COUNT, DeadwoodTable, iter_places, mask_of
from pitboss.plugins.packs import suit_of
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss.table.zone_fields import hand_each, pile
from pitboss.text import truncate_text
from pitboss_gin_rummy.messages import (
    BIG_GIN,
    CARD_OF,
    DISCARDS,
    DRAW,
    DRAW_OR_TAKE,
    FACES,
    KNOCKS,
    PASS,
    PASS_OR_TAKE,
    Arrange,
    Discard,
    Draw,
    GameScore,
    GinRummyAction,
    GinRummyOptions,
    Knock,
    Pass,
    Phase,
    Position,
    Take,
    View,
)
from pitboss_gin_rummy.scoring import begin_games, count_deal, count_totals, enter_deal, is_won

HAND: Final = 10  # cards
LAST_STOCK: Final = 2  # cards of the stock that nobody draws
MAX_TAKES: Final = 50  # discards taken in a deal in place of draws, after which players have to draw
NO_CARD: Final = -1
DEADWOOD: Final = DeadwoodTable()
HIGHEST: Final = max(GIN_WORTH)
TURNS: Final = {phase: tuple(Turn(seat, phase) for seat in range(4)) for phase in get_args(Phase)}
SHARE: Final = 0.5  # of the difference of what is loose, that will be won on average
Rows = list[list[str | None]]
CARD_COLUMN: Final = 26  # where cards begin; the picture is 60 wide
CARD_WIDTH: Final = 34
PILE_WIDTH: Final = 48


def can_knock(taken: int, limit: int, big_gin_bonus: int, cards: Iterable[int | None]) -> bool:
    """G9: return whether a hand that has taken the last discard may knock, which it must; False with unknown cards."""
    held = [card for card in cards if card is not None]
    mask = mask_of(held)
    if len(held) <= HAND or (least := DEADWOOD.find_least(mask)) > limit + HIGHEST:
        return False
    is_big_gin = big_gin_bonus > 0 and least == 0
    return is_big_gin or any(card != taken and DEADWOOD.find_least(mask ^ BITS[card]) <= limit for card in held)


class GinRummyState(DealsState[GinRummyOptions, GinRummyAction]):
    """A match of Gin Rummy at one moment."""

    deck = Deck(FACES)

    stock: Zone = pile(Visibility.NOBODY)
    discards: Zone = pile()
    hands: Zones = hand_each()
    players: tuple[int, int] = (0, 1)  # of this deal, the first to act first
    waiting: tuple[int, ...] = ()  # who sits out, the next to come in first
    games: tuple[GameScore, ...] = ()
    up_card: int = NO_CARD  # the card that was turned up
    limit: int = 0  # what a knocker may have loose in this deal
    passes: int = 0  # on the card turned up, until one draws
    takes: int = 0  # discards taken in this deal, that turned up first not counted
    taken: int = NO_CARD  # the card that may not be discarded in this turn

    def start(self) -> None:
        """Begin the first deal."""
        self.begin_match()
        super().start()

    def begin_match(self) -> None:
        """G2: seats 0 and 1 begin, and the others wait."""
        self.waiting = tuple(range(2, self.seats))
        self.games = begin_games(self.seats, self.options)

    # ---- section 1: the deal

    @property
    def dealer(self) -> int:
        """G2: of two the second to act; of more one who sits out, the last to come in again."""
        return self.waiting[-1] if self.waiting else self.players[1]

    def deal_cards(self) -> None:
        """G3: deal ten cards each, and turn one up."""
        self.passes = self.takes = 0
        self.taken = NO_CARD
        self.table.deal(self.stock, [self.hands[seat] for seat in self.players], HAND)
        self.turn_up(self.table.draw(self.stock, self.discards, "up_card"))
        self.turn = TURNS["first"][self.players[0]]

    def turn_up(self, card: int) -> None:
        """G7: set what a knocker may have loose, in Oklahoma by the card turned up."""
        options, worth = self.options, GIN_WORTH[card % RANK_COUNT]
        self.up_card = card
        self.limit = options.knock if options.oklahoma == "no" else worth
        if options.oklahoma == "gin" and worth == 1:
            self.limit = 0

    def pass_on_deal(self, loser: int | None) -> None:
        """G2: of two the other deals next, or the winner or loser; of more the loser, who sits out.

        After a deal without winner all stay, unless two deal in turn.
        """
        next_dealer = self.options.next_dealer
        if next_dealer == "turns" and not self.waiting:
            self.players = self.players[::-1]
        elif loser is None:
            return
        elif not self.waiting:
            dealer = loser if next_dealer == "loser" else self.other(loser)
            self.players = (self.other(dealer), dealer)
        else:
            stays, comes = self.other(loser), self.waiting[0]
            self.waiting = (*self.waiting[1:], loser)
            is_first = (stays - loser) % self.seats < (comes - loser) % self.seats
            self.players = (stays, comes) if is_first else (comes, stays)

    def is_match_over(self) -> bool:
        """G17: return whether all games are won, or all deals are played."""
        return self.deal_no >= self.options.deals or all(is_won(game, self.options) for game in self.games)

    def other(self, seat: int) -> int:
        """Return the other player of this deal."""
        first, second = self.players
        return first + second - seat

    # ---- sections 2 and 3: what a player may do

    def legal(self) -> Sequence[GinRummyAction]:
        """Return the actions of the phase; knocks come last."""
        if self.turn is None:
            return ()
        seat, phase = self.turn
        if phase == "discard":
            return self.legal_discards(seat)
        if phase == "draw":
            return DRAW if self.passes == 2 or self.takes >= MAX_TAKES else DRAW_OR_TAKE
        if phase == "first":
            return PASS_OR_TAKE
        if phase == "wall":
            return PASS_OR_TAKE if self.can_knock_with_discard(seat) else PASS
        return [Arrange(tuple(map(faces_of, melds))) for melds in self.list_arrangements(seat)]

    def legal_discards(self, seat: int) -> Sequence[GinRummyAction]:
        """G5 to G8: any card but that just taken; with a knock, one after which few enough points are loose."""
        held, taken, limit = sorted(self.table.zones[self.hands[seat]]), self.taken, self.limit
        actions = [] if self.has_taken_last() else [DISCARDS[card] for card in held if card != taken]
        mask = mask_of(held)
        least = DEADWOOD.find_least(mask)
        if least <= limit + HIGHEST:  # a discard takes away no more
            actions += [
                KNOCKS[card] for card in held if card != taken and DEADWOOD.find_least(mask ^ BITS[card]) <= limit
            ]
            if least == 0 and self.options.big_gin_bonus:
                actions.append(BIG_GIN)
        return actions

    def has_taken_last(self) -> bool:
        """G9: return whether the discard was taken when two cards were left: then its player knocks."""
        return self.taken != NO_CARD and len(self.table.zones[self.stock]) <= LAST_STOCK

    def state_last_take(self, seat: int) -> None:
        """G9: if a player has taken the last discard, everybody knows that its hand may knock."""
        if self.has_taken_last():
            fact = partial(can_knock, self.taken, self.limit, self.options.big_gin_bonus)
            self.table.constrain(fact, self.table.zones[self.hands[seat]])

    def can_knock_with_discard(self, seat: int) -> bool:
        """G9: return whether a player may knock once it has taken the discard."""
        held = self.table.zones[self.hands[seat]]
        mask = mask_of(held) | BITS[self.table.zones[self.discards][-1]]
        if self.options.big_gin_bonus and DEADWOOD.find_least(mask) == 0:
            return True
        return any(DEADWOOD.find_least(mask ^ BITS[card]) <= self.limit for card in held)

    def play(self, action: GinRummyAction) -> None:
        """Do an action. A card is looked for in the hand, so that no legal list is rebuilt."""
        turn = self.turn
        if turn is None or not self.is_legal(*turn, action):
            self.refuse(action)
        seat, table = turn.seat, self.table
        hand = self.hands[seat]
        if isinstance(action, Draw):
            self.passes, self.taken = 0, NO_CARD
            table.draw(self.stock, hand)
            self.turn = TURNS["discard"][seat]
        elif isinstance(action, Discard):
            table.move(CARD_OF[action.card], hand, self.discards, "discard")
            self.end_turn(seat)
        elif isinstance(action, Take):
            self.passes, self.takes = 0, self.takes + (turn.phase == "draw")
            self.taken = table.draw(self.discards, hand, "take")
            self.state_last_take(seat)
            self.turn = TURNS["discard"][seat]
        elif isinstance(action, Pass):
            self.pass_discard(*turn)
        elif isinstance(action, Knock):
            self.taken = NO_CARD
            table.move(CARD_OF[action.card], hand, self.discards, "knock")
            self.knock(seat)
        elif isinstance(action, Arrange):
            self.count_hands(seat, [mask_of(map(CARD_OF.__getitem__, meld)) for meld in action.melds])
        else:
            self.count_hands(seat, None)

    def is_legal(self, seat: int, phase: str, action: GinRummyAction) -> bool:
        """Return whether an action is legal."""
        if phase == "discard" and isinstance(action, Discard):
            card = CARD_OF.get(action.card, NO_CARD)
            is_held = card != self.taken and card in self.table.zones[self.hands[seat]]
            return is_held and not self.has_taken_last()
        return find_entry(action, self.legal()) is not None

    def pass_discard(self, seat: int, phase: str) -> None:
        """G4, G9: leave the card turned up, or the last discard, which ends the deal."""
        self.table.tell("pass", seat=seat)
        if phase == "wall":
            self.end_without_winner()
            return
        self.passes += 1
        self.turn = TURNS["first" if self.passes == 1 else "draw"][self.other(seat)]

    def end_turn(self, seat: int) -> None:
        """G5, G9: the other draws, unless two cards are left in the stock."""
        self.taken = NO_CARD
        if len(self.table.zones[self.stock]) > LAST_STOCK:
            self.turn = TURNS["draw"][self.other(seat)]
        elif self.options.last_discard:
            self.turn = TURNS["wall"][self.other(seat)]
        else:
            self.end_without_winner()

    # ---- section 4: the count

    def knock(self, seat: int) -> None:
        """G10: where several choices of melds leave as little loose, and it is no gin, the knocker is asked."""
        held = mask_of(self.table.zones[self.hands[seat]])
        arrangements = DEADWOOD.iter_arrangements(held)
        melds = next(arrangements)
        if DEADWOOD.find_least(held) and next(arrangements, None) is not None:
            self.turn = TURNS["arrange"][seat]
        else:
            self.count_hands(seat, melds)

    def list_arrangements(self, seat: int) -> list[list[int]]:
        """G10: return the choices of melds that leave least loose; of each the melds by their lowest cards."""
        held = mask_of(self.table.zones[self.hands[seat]])
        return [sorted(melds, key=lambda meld: meld & -meld) for melds in DEADWOOD.iter_arrangements(held)]

    def count_hands(self, seat: int, melds: Sequence[int] | None) -> None:
        """G11 to G15: show the hands, lay off, and count; without `melds` it is big gin."""
        table, other, self.taken = self.table, self.other(seat), NO_CARD
        held, theirs = (mask_of(table.zones[self.hands[one]]) for one in (seat, other))
        shown = next(DEADWOOD.iter_arrangements(held)) if melds is None else melds
        loose = DEADWOOD.find_least(held)
        left, laid_off = DEADWOOD.choose_layoffs(theirs, shown if loose else ())
        table.reveal(self.hands[seat], "show")
        table.tell("melds", seat=seat, melds=[" ".join(faces_of(meld)) for meld in shown], loose=loose)
        table.reveal(self.hands[other], "show")
        table.tell("layoffs", seat=other, cards=[FACES[card] for card in laid_off], loose=left)
        count = count_deal(loose, left, melds is None, self.options)
        doubled = 2 if self.options.spades_double and suit_of(FACES[self.up_card]) == "S" else 1
        winner, loser = (seat, other) if count.is_knocker else (other, seat)
        table.tell("won", seat=winner, way=count.way, points=count.points * doubled)
        self.games = enter_deal(self.games, winner, count.points * doubled, self.options)
        self.end_with_totals(loser)

    def end_without_winner(self) -> None:
        """G9: nobody scores."""
        self.table.tell("no_winner")
        self.end_with_totals(None)

    def end_with_totals(self, loser: int | None) -> None:
        """End the deal; what it has added, with all bonuses, goes to the totals."""
        if not self.is_match_over():
            self.pass_on_deal(loser)
        totals = count_totals(self.games, self.options)
        self.end_deal([now - before for now, before in zip(totals, self.totals, strict=True)])

    # ---- what is seen

    def view(self, seat: int) -> View:
        """Return what a seat may know: section 6."""
        zones, known_by, bit = self.table.zones, self.table.known_by, 1 << seat
        held = [sorted(zones[hand]) for hand in self.hands]
        return View(
            hand=[FACES[card] for card in held[seat]] if seat < self.seats else [],
            known=[[FACES[card] for card in cards if known_by[card] & bit] for cards in held],
            discards=[FACES[card] for card in zones[self.discards]],
            stock=len(zones[self.stock]),
            taken=None if self.taken == NO_CARD else FACES[self.taken],
            limit=self.limit,
            up_card=FACES[self.up_card],
            takes=self.takes,
            players=self.players,
            waiting=self.waiting,
            games=self.games,
            totals=self.totals,
            deal_no=self.deal_no,
        )

    def neutral(self) -> GinRummyAction:
        """D8: pass, draw, or discard the card just drawn."""
        seat, phase = self.require_turn()
        if phase == "discard" and self.taken == NO_CARD:
            return Discard(FACES[self.table.zones[self.hands[seat]][-1]])
        return self.legal()[0]

    def outcome(self) -> Outcome:
        """G18: the most points win."""
        return outcome_by_side(self.totals)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat its total, and in a deal that is played a part of what it has fewer loose than the other."""
        worths = [float(total) for total in self.totals]
        if self.turn is not None:
            one, other = self.players
            first, second = (DEADWOOD.find_least(mask_of(self.table.zones[self.hands[seat]])) for seat in (one, other))
            worths[one] += SHARE * (second - first)
            worths[other] += SHARE * (first - second)
        return worths

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card, and what everybody knows."""
        table, turn, onlooker = self.table, self.turn, self.table.layout.spectator
        known = [table.faces_known_to(hand, onlooker) for hand in self.hands]
        return Position(
            deal_no=self.deal_no,
            players=self.players,
            waiting=list(self.waiting),
            turn=turn.seat if turn else None,
            phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
            hands=[[*self.faces(hand)] for hand in self.hands],
            discards=[*self.faces(self.discards)],
            stock=[*reversed(self.faces(self.stock))],
            up_card=FACES[self.up_card],
            taken=None if self.taken == NO_CARD else FACES[self.taken],
            takes=self.takes,
            passes=self.passes,
            known=[[str(face) for face in row if face] for row in known],
            games=list(self.games),
            over=turn is None,
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        self.begin_match()
        _seat_players(self, position)
        _set_scores(self, position)
        seat = self.players[0] if position.turn is None else position.turn
        if seat not in self.players:
            raise PositionError(f"turn is {seat}; {self.players[0]} and {self.players[1]} play this deal")
        hands, discards = _hand_rows(self, position, seat), position.discards
        if discards is None:
            discards = [position.up_card] if position.taken is None else []
        stock = [*(position.stock or ())]
        piles = [(self.discards, discards), (self.stock, stock[::-1])]
        set_up_zones(self.table, self.stock, [*zip(self.hands, hands, strict=True), *piles])
        _set_up_card(self, position)
        _set_knowledge(self, position, seat)
        self.passes, self.takes = position.passes, position.takes
        if position.over:
            if not self.is_match_over():
                raise PositionError(f"the match is not over after deal {position.deal_no} with totals {self.totals!r}")
            return
        if self.deal_no > self.options.deals:
            raise PositionError(f"deal_no is {position.deal_no}; the match has {self.options.deals} deals")
        if all(is_won(game, self.options) for game in self.games):
            raise PositionError(f"the match is over: all games are won, with totals {self.totals!r}")
        self.turn = TURNS[position.phase][seat]
        _check_phase(self, position)
        self.state_last_take(seat)

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        table, dealer = self.table, truncate_text(names[self.dealer], NAME_WIDTH)
        yield f"  deal {self.deal_no}, {name_limit(self)}, dealer {self.dealer} {dealer}"
        for zone in (self.stock, self.discards):
            yield f"  {zone.name:8}  {render_zone(table, zone, seat, PILE_WIDTH)[0]}"
        yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
        for owner, hand in enumerate(self.hands):
            is_on_turn = self.turn is not None and self.turn.seat == owner
            head = f"{player_heading(is_on_turn, owner, names[owner])}{self.totals[owner]:>6}"
            held = ["sits out"] if owner in self.waiting else render_zone(table, hand, seat, CARD_WIDTH)
            yield from render_beside(head, held, CARD_COLUMN)
        for number, game in enumerate(self.games, 1):
            written = "  ".join(f"{points} ({lines})" for points, lines in zip(game.points, game.lines, strict=True))
            yield f"  game {number} (lines): {written}"

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal, and what a knocker may have; of seats their scores, and who sits out."""
        seats = [
            (
                PublicCount("score", total),
                *[PublicCount("dealer", role="button")] * (seat == self.dealer),
                *[PublicCount("sits out", role="out")] * (seat in self.waiting),
            )
            for seat, total in enumerate(self.totals)
        ]
        return PublicCounts((PublicCount("deal", self.deal_no, "part"), PublicCount(name_limit(self))), seats)

    def own_counts(self, seat: int) -> Sequence[PublicCount]:
        """Return the deadwood of a seat's hand; of eleven cards, what is left after the best discard."""
        held = mask_of(self.table.zones[self.hands[seat]])
        if not held:
            return ()
        rests = [held ^ BITS[card] for card in iter_places(held)] if held.bit_count() > HAND else [held]
        return (PublicCount("deadwood", min(map(DEADWOOD.find_least, rests))),)


def faces_of(mask: int) -> tuple[str, ...]:
    """Return the faces of a mask of cards."""
    return tuple(FACES[card] for card in iter_places(mask))


def _seat_players(state: GinRummyState, position: Position) -> None:
    """Set who plays and who waits: everybody once."""
    players = state.players if position.players is None else position.players
    seats = range(state.seats)
    rest = [seat for seat in seats if seat not in players]
    waiting = rest if position.waiting is None else position.waiting
    if sorted([*players, *waiting]) != [*seats]:
        raise PositionError(
            f"players {players!r} and waiting {waiting!r} are not seats 0 to {state.seats - 1}, each once"
        )
    state.players, state.waiting = players, tuple(waiting)


def _set_scores(state: GinRummyState, position: Position) -> None:
    """Set the number of the deal, and the points."""
    games = begin_games(state.seats, state.options) if position.games is None else tuple(position.games)
    if len(games) != len(state.games):
        raise PositionError(f"games has {len(games)} entries; {len(state.games)} are played at once")
    for game in games:
        check_row_lengths(state.seats, points=game.points, lines=game.lines)
        if min(*game.points, *game.lines) < 0:
            raise PositionError(f"points and lines are not below 0: {game!r}")
    state.deal_no, state.games = position.deal_no, games
    state.totals = count_totals(games, state.options)


def _hand_rows(state: GinRummyState, position: Position, seat: int) -> Rows:
    """Return the hands as they are written; the player on turn has one card more when it is to discard."""
    check_row_lengths(state.seats, hands=position.hands, known=position.known)
    has_drawn = position.phase == "discard" and not position.over
    sizes = [(HAND + (one == seat and has_drawn)) * (one in state.players) for one in range(state.seats)]
    if position.hands is None:
        rows: Rows = [[*known] for known in position.known or [[] for _ in sizes]]
        if position.taken is not None and position.taken not in rows[seat]:
            rows[seat].append(position.taken)
        return [[*row, *[None] * (size - len(row))] for row, size in zip(rows, sizes, strict=True)]
    for one, (row, size) in enumerate(zip(position.hands, sizes, strict=True)):
        if len(row) != size and not (position.over and size and len(row) == size + 1):
            raise PositionError(f"seat {one} holds {len(row)} cards; it is {size}")
    return [[*row] for row in position.hands]


def _set_up_card(state: GinRummyState, position: Position) -> None:
    """Set the card that was turned up, and that which was taken."""
    lowest = [*state.table.zones[state.discards][:1]]
    given = [CARD_OF[face] for face in (position.up_card, position.taken) if face is not None]
    state.turn_up(([*given[: position.up_card is not None], *lowest, *given, CARD_OF["SK"]])[0])
    state.taken = NO_CARD if position.taken is None else CARD_OF[position.taken]


def _set_knowledge(state: GinRummyState, position: Position, seat: int) -> None:
    """G5: everybody knows the cards that were taken from the discards."""
    table = state.table
    known: list[list[str]] = [*(position.known or [[] for _ in range(state.seats)])]
    if position.taken is not None:
        known[seat] = [*known[seat], position.taken]
    for hand, faces in zip(state.hands, known, strict=True):
        for face in faces:
            if CARD_OF[face] not in table.zones[hand]:
                raise PositionError(
                    f"{face!r} is listed as known in {hand.name}, but {hand.name} does not hold this card"
                )
            table.known_by[CARD_OF[face]] = table.layout.everybody


def _check_phase(state: GinRummyState, position: Position) -> None:
    """Check that a phase can be played with these piles."""
    stock, discards = (len(state.table.zones[zone]) for zone in (state.stock, state.discards))
    phase, is_last = position.phase, stock <= LAST_STOCK
    if is_last and (phase in ("first", "draw") or stock < LAST_STOCK):
        raise PositionError(f"the stock has {stock} cards; with {LAST_STOCK} nobody draws")
    if phase == "wall" and not (is_last and state.options.last_discard):
        raise PositionError(f"in phase 'wall' {LAST_STOCK} cards are left in the stock, and last_discard is true")
    if position.taken is not None and phase != "discard":
        raise PositionError(f"taken is {position.taken!r}; that is so in phase 'discard' alone, not in {phase!r}")
    if not discards and position.taken is None:
        raise PositionError("no discard lies there, and none was taken")
    if not state.legal():
        raise PositionError(f"seat {state.require_turn().seat} cannot do anything in phase {phase!r}")


def name_limit(state: GinRummyState) -> str:
    """Return in words what a knocker may have loose."""
    return f"knock with {state.limit} or less" if state.limit else "gin alone"
