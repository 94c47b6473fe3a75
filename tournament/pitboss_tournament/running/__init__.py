"""A run: the tournament, its dispatcher and workers, what watches it, and the verification of other machines."""
