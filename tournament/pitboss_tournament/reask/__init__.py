"""Re-asking: the questions of one seat of a recorded game, put to a bot again."""
