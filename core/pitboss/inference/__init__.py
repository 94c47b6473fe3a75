"""Inference: a game state rebuilt from what one seat has observed, for bots that look ahead."""
