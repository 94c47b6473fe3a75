"""Gin Rummy. Draw and discard until little is loose beside your melds, then knock; fewer loose points win the deal.

Melds are three or four of a rank, or three and more in sequence of a suit, the ace low. A player who knocks discards,
and lays down its hand with ten points loose at most. The other lays off loose cards to these melds, unless nothing was
loose (gin). The difference goes to the knocker, or if there is none to the other (undercut). First to 100 wins.

Numbers in docstrings (G5) are those of the rule book, `RULES.md`; the rules are in `state`, games and bonuses in
`scoring`; options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pitboss import TableGame
from pitboss.game import GameBounds
from pitboss.rendering.model_words import tell_by_seat, tell_cards, tell_known
from pitboss.rendering.presentation import Speech
from pitboss_gin_rummy.messages import PRESETS, GinRummyOptions, Position, View
from pitboss_gin_rummy.presentation import PRESENTATION
from pitboss_gin_rummy.scoring import HOLLYWOOD_GAMES
from pitboss_gin_rummy.state import MAX_TAKES, TURNS, GinRummyState

DEAL_DECISIONS: Final = 2 * (29 + MAX_TAKES) + 6  # draws and takes with discards; two passes, the last discard, melds
MAX_DEADWOOD: Final = 98  # points of ten cards


class GinRummy(TableGame[GinRummyOptions, GinRummyState]):
    """The game: one object without state."""

    state = GinRummyState
    name = "gin-rummy"
    title = "Gin Rummy"
    version = "2"
    seats: Sequence[int] = (2, 3, 4)
    phases: Sequence[str] = tuple(TURNS)
    Position = Position
    presets: Mapping[str, GinRummyOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: GinRummyOptions) -> GameBounds | None:
        """Return the bounds: no deal is longer than its stock lasts, and no game is won by more than a deal."""
        deal = 2 * (MAX_DEADWOOD + max(options.gin_bonus, options.undercut_bonus, options.big_gin_bonus))
        game = options.target + deal + 2 * options.game_bonus + options.deals * options.line_bonus
        games = HOLLYWOOD_GAMES if options.hollywood else 1
        return GameBounds(options.deals * DEAL_DECISIONS, 0, games * game)

    @staticmethod
    def tell_model(view: View, seat: int, speech: Speech) -> Iterator[str]:
        """Yield what a seat sees: its own hand is not told again among the cards that it knows."""
        yield f"your hand: {tell_cards(view.hand)}"
        yield f"cards that you know in the hands of others: {tell_known(view.known, seat, speech)}"
        yield f"discards, the last on top: {' '.join(view.discards) or 'none'}"
        if view.taken is not None:
            yield f"you have taken {view.taken} from the discards in this turn"
        yield f"stock: {view.stock} cards; discards taken, the first up-card {view.up_card} aside: {view.takes}"
        yield f"most that a knocker's loose cards may count: {view.limit}"
        waiting = f"; waiting: {', '.join(map(speech.name, view.waiting))}" if view.waiting else ""
        yield f"deal {view.deal_no}: {' and '.join(map(speech.name, view.players))} play{waiting}"
        for number, game in enumerate(view.games, 1):
            of = f" in game {number}" if len(view.games) > 1 else ""
            points, deals = tell_by_seat(game.points, speech), tell_by_seat(game.lines, speech)
            yield f"points{of}: {points}; deals won: {deals}"
        yield f"points with bonuses: {tell_by_seat(view.totals, speech)}"
