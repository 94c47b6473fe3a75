"""Poker. Kuhn, Leduc, and Texas Hold'em with fixed limit, pot limit or no limit, for 2 to 10 players.

Everybody bets on the hand that it will have in the end: fold, check or call, bet or raise. Who is alone in the hand
wins the pot, otherwise the best five of seven cards do. Points are chips won and lost.
Numbers in docstrings (S1, B4, P2, D5) are those of the rule book, `RULES.md`; betting, hands and pots are in
`rules`, evaluation and positions in `state`; options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pitboss import TableGame
from pitboss.errors import RefusedGame
from pitboss.game import GameBounds, PointUnit
from pitboss.records.record import DealFormat, ExportFunction, ImportFunction
from pitboss.rendering.model_words import tell_by_seat
from pitboss.rendering.presentation import Speech
from pitboss_poker.acpc_log import read_dealer_log
from pitboss_poker.foreign_hand import draw_board
from pitboss_poker.hand_history import write_deals, write_hand_histories
from pitboss_poker.messages import PRESETS, PokerOptions, Position, View
from pitboss_poker.named_cards import read_seed, write_seed
from pitboss_poker.phh_reading import read_deals, read_hand_histories
from pitboss_poker.presentation import PRESENTATION
from pitboss_poker.rules import MAX_SEATS, STREETS
from pitboss_poker.state import PokerState

SEEN_BETS: Final = 6  # bets and raises of a round that learners see


class Poker(TableGame[PokerOptions, PokerState]):
    """The game of poker."""

    state = PokerState
    name = "poker"
    title = "Poker"
    version = "2"
    seats = tuple(range(2, MAX_SEATS + 1))
    phases = STREETS
    Position = Position
    presets = PRESETS
    exports: Mapping[str, ExportFunction] = {"phh": write_hand_histories}
    imports: Mapping[str, ImportFunction] = {"phh": read_hand_histories, "acpc": read_dealer_log}
    deal_files: Mapping[str, DealFormat] = {"phh": DealFormat(read_deals), "phhs": DealFormat(read_deals, write_deals)}
    presentation = PRESENTATION
    unlearned: Mapping[str, str] = {
        "history": f"the bets after the {SEEN_BETS}th of a round without a limit, and what follows them",
        "pots": "the side pots, which follow from what was paid",
    }

    @staticmethod
    def extract_deal(seed: str) -> str:
        """Return the seed with a whole board, of which an imported hand may tell a part.

        Raises:
            RefusedGame: the cards of a player are not told.
        """
        named = read_seed(seed)
        if named is None or not (named.untold or None in [face for row in (*named.hands, named.board) for face in row]):
            return seed
        try:
            return write_seed(draw_board(named))
        except ValueError as wrong:
            raise RefusedGame(None, str(wrong)) from None

    @staticmethod
    def point_unit(options: PokerOptions) -> PointUnit | None:
        """Thousandths of a big blind a hand, where all hands are played for the same; without blinds chips a hand."""
        if options.hands is None or options.level_hands is not None:
            return None
        if not options.big_blind:
            return PointUnit("chips a hand", options.hands)
        return PointUnit("mbb a hand", options.big_blind * options.hands / 1000)

    @staticmethod
    def counts_points(options: PokerOptions) -> bool:
        """Whether chips count: but where all play until one has them all, places do."""
        return options.hands is not None

    @staticmethod
    def view_bounds(seats: int, options: PokerOptions) -> Mapping[str, Sequence[int]]:
        """Return the rounds of a hand and the most actions of one that learners see, in the view's `history`.

        Without a limit there may be any number of actions, and few rounds have more.
        """
        bets = min(max(options.list_most_bets()), SEEN_BETS)
        return {"history": (len(options.list_most_bets()), seats + bets * (seats - 1))}

    @staticmethod
    def bounds(seats: int, options: PokerOptions) -> GameBounds | None:
        """Return the bounds: with stacks that carry there may be any number of hands."""
        hands = options.hands or 1
        largest = max(options.list_stacks(seats))
        lost = options.bound_loss(seats) * hands if options.stacks == "reset" else largest
        decisions = None if options.hands is None else hands * options.bound_decisions(seats)
        return GameBounds(decisions, -lost, lost * (seats - 1), 0)

    @staticmethod
    def tell_model(view: View, seat: int, speech: Speech) -> Iterator[str]:
        """Yield what a seat sees: the cards, the pot, and of each seat its chips and its part in the hand."""
        yield f"hand {view.hand}, {view.street}, blinds {view.blinds[0]:,} and {view.blinds[1]:,}"
        yield f"your cards: {' '.join(map(str, view.cards)) or 'none'}"
        yield f"the board: {' '.join(map(str, view.board)) or 'none'}"
        yield f"the pot: {view.pot:,}; to call you pay {view.to_call:,}"
        for pot in view.pots:
            yield f"of which {pot.chips:,} can be won by {', '.join(map(speech.name, pot.seats))}"
        yield "chips left, bet in this round, paid in this hand:"
        for other, chips in enumerate(zip(view.stacks, view.bets, view.paid, strict=True)):
            told = (*(f"{one:,}" for one in chips), *_list_marks(view, other))
            yield f"{speech.name(other)}: {'; '.join(told)}"
        yield f"net of earlier hands: {tell_by_seat(view.net, speech)}"


def _list_marks(view: View, seat: int) -> Iterator[str]:
    """Yield what else there is to know of a seat in this hand."""
    marks = (
        ("button", seat == view.button),
        ("small blind", seat == view.small_blind),
        ("big blind", seat == view.big_blind),
        ("folded", seat in view.folded),
        ("all in", seat in view.all_in),
        ("out of the game", seat in view.out),
    )
    return (word for word, is_so in marks if is_so)
