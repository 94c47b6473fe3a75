"""The arena: programs that write bots compete in rounds of editing and play.

An arena is a folder. `arena.toml` says what is played and who takes part: an entrant is a name and a command that edits
a bot, such as a coding agent, a script or a person's editor. `workspaces/NAME` is all that an entrant sees; `judge/` it
never sees. A round has these steps, each noted in the journal when it is done:

1. `edit_phase`: the entrants edit at the same time, in the sandbox, within their bounds.
2. `freezing`: a copy of each bot is taken, by whose digest the version is known; then the seed of the deals that count
   is derived from a secret, whose hash was published before, and from these digests (`journal`).
3. Each new version is built, checked and tried. Who fails plays the last valid version.
4. `matches`: the versions and the anchors play the practice deals, which are known, and the deals that count.
5. `feedback`: each entrant gets its results and its games of the practice deals.

Whatever is killed at any moment carries on: a step that is noted is not done again, and one that is not noted begins
from what the step before has left. `measures` says what the games show, `arena_audit` proves it from the files.
"""
