"""The one way from a text to its outline: which module, the limits on input, and what to fall back on."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from budgeted_reads import limits
from budgeted_reads.outline import generated, plain
from budgeted_reads.outline.entry import Outline, Unread, Warned
from budgeted_reads.outline.formats import UNKNOWN, Format, detect
from budgeted_reads.text import Text

PROSE_LINES = 200_000
"""Prose of more lines is divided as plain text: its parsers take their time by the line, not by the byte."""

PROSE = frozenset({"markdown", "rst", "asciidoc", "org", "latex", "roff", "records"})
"""The modules that read prose."""

MOST_LINES = 500_000
"""Any other text of more lines, likewise: few bytes a line make many entries."""

COUNTED = frozenset({"csv", "log"})
"""The modules that count lines, and make few entries of many."""

GRAMMARS = frozenset({"code", "component"})
"""The modules that hand a text to a grammar written in C. Other C parts (expat, libyaml) bound themselves."""

_TOO_LARGE = Warned("no_outline", f"larger than {limits.OUTLINE_BYTES // limits.MIB} MiB: shown as plain text")

Maker = Callable[[Text, Format], Outline]


def outline(text: Text, path: bytes) -> Outline:
    """The outline of TEXT at PATH: equal input gives an equal outline, and no text raises.

    What is over a limit, or in a format without a module, is divided as plain text, with a warning that says so; a
    text of a known format in which nothing has a name (a page without headings) is divided so without one.
    """
    with _uncollected():
        return _outline(text, detect(path, text))


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles inside: an outline has none, and its thousands of entries are looked through as it grows.

    What was made is old afterwards, so that it is not looked through at once either. Threads may overlap: whoever
    found the collector on turns it on again. What somebody froze stays so.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _outline(text: Text, form: Format) -> Outline:
    if text.large:
        return _divided(text, form)
    if refusal := _refusal(form, text):
        made = _sketched(text, form)
        return made if made is not None else _as_plain(text, form, refusal)
    try:
        made = maker(form)(text, form)
    except Unread as unread:
        return _as_plain(text, form, Warned("no_outline", f"{unread}: shown as plain text"))
    except Exception as error:
        why = f"the {form.name} outline failed ({type(error).__name__}): shown as plain text"
        return _as_plain(text, form, Warned("approximate_outline", why))
    warnings = (*made.warnings, *generated.warned(text, form))
    if made.entries:
        return made._replace(warnings=warnings)
    return _as_plain(text, form, *warnings)._replace(blocks=made.blocks, facts=made.facts)


def isolated(text: Text, path: bytes) -> bool:
    """Whether a grammar written in C outlines TEXT at PATH: it may crash or hang, so it is to run in a child."""
    form = detect(path, text)
    return form.module in GRAMMARS and _refusal(form, text) is None


def plainly(text: Text, path: bytes, warning: Warned) -> Outline:
    """The outline of TEXT at PATH without its structure, with WARNING, which says why."""
    return _as_plain(text, detect(path, text), warning)


def maker(form: Format) -> Maker:
    """The function that outlines texts in that format, imported when it is first needed."""
    made: Maker = import_module(f"budgeted_reads.outline.{form.module}").outline
    return made


def _refusal(form: Format, text: Text) -> Warned | None:
    if not form.module:
        what = f"{form.name} files" if form.name != "text" else "this type of file"
        return Warned("no_outline", f"there is no outline for {what}: shown as plain text")
    if form.module == "plain":
        return None
    if len(text.raw) > limits.OUTLINE_BYTES:
        return _TOO_LARGE
    most = PROSE_LINES if form.module in PROSE else MOST_LINES
    if form.module not in COUNTED and text.line_count > most:
        return Warned("no_outline", f"more than {most} lines: shown as plain text")
    if form.language and plain.has_line_over(text, limits.LONG_LINE_BYTES):
        return Warned("minified", f"a line is longer than {limits.LONG_LINE_BYTES} characters: shown as plain text")
    return None


def _divided(text: Text, form: Format) -> Outline:
    """The blocks of a text that cannot be held; of a table also its columns and records."""
    warned = () if form.module == "plain" else (_TOO_LARGE,)
    made = plain.divided(text, form)._replace(warnings=warned)
    if form.module != "csv":
        return made
    from budgeted_reads.outline import csv

    return made._replace(facts=csv.large_facts(text))


def _sketched(text: Text, form: Format) -> Outline | None:
    """What looks like definitions in a type of file that is not known; None where nothing does, or it is too large."""
    if form is not UNKNOWN or len(text.raw) > limits.OUTLINE_BYTES:
        return None
    if plain.has_line_over(text, limits.LONG_LINE_BYTES):
        return None
    from budgeted_reads.outline import sketch

    made = sketch.outline(text, form)
    return made if made.entries else None


def _as_plain(text: Text, form: Format, *warnings: Warned) -> Outline:
    return plain.outline(text, form)._replace(warnings=warnings)
