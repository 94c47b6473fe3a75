"""Positions of Gin Rummy: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from pitboss import PositionError
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss_gin_rummy.messages import CARD_OF, FACES, Position
from pitboss_gin_rummy.scoring import begin_games, count_totals, is_won
from pitboss_gin_rummy.state import HAND, LAST_STOCK, NO_CARD, TURNS, GinRummyStateBase

Rows = list[list[str | None]]


def write_position(state: GinRummyStateBase) -> Position:
    """Write down a state: every card, and what everybody knows."""
    table, turn, onlooker = state.table, state.turn, state.table.layout.spectator
    known = [table.faces_known_to(hand, onlooker) for hand in state.hands]
    return Position(
        deal_no=state.deal_no,
        players=state.players,
        waiting=list(state.waiting),
        turn=turn.seat if turn else None,
        phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
        hands=[[*state.faces(hand)] for hand in state.hands],
        discards=[*state.faces(state.discards)],
        stock=[*reversed(state.faces(state.stock))],
        up_card=FACES[state.up_card],
        taken=None if state.taken == NO_CARD else FACES[state.taken],
        takes=state.takes,
        passes=state.passes,
        known=[[str(face) for face in row if face] for row in known],
        games=list(state.games),
        over=turn is None,
    )


def set_up_position(state: GinRummyStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    state.begin_match()
    _seat_players(state, position)
    _set_scores(state, position)
    seat = state.players[0] if position.turn is None else position.turn
    if seat not in state.players:
        raise PositionError(f"turn is {seat}; {state.players[0]} and {state.players[1]} play this deal")
    hands, discards = _hand_rows(state, position, seat), position.discards
    if discards is None:
        discards = [position.up_card] if position.taken is None else []
    stock = [*(position.stock or ())]
    piles = [(state.discards, discards), (state.stock, stock[::-1])]
    set_up_zones(state.table, state.stock, [*zip(state.hands, hands, strict=True), *piles])
    _set_up_card(state, position)
    _set_knowledge(state, position, seat)
    state.passes, state.takes = position.passes, position.takes
    if position.over:
        if not state.is_match_over():
            raise PositionError(f"the match is not over after deal {position.deal_no} with totals {state.totals!r}")
        return
    if state.deal_no > state.options.deals:
        raise PositionError(f"deal_no is {position.deal_no}; the match has {state.options.deals} deals")
    if all(is_won(game, state.options) for game in state.games):
        raise PositionError(f"the match is over: all games are won, with totals {state.totals!r}")
    state.turn = TURNS[position.phase][seat]
    _check_phase(state, position)


def _seat_players(state: GinRummyStateBase, position: Position) -> None:
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


def _set_scores(state: GinRummyStateBase, position: Position) -> None:
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


def _hand_rows(state: GinRummyStateBase, position: Position, seat: int) -> Rows:
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


def _set_up_card(state: GinRummyStateBase, position: Position) -> None:
    """Set the card that was turned up, and that which was taken."""
    lowest = [*state.table.zones[state.discards][:1]]
    given = [CARD_OF[face] for face in (position.up_card, position.taken) if face is not None]
    state.turn_up(([*given[: position.up_card is not None], *lowest, *given, CARD_OF["SK"]])[0])
    state.taken = NO_CARD if position.taken is None else CARD_OF[position.taken]


def _set_knowledge(state: GinRummyStateBase, position: Position, seat: int) -> None:
    """G5: everybody knows the cards that were taken from the discards."""
    table = state.table
    known: list[list[str]] = [*(position.known or [[] for _ in range(state.seats)])]
    if position.taken is not None:
        known[seat] = [*known[seat], position.taken]
    for hand, faces in zip(state.hands, known, strict=True):
        for face in faces:
            if CARD_OF[face] not in table.zones[hand]:
                raise PositionError(f"{face!r} is said to be known in {hand.name}, which does not hold it")
            table.known_by[CARD_OF[face]] = table.layout.everybody


def _check_phase(state: GinRummyStateBase, position: Position) -> None:
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
