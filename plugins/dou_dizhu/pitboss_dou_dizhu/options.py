"""The options of Dou Dizhu: section 6 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from pitboss import Options


class DouDizhuOptions(Options, frozen=True):
    """What Dou Dizhu can be played with."""

    deals: Annotated[int, Meta(ge=1, le=200, description="So many deals are a game.")] = 1
    auction: Annotated[
        Literal["bids", "once", "rob"],
        Meta(
            description="How the landlord is found: bids of 1 to 3 until two in a row pass, one bid each, or calls "
            "that others may rob."
        ),
    ] = "bids"
    all_pass: Annotated[
        Literal["redeal", "void", "forced"],
        Meta(
            description="If nobody wants to be the landlord: the cards are dealt again, the deal counts as one "
            "without points, or the first player is it."
        ),
    ] = "redeal"
    spring: Annotated[
        bool,
        Meta(description="A landlord whose opponents lay nothing, or who loses after one play, doubles the stake."),
    ] = True
    max_doublings: Annotated[
        int,
        Meta(ge=0, le=20, description="Bombs, the rocket, the spring and robbing double the stake so often at most."),
    ] = 20
    kickers: Annotated[
        Literal["any", "distinct"],
        Meta(
            description="Whether cards attached one by one to trios or a quad may be alike, or are of different ranks."
        ),
    ] = "distinct"
    quads: Annotated[bool, Meta(description="Four of a kind may be laid with two cards or two pairs.")] = True


PRESETS: Final = {
    "standard": DouDizhuOptions(),
    "match": DouDizhuOptions(deals=9),
    "once": DouDizhuOptions(auction="once", all_pass="void"),
    "rob": DouDizhuOptions(auction="rob"),
    "table": DouDizhuOptions(all_pass="forced", max_doublings=4),
    "alike": DouDizhuOptions(kickers="any"),
    "plain": DouDizhuOptions(auction="once", all_pass="forced", spring=False, quads=False),
}
