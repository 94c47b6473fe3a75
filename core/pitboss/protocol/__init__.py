"""The protocol between runner and bots: its messages, and both ends of a connection, without I/O."""
