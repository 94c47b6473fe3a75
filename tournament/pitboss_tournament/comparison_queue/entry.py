"""An entry of a queue: two bots, how they are compared, and what has come of it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pitboss.text import truncate_text
from pitboss_tournament.config.versions import ComparisonSettings
from pitboss_tournament.showing.version_comparison import ComparisonReport
from pitboss_tournament.store.header import SHOWN_DIGITS

EntryState: TypeAlias = Literal["waits", "runs", "ended", "failed"]
COMMIT_DIGITS: Final = 7  # of a commit that are shown
SUBJECT_WIDTH: Final = 40


class QueuedBot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot as it was when the comparison was queued."""

    spec: str  # as the person called it
    copy: str = ""  # the folder of the queue with its files; "": it is what `spec` means
    digest: str = ""  # of the files of the copy
    commit: str = ""  # the revision that the copy is of, as a hash
    subject: str = ""  # the first line of its message

    @property
    def label(self) -> str:
        """What the person called it, and which one that was: "git:main (1a2b3c4 Discard the highest)"."""
        if self.commit:
            return f"{self.spec} ({self.commit[:COMMIT_DIGITS]} {truncate_text(self.subject, SUBJECT_WIDTH)})"
        return f"{self.spec} (digest {self.digest[:SHOWN_DIGITS]})" if self.digest else self.spec


class QueueEntry(Struct, frozen=True, kw_only=True):
    """A comparison of a queue, as its file has it."""

    number: int
    added: str  # in UTC
    base: str  # the folder in which the bots are called so
    old: QueuedBot
    new: QueuedBot
    among: QueuedBot | None = None  # None: the game's house bot, or nobody
    comparison: ComparisonSettings
    state: EntryState = "waits"  # runs: it was begun; whether it is played now, the queue's lock tells
    report: ComparisonReport | None = None  # if it has ended
    why: tuple[str, ...] = ()  # if it has failed: a sentence, and the evidence line by line

    @property
    def title(self) -> str:
        """Number, game and the two bots."""
        return f"{self.number}: {self.comparison.settings.game}, {self.old.label} against {self.new.label}"

    @property
    def is_open(self) -> bool:
        """Whether it is still to be played, or to be played on."""
        return self.state in ("waits", "runs")
