"""The order for code and data: names, own lines, signatures, extents, docs, fields, what stands outside, bodies."""

from collections.abc import Iterator, Sequence
from itertools import islice

from budgeted_reads.outline import LEAF_KINDS, Entry, Outline
from budgeted_reads.text import Text
from budgeted_reads.views.placed import Placed, flatten, minor
from budgeted_reads.views.rows import ALL, EXTENT, FOLDED, LEAD, LINE, NAME, OUTLINE, Reveal, clip_name
from budgeted_reads.views.sentences import ends

MERGE_BYTES = 12
"""A one-line signature that costs at most this many bytes more than its name is shown at once."""

ITEM_BYTES = 80
"""An item of a list is named by its own line, where that is no longer than this, else by the beginning of it."""

ITEM_LEAD = 72
"""So many code points are the beginning of an item."""

SMALL_BODY = 3
"""Bodies of at most this many lines belong to the `folded` ceiling."""

DOC_LINES = 3
"""A first sentence is followed over at most this many lines."""

CALLABLE = frozenset({"function", "method", "test", "constructor"})
"""Kinds that are read for what they do, not for what they hold: their extent can wait."""

LONG_LINE = 1600
"""Lines of more bytes come last of all, else one of them would hold up everything after it."""


def reveals(text: Text, outline: Outline) -> list[Reveal]:
    """The reveals of TEXT in order; some may add nothing."""
    sheet = _Sheet(text, outline)
    told = [
        *sheet.names(sheet.first),
        *sheet.versions(),
        *sheet.own_lines(sheet.first),
        *sheet.names(sheet.then),
        *sheet.own_lines(sheet.then),
        *sheet.signature_rests(),
        *sheet.constants(),
        *sheet.extents(),
        *sheet.docs(),
        *sheet.fields(),
        *sheet.outside_firsts(),
        *sheet.small_groups(),
        *sheet.bodies(),
    ]
    return [*told, *sheet.leftovers({reveal.line for reveal in told if reveal.what == LINE})]


class _Sheet:
    """Who owns which line, found once; each method gives the reveals of one stage."""

    def __init__(self, text: Text, outline: Outline) -> None:
        self.lines = text.lines()
        # Of code, what stands before the name is decorators and attributes; of data it is data.
        self.decorated = outline.style == "code"
        self.sizes = [0, *map(line_size, self.lines)]
        placed = list(flatten(outline.entries))
        self.entries = [one.entry for one in placed]
        self.leaves = [one.entry for one in placed if one.leaf]
        listed = [one for one in placed if not one.leaf]
        self.constants_ = [one.entry for one in listed if one.entry.kind in LEAF_KINDS]
        wide = [one for one in listed if one.entry.kind not in LEAF_KINDS]
        bodies = {one.entry.title for one in wide if one.entry.body}
        # A declaration that is defined further down says nothing new: it is named last.
        waits = minor(placed)
        wide.sort(
            key=lambda one: (
                one.entry.body is None and one.entry.title in bodies,
                one.entry in waits,
                one.later,
                0 if one.later else one.depth,
            )
        )
        self.first = [one for one in wide if not one.later]
        # In one long line their names would say only that there are many, which the count does.
        self.then = [one for one in wide if one.later and self.sizes[one.entry.own] <= LONG_LINE]
        self.defined = [one.entry for one in wide]
        self.owner = self._owners()
        self.groups = self._groups()

    def _owners(self) -> list[int]:
        owner = [-1] * (len(self.lines) + 1)
        for index, entry in enumerate(self.entries):
            owner[entry.start : entry.end + 1] = [index] * (entry.end - entry.start + 1)
        return owner

    def _groups(self) -> dict[int, list[int]]:
        """Lines by owner that are neither names, signatures, blank, long nor mere punctuation at a block's end."""
        claimed = {entry.own for entry in self.entries}
        for entry in self.entries:
            if entry.signature_lines:
                claimed.update(range(entry.signature_lines[0], entry.signature_lines[1] + 1))
            if self.decorated:
                claimed.update(range(entry.start, entry.own))
        groups: dict[int, list[int]] = {}
        for number, line in enumerate(self.lines, 1):
            if number in claimed or self.sizes[number] > LONG_LINE or not line.strip():
                continue
            groups.setdefault(self.owner[number], []).append(number)
        return groups

    def line(self, number: int, tier: int) -> Reveal:
        return Reveal(number, LINE, 0, tier)

    def shown_at_once(self, entry: Entry) -> bool:
        """Whether the own line of ENTRY is its whole signature and hardly longer than its name."""
        first, last = entry.signature_lines or (entry.own, entry.own)
        if entry.kind == "item" and self._says(entry):
            # The number of an item says nothing.
            return self.sizes[entry.own] <= ITEM_BYTES or len(self.lines[entry.own - 1]) <= ITEM_LEAD
        name = len(entry.title.encode("utf-8", "surrogatepass"))
        if _version(entry) not in self.lines[entry.own - 1]:
            return False
        return first == last and self.sizes[entry.own] - name <= MERGE_BYTES

    def _says(self, entry: Entry) -> bool:
        """Whether there are words at the beginning of the own line of ENTRY."""
        return any(map(str.isalpha, self.lines[entry.own - 1][:ITEM_LEAD]))

    def names(self, listed: Sequence[Placed]) -> Iterator[Reveal]:
        for entry, _, _, later in listed:
            tells = later == 1 and self.sizes[entry.own] <= ITEM_BYTES
            if tells or self.shown_at_once(entry):
                yield self.line(entry.own, OUTLINE)
            elif entry.kind == "item" and not entry.columns and self._says(entry):
                yield Reveal(entry.own, LEAD, ITEM_LEAD, OUTLINE)
            else:
                yield Reveal(entry.own, NAME, clip_name(entry.title), OUTLINE)
            if _container(entry) and entry.end > entry.own:
                yield Reveal(entry.own, EXTENT, entry.end, OUTLINE, True)

    def versions(self) -> Iterator[Reveal]:
        """The version of each package, beside its name."""
        for entry in self.defined:
            if version := _version(entry):
                yield Reveal(entry.own, NAME, clip_name(version), OUTLINE)

    def own_lines(self, listed: Sequence[Placed]) -> Iterator[Reveal]:
        # A version that was named is not lost: the lines that say it come along, or the name stays.
        rests = {one.entry.own: self._saying(one.entry) for one in listed if _version(one.entry)}
        cost = {
            one.entry.own: self.sizes[one.entry.own] - len(one.entry.title.encode("utf-8", "surrogatepass"))
            for one in listed
        }
        for number in sorted(cost, key=lambda number: (cost[number], number)):
            rest = rests.get(number, ())
            if rest is not None and self.sizes[number] <= LONG_LINE:
                yield self.line(number, OUTLINE)
                yield from (Reveal(line, LINE, 0, OUTLINE, True) for line in rest)

    def _saying(self, entry: Entry) -> Sequence[int] | None:
        """The lines of the head of a package below its own; None where that does not say its version."""
        first, last = entry.own, (entry.signature_lines or (0, entry.own))[1]
        head = range(first, last + 1)
        return head[1:] if any(_version(entry) in self.lines[number - 1] for number in head) else None

    def signature_rests(self) -> Iterator[Reveal]:
        rests = []
        for entry in self.defined:
            first, last = entry.signature_lines or (entry.own, entry.own)
            before = range(entry.start, entry.own) if self.decorated else ()
            rest = [*before, *range(first, last + 1)]
            rest = [number for number in rest if number != entry.own and self.sizes[number] <= LONG_LINE]
            if rest:
                rests.append((sum(self.sizes[number] for number in rest), rest))
        for _, rest in sorted(rests):
            for number in rest:
                yield self.line(number, OUTLINE)

    def constants(self) -> Iterator[Reveal]:
        for entry in self.constants_:
            if self.shown_at_once(entry):
                yield self.line(entry.own, OUTLINE)
            else:
                yield Reveal(entry.own, NAME, clip_name(entry.title), OUTLINE)
        for entry in sorted(self.constants_, key=lambda entry: (self.sizes[entry.own], entry.own)):
            if self.sizes[entry.own] <= LONG_LINE:
                yield self.line(entry.own, OUTLINE)

    def extents(self) -> Iterator[Reveal]:
        for entry in (*self.defined, *self.constants_):
            if entry.end > entry.own:
                yield Reveal(entry.own, EXTENT, entry.end, OUTLINE)

    def docs(self) -> Iterator[Reveal]:
        for entry in self.defined:
            if entry.doc:
                for number in self.first_sentence(entry.doc):
                    yield self.line(number, OUTLINE)

    def first_sentence(self, doc: tuple[int, int]) -> list[int]:
        """The lines of the first sentence of DOC, without a lone opening mark, at most DOC_LINES."""
        found: list[int] = []
        for number in range(doc[0], min(doc[1], doc[0] + DOC_LINES) + 1):
            line = self.lines[number - 1]
            if not any(map(str.isalnum, line)):
                if found:
                    break
                continue
            if self.sizes[number] > LONG_LINE or len(found) == DOC_LINES:
                break
            found.append(number)
            stripped = line.strip().rstrip("\"'")
            if stripped.endswith((".", "!", "?", ":", "。")) or len(ends(stripped)) > 1:
                break
        return found

    def fields(self) -> Iterator[Reveal]:
        for entry in self.leaves:
            yield Reveal(entry.own, NAME, clip_name(entry.title), FOLDED)
        for entry in sorted(self.leaves, key=lambda entry: (self.sizes[entry.own], entry.own)):
            if self.sizes[entry.own] <= LONG_LINE:
                yield self.line(entry.own, FOLDED)
            if entry.end > entry.own:
                yield Reveal(entry.own, EXTENT, entry.end, FOLDED)

    def outside_firsts(self) -> Iterator[Reveal]:
        """The first line that says something of each run that no entry owns; it stands for the run."""
        for run in _runs(self.groups.get(-1, [])):
            telling = (number for number in run if any(map(str.isalnum, self.lines[number - 1])))
            yield from (self.line(number, FOLDED) for number in islice(telling, 1))

    def small_groups(self) -> Iterator[Reveal]:
        """Docs, then runs outside entries and short bodies, shortest first."""
        for _, numbers in sorted(self._weigh([self._doc_lines(entry) for entry in self.defined if entry.doc])):
            yield from (self.line(number, FOLDED) for number in numbers)
        for _, numbers in sorted(self._weigh([*_runs(self.groups.get(-1, [])), *self._bodies(small=True)])):
            yield from (self.line(number, FOLDED) for number in numbers)

    def bodies(self) -> Iterator[Reveal]:
        for _, numbers in sorted(self._weigh(self._bodies(small=False))):
            yield from (self.line(number, ALL) for number in numbers)

    def leftovers(self, shown: set[int]) -> Iterator[Reveal]:
        """Every line that is not SHOWN yet: text, then blank lines, then long lines, shortest first."""
        rest = [number for number in range(1, len(self.lines) + 1) if number not in shown]
        blank = [number for number in rest if not self.lines[number - 1].strip()]
        long = sorted((self.sizes[number], number) for number in rest if self.sizes[number] > LONG_LINE)
        last = {*blank, *(number for _, number in long)}
        for number in (*(number for number in rest if number not in last), *blank, *(number for _, number in long)):
            yield self.line(number, ALL)

    def _doc_lines(self, entry: Entry) -> list[int]:
        first, last = entry.doc or (1, 0)
        return [number for number in range(first, last + 1) if self.lines[number - 1].strip()]

    def _bodies(self, *, small: bool) -> list[list[int]]:
        found = []
        for owner, numbers in self.groups.items():
            if owner < 0:
                continue
            doc = self.entries[owner].doc
            body = [number for number in numbers if not (doc and doc[0] <= number <= doc[1])]
            # A line of punctuation only comes with its body; alone it says nothing.
            if any(any(map(str.isalnum, self.lines[number - 1])) for number in body) and small == (
                len(body) <= SMALL_BODY
            ):
                found.append(body)
        return found

    def _weigh(self, groups: list[list[int]]) -> list[tuple[int, list[int]]]:
        return [(sum(self.sizes[number] for number in numbers), numbers) for numbers in groups if numbers]


def _version(entry: Entry) -> str:
    """What the signature of a package says beside its name; "" for all else, and where others share its line."""
    return entry.signature.removeprefix(entry.title).strip() if entry.kind == "package" and not entry.columns else ""


def _container(entry: Entry) -> bool:
    """Whether ENTRY is read as a place for its children: a function that defines another inside is not."""
    if entry.kind in CALLABLE:
        return False
    return any(child.kind not in LEAF_KINDS for child in entry.children)


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def line_size(line: str) -> int:
    """How many bytes LINE has in UTF-8."""
    return len(line) if line.isascii() else len(line.encode("utf-8", "surrogatepass"))
