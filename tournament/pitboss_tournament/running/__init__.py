"""A run: the tournament, its dispatcher and workers, what watches it, and the verification of other machines.

Workers. A wake-up on another core costs more than a decision, so each worker is pinned to a processor and its bots
inherit that. A run forks its workers (`worker_process`) before it opens its store and runs trio: they share the memory
of what has been imported, and play at once. From then on nothing is forked: a worker that takes the place of a dead
one, and those of a process with threads (a league, a node), are another Python, which imports what it needs. The parent
hands them batches of games over a pipe and takes finished games. A batch brings its entrants and the seeds of cards and
bots: a worker, wherever an *engine* (`engine`, `worker_pool`) has it, is not told the seed of the tournament. Only the
parent writes the store and draws the screen, so that neither shares an event loop with a bot's clock. The games of a
dead worker are handed out again. A game that was on its table is played again alone, so that a game that kills workers
is identified and named. `run_workers` keeps the workers of all places busy and replaces those that die; `tournament` is
told what they say of games.

Language models. A bot with `[model]` inherits one end of a socket pair. Its worker reads the other end
(`match/model_link`) and passes each question on to the parent, with the place and the legal list of the decision; the
bot's clock stands still meanwhile (`processes/clocks`). In the parent (`running/run_models`) the broker
(`models/broker`) answers it from the record, if the game was broken off before, or asks the server
(`models/model_server`): only the parent has keys and the network, so `max_at_once` and budgets hold over all workers,
and on other machines too. `models/choice` judges the answer; each call is a row of the store (`store/model_calls`). A
failure of the server is one of the machine. A call that is open when the run ends is kept with the most that it may
have cost.

Watching. Tables have numbers, 1 to `games_at_once`. Whoever wants to watch one connects to a local socket of the parent
(`watch_socket`, its messages `watch_protocol`), which asks the worker for one game of the batch at that table: the one
in play, or the next. The worker looks at the match's list of decisions ten times a second (`game_watch`) and sends what
is new, and the rest before the finished game; so the path of a decision is the same whether it is watched or not, and a
game that nobody asks for costs nothing. The parent keeps the lines of a watched game once for all watchers
(`tables_in_play`), each of which reads them at its own pace or is left. The server has one connection for each table
that somebody looks at, replays the decisions and makes frames of them (`web/live_tables`, `web/live_game`).
"""
