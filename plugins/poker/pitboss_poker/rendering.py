"""A poker table for people: the pot, the board, and for each player its chips, its bet and its cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_zone
from pitboss.text import truncate_text
from pitboss_poker.hand_strength import describe_strength
from pitboss_poker.showdown import list_pots
from pitboss_poker.state import SEATS_IN, STREETS, PokerStateBase, PotResult

WIDTH: Final = 60
UNKNOWN_CARD: Final = "??"


def render_table(state: PokerStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    blinds = f", blinds {_describe_blinds(state)}" if state.big_blind else ""
    ante = f", ante {state.ante:,}" if state.ante else ""
    yield f"  hand {_describe_hand(state)}, {STREETS[state.street]}{blinds}{ante}"
    if state.turn is None or state.hand_no > 1:
        for pot in state.last_pots:
            yield truncate_text(_describe_win(state, pot, names), WIDTH)
    yield f"  board  {render_zone(state.table, state.board, seat)[0]}"
    yield from _render_pots(state)
    yield f"{'':{NAME_WIDTH + 4}}{'':3}{'stack':>9}{'bet':>8}  cards"
    for owner, name in enumerate(names):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        mark = "B" if owner == state.button else ""
        bet = f"{state.bets[owner]:,}" if state.bets[owner] else ""
        head = f"{player_heading(is_on_turn, owner, name)}{mark:^3}{state.stacks[owner]:>9,} {bet:>7}"
        yield f"{head}  {_describe_cards(state, owner, seat)}".rstrip()


def count_chips(state: PokerStateBase) -> PublicCounts:
    """Return the pots, blinds, ante and hand of the table; of each seat its stack, its bet, and how it stands."""
    table = [PublicCount("pot", sum(state.paid), "pot")]
    pots = [chips for chips, seats in _split_all_in(state) if seats & seats - 1]
    if len(pots) > 1:
        table += [PublicCount(f"side pot {number}" if number else "main pot", pot) for number, pot in enumerate(pots)]
    if state.big_blind:
        table.append(PublicCount("blinds", _describe_blinds(state)))
    if state.ante:
        table.append(PublicCount("ante", state.ante))
    table.append(PublicCount("hand", _describe_hand(state), "part"))
    return PublicCounts(table, [_count_seat(state, seat) for seat in range(state.seats)])


def _count_seat(state: PokerStateBase, seat: int) -> list[PublicCount]:
    counts = [PublicCount("stack", state.stacks[seat], "stack")]
    if state.bets[seat]:
        counts.append(PublicCount("bet", state.bets[seat], "bet"))
    if state.options.stacks == "reset" and state.hand_no > 1:
        counts.append(PublicCount("net", f"{state.net[seat]:+,}"))
    if seat == state.button:
        counts.append(PublicCount("button", role="button"))
    if status := _describe_status(state, seat):
        counts.append(PublicCount(status, role="" if status == "all in" else "out"))
    return counts


def _describe_hand(state: PokerStateBase) -> str:
    hands = state.options.hands
    return f"{state.hand_no} of {hands}" if hands else f"{state.hand_no}"


def _describe_blinds(state: PokerStateBase) -> str:
    return "/".join(f"{chips:,}" for chips in (state.small_blind, state.big_blind, *state.straddles))


def _describe_win(state: PokerStateBase, pot: PotResult, names: Sequence[str]) -> str:
    who = ", ".join(f"{winner} {truncate_text(names[winner], NAME_WIDTH)}" for winner in pot.winners)
    hand = f": {describe_strength(pot.strength)}" if pot.strength else ""
    return f"  {'it ended' if state.turn is None else 'last hand'}: {pot.chips:,} to {who}{hand}"


def _render_pots(state: PokerStateBase) -> Iterator[str]:
    """Yield the pot; and its parts, with the seats that can win them, once a player is all in."""
    yield f"  pot    {sum(state.paid):,}"
    for chips, mask in _split_all_in(state):
        yield f"         {chips:,} for {', '.join(map(str, SEATS_IN[mask]))}"


def _split_all_in(state: PokerStateBase) -> list[tuple[int, int]]:
    """Return the parts of the pot as `list_pots` does, once a player is all in."""
    return list_pots(state) if state.turn is not None and state.live & ~state.able else []


def _describe_cards(state: PokerStateBase, owner: int, seat: int | None) -> str:
    """Return the cards of a player as far as `seat` knows them, and how the player stands.

    Cards that were laid away are shown only to those who know them.
    """
    table, known = state.table, state.table.known_by
    hand, muck = table.zones[state.hands[owner]], table.zones[state.mucks[owner]]
    cards = hand or muck
    if seat is None or (cards and known[cards[0]] >> seat & 1):
        words = state.table.layout.deck.faces_of(cards)
    else:
        words = [UNKNOWN_CARD] * len(hand)
    return " ".join([*map(str, words), _describe_status(state, owner)]).rstrip()


def _describe_status(state: PokerStateBase, owner: int) -> str:
    """Return whether a player is all in, has folded, mucked or is out; "" if nothing of it."""
    zones = state.table.zones
    if zones[state.mucks[owner]]:
        return "folded" if f" {owner}f " in f" {' '.join(state.past_history)} {state.history}" else "mucked"
    if not zones[state.hands[owner]]:
        return "out"
    return "all in" if state.turn is not None and not state.stacks[owner] else ""
