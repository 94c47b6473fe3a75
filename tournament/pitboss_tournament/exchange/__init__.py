"""Games as files for other programs, and files of others as games."""
