"""Secret files (CONTRACT section 4): which they are, by their names and by what they hold."""

import re
from collections.abc import Sequence
from functools import lru_cache

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

_PRIVATE = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_DATA = re.compile(r"[A-Za-z0-9+/]{32}")
_DATA_WITHIN = 1000


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


def _matches(name: str, pattern: str) -> bool:
    """Glob, in one pass: each piece between stars where it first fits, the last one at the end."""
    if "?" in pattern:
        return _matches_wild(name, pattern)
    first, *rest = pattern.split("*")
    if not rest or not name.startswith(first):
        return name == pattern
    at = len(first)
    for part in rest[:-1]:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(name) - len(rest[-1]) >= at and name.endswith(rest[-1])


def _matches_wild(name: str, pattern: str) -> bool:
    """The same where `?` stands for any one character."""
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
