"""A game of RAGAMARU at one moment: actions, view, outcome, evaluation, positions and the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import Any, Final, NamedTuple

from pitboss import (
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Seating,
    Zone,
    competition_places,
)
from pitboss.outcome import spread_over_sides
from pitboss.rendering.table_text import player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss.text import wrap_words
from pitboss_ragamaru.cards import (
    ATTACKS,
    BOX,
    COLOURS,
    HIGHEST,
    KICK_OFF,
    KINDS,
    NUMBERS,
    Colour,
    kind_of,
)
from pitboss_ragamaru.field import (
    OF_KIND,
    Attack,
    SinBin,
    Top,
    answering_cards,
    count_stuck,
    mask_of,
    threat_message,
    threat_of,
    top_of,
)
from pitboss_ragamaru.messages import Action, Field, Position, RagamaruOptions, Result, View
from pitboss_ragamaru.phases import ACTIONS_BY_PHASE, LEGAL_BY_PHASE
from pitboss_ragamaru.rules import RagamaruRules

PLAY: Final = -0.17  # for each play that a hand still takes
WILD: Final = 0.19  # for a card that always fits: it offsets the play that it takes
RAGAMARU: Final = 0.34
STUCK: Final = -0.4  # for a card that goes only in answer to an attack, or by an Advantage
ANSWER: Final = 0.09  # for each kind of attack that can be answered with the same kind
TMO: Final = 0.13
NO_WAY_OUT: Final = -0.09  # for a hand without a number card
LAST: Final = {1: 0.31, 2: 0.11}  # by the plays to go out, for a hand with a number card
FINISHER: Final = {1: 1.87, 2: 0.39, 3: 0.15}  # by the plays to go out, for a hand with a RAGAMARU too
FITTING: Final = 0.65  # times the share of cards that fit the field, by number of players; for seats not on turn
NEXT: Final = (0.94, 0.53, 0.43)  # for a seat that can go out on this field and plays next, second, third
REST: Final = -0.15  # for each turn that a seat has to rest, or will have to
ON_TURN: Final = 0.15  # for the seat on turn, if a card fits
UNFIT: Final = -0.11  # for the seat on turn, if no card fits
GOES_OUT: Final = 3.7  # for the seat on turn, if it can go out
SWEEP: Final = 1.3  # for the seat on turn, if it can go out after a RAGAMARU
ONE_BEFORE: Final = 0.2  # for the seat on turn, if it takes two plays to go out
HIT: Final = -0.065  # for each card that the seat on turn has to draw
PASSED_ON: Final = 0.06  # for each card of an attack that it can answer
WON: Final = 6.0
NUMBER_BITS: Final = (1 << HIGHEST) - 1
KIND_BITS: Final = mask_of(range(0, 4 * len(KINDS), 4))
WILD_CARDS: Final = OF_KIND["RES"] | OF_KIND["SIN"]
RAGAMARUS: Final = OF_KIND["RAG"]
TMOS: Final = OF_KIND["TMO"]
TRIES, PENALTY_GOALS, DROP_GOALS = (OF_KIND[kind] for kind in ATTACKS)
TOP_KINDS: Final = {  # by phase: the kinds of card that can be on top (none: any that was played, or the kick-off card)
    "first_colour": (KICK_OFF,),
    "defend": (*ATTACKS, "CV"),
    "bin": ("SIN",),
    "colour": ("RES", "TMO", "SIN"),
    "number": ("RES",),
    "discard": ("ADV",),
}
OPEN_COLOUR: Final = ("first_colour", "colour")  # phases in which the top card's colour is still to be named
OPEN_NUMBER: Final = ("colour", "number")
COUNT_WIDTH: Final = 5  # columns of a number of cards
WIDTH: Final = 60
LABEL_WIDTH: Final = 11  # columns of a label; its words begin after them
COLOUR_WORDS: Final[dict[Colour, str]] = {"R": "red", "Y": "yellow", "B": "blue", "K": "black"}
RESULT_WORDS: Final[dict[Result | None, str]] = {
    "out": "somebody went out",
    "blocked": "nobody can play or draw",
    "limit": "the turns are used up",
}
WINNER: Final = -1  # stands for the winner's cards left: fewer than any loser's


def outcome_of(left: Sequence[int], sides: tuple[tuple[int, ...], ...], options: RagamaruOptions) -> Outcome:
    """D35, D36: units are ranked by their cards left, the winner's first; every member has the unit's score."""
    units = [WINNER if any(left[seat] == 0 for seat in side) else sum(left[seat] for seat in side) for side in sides]
    ranks, scores = competition_places(units, lowest_wins=True), _unit_scores(units, left, options)
    return Outcome(points=spread_over_sides(scores, sides), places=spread_over_sides(ranks, sides), sides=sides)


def _unit_scores(units: Sequence[int], left: Sequence[int], options: RagamaruOptions) -> list[float]:
    """Return the score of each unit; with `win` and `margin` every unit is one player."""
    match options.scoring:
        case "win":
            first = min(units)
            return [1 / units.count(first) if unit == first else 0.0 for unit in units]
        case "margin":
            return [(sum(left) - len(left) * own) / (len(left) - 1) for own in left]
        case _:
            return [sum((other > unit) + (other == unit) / 2 for other in units) - 0.5 for unit in units]


class RagamaruState(RagamaruRules):
    """A game of RAGAMARU at one moment."""

    has_outcome_so_far = True

    def legal(self) -> Sequence[Action]:
        """2.3 and section 6: all legal actions."""
        turn = self.turn
        return () if turn is None else LEGAL_BY_PHASE[turn.phase](self, turn.seat)

    def play(self, action: Action) -> None:
        """2.3: play an action, and all that follows up to the next decision."""
        turn = self.turn
        if turn is None or not ACTIONS_BY_PHASE[turn.phase](self, turn.seat, action):
            self.refuse(action)

    def neutral(self) -> Action:
        """D39: the last of the legal list: draw, pass, take, sit, stop; black; 15."""
        self.require_turn()
        return self.legal()[-1]

    def view(self, seat: int) -> View:
        """2.7 and section 6: return the observation of a seat, without what the question to a bot holds anyway."""
        board, zones, turn, places = self.board, self.table.zones, self.turn, self.book.places
        is_player = seat < board.seats
        first = seat if is_player else turn.seat if turn is not None else self.seating.order[0]
        held = zones[board.hands[seat]] if is_player else []
        return View(
            turn_no=self.turn_no,
            hand=[BOX[place] for place in sorted([places[card] for card in held])],
            field=self.top.field,
            pending=threat_message(self.threat),
            order=[first, *self.circle[first][:-1]],
            direction=self.seating.direction,  # type: ignore[arg-type]
            counts=[len(zones[hand]) for hand in board.hands],
            sin=[*self.rests_left],
            stock=len(zones[board.stock]),
            pile=max(0, len(zones[board.pile]) - 1) + len(zones[board.discards]),
            drawn=self.drawn_face if turn is not None and turn == (seat, "drawn") else None,
            discards_left=self.discards_left,
            starter=self.starter,
            team=board.team,
        )

    def outcome(self) -> Outcome:
        """Section 3: places by cards left, the winner's side first; points by the option `scoring`."""
        left = [len(self.table.zones[hand]) for hand in self.board.hands]
        return outcome_of(left, self.board.sides, self.options)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected points of its side, on the scale of the game's points.

        They are the sum over the other sides of the chance to be placed before each. Any member may go out for its
        side, so the odds of members are added up.
        """
        odds, board = [*map(exp, log_odds(self))], self.board
        totals = odds if board.team is None else [sum([odds[seat] for seat in side]) for side in board.sides]
        expected = [sum([own / (own + other) for other in totals]) - 0.5 for own in totals]
        return expected if board.team is None else spread_over_sides(expected, board.sides)

    # ---- positions (section 6)

    def position(self) -> Position:
        """Return the position of a state: every card, and what no card shows."""
        board, zones, turn, faces = self.board, self.table.zones, self.turn, self.book.faces

        def named(cards: list[int]) -> list[Any]:
            return [faces[card] for card in cards]

        return Position(
            phase=turn.phase if turn else "play",  # type: ignore[arg-type]
            turn=turn.seat if turn else 0,
            turn_no=self.turn_no,
            hands=[named(zones[hand]) for hand in board.hands],
            stock=named(zones[board.stock][::-1]),
            pile=named(zones[board.pile][:-1]),
            discards=named(zones[board.discards]),
            field=self.top.field,
            pending=threat_message(self.threat),
            sin=[*self.rests_left],
            seating=[*self.seating.order],
            direction=self.seating.direction,  # type: ignore[arg-type]
            drawn=self.drawn_face if turn and turn.phase == "drawn" else None,
            discards_left=self.discards_left,
            starter=self.starter,
            passed=[seat for seat in range(board.seats) if self.passed_seats >> seat & 1],
            result=self.result,
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: the position does not describe a table of this game.
        """
        _check_seats(position, self.board.seats)
        self.set_seating(Seating(tuple(position.seating or range(self.board.seats)), position.direction))
        self.turn_no, self.result = position.turn_no, position.result
        self.rests_left = tuple(position.sin or self.rests_left)
        self.passed_seats = sum(1 << seat for seat in position.passed)
        self.discards_left = position.discards_left
        try:
            self.threat = threat_of(position.pending)
        except ValueError as error:
            raise PositionError(f"pending is {position.pending!r}; {error}") from None
        self.top = _find_top(self, position)
        _place_cards(self, position)
        if position.result is not None:
            check_result(self, position)
            return
        self.turn = self.board.turns[position.phase][position.turn]
        _set_starter(self, position)
        check_phase(self, position)

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        table, board = self.table, self.board
        yield f"  turn {self.turn_no}, {_phase_words(self)}"
        yield from _label_lines("field", _field_words(self))
        if threat := _threat_words(self):
            yield from _label_lines("threat", threat)
        way = "clockwise" if self.seating.direction > 0 else "the other way"
        yield from _label_lines("order", [*map(str, _turn_order(self)), f"({way})"])
        yield f"  {'stock':{LABEL_WIDTH - 2}}{render_zone(table, board.stock, seat, WIDTH - LABEL_WIDTH)[0]}"
        for zone in (board.pile, board.discards):
            if zone is board.pile or table.zones[zone]:
                cards = render_zone(table, zone, seat, WIDTH - LABEL_WIDTH - 5)[0]
                yield f"  {zone.name:{LABEL_WIDTH - 2}}{len(table.zones[zone])}: {cards}"
        for owner, name in enumerate(names):
            yield from _player_lines(self, seat, owner, name)

    def public_counts(self) -> PublicCounts:
        """Return turn, field, threat and order of turns; of each seat its team and how long it rests."""
        words = {"field": _field_words(self), "threat": _threat_words(self), "order": map(str, _turn_order(self))}
        told = [PublicCount(name, " ".join(one), "order" if name == "order" else "") for name, one in words.items()]
        table = [PublicCount("turn", self.turn_no), *[one for one in told if one.value]]
        return PublicCounts(table, [_count_seat(self, seat) for seat in range(len(self.rests_left))])


class HandWorth(NamedTuple):
    """Evaluation of a hand for any field."""

    worth: float
    plays: int  # to go out, RAGAMARUs not counted; 0 if no number card can be the last
    has_ragamaru: bool


def log_odds(state: RagamaruState) -> list[float]:
    """Return by seat the log-odds of being placed before an average opponent."""
    masks, fits, rests_left, turn = state.hand_masks, state.top.fits, state.rests_left, state.turn
    most, fitting = state.options.max_same, FITTING / state.board.seats
    hands = [judge_hand(held, most) for held in masks]
    favour = [
        worth + REST * rests + fitting * (held & fits).bit_count() / (held.bit_count() or 1)
        for (worth, _, _), held, rests in zip(hands, masks, rests_left, strict=True)
    ]
    if turn is None:
        return favour
    seat = turn.seat
    favour[seat] = hands[seat].worth + _turn_odds(state, hands[seat], masks[seat])
    for other, nearness in zip(state.circle[seat][:-1], NEXT, strict=False):
        _, plays, has_ragamaru = hands[other]
        if plays == 1 and not has_ragamaru and masks[other] & fits and not rests_left[other]:
            favour[other] += nearness
    return favour


def _turn_odds(state: RagamaruState, hand: HandWorth, held: int) -> float:
    """Return the log-odds that the seat on turn has beside those of its hand: by the threat to it, or by its plays."""
    threat = state.threat
    if isinstance(threat, Attack):
        can_answer = held & answering_cards(threat.kind, threat.converted) and held.bit_count() > 1  # 2.5
        return (PASSED_ON if can_answer else HIT) * threat.draw
    if threat is not None:
        return 0.0 if held & OF_KIND["SIN"] and held.bit_count() > 1 else REST * threat.rests
    if not held & state.top.fits:
        return UNFIT
    if hand.plays == 1:
        return ON_TURN + (SWEEP if hand.has_ragamaru else GOES_OUT)
    return ON_TURN + ONE_BEFORE if hand.plays == 2 and not hand.has_ragamaru else ON_TURN


@lru_cache(1 << 15)
def judge_hand(held: int, most: int) -> HandWorth:
    """Return the evaluation of a hand; at most `most` cards of one number or kind go together."""
    if not held:
        return HandWorth(WON, 0, False)
    numbers = _count_plays(
        held & NUMBER_BITS,
        held >> HIGHEST & NUMBER_BITS,
        held >> 2 * HIGHEST & NUMBER_BITS,
        held >> 3 * HIGHEST & NUMBER_BITS,
        most,
    )
    coloured = held >> NUMBERS
    kinds = _count_plays(
        coloured & KIND_BITS, coloured >> 1 & KIND_BITS, coloured >> 2 & KIND_BITS, coloured >> 3 & KIND_BITS, most
    )
    wild = (held & WILD_CARDS).bit_count()
    ragamarus, stuck = (held & RAGAMARUS).bit_count(), count_stuck(held)
    plays = numbers + kinds + wild
    worth = PLAY * plays + WILD * wild + RAGAMARU * ragamarus + STUCK * stuck
    if held.bit_count() > most:
        attacks = (held & TRIES != 0) + (held & PENALTY_GOALS != 0) + (held & DROP_GOALS != 0)
        worth += ANSWER * attacks + (TMO if held & TMOS else 0.0)
    if not numbers:
        return HandWorth(worth + NO_WAY_OUT, 0, ragamarus > 0)
    return HandWorth(worth + (FINISHER if ragamarus else LAST).get(plays + stuck, 0.0), plays + stuck, ragamarus > 0)


def _count_plays(red: int, yellow: int, blue: int, black: int, most: int) -> int:
    """Return the plays that cards take; the masks are by colour, and equal bits in them may go together."""
    plays = (red | yellow | blue | black).bit_count()
    if most == 2:
        plays += (red & yellow & (blue | black) | blue & black & (red | yellow)).bit_count()
    elif most == 3:
        plays += (red & yellow & blue & black).bit_count()
    return plays


def check_phase(state: RagamaruState, position: Position) -> None:
    """Check the table, the seat on turn and the other fields of a position against its phase.

    Raises:
        PositionError: no game can reach the position.
    """
    phase, card, turn = position.phase, state.top.field.card, position.turn
    if phase in TOP_KINDS and kind_of(card) not in TOP_KINDS[phase]:
        raise PositionError(f"in phase {phase!r} the top card is {' or '.join(TOP_KINDS[phase])}; the field has {card}")
    _check_kick_off(state, position)
    _check_threat(state, phase)
    if not all(state.hand_masks):
        raise PositionError(f"the hand of seat {state.hand_masks.index(0)} is empty; then the game is over")
    if state.rests_left[turn]:
        raise PositionError(f"seat {turn} is on turn, but has {state.rests_left[turn]} turns to rest")
    if state.turn_no > state.options.max_turns:
        raise PositionError(
            f"turn_no is {state.turn_no}; with max_turns {state.options.max_turns} the game is then over"
        )
    if len(position.passed) == state.board.seats:
        raise PositionError("all have passed; then the game is over")
    _check_drawn(state, position)
    _check_discards_left(state, position)


def _check_kick_off(state: RagamaruState, position: Position) -> None:
    """Check that nothing was played or discarded before the first play."""
    if state.top.field.card == KICK_OFF and (position.pile or position.discards):
        raise PositionError("the field has the kick-off card; then nothing was played or discarded")


def _check_threat(state: RagamaruState, phase: str) -> None:
    """Check the threat against the phase and the top card.

    An attack is pending in phase `defend` only, of the kind of the top card; rests are pending in `bin`, and in
    `colour` after a Sin Bin.
    """
    threat, card = state.threat, state.top.field.card
    kind = kind_of(card)
    if phase == "defend":
        expected = ("TRY", True) if kind == "CV" else (kind, False)
        if not isinstance(threat, Attack) or (threat.kind, threat.converted) != expected:
            raise PositionError(
                f"in phase 'defend' with {card} on top an attack with that card is pending; it is {threat!r}"
            )
    elif phase == "bin" or (phase == "colour" and kind == "SIN"):
        if not isinstance(threat, SinBin):
            raise PositionError(f"in phase {phase!r} with {card} on top rests are pending; it is {threat!r}")
    elif threat is not None:
        raise PositionError(f"in phase {phase!r} with {card} on top nothing is pending; it is {threat!r}")


def _check_drawn(state: RagamaruState, position: Position) -> None:
    """Check that the drawn card is the last of the hand, and that nobody has passed for want of cards since."""
    if position.phase != "drawn":
        if position.drawn is not None:
            raise PositionError(f"drawn is {position.drawn!r}; in phase {position.phase!r} no card was just drawn")
        return
    if position.drawn not in (None, state.drawn_face):
        raise PositionError(
            f"drawn is {position.drawn!r}; it is the last card of the hand, and that is {state.drawn_face!r}"
        )
    if position.passed:
        raise PositionError(f"passed is {position.passed!r}; a card was just drawn, so nobody has passed since")


def _check_discards_left(state: RagamaruState, position: Position) -> None:
    """D28: in phase `discard` one card or more may go, but one stays."""
    most = 0
    if position.phase == "discard":
        most = min(state.options.max_same, state.hand_masks[position.turn].bit_count() - 1)
    if not min(most, 1) <= position.discards_left <= most or (position.phase == "discard" and not most):
        raise PositionError(
            f"discards_left is {position.discards_left}; in phase {position.phase!r} it is "
            f"{f'1 to {most}' if most else 0}"
        )


def check_result(state: RagamaruState, position: Position) -> None:
    """Check the position of a game that is over against its result.

    Raises:
        PositionError: no game can end in the position.
    """
    empty, result = state.hand_masks.count(0), position.result
    if empty != (result == "out"):
        raise PositionError(
            f"the game is over with result {result!r}, but {empty} hands are empty; with result 'out' one hand "
            "has to be empty, with any other result none"
        )
    if (
        position.phase != "play"
        or position.turn
        or position.drawn
        or position.starter is not None
        or position.pending
        or position.discards_left
    ):
        raise PositionError(
            "the game is over; nobody is on turn in any phase, and nothing is drawn, pending or left to discard"
        )
    _check_kick_off(state, position)
    if position.turn_no > state.options.max_turns + 1:
        raise PositionError(f"turn_no is {position.turn_no}; the game is over after turn {state.options.max_turns}")


def _check_seats(position: Position, seats: int) -> None:
    check_row_lengths(seats, hands=position.hands, sin=position.sin, seating=position.seating)
    check_seats(seats, turn=position.turn, starter=position.starter)
    for seat in position.passed:
        check_seats(seats, passed=seat)
    if len(set(position.passed)) < len(position.passed):
        raise PositionError(f"passed names a seat twice: {position.passed!r}")
    if position.seating is not None and sorted(position.seating) != list(range(seats)):
        raise PositionError(
            f"seating is {position.seating!r}; it is the seats 0 to {seats - 1} in their order clockwise"
        )


def _place_cards(state: RagamaruState, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    table, board, top = state.table, state.board, state.top.field.card
    rows: list[tuple[Zone, Sequence[str | None]]] = [
        *zip(board.hands, _hand_rows(state, position), strict=True),
        (board.pile, position.pile if top == KICK_OFF else [*position.pile, top]),
        (board.discards, position.discards),
        (board.stock, (position.stock or [])[::-1]),
    ]
    left = set_up_zones(table, board.stock, rows)
    if position.stock is not None:
        table.place(left, board.stock, board.box, 0)
    state.count_hands()


def _hand_rows(state: RagamaruState, position: Position) -> Sequence[Sequence[str | None]]:
    """Return the hands of a position.

    Hands left open have the size that is dealt; in phase `drawn` that of the seat on turn has one card more.
    """
    if position.hands is not None:
        return position.hands
    rows: list[list[str | None]] = [[None] * state.options.hand_size for _ in state.board.hands]
    if position.phase == "drawn":
        rows[position.turn].append(position.drawn)
    return rows


def _find_top(state: RagamaruState, position: Position) -> Top:
    """2.1: return the field: its card, and what was named.

    A field left open is the kick-off card, with a colour drawn by lot (none in phase `first_colour`).
    """
    wild, field, phase = state.book.wild_advantage, position.field, position.phase
    if field is None:
        colour = None if phase == "first_colour" else state.table.rng.choice(COLOURS)
        return top_of(KICK_OFF, wild, colour)
    if field.card not in (*BOX, KICK_OFF):
        raise PositionError(f"the field's card is {field.card!r}; there is no such card")
    own = top_of(field.card, wild).field
    has_colour, is_reserve = own.colour is not None or own.free, field.card == "RES"
    wants_colour = not has_colour and phase not in OPEN_COLOUR
    wants_number = is_reserve and phase not in OPEN_NUMBER
    if position.result is None and ((wants_colour and field.colour is None) or (wants_number and field.number is None)):
        raise PositionError(
            f"the field is {field!r}; in phase {phase!r} the colour{' and the number' * is_reserve} must be given"
        )
    top = top_of(field.card, wild, field.colour if wants_colour else None, field.number if wants_number else None)
    _check_field(field, top.field)
    return top


def _check_field(field: Field, found: Field) -> None:
    """Check the values that a position gives for its field against `found`, the field that follows from its card."""
    for what in ("colour", "number", "kind"):
        given, own = getattr(field, what), getattr(found, what)
        if given not in (None, own):
            raise PositionError(f"the field's {what} is {given!r}; with {field.card} on top it is {own!r}")
    if field.free and not found.free:
        raise PositionError(f"the field is free, but its card is {field.card}; it is free after RAG")


def _set_starter(state: RagamaruState, position: Position) -> None:
    """D2: who names the first colour is an opponent of the starter; if the starter is not given, he is drawn by lot."""
    if position.phase != "first_colour":
        if position.starter is not None:
            raise PositionError(f"starter is {position.starter}; there is one in phase 'first_colour' only")
        return
    others = state.opponents_of(position.turn)
    if position.starter is None:
        state.starter = state.table.rng.choice(others)
    elif position.starter in others:
        state.starter = position.starter
    else:
        raise PositionError(
            f"seat {position.turn} names the colour; the starter is one of {others!r}, not {position.starter}"
        )


def _count_seat(state: RagamaruState, seat: int) -> list[PublicCount]:
    team, rests = state.board.team, state.rests_left[seat]
    counts = [] if team is None else [PublicCount("team", team[seat])]
    return [*counts, PublicCount("rests", rests)] if rests else counts


def _phase_words(state: RagamaruState) -> str:
    if state.turn is None:
        return f"the game is over: {RESULT_WORDS[state.result]}"
    starts = "" if state.starter is None else f", {state.starter} starts"
    return f"phase {state.turn.phase}{starts}"


def _label_lines(label: str, words: Sequence[str]) -> Iterator[str]:
    return render_beside(f"  {label}", wrap_words(words, " ", WIDTH - LABEL_WIDTH), LABEL_WIDTH)


def _field_words(state: RagamaruState) -> list[str]:
    """Return the top card, and what can be matched: 2.1."""
    field = state.top.field
    matched = [] if field.colour is None else [COLOUR_WORDS[field.colour]]
    matched += [str(field.number)] * (field.number is not None) + [str(field.kind)] * (field.kind is not None)
    if field.free:
        matched = ["anything"]
    return [f"{field.card}:", *(" or ".join(matched) or "nothing named yet").split()]


def _threat_words(state: RagamaruState) -> list[str]:
    threat = state.threat
    if threat is None:
        return []
    if isinstance(threat, Attack):
        return [threat.kind, *["converted"] * threat.converted, "to", "draw", str(threat.draw)]
    return ["SIN", "to", "rest", str(threat.rests)]


def _turn_order(state: RagamaruState) -> tuple[int, ...]:
    """Return the seats as their turns come, from the player on turn round."""
    first = state.seating.order[0] if state.turn is None else state.turn.seat
    return (first, *state.circle[first][:-1])


def _player_lines(state: RagamaruState, seat: int | None, owner: int, name: str) -> Iterator[str]:
    """Yield the lines of a player: turn mark, name, team, number of cards, the hand, and turns to rest."""
    table, hand = state.table, state.board.hands[owner]
    is_on_turn = state.turn is not None and state.turn.seat == owner
    team = "" if state.board.team is None else f" team {state.board.team[owner]}"
    head = f"{player_heading(is_on_turn, owner, name)}{team}{len(table.zones[hand]):>{COUNT_WIDTH}}  "
    lines = render_zone(table, hand, seat, WIDTH - len(head))
    if state.rests_left[owner]:
        lines.append(f"rests {state.rests_left[owner]}")
    return render_beside(head, lines, len(head))
