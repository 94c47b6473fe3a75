"""The end of a hand of poker (3 in the rule book): what goes back, who shows, who mucks, who gets which pot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from pitboss.parts.betting.betting_round import A, BettingRounds, O
from pitboss.parts.betting.pots import (
    NOBODY,
    SEATS_IN,
    PotResult,
    find_best,
    find_uncalled,
    seats_from,
    share_pot,
    split_pots,
)
from pitboss.parts.betting.rankings import Ranking


class Showdown(BettingRounds[O, A]):
    """The end of a hand."""

    def list_pots(self) -> list[tuple[int, int]]:
        """P2: return the pots of a state; what the big blind has paid for all belongs to the main pot."""
        if not self.dead_ante:
            return split_pots(self.paid, self.live)
        (chips, seats), *side_pots = split_pots(self.count_bets(), self.live)
        return [(chips + self.dead_ante, seats), *side_pots]

    def count_bets(self) -> list[int]:
        """Return what each seat has paid in the hand, without an ante for all."""
        bets = self.paid[:]
        bets[self.big_seat] -= self.dead_ante
        return bets

    def end_betting(self) -> list[int]:
        """End a hand in which nobody can bet any more: pay out the pots, after a showdown if two players have a hand.

        Returns what each seat gets from the pots.
        """
        self.return_uncalled()
        live = self.live
        if not live & live - 1:
            return self.pay_pots({live.bit_length() - 1: 0})
        if self.unknown & live:
            live = self.muck_unknown()
        if live & ~self.able:  # W2: somebody is all in, so that all hands are shown before the rest of the board
            for seat in seats_from(live, self.first_to_show()):
                self.show_hand(seat)
            self.deal_rest()
            return self.pay_pots(self.rank_hands(live))
        return self.pay_pots(self.show_in_turn())

    def return_uncalled(self) -> None:
        """P1: what nobody has called goes back."""
        seat, chips = find_uncalled(self.count_bets())
        if chips:
            self.stacks[seat] += chips
            self.paid[seat] -= chips
            self.table.tell("return", seat=seat, chips=chips)

    def first_to_show(self) -> int:
        """W3: return the seat to whose left showing begins: right of the last aggressor's, or the button."""
        if self.aggressor == NOBODY:
            return self.button
        return (self.aggressor - 1) % self.seats

    def show_hand(self, seat: int) -> None:
        """Show the cards of a seat to everybody."""
        self.table.reveal(self.hands[seat], "show")

    def show_in_turn(self) -> dict[int, int]:
        """W4: show hands in turn, muck each that loses to one shown before; return by seat the shown strengths.

        That a hand was mucked tells everybody that it is weaker. With two rankings all hands are shown (D13).
        """
        if self.variant.second is not None:
            for seat in seats_from(self.live, self.first_to_show()):
                self.show_hand(seat)
            return self.rank_hands(self.live)
        strengths, best = self.rank_hands(self.live), 0
        shown: dict[int, int] = {}
        for seat in seats_from(self.live, self.first_to_show()):
            if strengths[seat] >= best:
                best = shown[seat] = strengths[seat]
                self.show_hand(seat)
            else:
                self.muck_hand(seat, best)
        return shown

    def muck_unknown(self) -> int:
        """S9: lay away the hands that nobody has told, if each pot has a player whose cards are known.

        Returns the mask of the seats that are left.
        """
        told = self.live & ~self.unknown
        if all(seats & told for _, seats in self.list_pots()):
            for seat in SEATS_IN[self.live & self.unknown]:
                hand = self.table.zones[self.hands[seat]][:]
                self.table.lay(hand, self.hands[seat], self.mucks[seat], "muck")
            self.live = told
            self.able &= told
        else:
            self.undecided = self.live & self.unknown
        return self.live

    def muck_hand(self, seat: int, best: int) -> None:
        """W4: lay a hand away unseen that is weaker than one shown."""
        table, hand = self.table, self.table.zones[self.hands[seat]][:]
        self.live &= ~(1 << seat)
        table.lay(hand, self.hands[seat], self.mucks[seat], "muck")
        table.constrain(self._weaker_than(seat, best), hand)

    def _weaker_than(self, seat: int, best: int) -> Callable[[Iterable[int | None]], bool]:
        """Return the predicate of cards that, with the board, are a weaker hand than `best`."""
        keys, rank = self.variant.card_keys, self.variant.rank
        size, shared = len(self.table.zones[self.mucks[seat]]), self.list_open_keys(seat)
        board = [keys[card] for card in self.table.zones[self.board]]

        def is_weaker(cards: Iterable[int | None]) -> bool:
            known = [keys[card] for card in cards if card is not None]
            return len(known) == size and rank([*shared, *known], board) < best

        return is_weaker

    def deal_rest(self) -> None:
        """Deal the rest of the board, round by round."""
        while self.street < self.variant.last_street:
            self.deal_street()

    def deal_street(self) -> None:
        """Deal the board of the next round, whose bets are still zero; no card is burnt (D4)."""
        self.street += 1
        turn = self.variant.turns[self.street][0]
        if count := self.variant.board_cards[self.street]:
            self.table.deal(self.stock, (self.board,), count, event=turn.phase)
        self.past_history = (*self.past_history, self.history[:-1])
        self.history = ""
        self.bets = [0] * len(self.bets)

    def rank_hands(self, seats: int, ranking: Ranking | None = None) -> dict[int, int]:
        """Return the strength of the hand of each seat of a mask, with the board; by the first ranking by default."""
        keys, zones = self.variant.card_keys, self.table.zones
        rank = self.variant.rank if ranking is None else ranking.rank
        board = [keys[card] for card in zones[self.board]]
        return {seat: rank([keys[card] for card in zones[self.hands[seat]]], board) for seat in SEATS_IN[seats]}

    def list_open_keys(self, seat: int) -> list[int]:
        """Return the keys of the cards that lie open before a seat."""
        return []

    def pay_pots(self, strengths: Mapping[int, int]) -> list[int]:
        """P2, P3: give each pot to the best hand among those that can win it; return what each seat gets.

        A strength of 0 was not shown.
        """
        self.last_pots = []
        winnings = [0] * len(self.stacks)
        second = self.variant.second
        if second is None or not any(strengths.values()):
            for chips, seats in self.list_pots():
                self.pay_pot(chips, strengths, seats, 0, winnings)
            return winnings
        lower = self.rank_hands(sum(1 << seat for seat in strengths), second)
        for chips, seats, compared, ranking in self.halve_pots(strengths, lower):
            self.pay_pot(chips, compared, seats, ranking, winnings)
        return winnings

    def halve_pots(
        self, strengths: Mapping[int, int], second: Mapping[int, int]
    ) -> Iterator[tuple[int, int, Mapping[int, int], int]]:
        """P4: yield the halves of each pot: chips, seats, their strengths and the number of the ranking.

        The first half has the odd chip; it is the whole pot if no hand of the seats qualifies for the second.
        """
        for chips, seats in self.list_pots():
            qualified = {seat: one for seat, one in second.items() if one and seats >> seat & 1}
            half = chips // 2 if qualified else 0
            yield chips - half, seats, strengths, 0
            if half:
                yield half, seats, qualified, 1

    def pay_pot(self, chips: int, strengths: Mapping[int, int], seats: int, ranking: int, winnings: list[int]) -> None:
        """P3: give a pot, or a half of one, to the best hand among some seats, and add it to what each gets."""
        winners, best = find_best(strengths, seats)
        shares = share_pot(chips, winners, self.button)
        for seat, share in shares.items():
            self.stacks[seat] += share
            winnings[seat] += share
        self.last_pots.append(PotResult(chips, tuple(shares), best, ranking))
        if self.table.log is not None:
            hand = self.variant.rankings[ranking].describe(best) if best else ""
            self.table.tell("pot", chips=chips, winners=[*shares], shares=[*shares.values()], hand=hand)
