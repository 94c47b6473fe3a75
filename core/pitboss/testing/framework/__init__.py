"""The conformance suite's machinery: checks, their runner, subjects, snapshots. Bot checks use the first two."""
