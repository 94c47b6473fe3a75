"""Which card `house:bridge` plays, by the rules of thumb of the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pitboss.parts.suits import RANK_NUMBERS, rank_number
from pitboss.parts.trick_reading import TrickReading
from pitboss.plugins.packs import SUITS, suit_of
from pitboss_bridge.pbn_deal import ALL_CARDS

JACK: Final = RANK_NUMBERS["J"]
rank = rank_number


def cards_of(cards: Iterable[str], suit: str | None) -> list[str]:
    """Return the cards of a suit, the highest first."""
    return sorted([card for card in cards if suit_of(card) == suit], key=rank, reverse=True)


class CardTurn(TrickReading):
    """A card to be played, as the player sees it: the hand that plays it, the hand that lies open, what is unseen."""

    def __init__(self, view: dict[str, Any], seat: int, cards: Sequence[str], *, is_dummys: bool) -> None:
        super().__init__(view, ALL_CARDS, view["contract"][1:] if view["contract"][1:] != "NT" else None)
        declarer = view["declarer"]
        self.cards = cards
        self.player = (declarer + 2) % 4 if is_dummys else seat
        self.is_declaring = seat == declarer
        dummy = (declarer + 2) % 4
        own, opened = self.hand, list(view["dummy"])
        self.hand = opened if is_dummys else own
        self.seen = {dummy: opened, seat: own}  # hands that can be seen, by seat
        self.unseen -= {*opened}
        self.tricks: list[dict[str, Any]] = view["tricks"]
        self.partner = (self.player + 2) % 4
        self.calls, self.dealer, self.declarer = view["calls"], view["dealer"], declarer

    def choose_card(self) -> str:
        """Return the card to play."""
        if len(self.cards) == 1:
            return self.cards[0]
        if self.trick:
            return self.follow_suit() if suit_of(self.cards[0]) == self.led else self.play_other_suit()
        return self.lead_as_declarer() if self.is_declaring else self.lead_as_defender()

    # ---- who takes the trick

    def later_cards(self) -> set[str]:
        """Return the cards that opponents who have not played yet may hold."""
        there = {player for player, _ in self.trick} | {self.player, self.partner}
        later = [seat for seat in range(4) if seat not in there]
        found: set[str] = set()
        for seat in later:
            found |= {*self.seen[seat]} if seat in self.seen else self.unseen
        return found

    def is_safe(self, card: str) -> bool:
        """Return whether no opponent who plays later can beat a card, ruffs aside."""
        return not any(suit_of(other) == suit_of(card) and rank(other) > rank(card) for other in self.later_cards())

    def is_boss(self, card: str) -> bool:
        """Return whether the opponents hold no higher card of the suit."""
        return not any(suit_of(other) == suit_of(card) and rank(other) > rank(card) for other in self.opposing_cards())

    def opposing_cards(self) -> set[str]:
        """Return the cards that opponents may hold."""
        found = set(self.unseen)
        for seat, cards in self.seen.items():
            if seat % 2 != self.player % 2:
                found |= {*cards}
        return found

    def is_partner_winning(self) -> bool:
        """Return whether the partner takes the trick as it is, and will probably keep it."""
        holder, card = self.best
        return holder == self.partner and self.is_safe(card)

    # ---- following

    def follow_suit(self) -> str:
        """Return a card of the suit led: the cheapest one that is worth it, or else the lowest."""
        held = cards_of(self.cards, self.led)
        lowest = held[-1]
        winners = [card for card in held if self.beats(card, self.best[1])]
        if not winners or self.is_partner_winning():
            return lowest
        safe = [card for card in winners if self.is_safe(card)]
        place = len(self.trick)
        if place == 3:
            return winners[-1]
        if place == 1 and not self.takes_in_second_place(safe):
            return lowest
        if safe:
            finesse = self.find_finesse(winners, safe)
            return finesse or safe[-1]
        if place == 2:
            return (
                self.lowest_equal(held, winners[0])
                if self.best[0] != self.partner or rank(winners[0]) > JACK
                else lowest
            )
        return lowest

    def takes_in_second_place(self, safe: Sequence[str]) -> bool:
        """Return whether the second player takes the trick if it can: from a high card, or late."""
        return bool(safe) and (rank(self.trick[0][1]) >= JACK - 1 or len(self.hand) <= 5)

    def find_finesse(self, winners: Sequence[str], safe: Sequence[str]) -> str | None:
        """Return the card for a finesse: one unseen card beats it, which the player before may hold."""
        if not self.is_declaring or len(self.trick) != 2:
            return None
        last = (self.player + 1) % 4
        for card in reversed(winners):
            if card in safe or last in self.seen:
                break
            higher = [one for one in self.unseen if suit_of(one) == suit_of(card) and rank(one) > rank(card)]
            if len(higher) == 1 and rank(card) >= JACK - 1:
                return self.lowest_equal(winners, card)
        return None

    def lowest_equal(self, held: Sequence[str], card: str) -> str:
        """Return the lowest card that is worth as much as one: no card between them is out."""
        lowest = card
        for other in sorted(held, key=rank, reverse=True):
            if rank(other) < rank(card) and suit_of(other) == suit_of(card):
                between = [
                    one
                    for one in self.opposing_cards()
                    if suit_of(one) == suit_of(card) and rank(other) < rank(one) < rank(card)
                ]
                if between:
                    break
                lowest = other
        return lowest

    # ---- ruffs and discards

    def play_other_suit(self) -> str:
        """Return a trump that takes the trick, or the card that is missed least."""
        trumps = cards_of(self.cards, self.trump) if self.trump else []
        ruffs = [card for card in trumps if self.beats(card, self.best[1])]
        if ruffs and not self.is_partner_winning():
            safe = [card for card in ruffs if self.is_safe(card)]
            return safe[-1] if safe else ruffs[-1]
        return self.discard()

    def discard(self) -> str:
        """Return the card that is missed least: a low one of a suit without prospects."""
        plain = [card for card in self.cards if suit_of(card) != self.trump] or list(self.cards)

        def loss(card: str) -> float:
            held = cards_of(self.hand, suit_of(card))
            guard = sum(suit_of(one) == suit_of(card) and rank(one) > rank(held[0]) for one in self.opposing_cards())
            is_guard = 0 < guard < len(held) <= guard + 1
            return rank(card) + 13 * self.is_boss(card) + 6 * is_guard + 0.1 * (8 - len(held))

        return min(plain, key=loss)

    # ---- leads

    def lead_as_declarer(self) -> str:
        """Return the lead of the declarer: draw trumps, then develop the suit in which most is to be won."""
        other = self.seen[self.partner]
        opposing = self.opposing_cards()
        if self.trump and (out := cards_of(opposing, self.trump)):
            trumps = cards_of(self.cards, self.trump)
            both = len(trumps) + len(cards_of(other, self.trump))
            top = max((trumps + cards_of(other, self.trump)), key=rank, default=None)
            is_lost = len(out) == 1 and top is not None and rank(out[0]) > rank(top)
            if trumps and both >= len(out) and not is_lost:
                return self.lead_suit(self.trump, other)
        suits = [suit for suit in SUITS if suit != self.trump and cards_of(self.cards, suit)]
        if not suits:
            return max(self.cards, key=rank)
        return self.lead_suit(max(suits, key=lambda suit: self.suit_worth(suit, other)), other)

    def suit_worth(self, suit: str, other: Sequence[str]) -> float:
        """Return how much there is to be won by leading a suit: long ones first, then sure tricks."""
        mine, theirs = cards_of(self.cards, suit), cards_of(other, suit)
        both, out = [*mine, *theirs], cards_of(self.opposing_cards(), suit)
        sure = sum(not out or rank(card) > rank(out[0]) for card in both)
        longest = max(len(mine), len(theirs))
        extra = max(0, longest - (len(out) + 1) // 2)
        if not out:
            return 20 + longest if mine else 0
        if self.trump is None and len(self.hand) <= sure:
            return 15 + sure
        return (
            2 * extra + len(both) / 2 + 0.5 * sure + (1 if mine and theirs and rank(theirs[0]) > rank(mine[0]) else 0)
        )

    def lead_suit(self, suit: str, other: Sequence[str]) -> str:
        """Return the card of a suit to lead: a sure one, else low towards honours, else the top of equals."""
        mine, theirs = cards_of(self.cards, suit), cards_of(other, suit)
        out = cards_of(self.opposing_cards(), suit)
        if not out or rank(mine[0]) > rank(out[0]):
            has_other_boss = bool(theirs) and (not out or rank(theirs[0]) > rank(out[0]))
            return (
                mine[-1]
                if has_other_boss and len(mine) <= len(theirs) and rank(mine[-1]) < rank(theirs[0])
                else mine[0]
            )
        if theirs and rank(theirs[0]) > rank(mine[0]):
            return mine[-1] if len(mine) < 3 or rank(mine[0]) < JACK else self.lowest_equal(mine, mine[0])
        is_sequence = len(mine) > 1 and rank(mine[0]) - rank(mine[1]) == 1
        return mine[0] if is_sequence else mine[-1]

    def lead_as_defender(self) -> str:
        """Return the lead of a defender: a sequence, the partner's suit, the longest, through strength."""
        dummy = (self.declarer + 2) % 4
        dummys = self.seen.get(dummy, [])
        needs = 13 - len(self.tricks) <= 5
        best, highest = self.cards[0], -100.0
        for suit in SUITS:
            held = cards_of(self.cards, suit)
            if not held:
                continue
            card, worth = self.judge_lead(suit, held, dummys, is_late=needs)
            if worth > highest:
                best, highest = card, worth
        return best

    def judge_lead(self, suit: str, held: Sequence[str], dummys: Sequence[str], *, is_late: bool) -> tuple[str, float]:
        """Return the card of a suit that a defender would lead, and how good that is."""
        ranks = [rank(card) for card in held]
        is_boss = self.is_boss(held[0])
        is_sequence = len(held) > 1 and ranks[0] >= JACK - 1 and ranks[0] - ranks[1] == 1
        worth = 0.0
        if suit == self.trump:
            worth -= 2.5
        elif self.trump is None:
            worth += len(held) - 2
        elif len(held) == 1 and cards_of(self.hand, self.trump):
            worth += 2 if not self.tricks else 0.5
        worth += 2.5 * is_sequence + (3 if suit in self.partners_suits() else 0) + 1.5 * self.has_partner_led(suit)
        if is_boss:
            worth += 1 + 3 * is_late if self.trump is None else 3
            return held[0], worth
        if is_sequence:
            return held[0], worth
        if ranks[0] == RANK_NUMBERS["A"] and self.trump:
            return held[0], worth - 1.5
        worth -= 1.0 * (ranks[0] in (RANK_NUMBERS["K"], RANK_NUMBERS["Q"]) and self.trump is not None)
        if dummys:
            tops = [rank(card) for card in cards_of(dummys, suit)]
            is_behind = (self.declarer + 2) % 4 == (self.player + 1) % 4
            worth += (1.0 if is_behind else -1.0) * (bool(tops) and max(tops) >= JACK)
        return held[min(3, len(held) - 1)] if len(held) > 3 else held[-1], worth

    def has_partner_led(self, suit: str) -> bool:
        """Return whether the partner has led a suit."""
        leads = [trick["cards"][0] for trick in self.tricks]
        return any(leader == self.partner and suit_of(card) == suit for leader, card in leads)

    def partners_suits(self) -> set[str]:
        """Return the suits that the partner has bid."""
        bids = [word for number, word in enumerate(self.calls) if (self.dealer + number) % 4 == self.partner]
        return {word[1:] for word in bids if word[0].isdigit()}
