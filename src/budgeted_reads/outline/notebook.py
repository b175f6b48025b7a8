"""Jupyter notebooks to cells and outputs, on the lines of their JSON. Of an output its kind and size are told."""

import re
from typing import Any

from budgeted_reads.outline import json
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.jsonparts import Part, elements, members, top
from budgeted_reads.outline.lines import named
from budgeted_reads.outline.tree import Draft, Quota, Spans
from budgeted_reads.text import BOM, Text

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<words>.*?)[\s#]*$")
_BASE64 = re.compile(r"(?:image|audio|video)/(?!svg)|application/(?:pdf|octet-stream)")


def outline(text: Text, form: Format) -> Outline:
    """Each cell by its first heading (Markdown) or first line; its outputs inside it. The flag of a cell is its type.

    Facts: `cells` (how many of each type), `output_count`. What is no notebook of version 4 is outlined as JSON.
    """
    content = text.content
    scan = _Scan(text)
    try:
        scan.run(top(content, len(BOM) if content.startswith(BOM) else 0))
    except (ValueError, RecursionError):
        return json.outline(text, form)
    if not scan.drafts:
        return json.outline(text, form)
    entries = scan.quota.kept(scan.spans.finish(scan.drafts))
    facts = (("cells", scan.counts), ("output_count", scan.output_count))
    return Outline(entries, form.name, scan.language, "data", warnings=scan.quota.warnings(), facts=facts)


class _Scan:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.content = text.content
        self.spans = Spans(text)
        self.quota = Quota()
        self.drafts: list[Draft] = []
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

    def _cell(self, cell: Part) -> None:
        parts = {part.key: part for part in members(self.content, cell.at)}
        kind = str(parts["cell_type"].value) if "cell_type" in parts else "cell"
        self.counts[named(kind)] = self.counts.get(named(kind), 0) + 1
        at, title = self._named_by(parts["source"], kind) if "source" in parts else (cell.at, "")
        if not self.quota.takes(1):
            return
        outputs = list(elements(self.content, parts["outputs"].at)) if "outputs" in parts else []
        self.output_count += len(outputs)
        children = [draft for draft in map(self._output, outputs) if draft]
        self.drafts.append(self._draft(named(title) or named(kind), "cell", 1, cell, at, children, (named(kind),)))

    def _named_by(self, source: Part, kind: str) -> tuple[int, str]:
        """What names a cell, and where it stands: the first heading of Markdown, else the first line that has words."""
        first = (source.at, "")
        for part in elements(self.content, source.at) if isinstance(source.value, list) else [source]:
            for line in str(part.value).split("\n"):
                if kind == "markdown" and (heading := _HEADING.match(line)):
                    return part.at, heading["words"]
                if not first[1] and line.strip():
                    first = (part.at, line)
            if kind != "markdown" and first[1]:
                break
        return first

    def _output(self, output: Part) -> Draft | None:
        if not self.quota.takes(2):
            return None
        parts = {part.key: part for part in members(self.content, output.at)}
        if "ename" in parts:
            words = f"{parts['ename'].value}: {parts['evalue'].value if 'evalue' in parts else ''}"
            return self._draft(named(words), "error", 2, output, parts["ename"].start)
        if "data" in parts:
            data = sorted(members(self.content, parts["data"].at), key=lambda part: -_size(part))
            if data:
                title = ", ".join(f"{part.key} {_spoken(_size(part))}" for part in data)
                return self._draft(named(title), "output", 2, output, data[0].start)
        kind = parts.get("name") or parts.get("output_type")
        size = f" {_spoken(_size(parts['text']))}" if "text" in parts else ""
        title = named(f"{kind.value}{size}" if kind else "output")
        return self._draft(title, "output", 2, output, kind.start if kind else output.at)

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
