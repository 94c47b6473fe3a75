"""Hearts. Take no hearts and not the queen of spades, or take all of them; when somebody has 100 points the fewest win.

Everybody passes three cards at the same time: to the left, to the right, across, and then nobody passes. The lowest
club leads. Who has the suit that was led follows it. Hearts are led only when one has been played, or nothing else is
held. In the first trick nobody plays a card that counts, if there is another.

Numbers in docstrings (H4) are those of the rule book, `RULES.md`; the rules are in `state`; options, actions and
views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pitboss.game import GameBounds
from pitboss.parts.trick_match import TrickGame, tell_trick_counts
from pitboss.rendering.model_words import tell_known
from pitboss.rendering.presentation import Speech
from pitboss_hearts.messages import PRESETS, HeartsOptions, Position, View
from pitboss_hearts.presentation import PRESENTATION
from pitboss_hearts.state import HeartsState


class Hearts(TrickGame[HeartsOptions, HeartsState]):
    """The game: one object without state."""

    state = HeartsState
    name = "hearts"
    title = "Hearts"
    version = "3"
    seats: Sequence[int] = (3, 4, 5)
    phases = ("pass", "play", "moon")
    Position = Position
    presets: Mapping[str, HeartsOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: HeartsOptions) -> GameBounds | None:
        """Return the bounds: a deal has 26 points, and the jack of diamonds takes off 10."""
        least = -(0 if options.moon == "old" else 26) - (10 if options.jack else 0)
        decisions = 52 // seats * seats + seats + (options.moon == "choice")
        return GameBounds(options.deals * decisions, options.deals * least, options.limit - 1 + 26)

    @staticmethod
    def tell_model(view: View, seat: int, speech: Speech) -> Iterator[str]:
        """Yield what a seat sees: its own hand is not told again among the cards that it knows."""
        yield from tell_trick_counts(view, speech)
        yield f"cards that you know in the hands of others: {tell_known(view.known, seat, speech)}"
