"""A game of Fireworks at one moment: hints, cards played and discarded, the end, evaluation, positions.

Numbers (F6) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import starmap
from typing import Final

from pitboss import (
    Deck,
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Sides,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
    pile,
    spread,
    spread_each,
    spreads,
)
from pitboss.outcome import outcome_by_side
from pitboss.rendering.table_text import HIDDEN_CARD, NAME_WIDTH
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss.text import truncate_text, wrap_words
from pitboss_fireworks.cards import (
    HIGHEST,
    MIXED,
    NUMBERS,
    FireworksCards,
    is_about,
    list_faces,
    make_deck,
    narrow_signs,
    read_cards,
    read_seed,
)
from pitboss_fireworks.messages import (
    DISCARDS,
    PLAYS,
    FireworksAction,
    FireworksOptions,
    HeldCard,
    Hint,
    Play,
    Position,
    View,
    list_hints,
)

MAX_SEATS: Final = 5
TURNS: Final = tuple(Turn(seat, "play") for seat in range(MAX_SEATS))
LIFE_WORTH: Final = 2.0  # points
TOKEN_WORTH: Final = 0.2
LOST_WORTH: Final = 0.5  # of a card that can be played no more
WIDTH: Final = 60
CARD_WIDTH: Final = 5


class FireworksState(TableState[FireworksOptions, FireworksAction]):
    """A game of Fireworks at one moment."""

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
        return make_deck(options.colours, options.rainbow, options.single, options.special)

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
        named = read_seed(self.rng.seed)
        self.table.shuffle(self.stock, order=None if named is None else self.order_deck(named))
        self.table.deal(self.stock, self.hands, self.hand_size)
        self.possible = [(self.cards.signs,) * self.hand_size for _ in self.hands]
        self.hinted = [("",) * self.hand_size for _ in self.hands]
        self.turn = TURNS[0]

    def order_deck(self, faces: Sequence[str]) -> list[int] | None:
        """D7: return the order in which a seed names the cards; None if they are not those of this game."""
        deck = self.table.layout.deck
        return deck.find_cards(faces)[::-1] if sorted(faces) == sorted(map(str, deck.faces)) else None

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
        plain = self.cards.plain
        told = [(signs, sign, is_new, plain) for signs, is_new in zip(self.possible[seat], touched, strict=True)]
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
        """F11: return whether a card of the stock, or of a player with another turn, fits now."""
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

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the points made, and a part of what lives, tokens and the cards in hand will make.

        A card that fits counts the more, the fewer colours and numbers hints have left it.
        """
        if self.turn is None:
            return self.outcome().points
        cards, zones, heights = self.cards, self.table.zones, self.heights
        value = self.points + LIFE_WORTH * self.lives + TOKEN_WORTH * self.tokens
        for hand, possible in zip(self.hands, self.possible, strict=True):
            for card, signs in zip(zones[hand], possible, strict=True):
                if cards.numbers[card] == heights[cards.rows[card]] + 1:
                    value += 1.0 / (len(signs) - 1)
        lost = sum(HIGHEST - self.find_limit(row) for row in range(len(heights)))
        return [value - LOST_WORTH * lost] * self.seats

    # ---- positions (section 6)

    def position(self) -> Position:
        """Return the position as data, with all hidden cards."""
        signs = self.cards.signs
        rows = zip(self.hands, self.possible, self.hinted, strict=True)
        return Position(
            hands=[
                [
                    HeldCard(face, None if left == signs else left, told)
                    for face, left, told in zip(self.faces(hand), possible, hinted, strict=True)
                ]
                for hand, possible, hinted in rows
            ],
            heights=self.heights_by_colour(),
            discards=self.faces(self.discards),
            stock=[*self.faces(self.stock)[::-1]],
            tokens=self.tokens,
            lives=self.lives,
            last_turns=self.last_turns,
            turn=self.turn.seat if self.turn is not None else None,
        )

    def set_up(self, position: Position) -> None:
        """Set up a written position.

        Raises:
            PositionError: it is none of this game.
        """
        self.begin()
        hands = position.hands
        if hands is None:
            hands = [[HeldCard()] * self.hand_size for _ in self.hands]
        check_row_lengths(self.seats, hands=hands)
        check_seats(self.seats, turn=position.turn)
        _check_numbers(self, position, hands)
        signs = self.cards.signs
        self.possible = [tuple(held.possible or signs for held in hand) for hand in hands]
        self.hinted = [tuple(held.hinted for held in hand) for hand in hands]
        for hand in hands:
            for held in hand:
                _check_card(held, signs, self.cards.plain)
        rows: list[tuple[Zone, Sequence[str | None]]] = [(self.discards, position.discards)]
        for colour, zone, height in zip(self.cards.colours, self.fireworks, self.heights, strict=False):
            rows.append((zone, [colour + number for number in NUMBERS[:height]]))
        stock = position.stock
        if stock is not None:
            rows.append((self.stock, stock[::-1]))
        _place_hands(self, hands, rows)
        lying = len(self.table.zones[self.stock])
        if stock is not None and lying != len(stock):
            raise PositionError(f"stock has {len(stock)} cards; {lying} lie nowhere else")
        if position.last_turns is not None and (lying or self.options.end == "play_on"):
            raise PositionError(
                f"last_turns is {position.last_turns}; {'a stock is left' if lying else 'it is played on'}"
            )
        if not lying and position.last_turns is None and self.options.end == "deck":
            raise PositionError("the stock is empty: last_turns says how many turns are left")
        self.last_turns = position.last_turns
        _set_turn(self, position.turn)

    # ---- what people see

    def public_counts(self) -> PublicCounts:
        """Return points, hints and lives; of each seat what it has been told of its cards, from the oldest on."""
        most = HIGHEST * len(self.heights)
        table = [
            PublicCount("points", f"{self.points}/{most}"),
            PublicCount("hints", f"{self.tokens}/{self.options.tokens}"),
            PublicCount("lives", f"{self.lives}/{self.options.lives}"),
            PublicCount("stock", len(self.table.zones[self.stock])),
        ]
        if self.last_turns is not None:
            table.append(PublicCount("turns left", self.last_turns))
        told = [" ".join(map(describe_knowledge, possible)) for possible in self.possible]
        return PublicCounts(table, [[PublicCount("told", words)] if words else [] for words in told])

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield the table; below each hand stands what its owner has been told of each card."""
        counts = self.public_counts()
        yield "  " + "  ".join(f"{count.name} {count.value}" for count in counts.table)
        heights = self.heights_by_colour()
        yield "  fireworks  " + " ".join(f"{colour}{height or '-'}" for colour, height in heights.items())
        discards = sorted(self.faces(self.discards), key=lambda face: (self.cards.colours.index(face[0]), face))
        for number, line in enumerate(wrap_words(discards, " ", WIDTH - 13)):
            yield f"  {'' if number else 'discards':9}  {line}"
        for owner, name in enumerate(names):
            mark = ">" if self.turn is not None and self.turn.seat == owner else " "
            hand = self.hands[owner]
            faces = self.faces(hand) if seat is None else self.table.faces_known_to(hand, seat)
            shown = [HIDDEN_CARD if face is None else str(face) for face in faces]
            rows = (shown, map(describe_knowledge, self.possible[owner]))
            cards, told = ("".join(f"{word:<{CARD_WIDTH}}" for word in row).rstrip() for row in rows)
            yield f"{mark} {owner} {truncate_text(name, NAME_WIDTH):{NAME_WIDTH}} {cards}".rstrip()
            if told:
                yield f"    {'told':>{NAME_WIDTH}} {told}"


def one_side(seats: int) -> Sides:
    """Return the side of all seats."""
    return (tuple(range(seats)),)


def _check_numbers(state: FireworksState, position: Position, hands: Sequence[Sequence[HeldCard]]) -> None:
    colours, options = state.cards.colours, state.options
    if unknown := [colour for colour in position.heights if colour not in [*colours]]:
        raise PositionError(f"heights names {unknown[0]!r}; the colours are {' '.join(colours)}")
    state.heights = [position.heights.get(colour, 0) for colour in colours]
    for name, most in (("tokens", options.tokens), ("lives", options.lives)):
        given = getattr(position, name)
        if given is not None and given > most:
            raise PositionError(f"{name} is {given}; there are {most}")
        setattr(state, name, most if given is None else given)
    for seat, hand in enumerate(hands):
        if len(hand) > state.hand_size:
            raise PositionError(f"seat {seat} holds {len(hand)} cards; a hand has {state.hand_size}")


def _check_card(held: HeldCard, signs: str, plain: int) -> None:
    """Check that a card's signs are possible ones, that its hints agree with them, and that the card has them.

    Raises:
        PositionError: something differs.
    """
    possible = held.possible or signs
    kinds = [[sign for sign in possible if (sign in NUMBERS) == is_number] for is_number in (False, True)]
    is_ordered = [*possible] == [sign for sign in signs if sign in possible]
    if not is_ordered or not all(kinds):
        raise PositionError(f"possible is {possible!r}; it has some of {signs!r}, in this order, of both kinds")
    faces = [*list_faces(possible)]
    if held.card is not None and held.card not in faces:
        raise PositionError(f"{held.card!r} is not possible where {possible!r} are left")
    fits = any if {*signs} & {*MIXED} else all  # where colours are tied to numbers, not each of both fits
    if wrong := [sign for sign in held.hinted if not fits(is_about(sign, face, plain) for face in faces)]:
        raise PositionError(f"a card was pointed out with {wrong[0]!r}, and {possible!r} are left")


def _place_hands(
    state: FireworksState, hands: Sequence[Sequence[HeldCard]], rows: list[tuple[Zone, Sequence[str | None]]]
) -> None:
    """Put the cards in their zones, open places of the hands such that they fit what was told, and state that.

    Raises:
        PositionError: no cards that are left fit.
    """
    table, deck = state.table, state.table.layout.deck
    domains = {
        signs: frozenset(card for face in list_faces(signs) for card in deck.copies(face))
        for possible in state.possible
        for signs in possible
    }
    given = [face for _, row in rows for face in row] + [held.card for hand in hands for held in hand]
    named = {*deck.find_cards([face for face in given if face is not None])}
    rest = [card for card in range(len(deck)) if card not in named]
    places = [held.possible for hand in hands for held in hand if held.card is None]
    wanted = [None if signs is None else domains[signs] for signs in places]
    deal = ConstrainedDeal(rest, [*wanted, *[None] * (len(rest) - len(wanted))])
    if len(wanted) > len(rest) or not deal.is_possible:
        raise PositionError("the cards named nowhere do not fit what was told of the hands")
    drawn = iter(deal.sample_deal(table.rng))
    faces = [[held.card or str(deck.faces[next(drawn)]) for held in hand] for hand in hands]
    set_up_zones(table, state.stock, [*rows, *zip(state.hands, faces, strict=True)])
    for zone, possible in zip(state.hands, state.possible, strict=True):
        for card, signs in zip(table.zones[zone], possible, strict=True):
            if signs != state.cards.signs:
                table.restrict([card], domains[signs])


def _set_turn(state: FireworksState, seat: int | None) -> None:
    """Set the seat on turn, if the game is not over."""
    if seat is not None and state.is_over(seat):
        raise PositionError(f"seat {seat} is on turn, and the game is over")
    state.turn = None if seat is None else TURNS[seat]


def describe_knowledge(signs: str) -> str:
    """Return what its owner knows of a card: "R3", "R?", "?3", "RY?" or "??"; at most two colours or numbers."""
    colours = "".join(sign for sign in signs if sign not in NUMBERS)
    numbers = "".join(sign for sign in signs if sign in NUMBERS)
    return "".join(some if len(some) <= 2 else "?" for some in (colours, numbers))
