"""A game of Fireworks at one moment: hints, cards played and discarded, the end. Numbers (F6) are the rule book's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import starmap
from typing import Final

from pitboss import Deck, Outcome, Sides, TableState, Turn, Visibility, Zone, Zones, pile, spread, spread_each, spreads
from pitboss.outcome import outcome_by_side
from pitboss_fireworks.cards import HIGHEST, FireworksCards, make_deck, narrow_signs, read_cards
from pitboss_fireworks.hanab_deal import read_seed
from pitboss_fireworks.messages import DISCARDS, PLAYS, FireworksAction, FireworksOptions, Hint, Play, View, list_hints

MAX_SEATS: Final = 5
TURNS: Final = tuple(Turn(seat, "play") for seat in range(MAX_SEATS))


class FireworksStateBase(TableState[FireworksOptions, FireworksAction]):
    """The rules, and the data of a game."""

    stock: Zone = pile(Visibility.NOBODY)
    hands: Zones = spread_each(Visibility.OTHERS)
    fireworks: Zones = spreads(6)  # by colour
    discards: Zone = spread()
    cards: FireworksCards = read_cards(make_deck(5, rainbow=False, single=False))  # with which the game is played
    heights: list[int] = field(default_factory=list)  # by colour
    possible: list[tuple[str, ...]] = field(default_factory=list)  # as in the view
    hinted: list[tuple[str, ...]] = field(default_factory=list)
    tokens: int = 0
    lives: int = 0
    last_turns: int | None = None  # None: there is a stock, or the game is played on

    @classmethod
    def make_deck(cls, seats: int, options: FireworksOptions) -> Deck:
        """F1, F2: return the cards."""
        return make_deck(options.colours, options.rainbow, options.single)

    @property
    def points(self) -> int:
        """How many cards have fitted."""
        return sum(self.heights)

    @property
    def hand_size(self) -> int:
        """The cards of a hand at the beginning."""
        assert self.options.hand is not None
        return self.options.hand

    def begin(self) -> None:
        """Set what a game begins with, before the deal."""
        self.cards = read_cards(self.table.layout.deck)
        self.tokens, self.lives = self.options.tokens, self.options.lives
        self.heights = [0] * len(self.cards.colours)
        self.possible, self.hinted = [()] * self.seats, [()] * self.seats

    def start(self) -> None:
        """F3: deal; seat 0 begins."""
        self.begin()
        self.table.shuffle(self.stock)
        if (named := read_seed(self.rng.seed)) is not None:
            self.stack_deck(named)
        self.table.deal(self.stock, self.hands, self.hand_size)
        self.possible = [(self.cards.signs,) * self.hand_size for _ in self.hands]
        self.hinted = [("",) * self.hand_size for _ in self.hands]
        self.turn = TURNS[0]

    def stack_deck(self, faces: Sequence[str]) -> None:
        """D7: put the cards in the order in which a seed names them, if they are those of this game."""
        deck = self.table.layout.deck
        if sorted(faces) == sorted(map(str, deck.faces)):
            self.table.shuffle(self.stock, order=deck.find_cards(faces)[::-1])

    def legal(self) -> Sequence[FireworksAction]:
        """F4 to F7: return the cards to play and, unless all tokens are there, to discard, and the hints."""
        if self.turn is None:
            return []
        seat, size = self.turn.seat, len(self.possible[self.turn.seat])
        actions: list[FireworksAction] = [*PLAYS[:size]]
        if self.tokens < self.options.tokens:
            actions += DISCARDS[:size]
        if self.tokens:
            for other in range(self.seats):
                if other != seat:
                    actions += list_hints(other, self.cards.hints, self.find_hints(other))
        return actions

    def find_hints(self, seat: int) -> int:
        """F6: return the colours and numbers of which a seat can be told, by their bits."""
        masks, found = self.cards.hint_masks, 0
        if self.options.empty_hints:
            return -1
        for card in self.table.zones[self.hands[seat]]:
            found |= masks[card]
        return found

    def play(self, action: FireworksAction) -> None:
        """Do the action of the player on turn."""
        if not self.is_legal(action):
            self.refuse(action)
        self.apply(action)

    def is_legal(self, action: FireworksAction) -> bool:
        """Return whether an action is in the legal list, without making it."""
        if self.turn is None:
            return False
        if isinstance(action, Hint):
            hints, seat = self.cards.hints, action.seat
            if not self.tokens or seat == self.turn.seat or not 0 <= seat < self.seats or action.sign not in hints:
                return False
            return bool(self.find_hints(seat) >> hints.index(action.sign) & 1)
        has_card = 0 < action.slot <= len(self.possible[self.turn.seat])
        return has_card and (isinstance(action, Play) or self.tokens < self.options.tokens)

    def neutral(self) -> FireworksAction:
        """Discard the oldest card, or give the first hint: nothing that costs a life, if there is another way."""
        self.require_turn()
        legal = self.legal()
        return next((action for action in legal if not isinstance(action, Play)), legal[0])

    def apply(self, action: FireworksAction) -> None:
        """Do an action, and pass the turn."""
        seat = self.require_turn().seat
        had_stock = bool(self.table.zones[self.stock])
        if isinstance(action, Hint):
            self.give_hint(action.seat, action.sign)
        else:
            self.leave_hand(seat, action.slot - 1, is_played=isinstance(action, Play))
        if self.last_turns is not None:
            self.last_turns -= 1
        elif had_stock and self.options.end == "deck" and not self.table.zones[self.stock]:
            self.last_turns = self.seats
        following = (seat + 1) % self.seats
        self.turn = None if self.is_over(following) else TURNS[following]

    def leave_hand(self, seat: int, place: int, *, is_played: bool) -> None:
        """F4, F5: play or discard a card, and draw another."""
        table, hand, cards = self.table, self.hands[seat], self.cards
        card = table.zones[hand][place]
        row, number = cards.rows[card], cards.numbers[card]
        does_fit = is_played and self.heights[row] + 1 == number
        table.tell("play" if is_played else "discard", seat=seat, slot=place + 1)
        table.move(card, hand, self.fireworks[row] if does_fit else self.discards, "fits" if does_fit else "lost")
        if does_fit:
            self.heights[row] = number
        elif is_played:
            self.lives -= 1
        if not is_played or (does_fit and number == HIGHEST):
            self.tokens = min(self.tokens + 1, self.options.tokens)
        possible, hinted = self.possible[seat], self.hinted[seat]
        possible, hinted = possible[:place] + possible[place + 1 :], hinted[:place] + hinted[place + 1 :]
        if table.zones[self.stock]:
            table.draw(self.stock, hand)
            possible, hinted = (*possible, cards.signs), (*hinted, "")
        self.possible[seat], self.hinted[seat] = possible, hinted

    def give_hint(self, seat: int, sign: str) -> None:
        """F6: tell everybody which cards of a hand have a colour or a number."""
        self.tokens -= 1
        hand, having = self.hands[seat], self.cards.touched[sign]
        self.table.point_out(hand, having, "hint", seat=seat, sign=sign)
        touched = [card in having for card in self.table.zones[hand]]
        told = [(signs, sign, is_touched) for signs, is_touched in zip(self.possible[seat], touched, strict=True)]
        self.possible[seat] = tuple(starmap(narrow_signs, told))
        marks = zip(self.hinted[seat], touched, strict=True)
        self.hinted[seat] = tuple([mark + sign if is_new and sign not in mark else mark for mark, is_new in marks])

    def is_over(self, following: int) -> bool:
        """F8 to F11: return whether the game ends before the next player's turn."""
        if self.lives == 0 or self.last_turns == 0 or self.is_complete():
            return True
        if self.options.end == "play_on":
            can_act = self.tokens or self.table.zones[self.hands[following]]
            return not can_act or any(self.is_lost(row) for row in range(len(self.heights)))
        return self.options.early and not self.can_any_fit(following)

    def is_complete(self) -> bool:
        """F8: return whether all fireworks are complete."""
        return self.points == HIGHEST * len(self.heights)

    def is_lost(self, row: int) -> bool:
        """F10: return whether all copies of a card that a firework lacks lie on the discards."""
        return self.find_limit(row) < HIGHEST

    def find_limit(self, row: int) -> int:
        """Return how high a firework can become: the number before the first card of which all copies are gone."""
        cards, gone = self.cards, [0] * (HIGHEST + 1)
        for card in self.table.zones[self.discards]:
            if cards.rows[card] == row:
                gone[cards.numbers[card]] += 1
        copies = cards.copies[row]
        wanted = range(self.heights[row] + 1, HIGHEST + 1)
        return next((number - 1 for number in wanted if gone[number] == copies[number - 1]), HIGHEST)

    def can_any_fit(self, following: int) -> bool:
        """F11: return whether a card fits now that lies in the stock, or with a player who has another turn."""
        cards, zones = self.cards, self.table.zones
        left = self.seats if self.last_turns is None else self.last_turns
        held = [self.hands[(following + step) % self.seats] for step in range(left)]
        return any(
            self.heights[cards.rows[card]] + 1 == cards.numbers[card]
            for zone in (self.stock, *held)
            for card in zones[zone]
        )

    def view(self, seat: int) -> View:
        """Return the hands of the others, and what lies open."""
        known = self.table.faces_known_to
        return View(
            hands=[[None if face is None else str(face) for face in known(hand, seat)] for hand in self.hands],
            possible=list(map(list, self.possible)),
            hinted=list(map(list, self.hinted)),
            heights=self.heights_by_colour(),
            discards=self.faces(self.discards),
            points=self.points,
            tokens=self.tokens,
            lives=self.lives,
            stock=len(self.table.zones[self.stock]),
            last_turns=self.last_turns,
        )

    def heights_by_colour(self) -> dict[str, int]:
        """Return the highest card of each firework."""
        return dict(zip(self.cards.colours, self.heights, strict=True))

    def outcome(self) -> Outcome:
        """F12: give everybody the points of all."""
        is_lost = not self.lives or (self.options.end == "play_on" and not self.is_complete())
        return outcome_by_side([0 if is_lost and self.options.strict else self.points], one_side(self.seats))


def one_side(seats: int) -> Sides:
    """Return the side of all seats."""
    return (tuple(range(seats)),)
