"""The statistics room: what the games of a tournament prove, and how surely. Pure functions of results, without I/O."""
