"""What `house:bridge` calls: a natural system, in which each bid promises points and length.

An opening of one in a suit promises 12 points and five cards in a major suit, three in a minor one; one no trump 15 to
17 points and a balanced hand, two no trumps 20 to 21; two clubs any hand of 22; other openings of two and more a long
suit and few points. From then on a bid promises as many points as are lacking, together with those that the partner has
promised, to what its level needs (`NEEDED`). A raise of one heart to two promises seven points, one to four thirteen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pitboss.plugins.packs import rank_of
from pitboss_bridge.messages import CALLS, STRAINS, Bid, Double, Strain

HIGH_CARDS: Final = {"A": 4, "K": 3, "Q": 2, "J": 1}
SUIT_STRAINS: Final[tuple[Strain, ...]] = STRAINS[:4]
MAJORS: Final = ("H", "S")
NEEDED: Final = (0, 18, 19, 23, 25, 28, 33, 37)  # points of both hands, by level, for a suit in which they have a fit
NEEDED_NT: Final = (0, 18, 22, 25, 28, 30, 33, 37)
NEEDED_NEW: Final = (0, 18, 22, 25, 25, 28, 33, 37)  # for a suit that the partner need not hold
SHORT_WORTHS: Final = (4, 2, 1, 0)  # points of a void, a singleton and a doubleton beside a fit
FIT: Final = 8  # cards of both hands
DOUBLE_MARGIN: Final = 1.0  # tricks more than are needed, before a contract below a slam is doubled
PLAIN_TRICKS: Final = 0.27  # of the defenders for each of their high-card points


class Promise(NamedTuple):
    """What a player has promised by its calls: a minimum of points, and a minimum of cards of each suit."""

    points: int = 0
    lengths: tuple[int, int, int, int] = (0, 0, 0, 0)  # C, D, H, S
    is_forcing: bool = False  # its last call asks the partner not to pass

    def add_length(self, strain: str, cards: int) -> tuple[int, int, int, int]:
        """Return the lengths, with at least `cards` cards of a suit."""
        place = SUIT_STRAINS.index(strain)
        rest = [*self.lengths]
        rest[place] = max(rest[place], cards)
        return rest[0], rest[1], rest[2], rest[3]


class BridgeHand:
    """A hand, as it is counted in the bidding."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.lengths = tuple([sum(card[0] == suit for card in cards) for suit in SUIT_STRAINS])
        self.high_cards = sum(HIGH_CARDS.get(rank_of(card), 0) for card in cards)
        self.points = self.high_cards + sum(max(0, length - 4) for length in self.lengths)
        self.honours = tuple(
            [sum(HIGH_CARDS.get(rank_of(card), 0) for card in cards if card[0] == suit) for suit in SUIT_STRAINS]
        )

    def length(self, strain: str) -> int:
        """Return how many cards of a suit it has."""
        return self.lengths[STRAINS.index(strain)]

    @property
    def is_balanced(self) -> bool:
        """Whether it has no singleton, and one doubleton at most."""
        return min(self.lengths) >= 2 and sum(length == 2 for length in self.lengths) <= 1

    def support_points(self, strain: str) -> int:
        """Return its points beside a fit in a suit: short other suits count, long ones do not."""
        short = [
            SHORT_WORTHS[min(length, 3)]
            for suit, length in zip(SUIT_STRAINS, self.lengths, strict=True)
            if suit != strain
        ]
        return self.high_cards + sum(short) + max(0, self.length(strain) - 4)


class AuctionReader:
    """The calls so far, as the system reads them: what each seat has promised."""

    def __init__(self, words: Sequence[str], dealer: int) -> None:
        self.promises = [Promise() for _ in range(4)]
        self.contract: Bid | None = None
        self.bidder = -1
        self.is_doubled = False
        self.bid_strains: list[set[str]] = [set(), set()]  # by side
        for number, word in enumerate(words):
            self._read((dealer + number) % 4, word)

    def _read(self, seat: int, word: str) -> None:
        call, side = CALLS[word], seat % 2
        mine, partners = self.promises[seat], self.promises[(seat + 2) % 4]
        if isinstance(call, Bid):
            self.promises[seat] = self.promise_of(seat, call)
            self.contract, self.bidder, self.is_doubled = call, seat, False
            self.bid_strains[side].add(call.strain)
        elif isinstance(call, Double):
            self.is_doubled = True
            if self.is_for_takeout(side):
                open_suits = [suit for suit in SUIT_STRAINS if suit not in self.bid_strains[1 - side]]
                for suit in open_suits:
                    mine = mine._replace(lengths=mine.add_length(suit, 3))
                self.promises[seat] = mine._replace(points=max(mine.points, 12), is_forcing=True)
        else:
            self.promises[seat] = mine._replace(is_forcing=False)
        if partners.is_forcing:
            self.promises[(seat + 2) % 4] = partners._replace(is_forcing=False)

    def is_for_takeout(self, side: int) -> bool:
        """Return whether a double by a side that has not bid asks the partner to bid a suit."""
        contract = self.contract
        return contract is not None and contract.level <= 2 and contract.strain != "NT" and not self.bid_strains[side]

    def lowest_level(self, strain: Strain) -> int:
        """Return the lowest level at which a strain can be bid; 8 if it cannot."""
        if self.contract is None:
            return 1
        return self.contract.level + (STRAINS.index(strain) <= STRAINS.index(self.contract.strain))

    def promise_of(self, seat: int, bid: Bid) -> Promise:
        """Return what a seat promises if it makes a bid now."""
        mine, partners = self.promises[seat], self.promises[(seat + 2) % 4]
        if not self.bid_strains[seat % 2] and not partners.points:
            return self._promise_first(bid, mine)
        is_cheap = partners.is_forcing and bid.level == self.lowest_level(bid.strain) and bid.level < 3
        if bid.strain == "NT":
            points = 0 if is_cheap else NEEDED_NT[bid.level] - partners.points
            return Promise(max(mine.points, points), mine.lengths)
        held = mine.lengths[STRAINS.index(bid.strain)]
        theirs = partners.lengths[STRAINS.index(bid.strain)]
        if theirs >= 3:
            points = NEEDED[bid.level] - partners.points
            return Promise(max(mine.points, points), mine.add_length(bid.strain, FIT - theirs if theirs < 6 else 2))
        if held >= 4:
            points = 0 if is_cheap else NEEDED[bid.level] - partners.points
            return Promise(max(mine.points, points), mine.add_length(bid.strain, held + 1))
        points = 0 if is_cheap else NEEDED_NEW[bid.level] - partners.points
        is_forcing = bid.level < 4 and not mine.points
        cards = 6 if bid.level > self.lowest_level(bid.strain) else 4
        return Promise(max(mine.points, points), mine.add_length(bid.strain, cards), is_forcing)

    def _promise_first(self, bid: Bid, mine: Promise) -> Promise:
        """Return what the first bid of a side promises."""
        is_opening = self.contract is None
        if bid.strain == "NT":
            return Promise({1: 15, 2: 20}.get(bid.level, 25), (2, 2, 2, 2))
        if bid.level == 2 and bid.strain == "C" and is_opening:
            return Promise(22, mine.lengths, is_forcing=True)
        if bid.level == 1 and is_opening:
            return Promise(12, mine.add_length(bid.strain, 5 if bid.strain in MAJORS else 3))
        if bid.level > self.lowest_level(bid.strain):
            return Promise(6, mine.add_length(bid.strain, 6 if bid.level == 2 else 7))
        return Promise(9 if bid.level == 1 else 12, mine.add_length(bid.strain, 5))


class Bidder:
    """A player on turn in the auction."""

    def __init__(self, view: dict[str, object], seat: int) -> None:
        cards, words, dealer = view["hand"], view["calls"], view["dealer"]
        assert isinstance(cards, list) and isinstance(words, list) and isinstance(dealer, int)
        self.seat = seat
        self.hand = BridgeHand(cards)
        self.read = AuctionReader(words, dealer)
        self.mine, self.partners = self.read.promises[seat], self.read.promises[(seat + 2) % 4]
        self.has_opponents_bid = bool(self.read.bid_strains[1 - seat % 2])
        self.is_theirs = self.read.contract is not None and (self.read.bidder - seat) % 2 == 1

    def choose_call(self, legal: Sequence[str]) -> str:
        """Return the legal call that the hand is best described by."""
        has_side_bid = bool(self.read.bid_strains[self.seat % 2]) or self.partners.points > 0
        wanted = self.answer_partner() if has_side_bid else self.bid_first()
        if wanted is not None and (word := f"{wanted.level}{wanted.strain}") in legal:
            return word
        if "X" in legal and self.wants_double():
            return "X"
        return "pass"

    # ---- nobody of the side has bid

    def bid_first(self) -> Bid | None:
        """Return the opening or overcall of the hand; None to pass."""
        return self.overcall() if self.is_theirs else self.open_auction()

    def open_auction(self) -> Bid | None:
        """Return the opening bid; None to pass."""
        hand = self.hand
        if hand.points >= 22 and not (hand.is_balanced and hand.high_cards <= 21):
            return Bid(2, "C")
        if hand.is_balanced and (level := {15: 1, 16: 1, 17: 1, 20: 2, 21: 2}.get(hand.high_cards)):
            return Bid(level, "NT")
        if hand.points >= 12:
            majors = [suit for suit in ("S", "H") if hand.length(suit) >= 5]
            suits: list[Strain] = ["D", "C"] if not majors else ["S", "H"]
            return Bid(1, max(suits, key=lambda suit: (hand.length(suit), suit in MAJORS)))
        long = max(SUIT_STRAINS, key=hand.length)
        cards = hand.length(long)
        if 6 <= hand.high_cards <= 10 and (cards >= 7 or (cards == 6 and long != "C")):
            return Bid(3 if cards >= 7 else 2, long)
        return None

    def overcall(self) -> Bid | None:
        """Return the first bid of the side over an opponents' bid; None to pass or double."""
        hand = self.hand
        if self.wants_takeout():
            return None
        if hand.is_balanced and 15 <= hand.high_cards <= 18 and self.read.lowest_level("NT") == 1:
            return Bid(1, "NT")
        long = max(SUIT_STRAINS, key=hand.length)
        level, cards = self.read.lowest_level(long), hand.length(long)
        if long in self.read.bid_strains[1 - self.seat % 2] or cards < 5:
            return None
        least = {1: 9, 2: 12, 3: 15}.get(level, 18)
        return (
            Bid(level, long)
            if hand.points >= least and cards >= 5 + (level > 1 and hand.points < 15) and level < 5
            else None
        )

    def wants_takeout(self) -> bool:
        """Return whether the hand suits a takeout double."""
        hand, read = self.hand, self.read
        theirs = read.bid_strains[1 - self.seat % 2]
        if not read.is_for_takeout(self.seat % 2) or read.is_doubled:
            return False
        has_shape = all(hand.length(suit) >= 3 or suit in theirs for suit in SUIT_STRAINS)
        return hand.high_cards >= 17 or (hand.high_cards >= 12 and has_shape and max(hand.lengths) <= 5)

    def wants_double(self) -> bool:
        """Return whether the opponents' bid is doubled: for takeout, or because it will probably go down."""
        contract = self.read.contract
        if contract is None or not self.is_theirs:
            return False
        if self.wants_takeout():
            return True
        unseen = (40 - self.hand.high_cards) / 3
        strength = self.hand.high_cards + max(self.partners.points - 2, 0.6 * unseen)
        trumps = 0 if contract.strain == "NT" else self.hand.length(contract.strain) - 3
        taken = PLAIN_TRICKS * strength + 0.4 * max(0, trumps)
        margin = DOUBLE_MARGIN if contract.level < 6 else 0.0
        return taken >= 8 - contract.level + margin and (contract.level >= 3 or trumps >= 2 or contract.strain == "NT")

    # ---- the side has bid

    def answer_partner(self) -> Bid | None:
        """Return the next bid of a side that has promised something; None to pass."""
        best = self.best_contract()
        if best is not None and self.is_higher(best):
            return best
        if self.is_theirs and self.read.contract is not None and self.read.contract.level >= 3:
            return None
        if self.partners.is_forcing or not self.is_our_contract_good():
            return self.describe_hand()
        return None

    def is_higher(self, bid: Bid) -> bool:
        """Return whether a bid can be made."""
        return bid.level >= self.read.lowest_level(bid.strain)

    def is_our_contract_good(self) -> bool:
        """Return whether the last bid is by the own side, and need not be left."""
        contract = self.read.contract
        if contract is None or self.is_theirs or self.read.bidder == self.seat:
            return True
        if contract.strain == "NT":
            return self.hand.is_balanced or contract.level >= 3
        return self.hand.length(contract.strain) + self.partners.lengths[STRAINS.index(contract.strain)] >= 7

    def best_contract(self) -> Bid | None:
        """Return the contract that the points of both hands allow: in a suit with a fit, or in no trumps."""
        found: list[tuple[int, Bid]] = []
        for strain in SUIT_STRAINS:
            theirs = self.partners.lengths[STRAINS.index(strain)]
            if theirs and theirs + self.hand.length(strain) >= FIT:
                points = self.hand.support_points(strain) + self.partners.points
                level = self.highest_level(NEEDED, points, 4 if strain in MAJORS else 5)
                if level:
                    found.append((level * 10 + (18 if strain in MAJORS else -10 * (level == 5)), Bid(level, strain)))
        points = self.hand.points + self.partners.points
        level = self.highest_level(NEEDED_NT, points, 3)
        if level >= 3 and (self.hand.is_balanced or level > 3 or max(self.hand.lengths) < 6):
            found.append((level * 10 + 15, Bid(level, "NT")))
        return max(found, key=lambda one: one[0])[1] if found else None

    def highest_level(self, needed: Sequence[int], points: int, game: int) -> int:
        """Return the highest level that points allow: a slam, the game, or a part-score."""
        level = max([number for number in range(8) if needed[number] <= points])
        return game if game < level < 6 else level

    def describe_hand(self) -> Bid | None:
        """Return a bid that tells the partner more: a suit that was not told, no trumps, or a long suit again."""
        hand, read, points = self.hand, self.read, self.hand.points + self.partners.points
        is_forced = self.partners.is_forcing
        told = self.mine.lengths
        choices: list[tuple[float, Bid]] = []
        for strain in SUIT_STRAINS:
            level, cards = read.lowest_level(strain), hand.length(strain)
            if strain in read.bid_strains[1 - self.seat % 2] or level > 4:
                continue
            held = told[STRAINS.index(strain)]
            is_new = held < 4 and cards >= 4
            needed = (NEEDED_NEW if is_new else NEEDED)[level]
            is_cheap = is_forced and level <= 2 + (read.contract is not None and read.contract.level >= 2)
            if (is_new or (cards > held >= 3 and cards >= 6)) and (points >= needed or is_cheap):
                choices.append((cards + (0.5 if strain in MAJORS else 0) - level, Bid(level, strain)))
        level = read.lowest_level("NT")
        if level <= 3 and (points >= NEEDED_NT[level] or (is_forced and level < 3)):
            choices.append((3.0 + hand.is_balanced - level, Bid(level, "NT")))
        if not choices and is_forced:
            long = max(SUIT_STRAINS, key=lambda suit: hand.length(suit) + self.partners.lengths[STRAINS.index(suit)])
            return Bid(read.lowest_level(long), long) if read.lowest_level(long) <= 4 else None
        return max(choices, key=lambda one: one[0])[1] if choices else None
