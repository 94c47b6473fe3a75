"""Inference: a game state rebuilt from what one seat has observed, for bots that look ahead.

A bot gets views and events, never a state. `StateTracker.update` rebuilds a state from them: it replays the game with a
scripted random stream (`scripted_random`), tries hidden actions until the events fit (`replay_trial`, ordered by
`action_ordering`, within a `step_budget`), and uses what later events reveal about hidden cards (`event_evidence`,
`card_tracks`).
"""
