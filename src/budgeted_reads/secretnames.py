"""The names in a secret file that may be shown (CONTRACT section 4).

What may be part of a value is never shown. Where a line can be read in two ways, it is taken for a value; where it is
unclear where a value ends, nothing after it is shown.
"""

import re
from collections.abc import Iterator

from budgeted_reads.secret import secret_path
from budgeted_reads.text import Text

_KEYED = (
    ".env*",
    ".npmrc",
    ".pypirc",
    "*.json",
    "*.yaml",
    "*.yml",
    "*.toml",
    "*.ini",
    "*.cfg",
    "*.conf",
    "*.properties",
)
_LABEL = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{1,60}-----")
_KEY = re.compile(
    r"""(?P<indent>[ \t]*)(?P<open>[{\[][ \t]*)?(?P<item>-[ \t]+)?(?:export[ \t]+)?
    (?:"(?P<double>[^"\\]{1,128})"[ \t]*(?P<colon>:)|(?P<bare>[A-Za-z_][A-Za-z0-9_.-]{0,127})[ \t]*(?P<mark>[:=]))""",
    re.VERBOSE,
)
_SECTION = re.compile(r"\[\[?[A-Za-z0-9_.: -]{1,64}\]\]?[ \t\r]*\Z")
_ORDERLY = re.compile(r"[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_.-]*")


def public_rows(text: Text, path: bytes) -> list[tuple[int, str]]:
    """The names in a secret file, each with its line: keys of `KEY=value` and `key: value`, `[section]`, PEM labels.

    Keys are looked for in files that are known to have them, by the name of PATH. No part of a value is among them.
    """
    keyed = any(secret_path(path, (pattern,)) for pattern in _KEYED)
    return list(_rows(text.lines(), keyed=keyed))


def _rows(lines: list[str], *, keyed: bool) -> Iterator[tuple[int, str]]:
    inside = False  # a PEM block
    values = _Values()
    before = "{"
    for number, line in enumerate(lines, 1):
        label = _LABEL.search(line)
        if label:
            if label.span() == (len(line) - len(line.lstrip()), len(line.rstrip())):
                yield number, label[0]
            inside = _LABEL.findall(line)[-1] == "BEGIN"
        elif keyed and not inside:
            key = values.key(line, before)
            if key:
                yield number, key
            if values.lost:
                keyed = False
        before = line.strip() or before


class _Values:
    """Follows values from line to line, so that a line of a value is not taken for a key."""

    def __init__(self) -> None:
        self.lost = False
        self._until = ""
        self._continued = False
        self._indent = -1
        self._closed = True

    def key(self, line: str, before: str) -> str | None:
        """The key or section that LINE starts with, or None: it has none, or is, or may be, part of a value."""
        if self._until:
            if self._until in line:
                self.lost = "\\" in line or line.count(self._until[0]) != len(self._until)
                self._until = ""
            return None
        if self._continued:
            self._continued = line.rstrip().endswith("\\")
            return None
        if _SECTION.match(line):
            self._indent = -1
            return line.strip()
        found = _KEY.match(line)
        if not found:
            self._look(line)
            return None
        value = line[found.end() :].strip()
        indent = len(found["indent"])
        deeper = self._indent >= 0 and indent > self._indent
        if deeper and self._closed and not (found["double"] and before.endswith((",", "{", "["))):
            self._look(value)
            return None
        if not _is_key(found, value):
            self._look(value)
            return None
        self._indent = indent
        self._closed = bool(value) or found["mark"] == "="
        if value in ("{", "["):
            self._closed = False
        self._look(value)
        return found["double"] or found["bare"]

    def _look(self, value: str) -> None:
        """Note whether VALUE goes on in the next line."""
        self._continued = value.endswith("\\")
        for quote in ('"""', "'''"):
            if value.startswith(quote):
                if quote not in value[3:]:
                    self._until = quote
                return
        quote = value[:1]
        if quote and quote in "\"'`":
            rest = value[1:]
            if quote not in rest:
                self._until, self._continued = quote, False
                self.lost = "\\" in rest
                return
        # Quotes that do not pair up: a value may end anywhere from here.
        self.lost = any(value.replace(f"\\{mark}", "").count(mark) % 2 for mark in "\"'`")


def _is_key(found: re.Match[str], value: str) -> bool:
    if found["double"]:
        return True
    if found["mark"] == ":":
        return not value.startswith("//") and found.string[found.end() : found.end() + 1] in ("", " ", "\t", "\r")
    if found["item"] or found["open"] or value.startswith("="):
        return False
    # The last line of base64 ends in "=" too.
    return bool(value) or bool(_ORDERLY.fullmatch(found["bare"]))
