"""What the bridge tells clients of the ACPC's dealer, beside the states of that dealer, which OpenSpiel contains."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from typing import Any, Final

import msgspec

from pitboss import Random
from pitboss_poker.messages import Bet, Raise
from pitboss_tournament.authoring.templates import BRIDGES_FOLDER, SHARED_FOLDER
from tests.openspiel import poker

STACK: Final = 20_000
THEIR_STATE: Final = re.compile(r"ACPC State: STATE:0:([^:]*):(\S*)")


def compare_states(hands: int) -> int:
    """Play random hands of limit and no-limit Hold'em in both; return the number of questions that agree.

    Betting, board and the player's own cards are compared, and what each action is when the client answers with it.
    """
    sys.path[:0] = [str(BRIDGES_FOLDER / "acpc"), str(SHARED_FOLDER)]
    translation, game_file = import_module("translation"), import_module("game_file")
    return sum(_compare_hand(translation, game_file, number) for number in range(hands))


def _compare_hand(translation: Any, game_file: Any, number: int) -> int:  # noqa: ANN401 - modules of the bridge
    preset, players = ("acpc-limit", 2) if number % 3 == 0 else ("acpc-no-limit", 1 + number % 3)
    is_limit, blinds = preset == "acpc-limit", (5, 10) if preset == "acpc-limit" else (50, 100)
    sizes = (
        {"betting": "limit", "raiseSize": "10 10 20 20", "maxRaises": "3 4 4 4"} if is_limit else {"betting": "nolimit"}
    )
    ours, theirs = (
        poker.deal_ours(players, number, preset),
        poker.universal(players, blinds, [STACK] * players, **sizes),
    )
    options = msgspec.json.decode(msgspec.json.encode(ours.options))
    game = game_file.GameFile(options, players, (1 if players == 2 else 2, 0, 0, 0), 0)
    rng, faces, compared = Random(f"acpc/{number}"), ours.variant.deck.faces, 0
    for card in [card for hand in ours.hands for card in ours.table.zones[hand]]:
        theirs.apply_action(poker.universal_card(str(faces[card])))
    board = [*ours.table.zones[ours.stock][:-6:-1]]
    while ours.turn is not None:
        seat, legal = ours.turn.seat, ours.legal()
        view, offered = msgspec.to_builtins(ours.view(seat)), json.loads(msgspec.json.encode(legal))
        _, position, _, betting, cards = translation.list_states(view, seat, number, game)[-1].split(":")
        assert (int(position), betting, sort_cards(cards, seat)) == (seat, *read_state(theirs, seat)), str(theirs)
        action = poker.choose_action(legal, rng)
        code = poker.code_of(action)
        paid = action.to + ours.paid[seat] - ours.bets[seat] if isinstance(action, Bet | Raise) else 0
        answer = ("f", "c", "r" if is_limit else f"r{paid}")[code]
        choice = translation.find_choice(answer, view, seat, offered)
        meant = offered[choice] if isinstance(choice, int) else choice
        assert meant == json.loads(msgspec.json.encode(action)), (answer, choice, action)
        ours.play(action)
        theirs.apply_action(paid if paid and not is_limit else code)
        while theirs.is_chance_node():
            theirs.apply_action(poker.universal_card(str(faces[board.pop(0)])))
        compared += 1
    return compared


def read_state(theirs: Any, seat: int) -> tuple[str, list[frozenset[str]]]:  # noqa: ANN401 - a state of OpenSpiel
    """Return the betting, and the cards that a player sees, of the dealer's state."""
    found = THEIR_STATE.search(str(theirs))
    assert found is not None
    return found[1], sort_cards(found[2], seat)


def sort_cards(text: str, seat: int) -> list[frozenset[str]]:
    """Return the player's hand and the cards of each round of the board; the dealer sorts them."""
    hands, *rounds = text.split("/")
    return [frozenset(re.findall("..", part)) for part in (hands.split("|")[seat], *rounds)]
