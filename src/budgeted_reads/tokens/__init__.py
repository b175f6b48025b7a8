"""Text to token counts, by named tokenizers whose vocabularies come with installed packages (CONTRACT 5)."""

from budgeted_reads.tokens.counter import DEFAULT, NAMES, Counter, counter

__all__ = ["DEFAULT", "NAMES", "Counter", "counter"]
