"""Boards of random games as PBN, read by endplay, which scores each contract: `tox -e endplay`.

endplay knows PBN and the count of duplicate by itself. Of each board it must find the hands, the auction, the play, the
tricks and the score that were ours. What it writes of them is read again here, and replayed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from endplay.parsers import pbn
from endplay.types import Board
from msgspec import to_builtins

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.records.record import Decision, Record, require_games, verify
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import BridgeAction
from pitboss_bridge.pbn import PlayedBoard, list_boards, write_boards
from pitboss_bridge.pbn_deal import read_deal, write_card
from pitboss_bridge.pbn_reading import read_boards

BOARDS: Final = 2_000
GAME: Final = Bridge()


def play_match(number: int, deals: int = 4) -> Record:
    """Return the record of a random match; two calls of three are low, so that contracts are of all kinds."""
    rng, decisions = Random(f"calls/{number}"), list[Decision]()
    options = resolve_options(GAME, 4, None, {"deals": deals, "first_board": 1 + number % 16})
    state = GAME.deal(4, options, Random(f"boards/{number}"))
    while state.turn is not None:
        legal: Sequence[BridgeAction] = state.legal()
        action = rng.choice(legal[:4] if state.turn.phase == "call" and rng.randbelow(3) else legal)
        decisions.append(Decision(seat=state.turn.seat, action=to_builtins(action)))
        state.play(action)
    return Record(
        game=GAME.name,
        game_version=GAME.version,
        options=to_builtins(options),
        seed=f"boards/{number}",
        players=["ann", "bob", "cy", "dora"],
        decisions=decisions,
        outcome=state.outcome(),
    )


def list_differences(ours: PlayedBoard, theirs: Board) -> Iterator[str]:
    """Yield what endplay has found otherwise than we have played it."""
    deal: Any = theirs.deal
    hands = read_deal(str(deal))
    if [sorted(hand) for hand in hands] != [sorted(hand) for hand in ours.hands]:
        yield f"hands: {deal}"
    auction = [word_call(call) for call in theirs.auction]
    if auction != ours.calls:
        yield f"auction: {auction}"
    played = [f"{name_strain(card.suit)}{card.rank.name[1]}" for card in theirs.play]
    if played != [write_card(card) for _, card in ours.plays]:
        yield f"play: {played}"
    contract: Any = theirs.contract
    score = 0 if contract is None or contract.is_passout() else contract.score(theirs.vul)
    sign = -1 if ours.declarer is not None and ours.declarer % 2 else 1
    if sign * score != ours.score:
        yield f"score: {contract}, {score}; ours is {ours.score}"


def name_strain(strain: Any) -> str:  # noqa: ANN401 - one of endplay
    """Return the letter of a suit, or NT."""
    return "NT" if strain.name == "nt" else str(strain.name)[0].upper()


def word_call(call: Any) -> str:  # noqa: ANN401 - a bid of endplay
    """Return a call of endplay as PBN has it."""
    if hasattr(call, "level"):
        return f"{call.level}{name_strain(call.denom)}"
    return {"passed": "Pass", "doubled": "X", "redoubled": "XX"}[call.penalty.name]


def main(boards: int) -> int:
    """Compare; print how many boards were compared, and return how many differ."""
    records = [play_match(number) for number in range(boards // 4)]
    games = [*enumerate(records)]
    ours = [board for number, record in games for board in list_boards(GAME, record, f"game {number}")]
    theirs = pbn.loads("\n".join(write_boards(GAME, games)))
    different = 0
    for mine, other in zip_longest(ours, theirs):
        found = [*list_differences(mine, other)]
        different += bool(found)
        if found:
            print(f"{mine.event}, board {mine.number}: {'; '.join(found)}")
    played = [board for board in theirs if board.play]
    again = [*require_games(read_boards(GAME, pbn.dumps(played).splitlines()))]
    decisions = sum(verify(record, GAME) for record in again)
    print(
        f"{len(ours):,} boards read by endplay, {different} differ; {len(again):,} of its own, {decisions:,} decisions"
    )
    return different


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else BOARDS) > 0)
