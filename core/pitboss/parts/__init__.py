"""Parts that many card games share, for authors to compose; none of them is needed by another, or by the framework."""
