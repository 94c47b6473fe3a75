"""A game of Rack-O at one moment: the rules, the evaluation, positions and the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import exp
from typing import Final, NamedTuple, Self

from msgspec import Struct

from pitboss import (
    EMPTY,
    Deck,
    Layout,
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Random,
    Seating,
    Sides,
    Table,
    TableState,
    Turn,
    Visibility,
    Zone,
    outcome_by_side,
    solo_sides,
)
from pitboss.determinization.sampling import sample_world
from pitboss.outcome import spread_over_sides
from pitboss.rendering.table_text import HIDDEN_CARD, NAME_WIDTH, NO_CARD, player_heading, render_zone
from pitboss.table.constraints import Constraint
from pitboss.table.position_setup import check_seats, set_up_zones, stack_deck
from pitboss.text import truncate_text
from pitboss_racko.messages import (
    Action,
    Declare,
    Discard,
    Draw,
    Pass,
    Position,
    RackoOptions,
    Swap,
    Take,
    View,
    Wait,
)
from pitboss_racko.rack import (
    DISCARD_WEIGHT,
    PACE,
    RACK_WEIGHT,
    RACKO_POINTS,
    SLOTS,
    UNSEEN_WEIGHT,
    RackFilling,
    declarer_points,
    first_dealer,
    is_racko,
    is_surely_not_racko,
    is_surely_not_racko_with_run,
    least_turns,
    longest_run,
    points,
    run_bonus,
)

SLOT_INDEX: Final = {label: index for index, label in enumerate(SLOTS)}
DRAW_ACTIONS: Final[tuple[Action, ...]] = (Draw(), *(Take(slot) for slot in SLOTS))
DRAW_OR_PASS_ACTIONS: Final[tuple[Action, ...]] = (*DRAW_ACTIONS, Pass())
PLACE_ACTIONS: Final[tuple[Action, ...]] = (*(Swap(slot) for slot in SLOTS), Discard())
DECLARE_ACTIONS: Final[tuple[Action, ...]] = (Declare(), Wait())
INCOMPLETE_POINTS: Final = 20.0  # points of a rack that is not complete when the round ends, on average
TURN_ADVANTAGE: Final = 0.25  # a turn ahead multiplies the chance to be first by e to this power
RUN_CHANCE: Final = 0.5  # of the bonus of the run that is there, as the rack may come out another way
RUN_TURNS: Final = {1: 4.0, 2: 2.5}  # turns to a run of three, where one is needed, by the longest run that is there
OPEN_RACK: Final[list[int | None]] = [None] * len(SLOTS)
PILE_WIDTH: Final = 46  # columns; the whole picture is 60 wide


class RackoBoard:
    """The layout for a number of players and a deck: shared by all games with these."""

    def __init__(self, seats: int, deck_size: int) -> None:
        self.layout = Layout(Deck(range(1, deck_size + 1)), seats)  # S2: card c shows c + 1
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)
        self.box = self.layout.add_pile("box", Visibility.EVERYBODY)  # cards that a written position leaves out
        self.racks = self.layout.add_racks("rack", SLOTS)
        self.hands = self.layout.add_hands("hand")  # the drawn card, until it is placed
        self.draw_turns = tuple(Turn(seat, "draw") for seat in range(seats))
        self.place_turns = tuple(Turn(seat, "place") for seat in range(seats))
        self.declare_turns = tuple(Turn(seat, "declare") for seat in range(seats))


board_for: Final = lru_cache(RackoBoard)


def find_partners(seats: int, options: RackoOptions) -> Sides:
    """D15: return the sides: of four with partners, those who sit opposite."""
    return ((0, 2), (1, 3)) if options.partners else solo_sides(seats)


class RoundResult(Struct, frozen=True):
    """A finished round: who declared (None: stalled), and everybody's points."""

    declarer: int | None
    points: tuple[int, ...]
    racks: tuple[tuple[int, ...], ...]
    turns_done: int


class RackoState(TableState[RackoOptions, Action]):
    """A game of Rack-O at one moment."""

    has_outcome_so_far = True

    board: RackoBoard
    seating: Seating
    sides: tuple[tuple[int, ...], ...]
    totals: list[int]  # by side
    dealer: int = 0
    round_no: int = 1
    turns_done: int = 0
    last_round: RoundResult | None = None  # the last round that ended

    @classmethod
    def create(cls, seats: int, options: RackoOptions, rng: Random) -> Self:
        """Return a state before the first round."""
        if options.deck_size is None:
            raise ValueError("the options are not resolved")
        board = board_for(seats, options.deck_size)
        sides = find_partners(seats, options)
        return cls(
            options=options,
            table=Table(board.layout, rng, board.stock),
            rng=rng,
            board=board,
            seating=Seating.clockwise(seats),
            sides=sides,
            totals=[0] * len(sides),
        )

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one.

        D8: a player asked to declare is not known to be asked; but every state of that phase has a complete rack.
        """
        turn = self.turn
        also = []
        if turn is not None and turn.phase == "declare" and turn.seat != seat:
            also.append(Constraint(self._is_declarable, tuple(self.table.zones[self.board.racks[turn.seat]])))
        return self.with_world(sample_world(self.table, seat, rng, also))

    def is_turn_over_for(self, seat: int) -> bool:
        """D8: to all others the turn of a player asked to declare is over."""
        return self.turn is not None and self.turn.phase == "declare" and self.turn.seat != seat

    def _is_declarable(self, cards: Iterable[int | None]) -> bool:
        return is_racko([card for card in cards if card is not None], self.options.min_run)

    def legal(self) -> Sequence[Action]:
        """2.1: eleven actions in DRAW (twelve with `pass`), eleven in PLACE, two in DECLARE."""
        turn = self.turn
        if turn is None:
            return ()
        if turn.phase == "draw":
            return DRAW_OR_PASS_ACTIONS if self.options.may_return_discard else DRAW_ACTIONS
        return PLACE_ACTIONS if turn.phase == "place" else DECLARE_ACTIONS

    def neutral(self) -> Action:
        """2.2: `draw`, `discard`, `declare`."""
        phase = self.require_turn().phase
        return {"draw": DRAW_ACTIONS[0], "place": PLACE_ACTIONS[-1], "declare": DECLARE_ACTIONS[0]}[phase]

    def view(self, seat: int) -> View:
        """6.2, without what the wire tells anyway; D8: everything that could be seen, and nothing else."""
        table, board, known = self.table, self.board, self.table.known_by
        zones, public, eyes = table.zones, 1 << table.layout.spectator, 1 << seat
        hand = zones[board.hands[self.turn.seat]] if self.turn else ()
        stock = zones[board.stock]
        own = [card + 1 for card in zones[board.racks[seat]]] if eyes != public else []
        return View(
            dealer=self.dealer,
            round=self.round_no,
            turns_done=self.turns_done + self.is_turn_over_for(seat),
            max_turns=self.options.max_turns,
            rack=own,
            drawn=hand[0] + 1 if hand and known[hand[0]] & eyes else None,
            discard=[card + 1 for card in zones[board.discard]],
            stock=len(stock),
            stock_known=[card + 1 for card in stock[::-1]] if stock and known[stock[0]] & public else [],
            known_racks=[
                [*own] if owner == seat else [card + 1 if known[card] & public else None for card in zones[rack]]
                for owner, rack in enumerate(board.racks)
            ],
            scores=self.totals[:],
            sides=self.sides,
        )

    def outcome(self) -> Outcome:
        """Section 3: places by total, highest first."""
        return outcome_by_side(self.totals, self.sides)

    def play(self, action: Action) -> None:
        """2.1: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None:
            self.refuse(action)
        seat, phase = turn
        table, board, kind = self.table, self.board, type(action)
        if phase == "draw":
            if kind is Draw:
                table.draw(board.stock, board.hands[seat])
                self.turn = board.place_turns[seat]
                return
            if isinstance(action, Take) and action.slot in SLOT_INDEX:
                table.swap(board.discard, board.racks[seat], SLOT_INDEX[action.slot], board.discard, "take")
                self.resolve_turn(seat, True)
                return
            if kind is Pass and self.options.may_return_discard:
                table.tell("pass", seat=seat)
                self.resolve_turn(seat, False)
                return
        elif phase == "place":
            if isinstance(action, Swap) and action.slot in SLOT_INDEX:
                table.swap(board.hands[seat], board.racks[seat], SLOT_INDEX[action.slot], board.discard)
                self.resolve_turn(seat, True)
                return
            if kind is Discard:
                table.draw(board.hands[seat], board.discard, "discard")
                self.resolve_turn(seat, False)
                return
        elif kind is Declare:
            self.end_round(seat)
            return
        elif kind is Wait:
            table.tell("wait", only=seat, seat=seat)  # D8: a secret
            self.end_turn(seat)
            return
        self.refuse(action)

    # ---- the end of a turn (2.1), and the rounds (2.3, 2.4)

    def resolve_turn(self, seat: int, rack_changed: bool) -> None:
        """RESOLVE, D5: at the end of the own turn a complete rack is a RACK-O, or may be declared one."""
        rack = self.table.zones[self.board.racks[seat]]
        if is_racko(rack, self.options.min_run):
            if self.options.declare == "choice":
                self.turn = self.board.declare_turns[seat]
            else:
                self.end_round(seat)
            return
        if self.options.declare == "auto" and (rack_changed or self.turns_done < len(self.board.racks)):
            self.state_incomplete(seat)
        self.end_turn(seat)

    def state_incomplete(self, seat: int) -> None:
        """Apply D5 of the rule book: with the option `auto`, a round that goes on shows that the rack is incomplete.

        This becomes a fact that everybody knows, unless the cards that everybody sees show the same.
        """
        table, cards = self.table, self.table.zones[self.board.racks[seat]]
        known, everybody, last = table.known_by, table.layout.everybody, -1
        for card in cards:
            if known[card] != everybody:
                last = -1
            elif card < last:
                return
            else:
                last = card
        table.constrain(is_surely_not_racko_with_run if self.options.min_run else is_surely_not_racko, cards)

    def state_incomplete_racks(self) -> None:
        """State for a position that no player that had a turn in this round holds a complete rack (D5)."""
        had_a_turn = self.seating.seats_from_left_of(self.dealer)[: self.turns_done]
        for seat in had_a_turn if self.options.declare == "auto" else ():
            if not is_racko(self.table.zones[self.board.racks[seat]], self.options.min_run):
                self.state_incomplete(seat)

    def end_turn(self, seat: int) -> None:
        """END-OF-TURN: the turn cap (D6), the restock (D4), the left neighbour."""
        self.turns_done += 1
        if self.turns_done >= self.options.max_turns * len(self.board.racks):
            self.end_round(None)
            return
        if not self.table.zones[self.board.stock]:
            self.restock()
        self.turn = self.board.draw_turns[self.seating.seat_after(seat)]

    def restock(self) -> None:
        """RESTOCK: the discards are turned over unshuffled, and the top card is turned up."""
        table, board = self.table, self.board
        table.turn_over(board.discard, board.stock, "restock")
        if self.options.restock_shuffle:
            table.shuffle(board.stock)
        table.draw(board.stock, board.discard, "up_card")

    def end_round(self, declarer: int | None) -> None:
        """2.3: all racks are shown and scored."""
        table, board, options = self.table, self.board, self.options
        if declarer is None:
            table.tell("stalled")
        else:
            self.turns_done += 1  # the declarer's turn ends with the round
        for rack in board.racks:
            table.reveal(rack, "racko" if rack.owner == declarer else "rack")
        shown = tuple(tuple(card + 1 for card in table.zones[rack]) for rack in board.racks)
        points = round_points(shown, declarer, options)
        self.totals = [
            total + sum(points[seat] for seat in side) for total, side in zip(self.totals, self.sides, strict=True)
        ]
        self.last_round = RoundResult(declarer, points, shown, self.turns_done)
        table.tell("round_end", declarer=declarer, points=list(points), totals=list(self.totals))
        if is_over(self.totals, self.round_no, options):
            self.turn = None
        else:
            self.round_no += 1
            self.start_round(self.seating.seat_after(self.dealer))  # S10

    def start(self) -> None:
        """S5: everybody draws a card from the deck, the highest deals; unless the options name the dealer."""
        table, board, dealer = self.table, self.board, self.options.first_dealer
        if dealer == "draw":
            table.shuffle(board.stock)
            dealer = first_dealer([table.draw(board.stock, board.discard, "cut") for _ in board.racks])
        self.start_round(dealer)

    def start_round(self, dealer: int) -> None:
        """S6, S8: all cards are collected, shuffled and dealt; the shuffle depends on the seed and the round alone."""
        self.collect_and_shuffle(self.board.stock, f"round-{self.round_no}")
        self.deal_round(dealer)

    def deal_round(self, dealer: int) -> None:
        """S7, S8, S9: deal from the stock as it lies, #50 first."""
        table, board = self.table, self.board
        self.dealer, self.turns_done = dealer, 0
        table.tell("round", round=self.round_no, dealer=dealer)
        to = [board.racks[seat] for seat in self.seating.seats_from_left_of(dealer)]  # D2
        table.deal(board.stock, to, len(SLOTS), range(len(SLOTS) - 1, -1, -1))
        table.draw(board.stock, board.discard, "up_card")
        self.turn = board.draw_turns[self.seating.seat_after(dealer)]

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total of its side after the round.

        The chance to complete a rack first falls with the turns that it still needs.
        """
        racks = _list_racks(self)
        below = _weights_below(self, racks)
        return _expect_totals(self, [_judge_rack(self, rack, _turns_left(rack, below)) for rack in racks])

    def evaluate_draws(self, cards: Sequence[int]) -> Sequence[Sequence[float]] | None:
        """Return by card and seat the expected totals if that card was drawn and is placed as well as it can be.

        A card that completes the rack ends the round. None: no card has just been drawn.
        """
        if self.turn is None or self.turn.phase != "place":
            return None
        seat, racks = self.turn.seat, _list_racks(self)
        below = _weights_below(self, racks)
        filling = RackFilling([card + 1 for card in racks[seat]], below, PACE * below[-1], len(below) - 1)
        turns_left = [filling.turns if at == seat else _turns_left(rack, below) for at, rack in enumerate(racks)]
        prospects = [_judge_rack(self, rack, left) for rack, left in zip(racks, turns_left, strict=True)]

        @cache  # most cards help nowhere
        def expect_totals_with(prospect: RackProspect) -> Sequence[float]:
            if not prospect.turns:
                return _add_points(
                    self,
                    [RACKO_POINTS + prospect.bonus if at == seat else points(rack) for at, rack in enumerate(racks)],
                )
            return _expect_totals(self, [*prospects[:seat], prospect, *prospects[seat + 1 :]])

        def lead_with(prospect: RackProspect) -> float:
            totals = expect_totals_with(prospect)
            return totals[seat] - sum(totals) / len(totals)

        slots = filling.find_slots([card + 1 for card in cards])
        values = []
        for card, (turns, slot) in zip(cards, slots, strict=True):
            best = _judge_rack(self, _place_card(racks[seat], card, slot), turns) if slot else prospects[seat]
            ways = [best, *_list_runs(self, filling, racks[seat], card)]
            values.append(expect_totals_with(max(ways, key=lead_with) if len(ways) > 1 else best))
        return values

    # ---- positions (section 6)

    def position(self) -> Position:
        """Return this state as a position: where every card is, and which cards all players know in common."""
        table, board, public = self.table, self.board, self.table.layout.spectator
        turn = self.turn
        hand = table.zones[board.hands[turn.seat]] if turn else []
        hidden_hand = bool(hand) and not table.is_known(board.hands[turn.seat], public) if turn else False
        return Position(
            dealer=self.dealer,
            turn=turn.seat if turn else None,
            phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
            racks=[[card + 1 for card in table.zones[rack]] for rack in board.racks],
            drawn=hand[0] + 1 if hand else None,
            discard=[card + 1 for card in table.zones[board.discard]],
            stock=[card + 1 for card in reversed(table.zones[board.stock])],
            stock_public=table.is_known(board.stock, public) and not hidden_hand,
            known_racks=[
                [card + 1 if table.known_by[card] >> public & 1 else None for card in table.zones[rack]]
                for rack in board.racks
            ],
            round=self.round_no,
            turns_done=self.turns_done,
            over=turn is None,
            scores=list(self.totals),
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        seats, cap = len(self.board.racks), self.options.max_turns
        check_seats(seats, dealer=position.dealer, turn=position.turn)
        if position.turns_done >= cap * seats + position.over:
            raise PositionError(f"turns_done is {position.turns_done}; a round is over after {cap * seats} turns")
        if position.scores is not None:
            if len(position.scores) != len(self.sides):
                raise PositionError(f"there are {len(position.scores)} scores for {len(self.sides)} sides")
            self.totals = list(position.scores)
        self.round_no = position.round
        if position.deck is not None:
            stack_deck(self.table, self.board.stock, position.deck, position, ("dealer", "round", "scores"))
            self.deal_round(position.dealer)
        else:
            _lay_out(self, position)

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        table, board = self.table, self.board
        onlooker = table.layout.spectator if seat is None else seat
        turns = self.turns_done + (seat is not None and self.is_turn_over_for(onlooker))
        cap = self.options.max_turns * len(board.racks)
        dealer = f"dealer {self.dealer} {truncate_text(names[self.dealer], NAME_WIDTH)}"
        yield f"  round {self.round_no}, turn {min(turns + 1, cap)} of up to {cap}, {dealer}"
        if self.last_round is not None:
            declarer, points = self.last_round.declarer, " ".join(map(str, self.last_round.points))
            ended = (
                "stalled" if declarer is None else f"RACK-O by {declarer} {truncate_text(names[declarer], NAME_WIDTH)}"
            )
            yield f"  {'last round' if self.turn else 'it ended'}: {ended}: {points}"
        for pile in (board.stock, board.discard):
            yield f"  {pile.name:8}  {render_zone(table, pile, seat, PILE_WIDTH)[0]}"
        yield _format_row("", [str(slot) for slot in SLOTS], "drawn", "score")
        to_play = _seat_to_play(self, seat)
        for owner, (rack, hand) in enumerate(zip(board.racks, board.hands, strict=True)):
            drawn = [_format_card(self, card, seat) for card in table.zones[hand]]
            head = player_heading(owner == to_play, owner, names[owner])
            score = str(_score_of(self, owner))
            yield _format_row(
                head, [_format_card(self, card, seat) for card in table.zones[rack]], "".join(drawn), score
            )

    def public_counts(self) -> PublicCounts:
        """Return the number of the round; of each seat the score of its side, and who deals."""
        seats = [
            [
                PublicCount("score", _score_of(self, seat)),
                *[PublicCount("dealer", role="button")] * (seat == self.dealer),
            ]
            for seat in range(len(self.board.racks))
        ]
        return PublicCounts([PublicCount("round", self.round_no, "part")], seats)


def round_points(shown: Sequence[Sequence[int]], declarer: int | None, options: RackoOptions) -> tuple[int, ...]:
    """Section 3: the points of all seats for their racks; `declarer` None: the round is stalled."""
    if declarer is None and options.stalled_round == "void":
        return (0,) * len(shown)
    return tuple(
        declarer_points(rack, options.bonus_runs) if seat == declarer else points(rack)
        for seat, rack in enumerate(shown)
    )


def is_over(totals: Sequence[int], rounds_played: int, options: RackoOptions) -> bool:
    """2.4: somebody has the target (D7: with `extra_round`, alone in the lead), or enough rounds have been played."""
    if options.max_rounds is not None and rounds_played >= options.max_rounds:
        return True
    best = max(totals)
    return best >= options.target and (options.tie == "shared" or totals.count(best) == 1)


class RackProspect(NamedTuple):
    """How far a rack is: the turns that complete it, and the bonus of the run that is in it."""

    turns: float
    bonus: int


def _list_runs(state: RackoState, filling: RackFilling, rack: Sequence[int], card: int) -> Iterator[RackProspect]:
    """Yield what becomes of a rack, where runs count, if a card is put beside the next lower or higher one."""
    if state.options.min_run or state.options.bonus_runs:
        for slot in range(1, len(rack) + 1):
            if card - 1 in rack[slot - 2 : slot - 1] or card + 1 in rack[slot : slot + 1]:
                yield _judge_rack(state, _place_card(rack, card, slot), filling.turns_with(card + 1, slot))


def _place_card(rack: Sequence[int], card: int, slot: int) -> list[int]:
    """Return a rack with a card in a slot, counted from 1."""
    return [*rack[: slot - 1], card, *rack[slot:]]


def _turns_left(rack: Sequence[int], below: Sequence[float]) -> float:
    """Return the fewest turns that complete a rack if no run is needed."""
    size = len(below) - 1
    return least_turns([0, *[card + 1 for card in rack], size + 1], below, PACE * below[-1])[-1]


def _judge_rack(state: RackoState, rack: Sequence[int], turns: float) -> RackProspect:
    """Return the prospect of a rack that needs `turns` turns if no run is needed."""
    options = state.options
    if options.min_run:
        turns += RUN_TURNS.get(longest_run(rack), 0.0)
    return RackProspect(turns, run_bonus(rack) if options.bonus_runs else 0)


def _expect_totals(state: RackoState, prospects: Sequence[RackProspect]) -> Sequence[float]:
    """Return by seat the expected total of its side after the round."""
    paces = [exp(-TURN_ADVANTAGE * turns) for turns, _ in prospects]
    whole = sum(paces)
    won = RACKO_POINTS - INCOMPLETE_POINTS
    return _add_points(
        state,
        [
            INCOMPLETE_POINTS + (won + RUN_CHANCE * bonus) * pace / whole
            for (_, bonus), pace in zip(prospects, paces, strict=True)
        ],
    )


def _add_points(state: RackoState, scored: Sequence[float]) -> Sequence[float]:
    """Return by seat the total of its side with the points of the round."""
    sides = state.sides
    if not state.options.partners:
        return [total + more for total, more in zip(state.totals, scored, strict=True)]
    totals = [total + sum([scored[seat] for seat in side]) for total, side in zip(state.totals, sides, strict=True)]
    return spread_over_sides(totals, sides)


def _list_racks(state: RackoState) -> list[list[int]]:
    """Return by seat the cards of its rack, numbered as on the table, from 0."""
    zones = state.table.zones
    return [zones[rack] for rack in state.board.racks]


def _weights_below(state: RackoState, racks: Sequence[Sequence[int]]) -> list[float]:
    """Return by printed number, from 0 on, the weight of all cards up to it that may still come."""
    counts = [UNSEEN_WEIGHT] * (state.options.deck_size or 0)
    for card in state.table.zones[state.board.discard]:
        counts[card] = DISCARD_WEIGHT
    for rack in racks:
        for card in rack:
            counts[card] = RACK_WEIGHT
    return [*accumulate(counts, initial=0.0)]


def _lay_out(state: RackoState, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    table, board = state.table, state.board
    turn = position.turn if position.turn is not None else state.seating.seat_after(position.dealer)
    known = position.known_racks if position.known_racks is not None else [OPEN_RACK] * len(board.racks)
    rows = _merge_rows(position, known, len(board.racks))
    piles: list[tuple[Zone, Sequence[int | None]]] = [
        (board.hands[turn], [] if position.drawn is None else [position.drawn]),
        (board.discard, [None] if position.discard is None else position.discard),
        (board.stock, (position.stock or [])[::-1]),
    ]
    left = set_up_zones(table, board.stock, [*zip(board.racks, rows, strict=True), *piles])
    if position.stock is not None:
        table.place(left, board.stock, board.box, 0)
    if position.over:
        _check_end(state, position)
    else:
        _check_phase(state, position, turn)
    _set_knowledge(state, position, turn, known)
    state.dealer, state.turns_done = position.dealer, position.turns_done
    if position.over:
        return
    turns = {"draw": board.draw_turns, "place": board.place_turns, "declare": board.declare_turns}
    state.turn = turns[position.phase][turn]
    state.state_incomplete_racks()


def _merge_rows(position: Position, known: Sequence[Sequence[int | None]], seats: int) -> list[list[int | None]]:
    """Return the racks as they are written, what everybody knows included."""
    rows = position.racks if position.racks is not None else [OPEN_RACK] * seats
    for what, given in (("racks", rows), ("known_racks", known)):
        if len(given) != seats or any(len(row) != len(SLOTS) for row in given):
            raise PositionError(f"{what} must be {seats} rows of {len(SLOTS)}, slot #5 first; it is {given!r}")
    for seat, (row, public) in enumerate(zip(rows, known, strict=True)):
        for card, shown in zip(row, public, strict=True):
            if shown is not None and card is not None and card != shown:
                raise PositionError(f"rack {seat} holds {card} where everybody is said to know {shown}")
    return [
        [shown if shown is not None else card for card, shown in zip(row, public, strict=True)]
        for row, public in zip(rows, known, strict=True)
    ]


def _check_phase(state: RackoState, position: Position, turn: int) -> None:
    """Check that the player on turn can be in this phase."""
    table, board, phase = state.table, state.board, position.phase
    if (position.drawn is not None) != (phase == "place"):
        raise PositionError(
            f"in phase {phase!r} the drawn card is {position.drawn}; in 'place', and only there, there is one"
        )
    if not table.zones[board.discard] or (not table.zones[board.stock] and phase == "draw"):
        raise PositionError("both piles hold a card whenever a player is to draw (D4)")
    rack = table.zones[board.racks[turn]]
    if phase == "declare" and not (state.options.declare == "choice" and is_racko(rack, state.options.min_run)):
        shown = [card + 1 for card in rack]
        raise PositionError(
            f"seat {turn} cannot be asked to declare: its rack is {shown}, and declare is {state.options.declare!r}"
        )


def _check_end(state: RackoState, position: Position) -> None:
    """Check that a game can be over with these totals, and that nobody is in the middle of a turn."""
    if not is_over(state.totals, position.round, state.options):
        raise PositionError(f"the game is not over after round {position.round} with scores {state.totals!r} (2.4)")
    if position.turn is not None or position.phase != "draw" or position.drawn is not None:
        raise PositionError("the game is over; nobody is on turn in any phase, and nothing is drawn")
    if position.known_racks is None or any(None in row for row in position.known_racks):
        raise PositionError("the game is over; known_racks has every card, because all racks are shown (2.3)")


def _set_knowledge(state: RackoState, position: Position, turn: int, known: Sequence[Sequence[int | None]]) -> None:
    """Make known to everybody what is said to be."""
    table, board = state.table, state.board
    public = [card - 1 for row in known for card in row if card is not None]
    if position.stock_public:
        public += [*table.zones[board.stock], *table.zones[board.hands[turn]]]
    for card in public:
        table.known_by[card] = table.layout.everybody


def _score_of(state: RackoState, seat: int) -> int:
    return next(total for side, total in zip(state.sides, state.totals, strict=True) if seat in side)


def _format_row(head: str, cells: Sequence[str], drawn: str, score: str) -> str:
    return f"{head:{NAME_WIDTH + 4}}" + "".join(f"{cell:>3}" for cell in cells) + f"{drawn:>6}{score:>6}"


def _format_card(state: RackoState, card: int, seat: int | None) -> str:
    if card == EMPTY:
        return NO_CARD
    return str(card + 1) if seat is None or state.table.known_by[card] >> seat & 1 else HIDDEN_CARD


def _seat_to_play(state: RackoState, seat: int | None) -> int | None:
    """D8: to all others the turn of a player asked to declare is over."""
    if state.turn is None:
        return None
    is_over = seat is not None and state.is_turn_over_for(seat)
    return state.seating.seat_after(state.turn.seat) if is_over else state.turn.seat
