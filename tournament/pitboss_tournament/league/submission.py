"""A submission, its states, and the evidence that each state leaves."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from pitboss.testing.framework.check import CheckResult

SubmissionState: TypeAlias = Literal[
    "received", "building", "checking", "validation", "placing", "playing", "refused", "retired"
]

WAITING: Final = ("received", "building", "checking", "validation")  # for the validator, or with it
ACTIVE: Final = ("placing", "playing")  # valid, and among the versions that play
NEXT_STATES: Final[dict[SubmissionState, tuple[SubmissionState, ...]]] = {  # each is also its own next one, in a resume
    "received": ("building", "refused"),
    "building": ("checking", "refused"),
    "checking": ("validation", "refused"),
    "validation": ("placing", "refused"),
    "placing": ("playing", "retired"),
    "playing": ("retired",),
    "refused": ("received",),  # the same files are sent again
    "retired": ("received",),
}


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a state has shown. Its owner alone may read it."""

    is_good: Annotated[bool, Meta(description="Whether the submission went on.")]
    seen: Annotated[str, Meta(description="In a sentence.")]
    output: Annotated[str, Meta(description="The end of what the build printed, or of the bot's standard error.")] = ""
    exchange: Annotated[
        list[str], Meta(description='The last lines of a validation game: "> " to the bot, "< " from it.')
    ] = []
    checks: Annotated[list[CheckResult], Meta(description="The checks that failed, each with a cure.")] = []


class Submission(Struct, frozen=True, kw_only=True):
    """A version of a bot that somebody has sent. Times are in UTC."""

    number: int
    owner: str
    bot: str
    version: int  # of this owner's bot of this name, in the order of arrival
    digest: str  # of its files: see `processes.bot_contents.digest_contents`
    bytes: int  # of the archive
    upload: str  # the archive's name in uploads/; "" once its files are complete in bots/
    state: SubmissionState
    tries: int  # validations begun since it was received
    received: str  # for the last time: the same files may be sent again
    changed: str

    @property
    def label(self) -> str:
        """Its name and version."""
        return f"{self.bot}@{self.version}"


class AuditEntry(Struct, frozen=True):
    """A line of the audit trail."""

    number: int
    at: str  # in UTC
    who: str
    what: str
    about: str
