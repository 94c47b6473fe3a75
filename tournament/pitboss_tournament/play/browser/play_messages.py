"""What a page of `pitboss play --browser` and the server say to each other: JSON objects over a WebSocket.

The server sends a `game` when the page is opened and when a game begins, a `part` when something has happened in it,
and a `status` after each of these and whenever something else has changed. An `after` follows the end of a game, and
another one when the decisions are rated.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pitboss_tournament.web.replay_page import PageDecision, PageFrame, ReplayData


class OfferedAction(Struct, frozen=True, omit_defaults=True):
    """A legal action: in words, and what a click must hit to choose it."""

    text: str
    cards: list[str] = []  # faces, as text
    slot: int | None = None  # what is printed there
    zones: list[str] = []  # names
    seats: list[int] = []
    bounds: tuple[int, int] | None = None  # of the number that has to be chosen
    cell: tuple[int, int] | None = None  # row and column in the grid of bids; column -1: the next one


class FormField(Struct, frozen=True, omit_defaults=True):
    """A field of an open action, and what is typed into it: any value of JSON, if none of the other kinds fits."""

    name: str
    kind: Literal["number", "flag", "choice", "text", "json"]
    allowed: str
    meaning: str = ""
    least: int | None = None
    most: int | None = None
    choices: list[Any] = []


class ActionForm(Struct, frozen=True):
    """A kind of open action, which is filled in: it is checked, and not among the legal actions."""

    word: str
    meaning: str
    fields: list[FormField]


class OpenQuestion(Struct, frozen=True, omit_defaults=True):
    """The question that a person has to answer."""

    number: int
    phase: str
    actions: list[OfferedAction]
    advice: str = ""
    advised: int | None = None  # the index of the action
    advised_number: int | None = None  # of a range
    is_advising: bool = False
    forms: list[ActionForm] = []
    refused: str = ""  # why the action that was filled in last cannot be played


class PersonStatus(Struct, frozen=True, omit_defaults=True):
    """A person at the table."""

    seat: int
    is_here: bool
    left_ms: int | None = None  # of the time for the game; None: no clock


class GameMessage(Struct, frozen=True, tag="game"):
    """A game, as far as it has been played, as the receiver may see it."""

    seat: int | None  # of the receiver; None: a spectator
    data: ReplayData
    about: dict[str, str]  # cards in words, by face
    adviser: str  # whom one may ask; "": nobody
    goal: list[str] = []  # of the game, in a few lines


class PartMessage(Struct, frozen=True, tag="part"):
    """What has happened since."""

    frames: list[PageFrame]
    decisions: list[PageDecision]


class CostlyMove(Struct, frozen=True):
    """A decision of the receiver that cost points."""

    decision: int  # its number
    played: str
    better: str
    points: str


class AfterMessage(Struct, frozen=True, tag="after"):
    """What there is to see after a game."""

    hands: PageFrame  # the last table with the cards of all seats
    duels: list[str]  # how the people have fared against each bot
    costly: list[CostlyMove]  # of the receiver, the worst first
    rating: str  # what is to be said of them: that they are still looked for, or cannot be told
    part_decisions: int  # of a page of the replay


class StatusMessage(Struct, frozen=True, tag="status"):
    """Everything else that a page shows."""

    asked: list[int]  # seats of people who have to decide
    people: list[PersonStatus]
    notices: list[str]  # faults
    question: OpenQuestion | None  # of the receiver
    places: list[int]  # of the finished game, by seat
    results: list[str]  # of the finished game, by seat
    offers: list[str]  # what may be played next
    closing: str  # why the session is over; "": it goes on
    can_take_back: bool  # what the receiver has played last


class ChooseAction(Struct, frozen=True, tag="choose"):
    """Play this action."""

    question: int
    action: int  # its index
    number: int | None = None  # of a range


class FillIn(Struct, frozen=True, tag="fill_in"):
    """Play this open action."""

    question: int
    action: dict[str, Any]


class AskAdvice(Struct, frozen=True, tag="advise"):
    """Ask the adviser about this question."""

    question: int


class ChooseNext(Struct, frozen=True, tag="next"):
    """Play another game."""

    offer: str


class TakeBack(Struct, frozen=True, tag="take_back"):
    """Take back what this person has played last."""


PageMessage: TypeAlias = ChooseAction | FillIn | AskAdvice | ChooseNext | TakeBack
ServerMessage: TypeAlias = GameMessage | PartMessage | StatusMessage | AfterMessage
