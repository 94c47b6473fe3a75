"""A bot in a seat, one game, all games; by worker processes."""
