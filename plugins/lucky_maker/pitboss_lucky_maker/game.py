"""Lucky Maker. Follow a master card of two suits; the suit played more often decides: its highest number wins the
master's number in the other.

The hands are 15, 12 or 10 cards for 3, 4 or 5 players, as many as there are masters: 60 cards in all. A player who has
a suit of the master plays it. If both suits were played equally often, the one in which the master is higher decides.
Of equal numbers the last one wins; nobody wins if the master is higher than all.

Numbers in docstrings (2.1, D5) are those of the rule book, `RULES.md`; the deck is in `deck`, deciding a trick in
`trick`, the games of a series in `rounds`; options, actions and views are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss import Outcome, TableGame, ZoneHint, outcome_by_side
from pitboss.game import GameBounds
from pitboss_lucky_maker.deck import CARD_BY_FACE, HIGHEST, hand_size
from pitboss_lucky_maker.evaluation import evaluate_state
from pitboss_lucky_maker.messages import PLAYS, PRESETS, LuckyMakerOptions, Play, Position, Trick, View
from pitboss_lucky_maker.position import set_up_position, write_position
from pitboss_lucky_maker.rendering import count_scores, render_table
from pitboss_lucky_maker.rounds import learn_void, resolve_trick, start_game
from pitboss_lucky_maker.state import LuckyMakerStateBase


class LuckyMakerState(LuckyMakerStateBase):
    """A series of Lucky Maker at one moment."""

    has_outcome_so_far = True

    start = start_game
    set_up = set_up_position
    render = render_table
    public_counts = count_scores
    evaluate = evaluate_state
    position = write_position

    def legal(self) -> Sequence[Play]:
        """2.1: the cards of the hand that follow the master; all cards if none does. In canonical order."""
        turn = self.turn
        if turn is None:
            return ()
        held, follows, plays = self.table.zones[self.board.hands[turn[0]]], self.follows, PLAYS
        legal: list[Play] = []
        for card in held:
            if follows[card]:
                legal.append(plays[card])  # noqa: PERF401 - in Python 3.11 a comprehension takes a third longer
        return legal or [PLAYS[card] for card in held]

    def play(self, action: Play) -> None:
        """Section 2: play the card; the last one of a trick decides it, and the next master is turned up."""
        turn, board, table = self.turn, self.board, self.table
        if turn is None or type(action) is not Play or action.card not in CARD_BY_FACE:
            self.refuse(action)
        seat, card, zones = turn[0], CARD_BY_FACE[action.card], table.zones
        hand = board.hands[seat]
        follows = self.follows[card]
        if card not in zones[hand] or not (follows or self._is_void(seat)):
            self.refuse(action)
        table.move(card, hand, board.trick, "play")
        if not follows:
            learn_void(self, seat)
        if len(zones[board.trick]) < board.seats:
            self.turn = board.next_turns[seat]
        else:
            resolve_trick(self, zones[board.trick])

    def _is_void(self, seat: int) -> bool:
        """2.1: whether no card of the hand follows the master (D7: nobody has to follow the lead)."""
        follows = self.follows
        return not any(follows[card] for card in self.table.zones[self.board.hands[seat]])

    def view(self, seat: int) -> View:
        """2.4 and section 6, without what the wire tells anyway."""
        board, zones = self.board, self.table.zones
        master = zones[board.master]
        return View(
            hand=[PLAYS[card].card for card in zones[board.hands[seat]]] if seat < board.seats else [],
            master=PLAYS[master[0]].card if master else None,
            trick=board.played_cards(self.lead, zones[board.trick]),
            lead=self.lead,
            trick_no=board.tricks - len(zones[board.masters]),
            tricks=board.tricks,
            scores=self.scores[:],
            totals=self.totals[:],
            game_no=self.game_no,
            games=self.options.games,
            history=self._history(),
        )

    def _history(self) -> tuple[Trick, ...]:
        """Return the finished tricks: each is made once, when somebody looks at it."""
        unseen = self.past_tricks[len(self.trick_messages) :]
        if unseen:
            self.trick_messages = (*self.trick_messages, *map(self.board.trick_message, unseen))
        return self.trick_messages

    def outcome(self) -> Outcome:
        """Section 3: places by the total of the series, the highest first (D11)."""
        return outcome_by_side(self.series_totals(), self.board.sides)


class LuckyMaker(TableGame[LuckyMakerOptions, LuckyMakerState]):
    """The game of Lucky Maker."""

    state = LuckyMakerState
    name = "lucky-maker"
    title = "Lucky Maker"
    seats = (3, 4, 5)
    phases = ("play",)
    Position = Position
    presets = PRESETS
    zone_hints: Mapping[str, ZoneHint] = {
        "masters": ZoneHint("beside"),
        "won": ZoneHint("beside"),
        "removed": ZoneHint("hidden"),
    }

    @staticmethod
    def bounds(seats: int, options: LuckyMakerOptions) -> GameBounds | None:
        """Return the bounds: each trick is worth the number of a card at most."""
        tricks = (options.games or seats) * hand_size(seats)
        return GameBounds(tricks * seats, 0, tricks * HIGHEST)
