"""Secret files (CONTRACT section 4): which they are, and the names in them that may be shown.

What may be part of a value is never shown. Where a line can be read in two ways, it is taken for a value; where it is
unclear where a value ends, nothing after it is shown.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from budgeted_reads.text import Text

DEFAULT = (
    ".env*",
    "!.env.example",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "credentials*.json",
    "*.kdbx",
)
"""Patterns for the last component of a path; `*` and `?` are wild, `!` takes back, the last that matches decides."""

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
_PRIVATE = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_DATA = re.compile(r"[A-Za-z0-9+/]{32}")
_DATA_WITHIN = 1000
_KEY = re.compile(
    r"""(?P<indent>[ \t]*)(?P<open>[{\[][ \t]*)?(?P<item>-[ \t]+)?(?:export[ \t]+)?
    (?:"(?P<double>[^"\\]{1,128})"[ \t]*(?P<colon>:)|(?P<bare>[A-Za-z_][A-Za-z0-9_.-]{0,127})[ \t]*(?P<mark>[:=]))""",
    re.VERBOSE,
)
_SECTION = re.compile(r"\[\[?[A-Za-z0-9_.: -]{1,64}\]\]?[ \t\r]*\Z")
_ORDERLY = re.compile(r"[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_.-]*")


def secret_path(path: bytes, patterns: Sequence[str] = DEFAULT) -> bool:
    """Whether the last component of PATH makes it a secret file by PATTERNS, in whatever case it is written."""
    return _secret_name(path.rsplit(b"/", 1)[-1], tuple(patterns))


@lru_cache(maxsize=1 << 14)
def _secret_name(raw: bytes, patterns: tuple[str, ...]) -> bool:
    # Every file of a tree is asked about at every listing, and few names are new.
    name = raw.decode("utf-8", "surrogateescape").lower()
    secret = False
    for pattern in patterns:
        if _matches(name, pattern.removeprefix("!").lower()):
            secret = not pattern.startswith("!")
    return secret


def secret_text(content: str) -> bool:
    """Whether CONTENT holds a PEM private key: the label of one, and data behind it."""
    for label in _PRIVATE.finditer(content):
        data = content[label.end() : label.end() + _DATA_WITHIN].partition("-----")[0]
        if _KEY_DATA.search(data):
            return True
    return False


def public_rows(text: Text, path: bytes) -> list[tuple[int, str]]:
    """The names in a secret file, each with its line: keys of `KEY=value` and `key: value`, `[section]`, PEM labels.

    Keys are looked for in files that are known to have them, by the name of PATH. No part of a value is among them.
    """
    keyed = any(secret_path(path, (pattern,)) for pattern in _KEYED)
    return list(_rows(text.lines(), keyed=keyed))


def _matches(name: str, pattern: str) -> bool:
    """Glob, in one pass: each piece between stars where it first fits, the last one at the end."""
    first, *others = [_piece(part) for part in pattern.split("*")]
    begin = first.match(name)
    if not others or not begin:
        return bool(first.fullmatch(name))
    at = begin.end()
    for piece in others[:-1]:
        found = piece.search(name, at)
        if not found:
            return False
        at = found.end()
    last = pattern.rpartition("*")[2]
    return len(name) - len(last) >= at and bool(others[-1].fullmatch(name, len(name) - len(last)))


@lru_cache(maxsize=256)
def _piece(part: str) -> re.Pattern[str]:
    return re.compile(re.escape(part).replace(r"\?", "."), re.DOTALL)


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
