"""What a bot's author needs to know of its games, in one value of bounded size: `pitboss why --bundle`.

A bundle is built from parts, the most important first. A part that would make the bundle larger than `MAX_BYTES`, as
JSON or as text, is left out and counted. So a bundle is bounded, whatever a store holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.game import AnyGame, render_state
from pitboss.plugins.registry import Registry, load_namesake
from pitboss.records.record import replay_states
from pitboss.text import escape_json, truncate_text
from pitboss_tournament.counting.notable_games import NotableGames
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.plan.plan import SandboxLevel, require_bot
from pitboss_tournament.reask.reference_choices import (
    KindOfChoices,
    OtherChoice,
    compare_with_reference,
    find_reference,
)
from pitboss_tournament.results.fault_evidence import advise_incident, find_check_command, legal_lines
from pitboss_tournament.results.loss_report import LossReport, find_loss_reasons
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import action_text, escape_line

MAX_BYTES: Final = 8_192  # of a bundle, as JSON and as text
MAX_POSITIONS: Final = 5
MAX_OF_A_KIND: Final = 2  # positions
MAX_BUNDLE_KINDS: Final = 12
MAX_OPPONENTS: Final = 8
MAX_SENTENCES: Final = 4  # of the verdict
MAX_NAMED_ACTIONS: Final = 12  # actions that a position names
MAX_SENTENCE: Final = 300  # characters
MAX_WORDS: Final = 120  # characters of an action, or of a name
MAX_LINE: Final = 100  # characters of a line of a position
MAX_POSITION_LINES: Final = 24


class BundleOpponent(Struct, frozen=True):
    """A bot that sat at the bot's tables."""

    name: str
    blocks: int
    points: Annotated[Estimate, Meta(description="Those of the bot less its own, in a game.")]


class BundleFault(Struct, frozen=True):
    """A kind of fault of the bot."""

    kind: str
    count: Annotated[int, Meta(description="Games that were forfeited, and decisions that were substituted.")]
    game_id: Annotated[int, Meta(description="The first game with it.")]
    decision: Annotated[int, Meta(description="Which question of the bot in that game; 0: before the first.")]
    message: str
    cure: str


class BundleReference(Struct, frozen=True):
    """The bot that was asked the same questions."""

    name: str
    games: Annotated[int, Meta(description="In which it was asked: a sample of the bot's.")]
    asked: Annotated[int, Meta(description="Questions with more than one legal action.")]
    differing: Annotated[int, Meta(description="Questions to which it chose otherwise.")]
    compared: Annotated[int, Meta(description="Of these, how many have a cost.")]


class BundleKind(Struct, frozen=True):
    """Decisions of one kind in which the reference chose otherwise."""

    phase: str
    played: Annotated[str, Meta(description="The name of the bot's action.")]
    reference: Annotated[
        str, Meta(description="The name of the reference's; the same if only cards or numbers differ.")
    ]
    count: int
    asked: Annotated[int, Meta(description="Decisions of the phase in which the bot played an action of this name.")]
    cost: Annotated[
        Estimate,
        Meta(
            description="Points by which the reference's choice was worth more, in one decision; negative: less. An "
            "estimate by the game's evaluation of states."
        ),
    ]


class BundlePosition(Struct, frozen=True):
    """A decision in which the reference chose otherwise, as the bot saw the table."""

    game_id: int
    seat: int
    decision: Annotated[int, Meta(description="Its number in the game, as `pitboss replay` counts.")]
    phase: str
    lines: list[str]
    played: str
    reference: str
    cost: float | None
    error: Annotated[float | None, Meta(description="The standard error of the cost.")]


class FeedbackBundle(Struct, frozen=True, kw_only=True):
    """A bot's result, faults, choices and positions."""

    game: str
    bot: str
    place: int | None
    bots: Annotated[int, Meta(description="In the tournament.")]
    games: Annotated[int, Meta(description="Of the bot.")]
    blocks: Annotated[int, Meta(description="Complete ones: a deal in all orders of the seats.")]
    points: Annotated[Estimate, Meta(description="In a game.")]
    wins: Annotated[Estimate, Meta(description="The share of games that it won.")]
    lowest_wins: Annotated[bool, Meta(description="Whether fewer points are better. Costs are positive all the same.")]
    counted: Annotated[str, Meta(description="What points are: of the game, or as the tournament scores it.")]
    p99_ms: Annotated[float | None, Meta(description="99 of 100 decisions took no longer.")]
    limit_ms: Annotated[float | None, Meta(description="Of a decision; null: no clock ran.")]
    faults: list[BundleFault] = []
    check: Annotated[str, Meta(description="The command that checks the bot.")] = ""
    verdict: list[str] = []
    opponents: Annotated[list[BundleOpponent], Meta(description="The strongest first.")] = []
    reference: BundleReference | None = None
    kinds: Annotated[list[BundleKind], Meta(description="Those that cost most together first.")] = []
    positions: Annotated[list[BundlePosition], Meta(description="The costliest first.")] = []
    notes: Annotated[list[str], Meta(description="What is missing, and why.")] = []
    left_out: Annotated[
        dict[str, int], Meta(description="By the name of a list: how many of its items had no room.")
    ] = {}


def make_bundle(path: Path, bot: str, reference: str | None = None, sandbox: SandboxLevel = "none") -> FeedbackBundle:
    """Return the bundle of a bot of a store.

    The reference is by default the house's bot for the game, or for this bot itself a search of a fixed number of
    simulations. Asking takes a minute at most, comparing 24 seconds of processor time.

    Raises:
        ConfigError: there is no such bot or reference.
        StoreError: a game cannot be read.
        MachineError: the machine cannot start the reference (in an exception group).
    """
    store = Store(path)
    header = store.header
    name = require_bot("BOT", bot, header.bots)
    assert name is not None
    entrant, game = header.bots.index(name), load_namesake(header.game)
    summary = StoredFindings(store)
    found = find_loss_reasons(summary, NotableGames(), entrant, None)
    packer = BundlePacker(_describe_result(found, summary, entrant))
    packer.add("faults", _list_faults(summary, entrant))
    packer.add("verdict", [truncate_text(line, MAX_SENTENCE) for line in found.verdict], MAX_SENTENCES)
    packer.add(
        "opponents",
        [BundleOpponent(pair.other, pair.blocks, pair.points.estimate) for pair in found.pairs],
        MAX_OPPONENTS,
    )
    if game is None or game.version != header.game_version:
        packer.add(
            "notes", [f"{header.game} is not installed here in the version that was played: no choice is judged"]
        )
        return packer.bundle
    _add_choices(packer, store, entrant, game, reference, sandbox)
    return packer.bundle


def encode_bundle(bundle: FeedbackBundle) -> bytes:
    """Return a bundle as one line of JSON of at most `MAX_BYTES` bytes."""
    return escape_json(msgspec.json.encode(bundle).decode()).encode()


def bundle_lines(bundle: FeedbackBundle) -> Iterator[str]:
    """Yield a bundle as lines of text, which have at most `MAX_BYTES` bytes together."""
    place = f", place {bundle.place} of {bundle.bots}" if bundle.place is not None else ""
    points = f"{_interval(bundle.points)} {bundle.counted} a game"
    fewest = ", the fewest win" if bundle.lowest_wins else ""
    yield f"{bundle.bot} in {bundle.game}: {points}{fewest}, {bundle.games:,} games, {bundle.blocks:,} blocks{place}"
    if bundle.p99_ms is not None and bundle.limit_ms is not None:
        yield f"99 of 100 decisions within {bundle.p99_ms:.4g} ms, limit {bundle.limit_ms:.4g} ms"
    yield from bundle.verdict
    yield "faults:" if bundle.faults else "faults: none"
    for fault in bundle.faults:
        where = f"first in game {fault.game_id}, question {fault.decision}"
        yield f"  {fault.count:,} {fault.kind}, {where}: {fault.message}"
        yield f"    cure: {fault.cure}"
    if bundle.faults and bundle.check:
        yield f"  {bundle.check}"
    if bundle.opponents:
        yield "its points in a game less those of:"
    for opponent in bundle.opponents:
        yield f"  {opponent.name}: {_interval(opponent.points)} in {opponent.blocks:,} blocks"
    yield from bundle.notes
    if bundle.reference is not None:
        yield from _reference_lines(bundle, bundle.reference)
    if bundle.left_out:
        left = ", ".join(f"{count:,} {name}" for name, count in bundle.left_out.items())
        yield f"no room for: {left}"


def _reference_lines(bundle: FeedbackBundle, reference: BundleReference) -> Iterator[str]:
    yield (
        f"{reference.name}, asked {reference.asked:,} of its questions in {reference.games:,} games, chose otherwise "
        f"{reference.differing:,} times; the bot's choice cost (negative: it was better):"
    )
    for kind in bundle.kinds:
        other = f"another {kind.reference}" if kind.reference == kind.played else kind.reference
        yield (
            f"  {kind.phase}: {kind.played}, the reference {other}: {kind.count:,} of {kind.asked:,}, "
            f"{_interval(kind.cost)} each"
        )
    for position in bundle.positions:
        cost = "" if position.cost is None else f", cost {position.cost:.3g} ± {_double(position.error)}"
        yield ""
        yield f"game {position.game_id}, decision {position.decision}, seat {position.seat}, {position.phase}{cost}"
        yield from position.lines
        yield f"  bot: {position.played}; reference: {position.reference}"


def _interval(estimate: Estimate) -> str:
    if estimate.mean is None:
        return "unknown"
    return f"{estimate.mean:+.3g} ± {'?' if estimate.half_width is None else f'{estimate.half_width:.2g}'}"


def _double(error: float | None) -> str:
    """Return half of a 95 % interval by a standard error, as pages show it; "?" if that is unknown."""
    return "?" if error is None else f"{2 * error:.2g}"


class BundlePacker:
    """A bundle to which parts are added as long as there is room."""

    def __init__(self, bundle: FeedbackBundle) -> None:
        self.bundle = bundle

    def add(self, name: str, items: Sequence[Any], most: int | None = None) -> None:
        """Add items to the end of a list of the bundle, at most `most`; count those that have no room."""
        for at, item in enumerate(items):
            fuller = replace(self.bundle, **{name: [*getattr(self.bundle, name), item]})
            if (most is not None and at >= most) or not self._has_room(fuller):
                left = self.bundle.left_out
                counted = {**left, name: left.get(name, 0) + len(items) - at}
                self.bundle = replace(self.bundle, left_out=counted)
                return
            self.bundle = fuller

    def _has_room(self, bundle: FeedbackBundle) -> bool:
        """Whether a bundle has room, with what `left_out` may still say."""
        lists = ("faults", "verdict", "opponents", "kinds", "positions", "notes")
        fullest = replace(bundle, left_out=dict.fromkeys(lists, 10**9))
        return max(len(encode_bundle(fullest)), _count_text(fullest)) <= MAX_BYTES


def _count_text(bundle: FeedbackBundle) -> int:
    return sum(len(line.encode()) + 1 for line in bundle_lines(bundle))


def _describe_result(found: LossReport, summary: StoredFindings, entrant: int) -> FeedbackBundle:
    row, header = found.bot, summary.store.header
    check = find_check_command(header, row.name)
    return FeedbackBundle(
        game=header.game,
        bot=row.name,
        place=row.place,
        bots=len(header.entries),
        games=row.games,
        blocks=row.blocks,
        points=row.points,
        wins=row.wins,
        lowest_wins=summary.tally.lowest_wins,
        counted=row.counted,
        p99_ms=row.think_p99_ms,
        limit_ms=found.decision_ms,
        check=check if len(check) <= MAX_SENTENCE else "",
    )


def _list_faults(summary: StoredFindings, entrant: int) -> list[BundleFault]:
    """Return the kinds of faults of a bot, the most frequent first."""
    standing = next(line for line in summary.standings if line.name == summary.names[entrant])
    found = []
    for kind, (game_id, seat) in summary.tally.first_faults.get(entrant, {}).items():
        count = standing.faults.get(kind, 0) + standing.substituted.get(kind, 0)
        for incident in summary.store.record(game_id).incidents:
            if (incident.fault.seat, incident.fault.kind) == (seat, kind):
                message = truncate_text(escape_line(incident.fault.message), MAX_SENTENCE)
                cure = truncate_text(escape_line(advise_incident(incident)), MAX_SENTENCE)
                found.append(BundleFault(kind, count, game_id, incident.fault.decision, message, cure))
                break
    return sorted(found, key=lambda fault: -fault.count)


def _add_choices(
    packer: BundlePacker, store: Store, entrant: int, game: AnyGame, reference: str | None, sandbox: SandboxLevel
) -> None:
    bot = store.header.bots[entrant]
    name, asked = find_reference(reference, bot, game, Registry(), Path.cwd())
    found = compare_with_reference(store, entrant, game, asked, sandbox)
    told = BundleReference(truncate_text(name, MAX_WORDS), found.games, found.asked, found.differing, found.compared)
    packer.bundle = replace(packer.bundle, reference=told)
    positions = [_describe_position(choice, game) for choice in _choose_varied(found.choices)]
    kinds = [_describe_kind(kind) for kind in found.kinds]
    packer.add("positions", positions[:1])
    packer.add("kinds", kinds, MAX_BUNDLE_KINDS)
    packer.add("positions", positions[1:])


def _choose_varied(choices: Sequence[OtherChoice]) -> list[OtherChoice]:
    """Return the first choices in their order, at most `MAX_OF_A_KIND` of a kind as long as there are others."""
    chosen, spare = list[int](), list[int]()
    for at, choice in enumerate(choices):
        same = sum(choices[one].kind == choice.kind for one in chosen)
        (chosen if same < MAX_OF_A_KIND else spare).append(at)
    return [choices[at] for at in sorted([*chosen, *spare][:MAX_POSITIONS])]


def _describe_kind(found: KindOfChoices) -> BundleKind:
    phase, played, other = (truncate_text(word, MAX_WORDS) for word in found.kind)
    return BundleKind(phase, played, other, found.size, found.asked, _round(found.cost))


def _describe_position(choice: OtherChoice, game: AnyGame) -> BundlePosition:
    record, difference = choice.recorded.record, choice.difference
    state = next(islice(replay_states(record, game), choice.decision - 1, None))
    shown = [
        *render_state(state, choice.seat, record.players),
        *legal_lines(choice.legal, "  ", None, MAX_NAMED_ACTIONS),
    ]
    return BundlePosition(
        game_id=choice.recorded.game_id,
        seat=choice.seat,
        decision=choice.decision,
        phase=truncate_text(choice.phase, MAX_WORDS),
        lines=[truncate_text(escape_line(line), MAX_LINE) for line in shown[:MAX_POSITION_LINES]],
        played=truncate_text(action_text(choice.played), MAX_WORDS),
        reference=truncate_text(action_text(choice.other), MAX_WORDS),
        cost=None if difference is None else _round_number(difference.points),
        error=None if difference is None else _round_number(difference.error),
    )


def _round(estimate: Estimate) -> Estimate:
    return Estimate(
        *(None if value is None else _round_number(value) for value in (estimate.mean, estimate.half_width))
    )


def _round_number(value: float) -> float:
    """Return a number with four digits: more are below every error here, and take room."""
    return float(f"{value:.4g}")
