"""Golden transcripts: a whole game of each kind as text. Run this file to write them anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import AnyGame, Random
from pitboss.game import resolve_options
from pitboss_lucky_maker.cards import CARD_BY_FACE, SUIT_NUMBERS
from pitboss_lucky_maker.game import LuckyMaker
from pitboss_lucky_maker.messages import Play as PlayMaster
from pitboss_lucky_maker.state import LuckyMakerState
from pitboss_racko.game import Racko
from pitboss_racko.messages import Action as RackoAction
from pitboss_racko.messages import Declare, Swap, Wait
from pitboss_racko.messages import Discard as DiscardDrawn
from pitboss_racko.messages import Draw as DrawCard
from pitboss_racko.messages import Take as TakeInto
from pitboss_racko.state import RackoState
from pitboss_ragamaru.game import Ragamaru
from pitboss_ragamaru.messages import Action as RagamaruAction
from pitboss_ragamaru.messages import Play as PlayCards
from pitboss_ragamaru.state import RagamaruState
from pitboss_rummy.game import Rummy
from pitboss_rummy.messages import Action as RummyAction
from pitboss_rummy.messages import Discard, Draw, Layoff, Meld, Take
from pitboss_rummy.state import RummyState

COMMAND: Final = "python -m tests.games.transcripts"


class Transcript(NamedTuple):
    """A game to write down: where it is kept, how it is dealt, and who plays it."""

    name: str
    game: AnyGame
    seats: int
    seed: str
    preset: str | None
    options: Mapping[str, object]
    choose_action: Callable[[Any], Any]
    last_view: bool = False  # also of seat 0

    @property
    def file(self) -> Path:
        """The golden file."""
        return Path(__file__).with_name(f"{self.name}_transcript.txt")

    def write(self) -> str:
        """Return the game: all events with every card, then as everybody sees them, then as seat 0 does."""
        options = resolve_options(self.game, self.seats, self.preset, self.options)
        state = self.game.deal(self.seats, options, Random(self.seed))
        while state.turn is not None:
            state.play(self.choose_action(state))
        return "\n".join(self._list_lines(state)) + "\n"

    def _list_lines(self, state: Any) -> Iterator[str]:  # noqa: ANN401 - of any game
        yield f"{self.game.title}, {self.seats} seats, seed {self.seed!r}"
        for title, seat in (("every card", None), ("everybody", self.seats), ("seat 0", 0)):
            yield f"\nas seen by {title}"
            for event in state.table.events(seat):
                yield msgspec.json.encode(event).decode()
        if self.last_view:
            yield f"\nlast view of seat 0\n{msgspec.json.encode(state.view(0)).decode()}"
        yield f"\noutcome\n{msgspec.json.encode(state.outcome()).decode()}"


def choose_racko_action(state: RackoState) -> RackoAction:
    """Return what a simple player does: each card has a slot by its height; the better card for a slot stays in it.

    A complete rack is kept for a run in the first turns of the round.
    """
    if state.turn is None:
        raise ValueError("the game is over")
    seat, phase = state.turn
    view = state.view(seat)
    if phase == "declare":
        return Wait() if view.turns_done < 24 else Declare()
    card = view.discard[-1] if phase == "draw" else view.drawn or 0
    slot = (card - 1) // 4
    fits_better = slot_distance(card, slot) < slot_distance(view.rack[slot], slot)
    if phase == "draw":
        return TakeInto(5 * slot + 5) if fits_better else DrawCard()
    return Swap(5 * slot + 5) if fits_better else DiscardDrawn()


def slot_distance(card: int, slot: int) -> int:
    """Return twice how far a card is from the middle of the four that belong in a slot (of 40 cards)."""
    return abs(2 * card - (8 * slot + 5))


def choose_rummy_action(state: RummyState) -> RummyAction:
    """Return what a simple player does.

    Collects ranks, lays down what there is, and discards the card of the rarest rank.
    """
    if state.turn is None:
        raise ValueError("the game is over")
    seat, phase = state.turn
    view, legal = state.view(seat), state.legal()
    ranks = Counter(card[1:] for card in view.hand)
    if phase == "draw":
        return Take() if ranks[view.discard[-1][1:]] >= 2 else Draw()
    laying = [action for action in legal if isinstance(action, Meld | Layoff)]
    discards = [action for action in legal if isinstance(action, Discard)]
    return laying[0] if laying else min(discards, key=lambda action: ranks[action.card[1:]])


def choose_lucky_maker_action(state: LuckyMakerState) -> PlayMaster:
    """Return what a simple player does.

    The highest card in the suit in which the master is low, as such a trick is worth most.
    """
    if state.turn is None:
        raise ValueError("the game is over")
    master = CARD_BY_FACE[state.view(state.turn.seat).master or ""]
    numbers = min((suited for suited in SUIT_NUMBERS.values() if suited[master]), key=lambda suited: suited[master])
    return max(state.legal(), key=lambda play: numbers[CARD_BY_FACE[play.card]])


def choose_ragamaru_action(state: RagamaruState) -> RagamaruAction:
    """Return what a simple player does: it keeps its numbers for the end, and names its hand's first colour."""
    legal = state.legal()
    plays = [action for action in legal if isinstance(action, PlayCards)]
    others = [play for play in plays if "-" in play.cards[0] or play.cards[0].isalpha()]
    if plays:
        return (others or plays)[-1]
    if state.turn is not None and state.turn.phase in ("colour", "first_colour", "number", "discard"):
        return legal[state.turn_no % len(legal)]
    return legal[-1]


TRANSCRIPTS: Final = (
    Transcript(
        name="racko",
        game=Racko(),
        seats=3,
        seed="transcript/2",
        preset="bonus",
        options={"max_rounds": 2, "max_turns": 12, "deck_size": 40},
        choose_action=choose_racko_action,
    ),
    Transcript(
        name="rummy",
        game=Rummy(),
        seats=3,
        seed="transcript/1010",
        preset="basic",
        options={"deals": 2, "hand_size": 14, "max_turns": 6},
        choose_action=choose_rummy_action,
    ),
    Transcript(
        name="lucky_maker",
        game=LuckyMaker(),
        seats=5,
        seed="transcript/1",
        preset=None,
        options={"games": 2},
        choose_action=choose_lucky_maker_action,
        last_view=True,
    ),
    Transcript(
        name="ragamaru",
        game=Ragamaru(),
        seats=4,
        seed="transcript/1",
        preset="advanced",
        options={"teams": 2},
        choose_action=choose_ragamaru_action,
    ),
)


if __name__ == "__main__":
    for transcript in TRANSCRIPTS:
        transcript.file.write_text(transcript.write(), encoding="utf-8")
