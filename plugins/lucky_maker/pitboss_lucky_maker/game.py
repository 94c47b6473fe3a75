"""Lucky Maker. Follow a master card of two suits; the suit played more often decides: its highest number wins the master's number in the other.

The hands are 15, 12 or 10 cards for 3, 4 or 5 players, as many as there are masters: 60 cards in all. Whoever has a suit of the master plays it. If both
suits were played equally often, the one in which the master is higher decides. Of equal numbers the last one wins; nobody wins if the master is higher than all. Numbers in
docstrings (2.1, D5) are those of the rule book, `RULES.md`; the deck is in `deck`, deciding a trick in `trick`, options in `options`, actions and views in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss import IllegalAction, Outcome, Random, Table, Turn, outcome_by_side
from pitboss_lucky_maker import messages
from pitboss_lucky_maker.board import LuckyMakerBoard, board_for
from pitboss_lucky_maker.deck import CARD_BY_FACE, CATEGORY_CARDS, COMPLEMENT, FOLLOWS
from pitboss_lucky_maker.evaluation import evaluate_state
from pitboss_lucky_maker.messages import PLAYS, Play, Position, Trick, View
from pitboss_lucky_maker.options import PRESETS, LuckyMakerOptions
from pitboss_lucky_maker.position import set_up_position, write_position
from pitboss_lucky_maker.rendering import render_table
from pitboss_lucky_maker.trick import PastTrick, TrickResult, decide_trick, next_lead


class LuckyMakerState:
    """A series of Lucky Maker at one moment."""

    __slots__ = (
        "board",
        "first_lead",
        "follows",
        "game_no",
        "lead",
        "options",
        "past_tricks",
        "rounds_rng",
        "scores",
        "table",
        "totals",
        "trick_messages",
        "turn",
        "voids",
    )

    table: Table
    turn: Turn | None

    def __init__(self, seats: int, options: LuckyMakerOptions, rng: Random) -> None:
        if not options.games:
            raise ValueError("the options are not resolved")
        self.options = options
        self.board: LuckyMakerBoard = board_for(seats)
        self.rounds_rng = rng
        self.table = Table(self.board.layout, rng, self.board.masters)
        self.turn = None
        self.game_no = 1
        self.first_lead = 0  # who led to the first trick of this game
        self.lead = 0
        self.follows = FOLLOWS[0]  # by card: does it follow the open master?
        self.scores = [0] * seats
        self.totals = [0] * seats  # of the earlier games
        self.past_tricks: list[PastTrick] = []  # the finished tricks of this game
        self.trick_messages: tuple[Trick, ...] = ()  # the same as a view has it, as far as somebody has looked
        self.voids: tuple[int | None, ...] = (
            self.board.no_voids
        )  # the category of which a hand is known to hold no suit

    # ---- the State protocol

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
            raise self._illegal_action(action)
        seat, card, zones = turn[0], CARD_BY_FACE[action.card], table.zones
        hand = board.hands[seat]
        follows = self.follows[card]
        if card not in zones[hand] or not (follows or self._is_void(seat)):
            raise self._illegal_action(action)
        table.move(card, hand, board.trick, "play")
        if not follows:
            self._learn_void(seat)
        if len(zones[board.trick]) < board.seats:
            self.turn = board.next_turns[seat]
        else:
            self._resolve_trick(zones[board.trick])

    def neutral(self) -> Play:
        """D17: the first card of the legal list."""
        if self.turn is None:
            raise IllegalAction("the game is over")
        return self.legal()[0]

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

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the trick, the last one, scores and hands, for people."""
        return render_table(self, seat, names)

    def outcome(self) -> Outcome:
        """Section 3: places by the total of the series, the highest first (D11)."""
        return outcome_by_side(self._series_totals(), self.board.sides)

    def evaluate(self) -> Sequence[float]:
        """Return by seat the total that it may expect after the game: for players who look ahead."""
        return evaluate_state(self)

    def position(self) -> Position:
        """Write down the game that is being played, and the totals of the earlier ones."""
        return write_position(self)

    def copy(self) -> LuckyMakerState:
        """Return an independent state for looking ahead."""
        return self._copy_with(self.table.copy(), self.rounds_rng)

    def imagine(self, seat: int, rng: Random) -> LuckyMakerState:
        """Return a state that the seat cannot tell from this one."""
        twin = self._copy_with(self.table.imagine(seat, rng), rng)
        twin.sort_hands()
        return twin

    def _copy_with(self, table: Table, rng: Random) -> LuckyMakerState:
        twin = object.__new__(LuckyMakerState)
        twin.board, twin.options, twin.follows = self.board, self.options, self.follows
        twin.table, twin.rounds_rng = table, rng
        twin.turn, twin.game_no, twin.first_lead, twin.lead = self.turn, self.game_no, self.first_lead, self.lead
        twin.scores, twin.totals = self.scores[:], self.totals[:]
        twin.past_tricks, twin.trick_messages, twin.voids = self.past_tricks[:], self.trick_messages, self.voids
        return twin

    # ---- a trick: section 2

    def _is_void(self, seat: int) -> bool:
        """2.1: tell whether no card of the hand follows the master (D7: nobody has to follow the lead)."""
        follows = self.follows
        return not any(follows[card] for card in self.table.zones[self.board.hands[seat]])

    def _illegal_action(self, action: object) -> IllegalAction:
        return IllegalAction(f"{action!r} was played at {self.turn}; legal: {list(self.legal())!r}")

    def _learn_void(self, seat: int) -> None:
        """2.4: who did not follow holds neither suit of the master, so only cards of its complement."""
        if self.voids[seat] is None and self.table.zones[self.board.hands[seat]]:
            [master] = self.table.zones[self.board.master]
            self.state_void(seat, master // 10)

    def state_void(self, seat: int, category: int) -> None:
        """State that a hand is known to hold no suit of a category."""
        self.voids = (*self.voids[:seat], category, *self.voids[seat + 1 :])
        self.table.restrict(self.table.zones[self.board.hands[seat]], CATEGORY_CARDS[COMPLEMENT[category]])

    def _resolve_trick(self, trick: list[int]) -> None:
        """2.2, 2.3: decide the trick, score it, and go on."""
        table, board, lead = self.table, self.board, self.lead
        [master] = table.zones[board.master]
        decision = decide_trick(master, trick)
        self.past_tricks.append((master, lead, tuple(trick), decision))
        self.lead = next_lead(decision, lead, board.seats, self.options)
        if decision.winner is None:
            winner, event, pile = None, "remove", board.removed
        else:
            winner = board.seats_from[lead][decision.winner]
            event, pile = "take", board.won[winner]
            self.scores[winner] += decision.points
        if table.log is not None:
            self._tell_trick(decision, winner)
        table.draw(board.master, pile, event)  # D9, D15: what was played stays public
        table.turn_over(board.trick, pile, event)
        if table.zones[board.masters]:
            self._reveal_master()
        else:
            self._end_game()

    def _tell_trick(self, decision: TrickResult, winner: int | None) -> None:
        """Section 6: say how the trick was decided; the counts are those of the master's suits."""
        self.table.tell(
            "trick",
            follow=decision.follow,
            counts=[*decision.counts],
            winner=winner,
            points=decision.points,
            rules=[*decision.rules],
            next_lead=self.lead,
        )

    def _reveal_master(self) -> None:
        """REVEAL: the next master is turned up before the leader plays."""
        master = self.table.draw(self.board.masters, self.board.master, "master")
        self.follows = FOLLOWS[master // 10]
        self.turn = self.board.turns[self.lead]

    def resume_play(self) -> None:
        """Say whose turn it is, from how the cards lie: for a position that was set up."""
        zones, board = self.table.zones, self.board
        [master] = zones[board.master]
        self.follows = FOLLOWS[master // 10]
        self.turn = board.turns[board.seats_from[self.lead][len(zones[board.trick])]]

    # ---- a game and the series: section 3

    def _series_totals(self) -> list[int]:
        return [before + now for before, now in zip(self.totals, self.scores, strict=True)]

    def _end_game(self) -> None:
        """Section 3: after the last trick the next game of the series is dealt, or the series is over."""
        totals = self._series_totals()
        outcome = outcome_by_side(totals, self.board.sides)
        self.table.tell("end", game=self.game_no, scores=[*self.scores], totals=[*totals], ranks=list(outcome.places))
        if self.game_no == self.options.games:
            self.turn = None
            return
        self.totals, self.scores = totals, [0] * self.board.seats
        self.game_no += 1
        self.start_game()

    def start_game(self) -> None:
        """D12, D13: all cards are collected and shuffled; the shuffle depends on the seed and the number of the game alone."""
        table, board = self.table, self.board
        table.collect(board.masters)
        table.rng = self.rounds_rng.spawn(f"deal-{self.game_no}")
        table.shuffle(board.masters)
        self.deal_game(self._choose_first_lead())

    def _choose_first_lead(self) -> int:
        """D1: by lot, then one seat on in each game; or as the option `start` has it."""
        start, seats = self.options.start, self.board.seats
        if start == "random" or (start == "rotate" and self.game_no == 1):
            return self.table.draw_lot(seats)
        return 0 if self.game_no == 1 else (self.first_lead + 1) % seats

    def deal_game(self, start: int) -> None:
        """D10: deal from the pile as it lies, one card at a time, seat 0 first; what remains are the masters."""
        table, board = self.table, self.board
        self.first_lead = self.lead = start
        self.past_tricks, self.trick_messages, self.voids = [], (), board.no_voids
        table.tell("game", game=self.game_no, lead=start)
        table.deal(board.masters, board.hands, board.tricks)
        self.sort_hands()
        self._reveal_master()

    def sort_hands(self) -> None:
        """Keep all hands in canonical order: how a player holds its cards tells nobody anything."""
        zones = self.table.zones
        for hand in self.board.hands:
            zones[hand].sort()


class LuckyMaker:
    """The game of Lucky Maker."""

    name: Final = "lucky-maker"
    title: Final = "Lucky Maker"
    version: Final = "1"
    seats: Final = (3, 4, 5)
    Options: Final = LuckyMakerOptions
    Action: Final = Play
    View: Final = View
    Position: Final = Position
    presets: Final = PRESETS

    def deal(self, seats: int, options: LuckyMakerOptions, rng: Random) -> LuckyMakerState:
        """Begin a series."""
        state = LuckyMakerState(seats, options, rng)
        state.start_game()
        return state

    def setup(
        self, seats: int, options: LuckyMakerOptions, position: messages.Position, rng: Random
    ) -> LuckyMakerState:
        """Begin in the middle."""
        state = LuckyMakerState(seats, options, rng)
        set_up_position(state, position)
        return state
