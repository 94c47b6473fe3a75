"""What others add: the contract with plugins, the registry of them, packs of cards, tournament formats."""
