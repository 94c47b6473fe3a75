"""A second referee for matches of Euchre, from the text of `plugins/euchre/RULES.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from msgspec import convert, to_builtins

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_euchre.game import Euchre
from tests.referees.agreement import (
    Choice,
    FinalRuling,
    ReadDeal,
    Referee,
    Ruling,
    compare_match,
    draw_options,
    rank_totals,
)

NON_TRUMPS: Final = ["7", "8", "9", "10", "J", "Q", "K", "A"]  # rising
TRUMPS: Final = ["7", "8", "9", "10", "Q", "K", "A"]  # rising, without the jacks
TWINS: Final = {"S": "C", "C": "S", "D": "H", "H": "D"}  # E2: the other suit of a colour
LOW_CARDS: Final = [suit + rank for suit in "SHDC" for rank in ("9", "10")]  # E8


def read_suit(card: str, trump: str) -> str:
    """E2: return the suit that a card counts as."""
    if card == "JOKER" or card == TWINS.get(trump, "") + "J":
        return trump
    return card[0]


def read_height(card: str, trump: str) -> int:
    """E2: return a number that is higher for a card that takes another one of its suit."""
    if read_suit(card, trump) != trump:
        return NON_TRUMPS.index(card[1:])
    special = {TWINS.get(trump, "") + "J": 1, trump + "J": 2, "JOKER": 3}
    return len(TRUMPS) + special[card] if card in special else TRUMPS.index(card[1:])


def judge_euchre(options: Mapping[str, Any], read_deal: ReadDeal) -> Referee:
    """Judge a match. A deal has `hands`, `turned_up`, `stock`, `calls`; it is read again after the Benny is named."""
    match = EuchreReferee(options)
    while not match.is_over:
        if match.is_deal_over:
            match.begin_deal(read_deal())
        choice = yield Ruling(match.turn, match.legal_choices(), match.totals)
        match.play(choice)
        if choice[0] == "benny":
            match.give_cards(read_deal())
    places = rank_totals(match.points) * 2  # E14: of the sides
    return FinalRuling(match.totals, [float(total) for total in match.totals], places)


class EuchreReferee:
    """A match: `turn` and `legal_choices` before each decision, `play` after it, `totals` at any time."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self.points = [0, 0]  # of seats 0 and 2, and of seats 1 and 3
        self.deals = 0  # that were begun
        self.is_deal_over = True

    def begin_deal(self, deal: Mapping[str, Any]) -> None:
        """E3, E4: begin the next deal, and make the passes that were made.

        Hands are empty if the dealer names a suit for the Benny first.
        """
        self.deals += 1
        self.first = (self.deals - 1) % 4
        self.dealer = (self.first - 1) % 4
        self.turned_up: str = deal["turned_up"]
        self.turned_suit = self.turned_up[0]
        self.calls = 0
        self.trump = ""
        self.maker = -1
        self.alone: list[int] = []
        self.asked = 0  # defenders
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0, 0]
        self.farmer_was_shown = False
        self.is_deal_over = False
        self.give_cards(deal)
        self.phase = "benny" if self.turned_up == "JOKER" else "call"
        self.turn = self.dealer if self.phase == "benny" else self.first
        for call in deal["calls"]:
            assert call is None, f"a deal begins with passes; {call} was called"
            self.play(("pass",))

    def give_cards(self, deal: Mapping[str, Any]) -> None:
        """E1: tell which cards were dealt, and which are left, the top one first: together they are the pack."""
        self.hands: list[list[str]] = [[*hand] for hand in deal["hands"]]
        self.stock: list[str] = [*deal["stock"]]
        pack = [suit + rank for suit in "SHDC" for rank in NON_TRUMPS[-self.options["cards"] // 4 :]]
        pack += ["JOKER"] * self.options["benny"]
        dealt = [card for hand in self.hands for card in hand]
        assert sorted([self.turned_up, *dealt, *self.stock]) == sorted(pack)
        assert len(dealt) in (0, 20)

    # ---- what is legal

    def legal_choices(self) -> set[Choice]:
        """Return the choices of the seat on turn."""
        match self.phase:
            case "benny":
                return {("benny", suit) for suit in "SHDC"}
            case "call":
                return self.first_round() if self.calls < 4 else self.second_round()
            case "discard":
                cards = self.hands[self.dealer] + ([self.turned_up] if self.options["bury"] else [])
                return {("discard", card) for card in cards}
            case "defend":
                return {("defend", False), ("defend", True)}
        hand = self.hands[self.turn]
        led = read_suit(self.trick[0][1], self.trump) if self.trick else ""
        following = [card for card in hand if read_suit(card, self.trump) == led]
        return {("play", card) for card in following or hand}

    def first_round(self) -> set[Choice]:
        """E5, E7, E8: pass, order up, or show a farmer's hand."""
        choices: set[Choice] = {("pass",), ("order", True)}
        if not (self.options["partner_alone"] and self.turn == (self.dealer + 2) % 4):
            choices.add(("order", False))
        hand, rule = self.hands[self.turn], self.options["farmer"]
        if rule != "none" and not self.farmer_was_shown and all(card in LOW_CARDS for card in hand):
            threes = [("go_under", frozenset(three)) for three in combinations(hand, 3)]
            choices |= {("throw_in",)} if rule == "redeal" else {*threes}
        return choices

    def second_round(self) -> set[Choice]:
        """E6: pass, or name another suit, or no trumps."""
        names = [suit for suit in "SHDC" if suit != self.turned_suit] + ["NT"] * self.options["no_trumps"]
        choices: set[Choice] = {("name", name, alone) for name in names for alone in (False, True)}
        if not (self.options["stick"] and self.calls == 7):
            choices.add(("pass",))
        return choices

    # ---- what happens

    def play(self, choice: Choice) -> None:
        """Do what the seat on turn has chosen."""
        match choice:
            case ("benny", str(suit)):
                self.turned_suit, self.phase, self.turn = suit, "call", self.first
            case ("pass",):
                self.calls += 1
                self.turn = (self.turn + 1) % 4
                if self.calls == 8:
                    self.end_deal(0, 0)
            case ("throw_in",):
                self.end_deal(0, 0)
            case ("go_under", frozenset(cards)):
                self.exchange(cards)
            case ("order", alone):
                self.make(self.turned_suit, alone is True)
                self.phase, self.turn = "discard", self.dealer
            case ("name", str(suit), alone):
                self.make(suit, alone is True)
                self.ask_defender()
            case ("discard", str(card)):
                self.hands[self.dealer].append(self.turned_up)
                self.hands[self.dealer].remove(card)
                self.ask_defender()
            case ("defend", alone):
                self.asked += 1
                if alone:
                    self.alone.append(self.turn)
                self.ask_defender()
            case ("play", str(card)):
                self.play_card(card)

    def exchange(self, cards: frozenset[str]) -> None:
        """E8: lay three cards away, and take the three top ones of the stock."""
        kept = [card for card in self.hands[self.turn] if card not in cards]
        self.hands[self.turn] = kept + self.stock[:3]
        self.stock = self.stock[3:]
        self.farmer_was_shown = True

    def make(self, trump: str, alone: bool) -> None:
        """E5, E6, E9: note who made trumps, and whether it goes alone."""
        self.maker, self.trump = self.turn, trump
        if alone:
            self.alone.append(self.turn)

    def ask_defender(self) -> None:
        """E10: ask the next defender; if none is to be asked, the first trick is led."""
        rule = self.options["defend_alone"]
        are_asked = rule == "any" or (rule == "loner" and self.maker in self.alone)
        defenders = [seat for seat in self.seats_after(self.dealer) if seat % 2 != self.maker % 2]
        has_volunteer = any(seat in self.alone for seat in defenders)
        if are_asked and not has_volunteer and self.asked < 2:
            self.phase, self.turn = "defend", defenders[self.asked]
            return
        after = self.maker if self.options["lead"] == "maker" and self.maker in self.alone else self.dealer
        self.phase, self.turn = "play", self.players_after(after)[0]

    def seats_after(self, seat: int) -> list[int]:
        """Return the seats in turn after one, that one last."""
        return [(seat + step) % 4 for step in (1, 2, 3, 4)]

    def players_after(self, seat: int) -> list[int]:
        """E9: return who plays, in turn after a seat; the partner of who is alone sits out."""
        return [player for player in self.seats_after(seat) if (player + 2) % 4 not in self.alone]

    def play_card(self, card: str) -> None:
        """E11: play a card; a full trick goes to the highest trump, or else to the highest card of the suit led."""
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < len(self.players_after(self.turn)):
            self.turn = self.players_after(self.turn)[0]
            return
        suits = [read_suit(one, self.trump) for _, one in self.trick]
        wanted = self.trump if self.trump in suits else suits[0]
        able = [
            (read_height(one, self.trump), seat) for seat, one in self.trick if read_suit(one, self.trump) == wanted
        ]
        self.turn = max(able)[1]
        self.tricks[self.turn % 2] += 1
        self.trick = []
        if sum(self.tricks) == 5:
            self.count()

    # ---- the count

    def count(self) -> None:
        """E12, E13: count a deal that was played."""
        made = self.tricks[self.maker % 2]
        is_alone = self.maker in self.alone
        if made >= 3:
            self.end_deal(self.maker % 2, (4 if is_alone else 2) if made == 5 else 1)
            return
        is_dear = any(seat % 2 != self.maker % 2 for seat in self.alone)
        is_dear = is_dear or (is_alone and self.options["loner_euchre"]) or (made == 0 and self.options["super_euchre"])
        self.end_deal(1 - self.maker % 2, 4 if is_dear else 2)

    def end_deal(self, side: int, points: int) -> None:
        """Add the points of a deal to those of a side."""
        self.points[side] += points
        self.is_deal_over = True

    @property
    def is_over(self) -> bool:
        """E14: whether no further deal is played."""
        return self.is_deal_over and (max(self.points) >= self.options["target"] or self.deals == self.options["deals"])

    @property
    def totals(self) -> list[int]:
        """The points of each seat's side."""
        return self.points * 2


def compare(seed: int) -> int:
    """Compare a match with random options and choices; return how many decisions agree.

    Most matches have few deals. In many the first deal is a rare one.
    """
    rng, game = Random(f"euchre/{seed}"), Euchre()
    options = draw_options(game, 4, rng)
    if rng.randbelow(10):
        options["deals"] = 1 + rng.randbelow(12)
    resolved = resolve_options(game, 4, None, options)
    begin = convert(draw_rare_deal(options, rng), game.Position)
    state = game.setup(4, resolved, begin, rng.spawn("deal"))
    return compare_match(
        state, judge_euchre(options, lambda: {"calls": [], **to_builtins(state.position())}), rng.spawn("choices")
    )


def draw_rare_deal(options: Mapping[str, Any], rng: Random) -> dict[str, object]:
    """Return what makes the first deal a rare one: a Benny that is turned up, a farmer's hand on turn, or passes."""
    if options["benny"] and rng.randbelow(3) == 0:
        return {"turned_up": "JOKER"}
    turned_up = rng.choice(["SA", "HQ", "DJ", "CK"])
    if options["farmer"] == "none" or rng.randbelow(3) == 0:
        return {"turned_up": turned_up, "calls": [None] * rng.randbelow(8)}
    seat, numbers = rng.randbelow(4), [*range(len(LOW_CARDS))]
    rng.shuffle(numbers)
    hands: list[Sequence[str | None]] = [[None] * 5 for _ in range(4)]
    hands[seat] = [LOW_CARDS[number] for number in numbers[:5]]
    return {"hands": hands, "turned_up": turned_up, "calls": [None] * seat}
