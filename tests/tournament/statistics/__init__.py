"""The statistics room: theory, extremes, and short trials in worlds with a known truth."""
