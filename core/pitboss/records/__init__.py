"""Finished games: records, notation, frames, and the luck of the draw in them."""
