"""The tournament room: bot processes, clocks, matches, schedules, the store, standings and the command line."""
