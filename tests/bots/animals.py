"""The zoo's list: every bot of `zoo/`, how it is started, and the verdict that it must get with a sandbox and without."""

from __future__ import annotations

from typing import Final, NamedTuple

from pitboss.wire import Clock

HASTY: Final = Clock(start_ms=10_000, decision_ms=400)
CALM: Final = Clock(start_ms=10_000, decision_ms=5_000)  # for who needs a while and must not be late

NEVER: Final = "never"  # in place of a verdict: without a sandbox it would do harm, and is not let out


class Animal(NamedTuple):
    """A bot of the zoo. A verdict is a kind of fault, several that are right with "|" between them, or "" for none."""

    file: str
    boxed: str = ""
    free: str | None = None  # the verdict without a sandbox, where it is another one
    # Its arguments. {home} is the folder of all bots and stores, with + for /, so that no sandbox takes it for a file that the bot
    # needs; {port} a port that listens on this machine.
    words: tuple[str, ...] = ()
    clock: Clock = HASTY
    note: str = ""  # a regular expression: what it notes in a sandbox

    @property
    def name(self) -> str:
        """What it is called: by its file, and its arguments where they tell it from others."""
        return "-".join((self.file.partition(".")[0], *(word for word in self.words if "{" not in word)))

    @property
    def deals(self) -> int:
        """How many it has to play, at least, before it shows what it is."""
        return 2 if self.file.endswith("again.py") else 1

    @property
    def is_tame(self) -> bool:
        """Tell whether it may be let out without a sandbox."""
        return self.free != NEVER

    def verdicts(self, is_boxed: bool) -> list[str]:
        """Return the verdicts that are right."""
        return (self.boxed if is_boxed or self.free is None else self.free).split("|")


def _late(file: str, clock: Clock = HASTY) -> Animal:
    return Animal(file, "late", clock=clock)


def _crashes(file: str) -> Animal:
    return Animal(file, "crashed", clock=CALM)


def _says(verdict: str, file: str) -> Animal:
    return Animal(file, verdict, clock=CALM)


ANIMALS: Final = (
    # As it should be, or unusual and allowed.
    Animal("good.py"),
    Animal("watches.py"),
    Animal("byte_by_byte.py", clock=CALM),
    Animal("slow_in_time.py", clock=CALM),
    Animal("duplicate_keys.py"),
    Animal("reshapes_its_pipes.py", clock=CALM),
    Animal("leaves_after_a_game.py"),
    Animal("leaves_when_asked_again.py"),
    Animal("stuffs_its_ears.py"),
    # Too late.
    _late("sleeps.py"),
    _late("drips_an_answer.py"),
    _late("drips_blanks.py"),
    _late("stops_itself.sh"),
    _late("deaf.py"),
    _late("never_ready.py", Clock(start_ms=400, decision_ms=400)),
    # Gone, or as good as gone.
    Animal("closes_stdin.py", "late", "crashed"),  # in a sandbox somebody else holds the other ends of its pipes
    Animal("closes_stdout.py", "late", "crashed"),
    _crashes("exits_with_3.sh"),
    _crashes("crashes_later.py"),
    _crashes("crashes_when_asked_again.py"),
    _crashes("segfaults.c"),
    _crashes("aborts.c"),
    _crashes("kills_itself.sh"),
    _crashes("kills_its_group.sh"),
    _says("ended_early", "exits_with_0.sh"),
    _says("ended_early", "exits_in_mid_line.py"),
    Animal("dies_and_leaves_a_holder.py", "crashed|late"),
    # Says what it should not.
    _says("illegal", "plays_illegally.py"),
    _says("malformed", "chatters.py"),
    _says("malformed", "nonsense_and_leaves.py"),
    _says("malformed", "deep_json.py"),
    _says("malformed", "bad_utf8.py"),
    _says("malformed", "huge_integer.py"),
    _says("malformed", "not_a_number.py"),
    _says("malformed", "wrong_types.py"),
    _says("flooded", "floods_without_newline.c"),
    _says("flooded", "one_long_line.py"),
    _says("out_of_turn", "floods_lines.py"),
    _says("out_of_turn", "answers_twice.py"),
    _says("out_of_turn", "answers_an_old_question.py"),
    _says("out_of_turn", "answers_before_being_asked.py"),
    # Takes more than its share.
    Animal("floods_stderr.py", clock=CALM),
    Animal("burns_cpu.py", clock=CALM),
    Animal("fills_memory.c", "out_of_memory", "out_of_memory|crashed", ("private",), CALM),
    Animal("fills_memory.c", "out_of_memory", "out_of_memory|crashed", ("shared",), CALM),
    Animal("fills_memory.c", "out_of_memory", "out_of_memory|crashed", ("children",), CALM),
    Animal("fills_the_disk.py", free=NEVER, clock=CALM, note=r"/tmp:\d{1,2}( /dev/shm:\d{1,2})?"),
    Animal("fork_bomb.c", free=NEVER, clock=CALM, note=r"\d{1,2} forks"),
    # Will not go.
    Animal("will_not_leave.sh"),
    Animal("forks_holders.py"),
    Animal("renames_itself.c"),
    Animal("daemonizes.c", free=""),  # as ever; but there nobody else would find what it leaves behind
    # Goes for others.
    Animal("kills_the_guardian.py"),
    Animal("kills_everybody.sh", free=NEVER),
    Animal("kills_the_runner.py", "crashed|late", NEVER),
    Animal("traces_the_runner.c", free=NEVER, note="refused"),
    Animal("reads_its_neighbours.py", words=("{home}",), note="refused"),
    Animal("looks_around.py", free=NEVER, note="refused"),
    Animal("opens_the_network.py", words=("{port}",), clock=CALM, note="refused"),
    Animal("raises_its_limits.py", note="refused"),
    Animal("unlinks_its_folder.py", "", "|crashed|never_started", note="refused"),
)
