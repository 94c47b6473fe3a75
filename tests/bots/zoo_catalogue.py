"""The zoo's list: every bot of `zoo/`, how it is started, and the verdict that it must get at each level of the
sandbox.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from pitboss.protocol.messages import Clock
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.cgroups import find_group_parents

GENEROUS_CLOCK: Final = Clock(start_ms=60_000, decision_ms=60_000)
SHORT_CLOCK: Final = Clock(start_ms=60_000, decision_ms=2_000)  # for who never answers a question

IS_MEMORY_COUNTED: Final = find_group_parents().memory is not None  # by the system
SOCKETS_VERDICT: Final = "out_of_memory" if IS_MEMORY_COUNTED else ""
HELD_VERDICT: Final = "out_of_memory" if IS_MEMORY_COUNTED else "out_of_memory|late"
PROCESSES: Final = r"(process \d+ )+p?r?o?c?e?s?s? ?\d*"  # a note that is cut off
UNSAFE: Final = "never"  # in place of a verdict: without a sandbox it would do harm, and is not let out


class ZooBot(NamedTuple):
    """A bot of the zoo. A verdict is a kind of fault, several that are right with "|" between them, or "" for none.

    At the level `landlock` it gets the verdict of the strongest level, and has its note, unless others are given.
    """

    file: str
    sandbox_verdict: str = ""
    bare_verdict: str | None = None  # the verdict without a sandbox, where it is another one
    # Its arguments. {home} is the folder of all bots and stores, with + for /, so that no sandbox takes it for a file
    # that the bot
    # needs; {port} a port that listens on this machine.
    arguments: tuple[str, ...] = ()
    clock: Clock = GENEROUS_CLOCK
    note_pattern: str = ""  # a regular expression: what it notes in a sandbox
    landlock_verdict: str | None = None
    landlock_note: str | None = None

    @property
    def name(self) -> str:
        """What it is called: by its file, and its arguments where they tell it from others."""
        return "-".join((self.file.partition(".")[0], *(word for word in self.arguments if "{" not in word)))

    @property
    def min_deals(self) -> int:
        """How many deals it has to play, at least: in one of them it shows what it is."""
        return 2 if self.file.endswith(("again.py", "second_start.py", "before_being_asked.py")) else 1

    @property
    def is_safe_without_sandbox(self) -> bool:
        """Tell whether it may be let out without a sandbox."""
        return self.bare_verdict != UNSAFE

    def is_safe_at(self, level: SandboxLevel) -> bool:
        """Tell whether it may be let out at a level of the sandbox."""
        return UNSAFE not in self.expected_verdicts(level)

    def expected_verdicts(self, level: SandboxLevel) -> list[str]:
        """Return the verdicts that are right."""
        others = {"landlock": self.landlock_verdict, "none": self.bare_verdict}
        other = others.get(level)
        return (self.sandbox_verdict if other is None else other).split("|")

    def expected_note(self, level: SandboxLevel) -> str:
        """Return what it notes at a level of the sandbox; "" for anything."""
        if level == "none":
            return ""
        return self.note_pattern if level != "landlock" or self.landlock_note is None else self.landlock_note


def late_bot(file: str, clock: Clock = SHORT_CLOCK) -> ZooBot:
    """Return a bot whose verdict is late."""
    return ZooBot(file, "late", clock=clock)


def crashing_bot(file: str) -> ZooBot:
    """Return a bot whose verdict is crashed."""
    return ZooBot(file, "crashed")


def faulty_bot(verdict: str, file: str) -> ZooBot:
    """Return a bot with this verdict."""
    return ZooBot(file, verdict)


def filling_bot(verdict: str, way: str) -> ZooBot:
    """Return a bot that takes too much memory; without namespaces it may be killed before anybody looks."""
    either = "out_of_memory|crashed"
    return ZooBot("fills_memory.c", verdict, either, (way,), landlock_verdict=either)


def hiding_bot(way: str) -> ZooBot:
    """Return a bot that takes memory for which no process is billed: it is ended, or does not get it."""
    if IS_MEMORY_COUNTED:
        bare_verdict = UNSAFE if way == "sysv" else "out_of_memory"  # the system keeps its segments when it is dead
        refused = ("", "refused") if way == "sysv" else (None, None)  # segments are the machine's
        return ZooBot("hides_memory.c", "out_of_memory", bare_verdict, (way,), GENEROUS_CLOCK, "", *refused)
    return ZooBot("hides_memory.c", "", UNSAFE, (way,), note_pattern="refused")


ZOO_BOTS: Final = (
    # As it should be, or unusual and allowed.
    ZooBot("good.py"),
    ZooBot("watches.py"),
    ZooBot("byte_by_byte.py"),
    ZooBot("slow_in_time.py"),
    ZooBot("thinks.py"),
    ZooBot("duplicate_keys.py"),
    ZooBot("reshapes_its_pipes.py"),
    ZooBot("leaves_after_a_game.py"),
    ZooBot("leaves_when_asked_again.py"),
    ZooBot("crashes_at_the_end.py"),
    ZooBot("dies_before_it_reads_on.py"),
    ZooBot("stuffs_its_ears.py"),
    ZooBot("ready_before_hello.py"),
    ZooBot("finds_its_files_again.py", bare_verdict=UNSAFE, note_pattern="[1-9] earlier"),
    # Too late.
    late_bot("sleeps.py"),
    late_bot("drips_an_answer.py"),
    late_bot("drips_blanks.py"),
    late_bot("stops_itself.sh"),
    late_bot("deaf.py"),
    late_bot("computes_in_children.py", Clock(start_ms=60_000, decision_ms=1_000)),
    late_bot("late_from_the_fourth.py"),
    late_bot("always_late.py"),
    late_bot("floods_stderr_at_questions.py"),
    late_bot("reads_everything_first.py", Clock(start_ms=4_000, decision_ms=60_000)),
    late_bot("starts_slowly.py", Clock(start_ms=3_000, decision_ms=60_000)),
    late_bot("computes_in_forgotten_children.py", Clock(start_ms=60_000, decision_ms=1_000)),
    late_bot("never_ready.py", Clock(start_ms=4_000, decision_ms=60_000)),
    # Gone, or as good as gone.
    # In a sandbox somebody else holds the other ends of its pipes.
    ZooBot("closes_stdin.py", "late", "crashed", clock=SHORT_CLOCK, landlock_verdict="crashed"),
    ZooBot("closes_stdout.py", "late", "crashed", clock=SHORT_CLOCK, landlock_verdict="crashed"),
    crashing_bot("exits_with_3.sh"),
    crashing_bot("crashes_later.py"),
    crashing_bot("crashes_when_asked_again.py"),
    crashing_bot("crashes_at_the_second_start.py"),
    crashing_bot("segfaults.c"),
    crashing_bot("aborts.c"),
    crashing_bot("kills_itself.sh"),
    crashing_bot("kills_its_group.sh"),
    faulty_bot("ended_early", "exits_with_0.sh"),
    faulty_bot("ended_early", "exits_in_mid_line.py"),
    ZooBot("dies_and_leaves_a_holder.py", "crashed|late", clock=SHORT_CLOCK),
    # Says what it should not.
    faulty_bot("illegal", "plays_illegally.py"),
    faulty_bot("malformed", "chatters.py"),
    faulty_bot("malformed", "answers_null.py"),
    faulty_bot("malformed", "nonsense_and_leaves.py"),
    faulty_bot("malformed", "deep_json.py"),
    faulty_bot("malformed", "bad_utf8.py"),
    faulty_bot("malformed", "huge_integer.py"),
    faulty_bot("malformed", "not_a_number.py"),
    faulty_bot("malformed", "wrong_types.py"),
    faulty_bot("flooded", "floods_without_newline.c"),
    faulty_bot("flooded", "one_long_line.py"),
    faulty_bot("out_of_turn", "floods_lines.py"),
    faulty_bot("out_of_turn", "answers_twice.py"),
    faulty_bot("out_of_turn", "answers_an_old_question.py"),
    faulty_bot("out_of_turn", "answers_before_being_asked.py"),
    # Takes more than its share.
    ZooBot("floods_stderr.py"),
    ZooBot("burns_cpu.py"),
    ZooBot("burns_the_others_time.py"),
    filling_bot("out_of_memory", "private"),
    filling_bot("out_of_memory" if IS_MEMORY_COUNTED else "crashed", "shared"),
    filling_bot("out_of_memory", "children"),
    # Its own process dies first, and a child holds the pipes: if the system does not count, only a clock ends that.
    ZooBot("fills_memory.c", "out_of_memory", HELD_VERDICT, ("held",), landlock_verdict=HELD_VERDICT),
    hiding_bot("memfd"),
    hiding_bot("sysv"),
    hiding_bot("shared"),
    ZooBot("hides_memory.c", SOCKETS_VERDICT, UNSAFE, ("sockets",), landlock_verdict=SOCKETS_VERDICT),
    ZooBot(
        "fills_the_disk.py",
        bare_verdict=UNSAFE,
        note_pattern=r"/tmp:\d{1,2}( /dev/shm:\d{1,2})?",
        landlock_note="refused",
    ),
    # the number of processes is limited for a user
    ZooBot("fork_bomb.c", bare_verdict=UNSAFE, note_pattern=r"\d{1,2} forks", landlock_verdict=UNSAFE),
    # Will not go.
    ZooBot("will_not_leave.sh"),
    ZooBot("forks_holders.py"),
    ZooBot("renames_itself.c"),
    ZooBot("daemonizes.c", bare_verdict=""),  # as ever; but there nobody else would find what it leaves behind
    # Goes for others.
    ZooBot("kills_the_reaper.py", landlock_verdict="crashed"),  # it is refused to, which it does not expect
    ZooBot("kills_everybody.sh", bare_verdict=UNSAFE),
    ZooBot("kills_the_runner.py", "crashed|late", UNSAFE, clock=SHORT_CLOCK),
    ZooBot("traces_the_runner.c", bare_verdict=UNSAFE, note_pattern="refused"),
    ZooBot("reads_its_neighbours.py", arguments=("{home}",), note_pattern="refused"),
    ZooBot("looks_around.py", bare_verdict=UNSAFE, note_pattern="refused", landlock_note=PROCESSES),
    ZooBot("opens_the_network.py", arguments=("{port}",), note_pattern="refused"),
    ZooBot("shares_keys.c", note_pattern="refused"),
    ZooBot("raises_its_limits.py", note_pattern="refused"),
    ZooBot("unlinks_its_folder.py", "", UNSAFE, note_pattern="refused"),
)
