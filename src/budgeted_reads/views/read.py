"""One text, one request, one face: the best view that fits."""

from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face
from budgeted_reads.views.reading import Reading
from budgeted_reads.views.sheet import Sheet
from budgeted_reads.views.view import View


def read(sheet: Sheet, ask: Ask, face: Face) -> View:
    """The best view of a text that ASK allows and that costs at most its budget on FACE.

    Raises `budget_too_small` with the least budget that would be answered, and the errors of ranges and sections.
    """
    return reading(sheet, ask, face).answer()


def reading(sheet: Sheet, ask: Ask, face: Face) -> Reading:
    """The read that ASK means: of whole lines, of a window of one line, or of a page."""
    if ask.columns is None and ask.section is None and ask.on_overflow != "page":
        return Reading(sheet, ask, face)
    from budgeted_reads.views.windows import Page, Window, window_of

    columns = window_of(sheet, ask)
    if columns is not None:
        return Window(sheet, ask, face, columns)
    return (Page if ask.on_overflow == "page" else Reading)(sheet, ask, face)
