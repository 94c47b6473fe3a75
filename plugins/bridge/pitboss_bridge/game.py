"""Contract bridge. Two against two bid how many tricks they will take, and with which trumps; one plays for its side.

A bid names a level (tricks above six) and a strain: clubs, diamonds, hearts, spades, no trumps. A later bid is higher.
The opponents may double it, which may be redoubled. After three passes in a row the last bid is the contract. Of the
side that made it, who first named the strain is the declarer. Its partner, the dummy, lays its hand open after the
first card, and the declarer plays both hands. Who takes the tricks of the contract scores, with bonuses for games and
slams; who takes fewer loses points to the opponents.

Numbers in docstrings (B4) are those of the rule book, `RULES.md`; the rules are in `state`, the count in `scoring`;
options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pitboss import OptionError
from pitboss.game import DifferenceScale, GameBounds
from pitboss.parts.trick_match import TrickGame, tell_trick_counts
from pitboss.records.record import DealFormat, ExportFunction, ImportFunction
from pitboss.rendering.model_words import tell_by_seat, tell_cards
from pitboss.rendering.presentation import Speech
from pitboss_bridge.lin_reading import read_lin, read_lin_deals
from pitboss_bridge.messages import PRESETS, BridgeOptions, Position, View
from pitboss_bridge.pbn import write_boards, write_deals
from pitboss_bridge.pbn_deal import read_seed, write_seed
from pitboss_bridge.pbn_reading import read_boards, read_deals
from pitboss_bridge.pbn_results import write_results
from pitboss_bridge.presentation import PRESENTATION
from pitboss_bridge.scoring import count_imps
from pitboss_bridge.state import BridgeState

LONGEST_AUCTION: Final = 319  # calls: three passes, and each bid, double and redouble with two passes between
DECK_SIZE: Final = 52
LARGEST_PENALTY: Final = 7600  # points of a deal: 7NT redoubled, vulnerable and without a trick
LARGEST_BONUS: Final = 1500  # of a deal, beside: honours of both hands, a rubber, what is unfinished

DOUBLED_WORDS: Final = {1: "", 2: ", doubled", 4: ", redoubled"}


class Bridge(TrickGame[BridgeOptions, BridgeState]):
    """The game: one object without state."""

    state = BridgeState
    name = "bridge"
    title = "Bridge"
    version = "2"
    seats: Sequence[int] = (4,)
    phases = ("call", "play", "dummy")
    Position = Position
    presets: Mapping[str, BridgeOptions] = PRESETS
    presentation = PRESENTATION
    exports: Mapping[str, ExportFunction] = {"pbn": write_boards, "pbn-results": write_results}
    imports: Mapping[str, ImportFunction] = {"pbn": read_boards, "lin": read_lin}
    deal_files: Mapping[str, DealFormat] = {
        "pbn": DealFormat(read_deals, write_deals),
        "lin": DealFormat(read_lin_deals),
    }

    @staticmethod
    def extract_deal(seed: str) -> str:
        """D9: return the seed without the claim that ended the game."""
        named = read_seed(seed)
        return seed if named is None else write_seed(named.number, named.hands)

    @staticmethod
    def bounds(seats: int, options: BridgeOptions) -> GameBounds:
        """Return the bounds: the longest auction has 319 calls, and the worst contract costs 7600 points (B12).

        A deal that is dealt again has four passes before (B15).
        """
        deals = options.deals or 0
        decisions = deals * (4 * (options.redeals or 0) + LONGEST_AUCTION + DECK_SIZE)
        if options.scoring == "duplicate":
            return GameBounds(decisions, -deals * LARGEST_PENALTY, deals * LARGEST_PENALTY, 0)
        return GameBounds(decisions, 0, deals * (LARGEST_PENALTY + LARGEST_BONUS))

    @staticmethod
    def counts_points(options: BridgeOptions) -> bool:
        """Whether points count: they do in rubber, duplicate and Chicago alike."""
        return True

    def difference_scale(self, options: BridgeOptions) -> DifferenceScale:
        """B18: return the scale of international match points, for single boards in duplicate."""
        if options.scoring != "duplicate" or options.deals != 1:
            raise OptionError("bridge: IMPs compare single boards: scoring is 'duplicate', and deals is 1", "deals")
        return DifferenceScale("IMPs", count_imps)

    @staticmethod
    def tell_model(view: View, seat: int, speech: Speech) -> Iterator[str]:
        """Yield what a seat sees: who bids with whom, the contract, the dummy, and what only some scorings have."""
        yield from tell_trick_counts(view, speech)
        yield f"your partner: {speech.name((seat + 2) % 4)}"
        if view.declarer is None:
            of = "highest bid so far"
        else:
            of = f"contract, played by {speech.name(view.declarer)} from both hands"
        if view.dummy:
            yield f"the dummy's hand: {tell_cards(view.dummy)}"
        contract = "none" if view.contract is None else speech.word("contract", view.contract)
        yield f"{of}: {contract}{DOUBLED_WORDS[view.doubled]}"
        yield f"board {view.board}, dealt by {speech.name(view.dealer)}"
        vulnerable = [speech.name(side) for side, is_so in enumerate(view.vulnerable) if is_so]
        yield f"vulnerable: {', '.join(vulnerable) or 'nobody'}"
        if any(view.part_scores) or any(view.games):
            yield f"points below the line in this game: {tell_by_seat(view.part_scores, speech)}"
            yield f"games won in this rubber: {tell_by_seat(view.games, speech)}"
        if view.redeals:
            yield f"times that this deal was dealt again: {view.redeals}"
