"""Jupyter notebooks to cells and outputs, on the lines of their JSON. Of an output its kind and size are told."""

import re
from typing import Any, NamedTuple

from budgeted_reads.outline import json
from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.jsonparts import Part, elements, members, top
from budgeted_reads.outline.lines import named
from budgeted_reads.outline.plain import first_words
from budgeted_reads.outline.tree import Draft, Quota, Spans, finish
from budgeted_reads.text import BOM, Text

_HEADING = re.compile(r"\s{0,3}(?P<marks>#{1,6})\s+(?P<words>.*?)[\s#]*$")
_BASE64 = re.compile(r"(?:image|audio|video)/(?!svg)|application/(?:pdf|octet-stream)")


def outline(text: Text, form: Format) -> Outline:
    """Each cell by its first line, its outputs inside it; the cells below a heading (Markdown) are inside of that.

    The flag of a cell is its type, its doc the rest of its source: what the cell says comes before what its JSON adds.
    Facts: `cells` (how many of each type), `output_count`. What is no notebook of version 4 is outlined as JSON.
    """
    content = text.content
    scan = _Scan(text)
    try:
        scan.run(top(content, len(BOM) if content.startswith(BOM) else 0))
    except (ValueError, RecursionError):
        return json.outline(text, form)
    if not scan.counts:
        return json.outline(text, form)
    entries = scan.quota.kept(scan.spans.finish(scan.finished()))
    facts = (("cells", scan.counts), ("output_count", scan.output_count))
    return Outline(entries, form.name, scan.language, "data", warnings=scan.quota.warnings(), facts=facts)


class _Source(NamedTuple):
    """What names a cell, at which offset, the level of that as a heading (0: it is none), and where its source ends."""

    title: str
    at: int
    level: int
    end: int


class _Section(NamedTuple):
    """A heading that is open: its cell, and what is below it so far."""

    level: int
    cell: Draft
    inside: list[Draft]


class _Scan:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.content = text.content
        self.spans = Spans(text)
        self.quota = Quota()
        self.sections = [_Section(0, Draft(Entry("", "", 0, 0, 0, 0), (0, 0)), [])]
        self.counts: dict[str, int] = {}
        self.output_count = 0
        self.language: str | None = None

    def run(self, at: int) -> None:
        for part in members(self.content, at):
            if part.key == "cells":
                for cell in elements(self.content, part.at):
                    self._cell(cell)
            elif part.key == "metadata":
                self.language = _language(part.value)

    def finished(self) -> list[Draft]:
        """What stands at the top, once all that is open has ended."""
        self._close(1)
        return self.sections[0].inside

    def _close(self, level: int) -> None:
        """End the headings of LEVEL and below."""
        while self.sections[-1].level >= level:
            section = self.sections.pop()
            (entry, span), inside = section.cell, section.inside
            if inside:
                span = (span[0], max(span[1], inside[-1].span[1]))
                end = max(entry.end, inside[-1].entry.end)
                body = (entry.own + 1, end) if entry.own < end else None
                children = finish(inside, entry.end, self.spans.columns)
                entry = entry._replace(end=end, body=body, children=children)
            self.sections[-1].inside.append(Draft(entry, span))

    def _cell(self, cell: Part) -> None:
        parts = {part.key: part for part in members(self.content, cell.at)}
        kind = str(parts["cell_type"].value) if "cell_type" in parts else "cell"
        self.counts[named(kind)] = self.counts.get(named(kind), 0) + 1
        source = self._named_by(parts["source"], kind) if "source" in parts else _Source("", cell.at, 0, cell.at)
        if source.level:
            self._close(source.level)
        level = source.level or self.sections[-1].level + 1
        if not self.quota.takes(level):
            return
        outputs = list(elements(self.content, parts["outputs"].at)) if "outputs" in parts else []
        self.output_count += len(outputs)
        children = [draft for output in outputs if (draft := self._output(output, level + 1))]
        title = named(source.title) or named(kind)
        draft = self._draft(title, "cell", level, cell, source.at, children, (named(kind),))
        own, last = draft.entry.own, self.text.line_at(source.end)
        draft = draft._replace(entry=draft.entry._replace(doc=(own + 1, last) if own < last else None))
        if source.level:
            heading = draft._replace(entry=draft.entry._replace(kind="heading"))
            self.sections.append(_Section(source.level, heading, list(children)))
        else:
            self.sections[-1].inside.append(draft)

    def _named_by(self, source: Part, kind: str) -> _Source:
        """The first heading of Markdown, else the first words of its first line that has some; of code that line."""
        parts = list(elements(self.content, source.at)) if isinstance(source.value, list) else [source]
        first = _Source("", source.at, 0, max(source.at, parts[-1].end - 1) if parts else source.at)
        for part in parts:
            for line in str(part.value).split("\n"):
                if kind == "markdown" and (heading := _HEADING.match(line)):
                    return first._replace(title=heading["words"], at=part.at, level=len(heading["marks"]))
                if not first.title and line.strip():
                    first = first._replace(title=first_words(line) if kind == "markdown" else line, at=part.at)
            if kind != "markdown" and first.title:
                break
        return first

    def _output(self, output: Part, level: int) -> Draft | None:
        if not self.quota.takes(level):
            return None
        parts = {part.key: part for part in members(self.content, output.at)}
        if "ename" in parts:
            words = f"{parts['ename'].value}: {parts['evalue'].value if 'evalue' in parts else ''}"
            return self._draft(named(words), "error", level, output, parts["ename"].start)
        if "data" in parts:
            data = sorted(members(self.content, parts["data"].at), key=lambda part: -_size(part))
            if data:
                title = ", ".join(f"{part.key} {_spoken(_size(part))}" for part in data)
                return self._draft(named(title), "output", level, output, data[0].start)
        kind = parts.get("name") or parts.get("output_type")
        size = f" {_spoken(_size(parts['text']))}" if "text" in parts else ""
        title = named(f"{kind.value}{size}" if kind else "output")
        return self._draft(title, "output", level, output, kind.start if kind else output.at)

    def _draft(
        self,
        title: str,
        kind: str,
        level: int,
        part: Part,
        at: int,
        children: list[Draft] | None = None,
        flags: tuple[str, ...] = (),
    ) -> Draft:
        """The entry over PART, named on the line of offset AT."""
        draft = self.spans.draft(title, kind, level, (part.at, part.end), part.at + 1, children=children or [])
        entry = draft.entry
        own = self.text.line_at(at)
        body = (own + 1, entry.end) if own < entry.end else None
        entry = entry._replace(own=own, signature=title, signature_lines=(own, own), body=body, flags=flags)
        return Draft(entry, draft.span)


def _joined(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _size(part: Part) -> int:
    """Bytes of an output, of base64 those that it stands for."""
    if isinstance(part.value, dict):
        return part.end - part.at
    length = len(_joined(part.value).encode("utf-8", "surrogatepass"))
    return length * 3 // 4 if _BASE64.match(part.key) else length


def _spoken(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"


def _language(metadata: Any) -> str | None:
    """The language of the code cells, as the notebook names it."""
    for key in ("language_info", "kernelspec"):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        name = (
            (about.get("name") if key == "language_info" else about.get("language")) if isinstance(about, dict) else 0
        )
        if isinstance(name, str) and name:
            return named(name)
    return None
