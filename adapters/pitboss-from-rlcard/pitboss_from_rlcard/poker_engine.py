"""RLCard's games of poker, with chance that is asked for: who has the small blind, and which card is dealt next.

RLCard deals all cards of a moment at once, from a deck that it has shuffled. Here each of these cards is settled in its
turn: an outcome of chance names a card that nobody has seen, and the dealt card and that one change places. So a
tournament can give the same deal to others, and a search for worlds finds a seat's own cards one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec

from pitboss import Options, Random
from pitboss.foreign.engine import EngineFacts, EngineMove, EngineOutcome, Sight
from pitboss.foreign.parameters import write_lines
from pitboss_from_rlcard.rlcard_engine import RLCardEngine, RLCardPosition, ShownOnTurn, copy_env, show_state

POKER: Final = ("leduc-holdem", "limit-holdem", "no-limit-holdem")


class PokerEngine(RLCardEngine):
    """A game of poker of RLCard."""

    def describe_game(self, seats: int, options: Options) -> EngineFacts:
        """Return the facts of a game with options."""
        return msgspec.structs.replace(super().describe_game(seats, options), cannot={}, total=0.0)

    def begin(self, seats: int, options: Options, rng: Random) -> PokerPosition:  # type: ignore[override]
        """Begin a game; RLCard draws nothing that is not settled later."""
        return PokerPosition(self.make_env(seats, options))


class PokerPosition:
    """A game of poker in progress."""

    def __init__(self, env: Any, settled: int | None = None) -> None:  # noqa: ANN401 - RLCard has no types
        """Go on; `settled`: dealt cards that chance has decided. None: the small blind has not been drawn."""
        self.env, self.settled = env, settled

    def list_turns(self) -> Sequence[int]:
        """Return the seat that decides."""
        if self.settled is None or self.settled < len(list_dealt(self.env.game)):
            return ()
        return self._ended.list_turns()

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return the seats that may have the small blind; then the cards that may be dealt, numbered by their faces."""
        if self.settled is None:
            return [EngineOutcome(seat, 1) for seat in range(self.env.num_players)]
        dealt = list_dealt(self.env.game)[self.settled :]
        if not dealt:
            return ()
        numbers = {face: number for number, face in enumerate(self._list_faces())}
        return [
            EngineOutcome(number, 1) for number in sorted(numbers[card.get_index()] for card in self._list_unseen())
        ]

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the legal moves."""
        return self._ended.list_moves(seat)

    def play(self, numbers: Sequence[int]) -> None:
        """Make a move, or let chance have an outcome."""
        if self.settled is None:
            deal_with_small_blind(self.env, numbers[0])
            self.settled = 0
        elif self.settled < len(list_dealt(self.env.game)):
            face = self._list_faces()[numbers[0]]
            dealt, *_ = unseen = self._list_unseen()
            other = next(card for card in unseen if card.get_index() == face)
            exchange_cards(self.env.game, dealt, other)
            self.settled += 1
        else:
            self.env.step(numbers[0])

    def show(self, seat: int) -> Sight:
        """Return what a seat may know; while cards are dealt, the cards that the seat has seen."""
        if self.settled is None:
            return Sight()
        dealt = list_dealt(self.env.game)
        if self.settled == len(dealt):
            return show_state(self.env, seat)
        seen = dealt[: self.settled]
        hand, public = list_hand(self.env.game, seat), list_public(self.env.game)
        return Sight(
            write_lines(
                {
                    "all_chips": [int(player.in_chips) for player in self.env.game.players],
                    "hand": [card.get_index() for card in seen if any(card is one for one in hand)],
                    "public_cards": [card.get_index() for card in seen if any(card is one for one in public)],
                }
            )
        )

    def describe(self) -> str:
        """Return the whole position."""
        if self.settled is None:
            return "nothing is dealt"
        deck = " ".join(sorted(card.get_index() for card in self._list_unseen()))
        return f"{self._ended.describe()}\nunseen: {deck}"

    def count_points(self) -> Sequence[float]:
        """Return the payoffs."""
        return self._ended.count_points()

    def copy(self) -> PokerPosition:
        """Return an independent position."""
        shared = [self.env.np_random, *(self._list_all() if self.settled is not None else ())]  # they do not change
        return PokerPosition(copy_env(self.env, {id(one): one for one in shared}), self.settled)

    @property
    def _ended(self) -> RLCardPosition:
        """The position as RLCard sees it."""
        return RLCardPosition(self.env, ShownOnTurn())

    def _list_unseen(self) -> list[Any]:
        """Return the cards that chance has not decided."""
        return [*list_dealt(self.env.game)[self.settled :], *self.env.game.dealer.deck]

    def _list_all(self) -> list[Any]:
        game = self.env.game
        return [*list_dealt(game), *game.dealer.deck]

    def _list_faces(self) -> list[str]:
        return sorted(card.get_index() for card in self._list_all())


def list_hand(game: Any, seat: int) -> list[Any]:  # noqa: ANN401
    """Return the cards of a seat."""
    hand = game.players[seat].hand
    return hand if isinstance(hand, list) else [hand]


def list_public(game: Any) -> list[Any]:  # noqa: ANN401
    """Return the cards that all see."""
    if hasattr(game, "public_cards"):
        return cast("list[Any]", game.public_cards)
    return [] if game.public_card is None else [game.public_card]


def list_dealt(game: Any) -> list[Any]:  # noqa: ANN401
    """Return the cards that have been dealt, in their order: each seat one, once more, then those that all see."""
    hands = [list_hand(game, seat) for seat in range(game.num_players)]
    return [card for cards in zip(*hands, strict=True) for card in cards] + list_public(game)


def exchange_cards(game: Any, one: Any, other: Any) -> None:  # noqa: ANN401
    """Exchange two cards, wherever they lie."""
    after = {id(one): other, id(other): one}

    def exchange(place: Any) -> Any:  # noqa: ANN401
        """Return what lies in a place afterwards: a card, a list of cards, or nothing."""
        return [exchange(card) for card in place] if isinstance(place, list) else after.get(id(place), place)

    for player in game.players:
        player.hand = exchange(player.hand)
    public = "public_cards" if hasattr(game, "public_cards") else "public_card"
    setattr(game, public, exchange(getattr(game, public)))
    game.dealer.deck = exchange(game.dealer.deck)


def deal_with_small_blind(env: Any, seat: int) -> None:  # noqa: ANN401
    """Begin games, as RLCard draws them, until a seat has the small blind."""
    while True:
        env.game.dealer_id = None  # no limit hold'em draws a dealer once
        env.reset()
        if env.game.players[seat].in_chips == env.game.small_blind:
            return
