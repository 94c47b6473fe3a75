"""How strong the house's bots are: real tournaments between them in each installed game, as a table in Markdown.

    python bench/strength.py [GAME …] [--ms N] [--deals N] [--seed TEXT] [--write docs/strength.md]

For each game `house:search`, the game's own bot (`house:GAME`) and `house:random` meet, each pair at the smallest table
and at a larger one. There one seat is held by the first bot and all others by copies of the second; where partners play
together, the first bot has all seats of a side, and where all do, all seats of a table. Each deal is played once with
every bot in every seat; a game is one round, where the game has an option that says so. The tournaments are played by
`pitboss match`: with processes, sandbox and clocks.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from pitboss import AnyGame, OptionError
from pitboss.game import find_sides, resolve_options
from pitboss.plugins.registry import Registry
from pitboss_command import play_stored_match
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.play.lobby import bot_strength
from pitboss_tournament.statistics.blocks import block_means, complete_blocks, margins, place_scores, wins
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments

LARGER_SEATS: Final = 4
ONE_ROUND: Final = ("max_rounds", "deals", "games")  # the first of these options that a game has makes it short
WHOLE_MATCHES: Final = (
    "cribbage",
    "euchre",
    "hearts",
    "spades",
)  # one deal of these tells little, and takes little time
MEASURED_FILE: Final = Path(bot_strength.__file__).with_name(bot_strength.MEASURED)
CLOCK_MS: Final = 10_000  # generous: strength is measured, not the machine

PAGE: Final = """# How strong the house's bots are

Made by `{command}`, on {day}, with Python {python} on {processors} processors, in {minutes} minutes.

`house:search` knows no game and thinks {ms} ms for a decision; it evaluates a game's states where they implement
`evaluate`. `house:GAME` are the heuristic bots that come with the games; `house:random` plays any legal action. At
tables of more than two the bot has one seat, and copies of the other bot have the rest; of a pair of partners it has
both. Each deal was played once with the bot in every seat ({deals} deals at tables of two, as many games at larger
ones). A game is one round if the game can be played so; Cribbage, Euchre, Hearts, Oh Hell and Spades are whole matches.
In Fireworks all play together: a team of each of the two played the same deals, and what counts is the difference of
their points.

* **Score**: the share of the others that the bot is placed before, ties half; even is 0.5.
* **Wins %**: its share of the wins; even is 50 with two at the table or two sides, 33 with three, 25 with four.
* **Points ahead**: its points less the others' mean, as the game counts them; in Hearts fewer are better.
* **Rating lead**: a bot with 100 more is ahead in 64 % of games, with 200 more in 76 %.
* ± is a 95 % interval over deals.

{table}
"""


class StrengthMatch(NamedTuple):
    """A tournament: one bot against copies of another."""

    game: str
    seats: int
    bot: str
    other: str
    option: str | None
    members: int = 1  # of a side, all of which are the bot

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats are one side: then a team of the bot is compared with one of the other."""
        return self.members == self.seats


class StrengthResult(NamedTuple):
    """The bot's result. Equal bots have a score of 0.5, wins of 1 / seats, 0 points ahead, and a lead of 0."""

    games: int
    score: Estimate  # share of the others that it is placed before, ties half
    wins: Estimate  # share of the wins
    ahead: Estimate  # points, more than the others have on average
    lead: Estimate  # rating, more than the others have on average
    faults: int


def main() -> None:
    """Play, print each line as it comes, and write the page if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--ms", type=int, default=100, help="for each decision of house:search (default: %(default)s)")
    parser.add_argument(
        "--deals",
        type=int,
        default=20,
        help="for each pair at a table of two; at a larger one as many fewer as there are more seats to play them in "
        "(default: %(default)s)",
    )
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--write", type=Path, help="also write the table, with an introduction, to this file")
    given = parser.parse_args()
    began = perf_counter()
    print("\n".join(head_lines()))
    rows = []
    for table in list_matches(given.games, given.ms):
        rows.append(result_row(table, play_match(table, max(2, 2 * given.deals // table.seats), given.seed)))
        print(rows[-1], flush=True)
    minutes = (perf_counter() - began) / 60
    print(f"\n{minutes:.0f} minutes")
    if given.write:
        given.write.write_text(render_page(rows, given, minutes))
        MEASURED_FILE.write_text(render_measured(rows), encoding="utf-8")


def list_matches(names: Sequence[str], ms: int) -> Iterator[StrengthMatch]:
    """Yield the tournaments."""
    registry = Registry()
    for name in names or registry.games:
        game = registry.find_game(name)
        own = [bot.name for bot in registry.bots.values() if bot.games and name in bot.games]
        bots = [f"house:search?ms={ms}", *own, "house:random"]
        for seats in dict.fromkeys((game.seats[0], min(max(game.seats), LARGER_SEATS))):
            option = None if name in WHOLE_MATCHES else find_one_round_option(game, seats)
            members = len(find_sides(game, seats, resolve_options(game, seats))[0])
            for bot, other in combinations(bots, 2):
                yield StrengthMatch(name, seats, bot, other, option, members)


def find_one_round_option(game: AnyGame, seats: int) -> str | None:
    """Return the option that makes a game one round long."""
    for option in ONE_ROUND:
        try:
            resolve_options(game, seats, overrides={option: 1})
        except OptionError:
            continue
        return f"{option}=1"
    return None


def play_match(match: StrengthMatch, deals: int, seed: str) -> StrengthResult:
    """Play a tournament."""
    words = ("-s", f"clock.decision_ms={CLOCK_MS}", *(("--option", match.option) if match.option else ()))
    if match.is_cooperative:
        teams = [match.bot] * match.seats + [match.other] * match.seats
        words = (*words, "--seats", str(match.seats), "--format", "teams", "-s", "same_deals=true")
        with play_stored_match(match.game, teams, deals, seed, *words) as store:
            return summarize_teams(StoredFindings(store))
    sides = match.seats // match.members
    bots = [match.other if seat % sides else match.bot for seat in range(match.seats)]
    with play_stored_match(match.game, bots, deals, seed, *words) as store:
        return summarize(StoredFindings(store), match.seats, match.members)


def summarize(summary: StoredFindings, seats: int, members: int) -> StrengthResult:
    """Return the result of the first bot, or of its side."""
    blocks = complete_blocks(summary.store.results(with_times=False), summary.store.header.block_games)
    rating = summary.ratings.rating_of(0).points
    others = seats / (seats - members)  # points and ratings are relative to the mean, which includes the bot
    by_place = partial(place_scores, sides=summary.store.header.sides)
    return StrengthResult(
        games=sum(map(len, blocks)),
        score=estimate_mean((block_means(block, by_place)[0] for block in blocks), 1.0),
        wins=estimate_mean((block_means(block, wins)[0] for block in blocks), 1.0),
        ahead=estimate_mean((block_means(block, margins)[0] * others for block in blocks), None),
        lead=Estimate(*(value and value * others for value in (rating.mean, rating.half_width))),
        faults=sum(sum(standing.faults.values()) for standing in summary.standings),
    )


def summarize_teams(summary: StoredFindings) -> StrengthResult:
    """Return the result of the first bot's team beside that of the other bot: the difference of their points."""
    first, second = summary.teams
    is_ahead = summary.names[0] in first.bots
    behind = second.behind or Estimate(None, None)
    unknown = Estimate(None, None)
    return StrengthResult(
        games=summary.tally.games,
        score=unknown,
        wins=unknown,
        ahead=behind if is_ahead or behind.mean is None else Estimate(-behind.mean, behind.half_width),
        lead=unknown,
        faults=sum(sum(standing.faults.values()) for standing in summary.standings),
    )


def estimate_mean(values: Iterable[float], scale: float | None) -> Estimate:
    """Return the mean with its interval."""
    spread = RunningMoments()
    for value in values:
        spread.add(value)
    return spread.estimate(scale)


def head_lines() -> list[str]:
    """Return the head of the table."""
    columns = ("Game", "Seats", "Bot", "against", "Games", "Score", "Wins %", "Points ahead", "Rating lead", "Faults")
    return [
        f"| {' | '.join(columns)} |",
        f"|{'|'.join('---' if at in (0, 2, 3) else '---:' for at in range(len(columns)))}|",
    ]


def result_row(match: StrengthMatch, result: StrengthResult) -> str:
    """Return a line of the table."""
    cells = [
        match.game,
        str(match.seats),
        f"{f'{match.members} × ' if match.members > 1 else ''}`{match.bot.partition('?')[0]}`",
        name_others(match),
        str(result.games),
        format_estimate(result.score, 2),
        format_estimate(result.wins, 0, 100),
        format_estimate(result.ahead, 1),
        format_estimate(result.lead, 0),
        str(result.faults),
    ]
    return f"| {' | '.join(cells)} |"


def name_others(match: StrengthMatch) -> str:
    """Return the other bots, with their number."""
    count = match.seats if match.is_cooperative else match.seats - match.members
    return f"`{match.other}`" if count == 1 else f"{count} × `{match.other}`"


def format_estimate(estimate: Estimate, digits: int, times: float = 1) -> str:
    """Return a mean with its interval."""
    if estimate.mean is None:
        return "–"
    half = "?" if estimate.half_width is None else f"{estimate.half_width * times:.{digits}f}"
    return f"{estimate.mean * times:.{digits}f} ± {half}"


def render_page(rows: Sequence[str], given: argparse.Namespace, minutes: float) -> str:
    """Return the page."""
    words = f"python bench/strength.py --ms {given.ms} --deals {given.deals} --seed {given.seed} --write {given.write}"
    return PAGE.format(
        command=words,
        day=f"{datetime.now(UTC):%Y-%m-%d}",
        python=platform.python_version(),
        processors=os.cpu_count(),
        minutes=f"{minutes:.0f}",
        ms=given.ms,
        deals=given.deals,
        table="\n".join((*head_lines(), *rows)),
    )


def render_measured(rows: Iterable[str]) -> str:
    """Return what the lobby of `pitboss play --browser` tells of the lines of the table, as tab-separated values."""
    lines = []
    for row in rows:
        game, seats, bot, other, games, score, _, ahead, *_ = (cell.strip() for cell in row.strip("|").split("|"))
        bots = (name.partition(" × ")[2].strip("`") or name.strip("`") for name in (bot, other))
        means = ("" if cell == "–" else cell.partition(" ")[0] for cell in (score, ahead))
        lines.append("\t".join((game, seats, *(name.partition("?")[0] for name in bots), games, *means)))
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
