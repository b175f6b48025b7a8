"""Text to token counts, by named tokenizers whose vocabularies come with installed packages (CONTRACT 5)."""

from budgeted_reads.tokens.counter import DEFAULT, NAMES, Counter, counter
from budgeted_reads.tokens.kinds import KINDS, kind_of

__all__ = ["DEFAULT", "KINDS", "NAMES", "Counter", "counter", "kind_of"]
