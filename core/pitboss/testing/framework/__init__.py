"""What the checks of the conformance suite are made of: game setups, played games, snapshots, the runner of the checks."""
