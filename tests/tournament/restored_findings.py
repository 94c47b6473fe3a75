"""Findings from what a store keeps of them, without the store."""

from __future__ import annotations

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings, KeptFindings
from pitboss_tournament.store.header import Header


def restore_findings(header: Header, kept: KeptFindings, *, anytime: bool = False) -> Findings:
    """Return the findings that were kept."""
    counts = Counts(header)
    counts.load_rated(kept.tally, kept.meetings, kept.points, kept.ratings)
    return Findings(counts, anytime=anytime, kept=kept)
