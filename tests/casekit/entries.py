"""Headings, symbols, keys, tables and folders, out of the `entries` and the `file` of an answer."""

from collections.abc import Iterator
from typing import NamedTuple

from casekit.ask import Answer, Asker
from casekit.cases import Json

ENOUGH = 200_000
"""Tokens that show any file of the cases whole; the entries of an answer are complete whatever the budget."""

INLINE_MARKS = str.maketrans("", "", "*_`~")


class Named(NamedTuple):
    """One entry with the entries that it stands in, outermost first."""

    entry: Json
    above: tuple[Json, ...]

    @property
    def title(self) -> str:
        """The bare name."""
        return str(self.entry["title"])

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line."""
        return span(self.entry["lines"])


def span(value: object) -> tuple[int, int]:
    """First and last line of a range as JSON or text has it: [12, 18], "12-18" or "12"."""
    if isinstance(value, str):
        first, _, last = value.partition("-")
        return int(first), int(last or first)
    assert isinstance(value, list | tuple), f"no range: {value!r}"
    first, last = value
    return first, last


def walk(entries: list[Json], above: tuple[Json, ...] = ()) -> Iterator[Named]:
    """All entries of a tree, each before its children."""
    for entry in entries:
        yield Named(entry, above)
        yield from walk(entry.get("children") or [], (*above, entry))


def entries_of(answer: Answer, asker: Asker) -> list[Named]:
    """All entries of what was read, asked for again with a budget that shows anything."""
    body = answer.body if answer.body and "entries" in answer.body else None
    if body is None:
        body = asker.again(include=["entries"], budget_tokens=ENOUGH, view=None).body
    assert body is not None, "the entries could not be read"
    return list(walk(body["entries"]))


def bare(title: str) -> str:
    """A heading's text without the marks of bold, italics and code."""
    return title.translate(INLINE_MARKS).strip()


def headings(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """The headings with level and lines; all of them in order where `headings_complete` stands beside."""
    found = [
        {"text": bare(n.title), "level": n.entry["level"], "start": n.lines[0], "end": n.lines[1]}
        for n in entries_of(answer, asker)
        if n.entry["kind"] == "heading"
    ]
    named = [{**heading, "text": bare(heading["text"])} for heading in wanted]
    if expect.get("headings_complete"):
        assert found == named
    missing = [heading for heading in named if heading not in found]
    assert not missing, f"{missing} not among {found}"


def headings_absent(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """None of these texts is a heading or part of one."""
    titles = [n.title for n in entries_of(answer, asker) if n.entry["kind"] == "heading"]
    assert not [(text, title) for text in wanted for title in titles if text in title]


def symbols(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """The symbols with their lines and the entry they stand in. An optional one may be missing, but not be wrong."""
    found = entries_of(answer, asker)
    for symbol in wanted:
        named = [n for n in found if n.title == symbol["name"]]
        if not named and symbol.get("optional"):
            continue
        assert any(is_symbol(n, symbol) for n in named), f"{symbol} not among {[(n.title, n.lines) for n in found]}"


def is_symbol(named: Named, symbol: Json) -> bool:
    """Whether the entry has the lines and the parent of SYMBOL."""
    start, end = named.lines
    starts = symbol.get("start_in", [symbol.get("start")])
    ends = symbol.get("end_in", [symbol.get("end")])
    parent = symbol.get("parent")
    owners = [*(entry["title"] for entry in named.above), named.entry.get("owner")]
    return start in starts and end in ends and (parent is None or parent in owners)


def symbols_absent(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """No entry has one of these names."""
    assert not {n.title for n in entries_of(answer, asker)} & set(wanted)


def keys(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """The keys by dotted name, each on its line; the line tells equal keys of several documents apart."""
    found = [(dotted(n), n.lines[0]) for n in entries_of(answer, asker)]
    for key in wanted:
        assert (key["path"], key["line"]) in found, f"{key} not among {found}"


def keys_absent(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """No key has one of these dotted names, or ends in it."""
    found = {dotted(n) for n in entries_of(answer, asker)}
    assert not [(key, path) for key in wanted for path in found if path == key or path.endswith(f".{key}")]


def dotted(named: Named) -> str:
    """The dotted name of a key."""
    return ".".join(str(entry["title"]) for entry in (*named.above, named.entry))


def records(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """The lines of each record, where the records of a table are entries; where only columns are, their number."""
    found = [n.lines for n in entries_of(answer, asker) if n.entry["kind"] in ("record", "row")]
    assert found in ([], [(record["start"], record["end"]) for record in wanted])
    assert answer.body is not None
    assert answer.body["file"]["row_count"] == len(wanted)


def blocks(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """The blocks of a component, by name and lines."""
    found = [(n.title, *n.lines) for n in entries_of(answer, asker)]
    missing = [block for block in wanted if (block["name"], block["start"], block["end"]) not in found]
    assert not missing, f"{missing} not among {found}"


def paths(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """The files of a folder and of the folders in it."""
    assert sorted(files_below(str(asker.request.asked.get("path", "")), asker)) == sorted(wanted)


def files_below(path: str, asker: Asker) -> Iterator[str]:
    """The paths of all files below the folder PATH, one read for each folder."""
    body = asker.again(path=path, view="folder", include=["entries"], budget_tokens=ENOUGH).body
    assert body is not None, f"the folder {path!r} could not be read"
    for entry in body["entries"]:
        if entry["kind"] == "folder":
            yield from files_below(entry["path"], asker)
        else:
            yield entry["path"]
