"""Language models: `[models.NAME]` and `[budget]` in a tournament file, `[model]` in a bot.toml."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from pitboss_tournament.text.schema_text import ALLOWED

Dollars = Annotated[float, Meta(gt=0, le=1_000_000_000)]
Tokens = Annotated[int, Meta(ge=1, le=1 << 50)]
ModelName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
ShowLegal: TypeAlias = Literal["all", "none"]
ViewFormat: TypeAlias = Literal["text", "json", "words"]
Effort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh"]

LARGEST_EXTRA: Final = 4_096  # bytes of the extra fields of a request, as JSON
OWN_FIELDS: Final[dict[str, str]] = {
    "model": "[models.NAME] says which model it is",
    "messages": "prompt.md says what is asked",
    **dict.fromkeys(
        ("max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens", "n_predict", "num_predict"),
        "max_output in [model] bounds the answer",
    ),
    "temperature": "temperature in [model] sets it",
    "reasoning_effort": "effort in [model] sets it",
    "response_format": "it has the schema of the legal actions",
    **dict.fromkeys(("stream", "stream_options"), "an answer is read as a whole"),
    **dict.fromkeys(("n", "best_of", "num_choices"), "a request has one answer, which is what a budget pays for"),
    **dict.fromkeys(("tools", "functions", "tool_choice", "function_call"), "a bot has no tools: it plays by itself"),
}
"""Why extra fields of a request may not have these names."""


class ModelTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[models.NAME]: a language model that bots may ask, behind an OpenAI-compatible server."""

    url: Annotated[
        str,
        Meta(
            pattern=r"^https?://[^\s@?#]+$",
            description="Where the server is, as http://127.0.0.1:8080/v1; /chat/completions is added to it.",
            extra={ALLOWED: "an address with http:// or https://, without a user, a key or a ?"},
        ),
    ]
    model: Annotated[str, Meta(min_length=1, max_length=200, description="What the server calls the model.")]
    key_env: (
        Annotated[
            str,
            Meta(
                pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
                description="The environment variable of the runner that holds the key. Pitboss does not store the "
                "key, and no bot gets it. Default: send no key.",
                extra={ALLOWED: 'the name of an environment variable, as "API_KEY"'},
            ),
        ]
        | None
    ) = None
    max_at_once: Annotated[int, Meta(ge=1, le=1_024, description="Calls that are open at a time, over all games.")] = 4
    price_in: Annotated[float, Meta(ge=0, le=1_000_000, description="Dollars for a million tokens of a request.")] = 0.0
    price_out: Annotated[float, Meta(ge=0, le=1_000_000, description="Dollars for a million tokens of an answer.")] = (
        0.0
    )
    price_cached: (
        Annotated[
            float,
            Meta(
                ge=0,
                le=1_000_000,
                description="Dollars for a million tokens of a request that the server had in its cache. Default: "
                "price_in.",
            ),
        ]
        | None
    ) = None
    price_reasoning: (
        Annotated[
            float,
            Meta(ge=0, le=1_000_000, description="Dollars for a million tokens of thoughts. Default: price_out."),
        ]
        | None
    ) = None
    timeout_s: Annotated[float, Meta(gt=0, le=86_400, description="Seconds to wait for the answer of a call.")] = 120.0
    tries: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="How often to try a call if the connection fails or the server answers 429 or 5xx, with "
            "growing pauses; after the last try the game is void.",
        ),
    ] = 6
    probe: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=100_000,
            description="The question to ask the server when a bot's call has failed. If the server answers, the "
            "failure is the bot's fault; if not, the game is void.",
        ),
    ] = "Answer with one word: are you there?"
    reuse: Annotated[
        bool,
        Meta(description="Whether to answer a repeated request with the earlier answer of this tournament."),
    ] = False

    def price(self, tokens_in: int, tokens_out: int, cached: int = 0, reasoning: int = 0) -> float:
        """Return what a call costs, in dollars; `cached` are of the first tokens, `reasoning` of the second."""
        price_cached = self.price_in if self.price_cached is None else self.price_cached
        price_reasoning = self.price_out if self.price_reasoning is None else self.price_reasoning
        asked = (tokens_in - cached) * self.price_in + cached * price_cached
        return (asked + (tokens_out - reasoning) * self.price_out + reasoning * price_reasoning) / 1e6

    def price_most(self, tokens_in: int, tokens_out: int) -> float:
        """Return what these tokens cost at most, in dollars."""
        return max(
            self.price(tokens_in, tokens_out, cached, reasoning)
            for cached in (0, tokens_in)
            for reasoning in (0, tokens_out)
        )


class Budget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[budget]: what calls of models may cost. A run that has spent its budget ends; the next run carries on."""

    usd: Annotated[Dollars, Meta(description="The dollars that all bots together may spend.")] | None = None
    tokens: Annotated[Tokens, Meta(description="Tokens that all bots together may use, with answers.")] | None = None
    bot_usd: Annotated[Dollars, Meta(description="The dollars that each bot may spend.")] | None = None
    bot_tokens: Annotated[Tokens, Meta(description="The tokens that each bot may use.")] | None = None
    owner_usd: (
        Annotated[Dollars, Meta(description="Dollars for all bots of one owner; then their models are silent.")] | None
    ) = None
    owner_tokens: (
        Annotated[Tokens, Meta(description="Tokens for all bots of one owner; then they are silent.")] | None
    ) = None
    game_usd: (
        Annotated[Dollars, Meta(description="Dollars that a bot may spend in a game; then the model is silent.")] | None
    ) = None
    game_tokens: (
        Annotated[Tokens, Meta(description="Tokens for each bot in a game; the model answers no call beyond them.")]
        | None
    ) = None


class BotModel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """[model] in a bot.toml: the language model that the bot asks."""

    name: Annotated[ModelName, Meta(description="NAME of [models.NAME] in the tournament file.")]
    budget_usd: Annotated[Dollars, Meta(description="Dollars that its calls may cost in a tournament.")] | None = None
    budget_tokens: Annotated[Tokens, Meta(description="Tokens that its calls may take in a tournament.")] | None = None
    max_output: Annotated[
        int, Meta(ge=1, le=1_000_000, description="Tokens of an answer; a longer one is cut off.")
    ] = 1_000
    temperature: (
        Annotated[
            float, Meta(ge=0, le=2, description="The sampling temperature of the model. Default: the server's own.")
        ]
        | None
    ) = None
    effort: (
        Annotated[
            Effort,
            Meta(description="How much the model is to think (`reasoning_effort`). Default: as the server does."),
        ]
        | None
    ) = None
    extra: Annotated[
        dict[str, Any],
        Meta(description="Other fields of a request, as the server of the model calls them: `top_p`, `seed`."),
    ] = {}
    retries: Annotated[
        int, Meta(ge=0, le=20, description="How often to ask the model again, with the reason, after a bad answer.")
    ] = 2
    memory: (
        Annotated[
            int,
            Meta(
                ge=100,
                le=65_536,
                description="Bytes of notes that the model may write after a game, for {memory} in prompt.md. Default: "
                "it remembers nothing.",
            ),
        ]
        | None
    ) = None
    show_legal: Annotated[ShowLegal, Meta(description="Whether {legal} in prompt.md lists all legal actions.")] = "all"
    view: Annotated[
        ViewFormat,
        Meta(description="How {view} and {legal} in prompt.md are written: in words, as text for people, or as JSON."),
    ] = "json"

    def __hash__(self) -> int:
        """Return a hash, though the extra fields have none."""
        return hash(msgspec.json.encode(self, order="sorted"))

    def find_wrong_extra(self) -> str:
        """Return which extra field may not be there, and why; "" if all may."""
        for name in self.extra:
            if (why := OWN_FIELDS.get(name.lower())) is not None:
                return f"extra.{name} is no extra field: {why}"
        size = len(msgspec.json.encode(self.extra))
        return "" if size <= LARGEST_EXTRA else f"extra has {size:,} bytes as JSON; allowed are {LARGEST_EXTRA:,}"
