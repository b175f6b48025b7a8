"""What begins a definition in languages without a grammar: a table of patterns for each, by the name of its format."""

from budgeted_reads.outline.patterns import hosts, lisps, mls, objectivec, scripts
from budgeted_reads.outline.patterns.rule import Language

LANGUAGES: dict[str, Language] = {
    **lisps.LANGUAGES,
    **mls.LANGUAGES,
    **objectivec.LANGUAGES,
    **scripts.LANGUAGES,
    **hosts.LANGUAGES,
}
