"""Finished games: records, notation, films, and the luck of the draw in them."""
