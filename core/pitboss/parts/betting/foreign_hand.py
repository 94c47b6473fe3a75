"""Hands that were played elsewhere: each becomes the record of a game of one hand, whose actions are played again.

One that stops before its end is refused with the record of what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from msgspec import to_builtins
from msgspec.structs import replace

from pitboss.errors import IllegalAction, OptionError, RefusedGame
from pitboss.game import AnyGame, resolve_options
from pitboss.parts.betting.betting_round import CALL, CHECK, FOLD
from pitboss.parts.betting.messages import Bet, BringIn, Raise
from pitboss.parts.betting.named_cards import NamedCards, write_seed
from pitboss.parts.betting.variant import BettingVariant
from pitboss.records.record import BrokenGame, Decision, Record, StoppedGame, replay_decision
from pitboss.table.randomness import Random
from pitboss.table.stacked_seed import write_stacked_seed
from pitboss.text import join_words

BetSize: TypeAlias = Callable[[Any, int], int]  # of a state and a seat: its bet after the action


class ForeignAction(NamedTuple):
    """An action as another program wrote it; what it does is decided by the table."""

    text: str
    kind: str  # "f" fold, "c" check or call, "r" bet or raise, "i" bring-in
    seat: int | None = None  # None: whoever is on turn
    size: BetSize | None = None  # of a bet or raise; None: the only size there is


class ForeignHand(NamedTuple):
    """A hand that was played elsewhere. Lists are by seat; seat 0 is left of the button."""

    line: int  # where it begins
    name: str  # in its file; "" if it has none
    players: Sequence[str]
    options: Mapping[str, object]
    cards: NamedCards
    actions: Sequence[ForeignAction]
    won: Sequence[float] | None = None  # chips, less what was paid; None: not told
    collected: Sequence[float] | None = None  # chips from the pots, perhaps less a rake; None: not told
    deals: Sequence[Mapping[int, Sequence[str | None]]] = ()  # by street, the cards that each seat got
    unit: str = ""  # what a chip is in the file, as "0.01"; "" for a chip


def replay_hand(game: AnyGame, hand: ForeignHand) -> Record:
    """Return the record of a hand.

    Chips that other programs split into fractions go to the winners left of the button here (P3): the note of the last
    decision tells it.

    Raises:
        RefusedGame: a card, an action or what was won is not possible by the rules.
        StoppedGame: the hand stops before its end.
    """
    seats = len(hand.players)
    try:
        options = resolve_options(game, seats, None, {"hands": 1, **hand.options})
        variant = options.find_variant(seats)
        seed = (
            write_seed(complete_cards(hand.cards, variant)) if variant.is_dealt_in_order else stack_deals(hand, variant)
        )
    except (OptionError, ValueError) as wrong:
        fail(hand, str(wrong))
    state: Any = game.deal(seats, options, Random(seed))
    decisions: list[Decision] = []
    for action in hand.actions:
        seat, played = _find_action(state, hand, action)
        decisions.append(Decision(seat=seat, action=to_builtins(played)))
        _play(state, hand, action, played)
    if state.turn is not None:
        refuse_stopped(game, hand, state, decisions)
    _check_cards_told(state, hand)
    notes = [_compare_chips(state, hand), _compare_winners(state, hand)]
    return _make_record(game, hand, state, decisions, notes)


def refuse_stopped(game: AnyGame, hand: ForeignHand, state: Any, decisions: list[Decision]) -> NoReturn:  # noqa: ANN401
    """Raise StoppedGame for a hand that stops with a seat on turn.

    Cards of players that are not told are drawn, the same each time. It is a RefusedGame if the board is not told.
    """
    why = f"the hand ends with seat {state.turn.seat + 1} on turn, {state.turn.phase}"
    if not state.variant.is_dealt_in_order:
        fail(hand, why)
    told, dealt = (sum(face is not None for face in hand.cards.board), len(state.table.zones[state.board]))
    if told < dealt:
        fail(hand, f"{why}; the board has {told} cards, and {dealt} were dealt")
    cards = draw_hands(hand.cards, state.variant)
    drawn = game.deal(len(hand.players), state.options, Random(write_seed(cards)))
    record = _make_record(game, hand, drawn, decisions, [])
    for decision in decisions:
        replay_decision(decision, drawn, game, why)
    untold = join_words([f"p{seat + 1}" for seat in sorted(cards.untold)], "and")
    known = f"; the cards of {untold} are not told" if untold else ""
    stop = f"the hand stops with p{state.turn.seat + 1} on turn, {state.turn.phase}"
    record = replace(record, outcome=drawn.outcome(), broken=BrokenGame(why=f"{stop}{known}"))
    raise StoppedGame(hand.line, f"{hand.name}: {why}" if hand.name else why, record)


def _make_record(
    game: AnyGame,
    hand: ForeignHand,
    state: Any,  # noqa: ANN401 - of poker
    decisions: list[Decision],
    notes: list[str],
) -> Record:
    """Return the record of a hand; its notes stand at the last decision."""
    if hand.unit:
        notes.insert(0, f"a chip is {hand.unit} of the source")
    if decisions and any(notes):
        decisions[-1] = replace(decisions[-1], note="; ".join(filter(None, notes)))
    return Record(
        game=game.name,
        game_version=game.version,
        options=to_builtins(state.options),
        seed=state.rng.seed,
        players=[*hand.players],
        decisions=decisions,
        outcome=state.outcome(),
    )


def complete_cards(cards: NamedCards, variant: BettingVariant) -> NamedCards:
    """Return all cards of a hand, of which each player and the board have a number, None where they are not told.

    Raises:
        ValueError: there are more, or one of them twice.
    """
    hole = variant.hole_cards
    rows = [
        ("the board", cards.board, variant.board_size),
        *((f"p{seat + 1}", row, hole) for seat, row in enumerate(cards.hands)),
    ]
    for name, row, most in rows:
        if len(row) > most:
            raise ValueError(f"{name} has {len(row)} cards; it is {most} at most")
    told = [face for _, row, _ in rows for face in row if face is not None]
    if twice := [face for face in told if told.count(face) > 1]:
        raise ValueError(f"{twice[0]} is dealt twice")
    board, *hands = [[*row, *[None] * (most - len(row))] for _, row, most in rows]
    return NamedCards(hands, board)


def stack_deals(hand: ForeignHand, variant: BettingVariant) -> str:
    """Return the seed of a game whose deck gives each player the cards of a hand that are dealt street by street.

    Raises:
        ValueError: the cards of a player are not told, or are no cards of this kind of poker.
    """
    if len(hand.deals) > len(variant.streets):
        raise ValueError(
            f"cards are dealt to players {len(hand.deals)} times; there are {len(variant.streets)} streets"
        )
    order: list[str] = []
    for street, dealt in zip(variant.streets, hand.deals, strict=False):
        for seat, cards in dealt.items():
            if len(cards) != street.hole + street.up or None in cards:
                raise ValueError(f"p{seat + 1} gets {street.hole + street.up} cards on {street.name}; all must be told")
        rounds = zip(*(dealt[seat] for seat in sorted(dealt)), strict=True)
        order += [face for cards in rounds for face in cards if face is not None]
    if twice := [face for face in order if order.count(face) > 1]:
        raise ValueError(f"{twice[0]} is dealt twice")
    named = variant.deck.find_cards(order)
    rest = [card for card in range(len(variant.deck)) if card not in named]
    return write_stacked_seed("phh", [(*named, *rest)[::-1]])


def draw_board(cards: NamedCards, variant: BettingVariant) -> NamedCards:
    """Return the cards of a hand, with those of the board that are not told drawn from the rest of the pack.

    The same hand gives the same cards.

    Raises:
        ValueError: the cards of a player are not told, or are no cards of a hand.
    """
    hands, board, _ = told = complete_cards(cards, variant)
    for seat, held in enumerate(hands):
        if None in held:
            raise ValueError(f"the cards of p{seat + 1} are not told, so that nobody can be dealt them")
    drawn = _draw_others(told, variant)
    return NamedCards(hands, [next(drawn) if face is None else face for face in board])


def draw_hands(cards: NamedCards, variant: BettingVariant) -> NamedCards:
    """Return the cards of a hand, with those of players that are not told drawn from the rest of the pack.

    The same hand gives the same cards.

    Raises:
        ValueError: they are no cards of a hand.
    """
    hands, board, _ = told = complete_cards(cards, variant)
    drawn = _draw_others(told, variant)
    untold = frozenset(seat for seat, held in enumerate(hands) if None in held)
    return NamedCards([[next(drawn) if face is None else face for face in held] for held in hands], board, untold)


def _draw_others(cards: NamedCards, variant: BettingVariant) -> Iterator[str]:
    """Yield the cards of the pack that are not told, in an order that follows from those that are."""
    told = {face for row in (*cards.hands, cards.board) for face in row}
    pack = [face for face in map(str, variant.deck.faces) if face not in told]
    order = [*range(len(pack))]
    Random(write_seed(cards)).shuffle(order)
    return (pack[number] for number in order)


def fail(hand: ForeignHand, what: str) -> NoReturn:
    """Raise RefusedGame for a hand."""
    raise RefusedGame(hand.line, f"{hand.name}: {what}" if hand.name else what)


def _find_action(state: Any, hand: ForeignHand, action: ForeignAction) -> tuple[int, Any]:  # noqa: ANN401 - of poker
    """Return who acts, and the action."""
    if state.turn is None:
        fail(hand, f"{action.text!r} comes after the end of the hand")
    seat: int = state.turn.seat
    if action.seat not in (None, seat):
        fail(hand, f"{action.text!r}: p{seat + 1} is on turn")
    played: Any
    if action.kind == "f":
        played = FOLD
    elif action.kind == "i":
        played = BringIn()
    elif action.kind == "c":
        played = CALL if state.to_call else CHECK
    else:
        size = action.size(state, seat) if action.size is not None else state.min_to
        played = Raise(size) if state.current_bet else Bet(size)
    return seat, played


def _play(state: Any, hand: ForeignHand, action: ForeignAction, played: Any) -> None:  # noqa: ANN401 - of poker
    sizes = f"; a bet or raise is {state.min_to} to {state.max_to}" if action.kind == "r" and state.max_to else ""
    try:
        state.play(played)
    except IllegalAction:
        fail(hand, f"{action.text!r} is not legal there{sizes}")


def _check_cards_told(state: Any, hand: ForeignHand) -> None:  # noqa: ANN401 - of poker
    """See that the cards that decided the hand are told: those of the board, and of a hand for each pot."""
    if not state.variant.is_dealt_in_order:
        return
    told = sum(face is not None for face in hand.cards.board)
    if len(state.table.zones[state.board]) > told:
        fail(hand, f"the board has {told} cards, and {len(state.table.zones[state.board])} were dealt")
    if state.undecided:
        names = ", ".join(f"p{seat + 1}" for seat in range(len(hand.players)) if state.undecided >> seat & 1)
        fail(hand, f"a pot is for {names} alone, whose cards are not told")


def _compare_winners(state: Any, hand: ForeignHand) -> str:  # noqa: ANN401 - of poker
    """Return how the chips that were collected differ from those of the pots, as by a rake; "" if they do not."""
    if hand.collected is None:
        return ""
    shares = [0.0] * len(hand.players)
    for pot in state.last_pots:
        for seat in pot.winners:
            shares[seat] += pot.chips / len(pot.winners)
    theirs = [seat for seat, chips in enumerate(hand.collected) if chips > 0]
    ours = [seat for seat, chips in enumerate(shares) if chips]
    if theirs != ours:
        names = [", ".join(f"p{seat + 1}" for seat in seats) or "nobody" for seats in (theirs, ours)]
        fail(hand, f"the winner is {names[0]}; by these rules it is {names[1]}")
    differing = [seat for seat in ours if hand.collected[seat] != shares[seat]]
    pairs = ", ".join(f"p{seat + 1} {hand.collected[seat]:g} of {shares[seat]:g}" for seat in differing)
    return f"the source pays {pairs}" if differing else ""


def _compare_chips(state: Any, hand: ForeignHand) -> str:  # noqa: ANN401 - of poker
    """Return how the chips that were won differ by odd chips, "" if they do not."""
    if hand.won is None:
        return ""
    differing = [seat for seat, won in enumerate(hand.won) if won != state.net[seat]]
    told = ", ".join(f"p{seat + 1} {hand.won[seat]:+g} and here {state.net[seat]:+d}" for seat in differing)
    winners = max(len(pot.winners) for pot in state.last_pots)
    odd = winners * len(state.last_pots)
    if any(abs(hand.won[seat] - state.net[seat]) >= odd for seat in differing):
        fail(hand, f"other chips are won than by these rules: {told}")
    return f"odd chips (P3): in the source {told}" if differing else ""
