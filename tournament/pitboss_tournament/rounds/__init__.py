"""Who meets whom, and when: the rounds of a format become numbered games; finished games become blocks and rounds."""
