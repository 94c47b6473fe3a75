"""One game at a table: seats, the link to a bot, its clocks, what a fault costs, calls into the game's plugin."""
