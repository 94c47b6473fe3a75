"""Bots as processes: their sandbox, their end whatever happens, the time that is billed.

The sandbox (`sandbox`, `visible_paths`, `bind_mounts`, `rlimits`) is bubblewrap, in front of `prlimit`, in front of the
bot's command. A bot has namespaces of its own. It sees a read-only system, its own folder (read-only), the interpreter
that its command names (`machine_programs`), a bounded /tmp, and nothing else of the disk. It has no network, no other
processes and no environment. The tournament's store and file are hidden even in a visible folder, because they hold the
seed. If the runner is root, the bot gets a user id that nobody else has, because limits on processes count by user. A
second bubblewrap around the first then opens folders that only root may enter. `pitboss doctor` tests each promise by
trying to break it. What was computed for a bot is a value (`bot_launch`), which starts it.

The sandbox has levels (`plan.SANDBOX_LEVELS`). `sandbox_probe` picks one: that which is named, or the strongest that
works and is not weaker than the last run's. A trial (`sandbox_trial`) that fails for another reason than a lasting
refusal of the system is made again and then is a `MachineError`, so that no caller can take it for "does not work". The
level is part of the header; `run_levels` keeps those of earlier runs.

The level `landlock` (`landlock`, `landlock_launcher`) is for machines where bubblewrap cannot start. The launcher is a
small Python program in front of `prlimit`: it makes the bot's temporary folder, becomes the bot's user, gives up all
rights, takes the rules of Landlock for the paths that `visible_paths` has found, and a filter (`seccomp`), and executes
the rest of its command. What Landlock does not know (sockets, rights of files, other processes' priorities and limits)
the filter refuses; what an older version of Landlock lacks, too. There is no init process whose end proves that all is
gone: a bot with a user of its own ends with all processes of this user, others as without a sandbox. `reaper` removes
the temporary folder, as it may have to for a runner that was killed.

What plays is what was entered (`bot_contents`). An entrant has the digests that its entry in the store has. A
`ContentsGuard` compares the bot's files with them before each start, after `ready` and before each fault; a file is
read only if size, times or inode changed. A difference is the machine's fault (`other_files`): it ends the run, loses
the node, or takes a league's version out of the field.

What has no namespace (`seccomp`). The kernel refuses a bot keyrings, io_uring, notices of shared files, other
processors and sockets that a network namespace does not contain. The filter is a few dozen instructions of classic BPF,
handed to bubblewrap through a pipe. The session keyring is inherited, so the runner's thread joins a new one each time
before it starts a bot: this also holds where there is no filter.

Builds (`build_sandbox`) run in a sandbox like that of bots. The bot's folder is writable, so the build runs as the
folder's owner. If that is root, it is root without capabilities, with a read-only /proc; a user id of its own could not
write to the folder.

Memories (`memory_folder`). A bot with `memory = "folder"` writes, in the sandbox, to a tmpfs of its own, which a shell
in front of its command fills from the folder on the disk. The runner opens that tmpfs once the bot has said `ready`,
and so can read it when all processes of the sandbox have ended: only then are plain files copied to a new folder, which
takes the place of the old one. So nothing that a bot makes reaches the disk while it can change it, and the bound in
bytes is the kernel's. The number of files is looked at ten times a second.

Control groups (`cgroups`). Each bot has a group of its own where this user can make one; it is put there by a shell in
front of the other launchers, so that all its processes are born in it. A group of cgroup v2 counts what a bot has
computed, freezes and kills it. A group with the memory controller (v2 or v1) limits its memory, whoever maps it. In any
case the memory of the process tree is added up ten times a second. Where no group limits memory, the filter refuses a
sandboxed bot memory that would count for no process.

No bot outlives its runner. Each bot has a session of its own. When it leaves the table its process group is killed,
then every process that carries its mark in the environment (a random number with a signature, which tells bots
nothing), then every process that became a child of the worker, and its control group is removed. The reaper, a tiny
process that only reads a pipe, does the same when the pipe closes because the worker was killed; a killed reaper is
replaced. A worker dies with its parent, even when it is stuck in a game's code.

Billed time (`clocks`) runs from the writing of the question until the answer can be read, less the time that others
took. The supervisor's clock is a trio instrument: it knows when the loop last came back from waiting, so that an answer
that arrived while the loop served another table is not billed as late. The clock stands still while a bot is started or
ended, and while the worker itself is stopped: the watchdog wakes the loop every 10 ms, so a longer time that the worker
neither computed nor waited for a processor was a standstill. A CPU gauge reads two numbers from the system: the
processor time of all the bot's processes, and how long its busiest thread was ready to run but had no processor. The
first is always billed, up to wall time; the second is taken off. The system counts a wait when it is over, so the
watchdog, while a question is open, also looks whether a thread of the bot is ready to run. Until a bot's program has
begun (its sandbox has the filter of system calls) only what is computed is billed: the kernel makes one sandbox after
another. A question that lasts ten times its limit and ten seconds more ends as the machine's fault. No more bots think
at once than there are processors (CPU slots); a bot that only waits lends its slot. A bot that computes while it is not
asked is frozen until the next line is sent to it. Clocks, slots and gauges take their source of time as a parameter;
their tests run on simulated time.
"""
