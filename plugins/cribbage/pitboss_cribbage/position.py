"""Positions of Cribbage: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import IllegalAction, PositionError, Turn, Zone
from pitboss.outcome import spread_over_sides
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss_cribbage.counting import DECK, MAX_COUNT, VALUES, count_play
from pitboss_cribbage.messages import ClaimPoints, CribbageAction, Go, PlayToCount, Position, SeatPlay
from pitboss_cribbage.state import CARD_OF, TOO_HIGH, CribbageStateBase, count_kept, count_laid_away, list_sides

Row = Sequence[str | None]


def write_position(state: CribbageStateBase) -> Position:
    """Write down a state: every card of this deal, and the points before it."""
    starter, crib = state.faces(state.starter), state.faces(state.crib)
    dealt_to_crib = int(state.seats == 3)
    laid_away: list[list[str | None]] = [[*state.faces(zone)] for zone in state.laid_away]
    if starter:
        size, laid = count_laid_away(state.seats), crib[dealt_to_crib:]
        laid_away = [[*laid[seat * size : (seat + 1) * size][::-1]] for seat in range(state.seats)]
    return Position(
        hands=[[*state.faces(zone)] for zone in state.hands],
        laid_away=laid_away,
        crib_card=crib[0] if dealt_to_crib else None,
        starter=starter[0] if starter else None,
        stock=[*reversed(state.faces(state.stock))],
        plays=[(seat, None if card is None else str(DECK.faces[card])) for seat, card in state.plays],
        claims=list(state.counted) if state.options.muggins else [],
        totals=[state.totals_before[side[0]] for side in list_sides(state.seats)],
        deal_no=state.deal_no,
        play_claims=list(state.play_claims) if state.options.muggins_in_play else None,
        first_dealer=state.first_dealer if state.options.cut_for_deal else None,
    )


def set_up_position(state: CribbageStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    _begin_deal(state, position)
    laid_away = _fill_laid_away(state, position)
    held = _fill_hands(state, position, laid_away)
    played = [[face for player, face in position.plays if player == seat and face] for seat in range(state.seats)]
    starter: Row = [position.starter] if position.starter else []
    stock: list[tuple[Zone, Row]] = [(state.stock, [*reversed(position.stock or []), *starter])]
    crib: list[tuple[Zone, Row]] = [(state.crib, [position.crib_card])] if state.seats == 3 else []
    rows = [
        *zip(state.hands, [[*row, *gone] for row, gone in zip(held, played, strict=True)], strict=True),
        *zip(state.laid_away, laid_away, strict=True),
    ]
    domains = dict(zip(state.hands, _possible_cards(state.seats, position.plays), strict=True))
    set_up_zones(state.table, state.stock, [*crib, *rows, *stock], domains)
    count = sum(map(bool, laid_away))
    if count < state.seats:
        state.turn = Turn(count, "lay_away")
        return
    state.turn_up_starter()
    _do_plays(state, position)
    if position.claims and state.series and state.options.muggins_in_play:
        raise PositionError("claim 1 of the deal is for a hand; the play is not over then")
    for number, points in enumerate(position.claims, 1):
        _do(state, f"claim {number}", None, ClaimPoints(points))
    if state.deal_no != position.deal_no:
        raise PositionError(f"deal {position.deal_no} is over with these plays, and the game is not")


def _begin_deal(state: CribbageStateBase, position: Position) -> None:
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


def _fill_laid_away(state: CribbageStateBase, position: Position) -> list[Row]:
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


def _fill_hands(state: CribbageStateBase, position: Position, laid_away: Sequence[Row]) -> list[Row]:
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


def _do_plays(state: CribbageStateBase, position: Position) -> None:
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


def _do(state: CribbageStateBase, what: str, seat: int | None, action: CribbageAction) -> None:
    """Do an action that a position tells of."""
    if state.turn is None or (seat is not None and state.turn.seat != seat):
        on_turn = f"seat {state.turn.seat} is on turn" if state.turn else "the game is over"
        raise PositionError(f"{what} of the deal is by seat {seat}; {on_turn} then")
    try:
        state.play(action)
    except IllegalAction as error:
        raise PositionError(f"{what} of the deal: {error}") from None
