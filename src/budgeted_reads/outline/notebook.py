"""Jupyter notebooks to cells and outputs, on the lines of their JSON. Of an output its kind and size are told."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from budgeted_reads.outline import json
from budgeted_reads.outline.cellsource import Source, source
from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.jsonparts import Part, elements, members, top
from budgeted_reads.outline.lines import named
from budgeted_reads.outline.tree import Draft, Quota, Spans, finish
from budgeted_reads.text import BOM, Text

_BASE64 = re.compile(r"(?:image|audio|video)/(?!svg)|application/(?:pdf|octet-stream)")


def outline(text: Text, form: Format) -> Outline:
    """Each cell by its first line, its outputs inside it; the cells below a heading (Markdown) are inside of that.

    A cell of Markdown is a section for each of its headings, those in lists and quotes left out.

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


class _Section(NamedTuple):
    """A heading that is open: what its cell says of it, and what is below it so far."""

    level: int
    heading: Draft
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
            (entry, span), inside = section.heading, section.inside
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
        said = source(self.content, parts["source"], kind) if "source" in parts else Source("", cell.at, cell.at)
        outputs = list(elements(self.content, parts["outputs"].at)) if "outputs" in parts else []
        if said.headings:
            self._headings(cell, named(kind), said, outputs)
            return
        level = self.sections[-1].level + 1
        if self.quota.takes(level):
            children = self._outputs(outputs, level + 1)
            span, title = (cell.at, cell.end), named(said.title) or named(kind)
            draft = self._draft(title, "cell", level, span, said.at, children, (named(kind),))
            self.sections[-1].inside.append(self._documented(draft, said.end))

    def _headings(self, cell: Part, kind: str, said: Source, outputs: Sequence[Part]) -> None:
        """Opens a section for each heading of CELL: the first from its beginning, the others from their own lines."""
        last = len(said.headings) - 1
        # Outputs, which Markdown should not have, are below the heading that they stand behind.
        holder = last if outputs and outputs[0].at > said.end else 0
        for at, heading in enumerate(said.headings):
            self._close(heading.level)
            if not self.quota.takes(heading.level):
                continue
            children = self._outputs(outputs, heading.level + 1) if at == holder else []
            after = said.headings[at + 1].before if at < last else 0
            span = (heading.start if at else cell.at, after or cell.end)
            title = named(heading.title) or kind
            draft = self._draft(title, "heading", heading.level, span, heading.at, children, (kind,))
            draft = self._documented(draft, after - 1 if after else said.end)
            self.sections.append(_Section(heading.level, draft, list(children)))

    def _documented(self, draft: Draft, end: int) -> Draft:
        """DRAFT with the rest of what it says, to offset END, as its doc."""
        own, last = draft.entry.own, self.text.line_at(end)
        return draft._replace(entry=draft.entry._replace(doc=(own + 1, last) if own < last else None))

    def _outputs(self, outputs: Sequence[Part], level: int) -> list[Draft]:
        self.output_count += len(outputs)
        return [draft for output in outputs if (draft := self._output(output, level))]

    def _output(self, output: Part, level: int) -> Draft | None:
        if not self.quota.takes(level):
            return None
        span = (output.at, output.end)
        parts = {part.key: part for part in members(self.content, output.at)}
        if "ename" in parts:
            words = f"{parts['ename'].value}: {parts['evalue'].value if 'evalue' in parts else ''}"
            return self._draft(named(words), "error", level, span, parts["ename"].start)
        if "data" in parts:
            data = sorted(members(self.content, parts["data"].at), key=lambda part: -_size(part))
            if data:
                title = ", ".join(f"{part.key} {_spoken(_size(part))}" for part in data)
                return self._draft(named(title), "output", level, span, data[0].start)
        kind = parts.get("name") or parts.get("output_type")
        size = f" {_spoken(_size(parts['text']))}" if "text" in parts else ""
        title = named(f"{kind.value}{size}" if kind else "output")
        return self._draft(title, "output", level, span, kind.start if kind else output.at)

    def _draft(
        self,
        title: str,
        kind: str,
        level: int,
        span: tuple[int, int],
        at: int,
        children: list[Draft] | None = None,
        flags: tuple[str, ...] = (),
    ) -> Draft:
        """The entry over SPAN, named on the line of offset AT."""
        draft = self.spans.draft(title, kind, level, span, span[0] + 1, children=children or [])
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
