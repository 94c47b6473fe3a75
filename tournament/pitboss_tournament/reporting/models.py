"""Section on language models: what bots asked them, what the answers came to, and what it cost."""

from __future__ import annotations

from pitboss_tournament.html.page_parts import Section, explain, note, section, table
from pitboss_tournament.models.choice import ASK_OUTCOMES
from pitboss_tournament.reporting import explanations
from pitboss_tournament.results.model_use import list_model_use
from pitboss_tournament.store.store import Store


def models_sections(store: Store) -> list[Section]:
    """Return the section; none where no bot has asked a model."""
    uses = list_model_use(store)
    if not uses:
        return []
    seen = [outcome for outcome in ASK_OUTCOMES if any(use.outcomes[outcome] for use in uses)]
    rows = [
        (
            *(use.bot, use.model, use.prompt or "–", f"{use.usd:,.4f}", f"{use.calls:,}"),
            *(f"{use.outcomes[outcome]:,}" for outcome in seen),
            *(f"{use.tokens_in:,}", f"{use.tokens_out:,}", f"{use.mean_s:.1f}"),
        )
        for use in uses
    ]
    columns = ("Bot", "Model", "Prompt", "Dollars", "Calls", *seen, "Tokens in", "Tokens out", "Seconds a call")
    asked = sum(use.calls for use in uses)
    caption = f"{asked:,} calls for {sum(use.usd for use in uses):,.2f} dollars, by what the answers came to."
    return [
        section(
            "models",
            "Language models",
            table("models-table", caption, columns, rows, words=(1, 2)),
            explain(note(explanations.MODEL_CALLS)),
        )
    ]
