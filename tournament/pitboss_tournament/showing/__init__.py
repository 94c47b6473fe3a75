"""Games and tournaments as text: standings, pairs, progress, replays and evidence of faults."""
