"""Games and tournaments as text for people: standings, pairs, progress, replays and evidence of faults."""
