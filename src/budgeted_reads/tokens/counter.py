"""The counters by name (CONTRACT 5).

o200k_base, cl100k_base, llama3, qwen3, deepseek_v3, mistral_v3, gemma3   exact    vocabulary.py
claude, gemini                                                            estimate closed.py
bytes                                                                     exact    here; a bound for the seven above
"""

from functools import cache

from budgeted_reads.errors import UnknownTokenizer
from budgeted_reads.tokens.base import Counter
from budgeted_reads.tokens.vocabulary import Gemma, Qwen, Vocabulary

__all__ = ["DEFAULT", "NAMES", "Counter", "counter"]

DEFAULT = "o200k_base"
NAMES = (
    "o200k_base",
    "cl100k_base",
    "llama3",
    "qwen3",
    "deepseek_v3",
    "mistral_v3",
    "gemma3",
    "claude",
    "gemini",
    "bytes",
)


class Bytes(Counter):
    """UTF-8 bytes: no byte-level tokenizer gives more tokens than these."""

    name = "bytes"

    def units(self, text: str) -> int:
        """UTF-8 bytes of TEXT; a lone surrogate counts as the three bytes of U+FFFD."""
        return len(text.encode("utf-8", "surrogatepass"))


@cache
def counter(name: str) -> Counter:
    """The counter NAME, one object per process, or `unknown_tokenizer`. Loads no vocabulary until it first counts."""
    if name not in NAMES:
        raise UnknownTokenizer(f"no tokenizer {name!r}", f"use one of {', '.join(NAMES)}")
    if name == "bytes":
        return Bytes()
    if name == "qwen3":
        return Qwen(name)
    if name == "gemma3":
        return Gemma(name)
    if name in ("claude", "gemini"):
        from budgeted_reads.tokens.closed import Claude, Gemini

        return Claude(counter("o200k_base")) if name == "claude" else Gemini(counter("gemma3"))
    return Vocabulary(name)
