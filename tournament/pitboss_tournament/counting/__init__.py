"""Counting of games and what follows from them: counts, the findings computed from counts, and what a store keeps."""
