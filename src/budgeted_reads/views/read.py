"""One text, one request, one face: the best view that fits."""

from budgeted_reads.outline import Outline
from budgeted_reads.text import Text
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face
from budgeted_reads.views.names import STYLE, Names
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.view import View
from budgeted_reads.views.windows import Page, Window, window_of


def read(text: Text, outline: Outline, ask: Ask, face: Face) -> View:
    """The best view of TEXT that ASK allows and that costs at most its budget on FACE.

    Raises `budget_too_small` with the least budget that would be answered, and the errors of ranges and sections.
    """
    return reading(text, outline, ask, face).answer()


def reading(text: Text, outline: Outline, ask: Ask, face: Face) -> Reading:
    """The read that ASK means: of whole lines, of names only, of a window of one line, or of a page."""
    if outline.style == STYLE:
        return Names(text, outline, ask, face)
    columns = window_of(outline, ask)
    if columns is not None:
        return Window(text, outline, ask, face, columns)
    return (Page if ask.on_overflow == "page" else Reading)(text, outline, ask, face)
