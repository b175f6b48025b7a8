"""Pointers (CONTRACT section 4): parsing, formatting, and the same spelling of paths in text headers.

    pointer  = "nas://" node "/" tree [ "/" path ] "@" commit [ "#" lines ]
    short    = path "@" commit [ "#" lines ]        the tree is the default one; "." is its root, "/tree/path" names one
    node     = ALNUM *( ALNUM / "." / "-" ) [ ":" port ]
    tree     = segment *( "/" segment )             the longest registered name
    segment  = 1*( unreserved / sub-delims / ":" / "%" 2HEX )       bytes, never "." or ".."
    commit   = 40HEX / 64HEX                        readers: 7 to 64
    lines    = "L" n [ "-L" n ]                     1-based, inclusive; readers: each "L" may be missing

Writers emit this grammar; readers also take raw characters where they mean nothing else. What is wrong is refused with
the place of the first wrong character, never repaired.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from budgeted_reads.errors import InvalidRequest, TreeUnknown
from budgeted_reads.limits import MAX_PATH_BYTES

SCHEME = "nas://"
ROOT = "."

_LITERAL = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:")
_MARKS = frozenset("%@# ")
# Letters and marks that print nothing: two names that differ only in them would look the same.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_PLAIN = re.compile(rb'[!"$&-?A-~]+')
_NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?")
_HEX = re.compile(r"[0-9A-Fa-f]*")
_LINES = re.compile(r"L?([1-9][0-9]{0,14})(?:-L?([1-9][0-9]{0,14}))?")
_PLAUSIBLE = re.compile(r"[^@]@[0-9A-Fa-f]{7,64}(?:#[^@]*)?\Z", re.DOTALL)


class Pointer(NamedTuple):
    """A parsed pointer. `node` is None for the short form; `rest` is the bytes of tree and path, for the short form
    of the path (with its leading slash where it has one; b"" is the root). `lines` is None for the whole."""

    node: str | None
    rest: bytes
    commit: str
    lines: tuple[int, int] | None = None


def parse(text: str) -> Pointer:
    """The parts of pointer TEXT, or `invalid_request` that names the first wrong character, counted from 1.

    The commit (7 to 64 hex) and the node come back in lower case; a slash at the end says folder and is dropped.
    """
    named = text[: len(SCHEME)].lower() == SCHEME
    head, mark, _ = text.partition("#")
    at = head.rfind("@")
    if at < 0:
        _refuse(text, len(head), "'@' and a commit id are missing")
    digits = _HEX.match(head, at + 1).end() - at - 1  # type: ignore[union-attr]
    if at + 1 + digits != len(head) or not 7 <= digits <= 64:
        _refuse(text, at + 1 + min(digits, 64), "a commit id has 7 to 64 hex digits")
    lines = _lines(text, len(head) + 1) if mark else None
    node, begin = _node(text, at) if named else (None, 0)
    rest = _path(text, begin, at, named=named)
    if lines and (not rest or head[at - 1] == "/"):
        _refuse(text, len(head), "a folder has no lines")
    return Pointer(node, rest, head[at + 1 :].lower(), lines)


def looks_like_pointer(text: str) -> bool:
    """Whether TEXT is meant as a pointer: it starts with `nas://`, or ends in `@`, 7+ hex and perhaps a fragment."""
    return text[: len(SCHEME)].lower() == SCHEME or bool(_PLAUSIBLE.search(text))


def split(pointer: Pointer, tree_names: Iterable[str]) -> tuple[str | None, bytes]:
    """The tree and the path within it: the longest of TREE_NAMES that `rest` starts with, by whole segments.

    A short form without a tree gives None (the default tree) and its path as it stands. Raises `tree_unknown` where a
    full pointer names none of them; `candidates` has what it may mean then.
    """
    names = list(tree_names)
    if pointer.node is None and not pointer.rest.startswith(b"/"):
        return None, pointer.rest
    rest = pointer.rest.removeprefix(b"/")
    for name in sorted(names, key=len, reverse=True):
        prefix = name.encode("utf-8", "surrogatepass")
        if rest == prefix or rest.startswith(prefix + b"/"):
            return name, rest[len(prefix) + 1 :]
    if pointer.node is None:
        return None, pointer.rest
    served = ", ".join(sorted(names)) or "none"
    raise TreeUnknown(f"no tree for {display(rest)}", f"served trees: {served}")


def candidates(pointer: Pointer) -> tuple[bytes, ...]:
    """Every path that a full pointer may mean within a tree of unknown name, the shortest tree name first."""
    segments = pointer.rest.split(b"/")
    return tuple(b"/".join(segments[k:]) for k in range(1, len(segments) + 1))


def format_pointer(node: str, tree: str, path: bytes, commit: str, lines: tuple[int, int] | None = None) -> str:
    """The pointer, in the writers' grammar: `parse` gives the same node, tree and path, commit and lines.

    PATH is within the tree, b"" for its root; COMMIT should be a full id; LINES is None for a folder or the whole file.
    """
    rest = tree.encode("utf-8", "surrogatepass") + (b"/" + path if path else b"")
    return f"{SCHEME}{node.lower()}/{_encode(rest)}@{commit}{_fragment(lines)}"


def short(path: bytes, commit: str, lines: tuple[int, int] | None = None) -> str:
    """The short form as text prints it: one word on one line, and `parse` gives PATH, COMMIT and LINES again.

    COMMIT is printed as given. PATH may start with `/tree/`.
    """
    return f"{display(path)}@{commit}{_fragment(lines)}"


def display(path: bytes) -> str:
    """PATH as text prints it: characters that can be seen, and percent-encoded what cannot, white space, `%`, `@`, `#`.

    Different paths print differently. The root is `.`.
    """
    if not path:
        return ROOT
    if _PLAIN.fullmatch(path):
        return path.decode("ascii")
    return "".join(map(_shown, path.decode("utf-8", "surrogateescape")))


def path_of(shown: str) -> bytes:
    """The path that `display` printed as SHOWN, or `invalid_request`."""
    return _path(shown, 0, len(shown), named=False)


def node_name(text: str) -> str:
    """TEXT in lower case where it can be the authority of a pointer, else `invalid_request`."""
    if not _NODE.fullmatch(text):
        raise InvalidRequest(f"{text!r} is no name for a node", "use letters, digits, '-' and '.', such as home-box")
    return text.lower()


def _refuse(text: str, index: int, why: str) -> NoReturn:
    what = f"{text[index]!r}" if index < len(text) else "the end"
    raise InvalidRequest(
        f"no pointer: {why}, at character {index + 1} ({what})",
        "write nas://node/tree/path@commit#L12-L18, or path@commit#L12-L18",
    )


def _lines(text: str, begin: int) -> tuple[int, int]:
    found = _LINES.match(text, begin)
    if not found:
        _refuse(text, begin + text.startswith("L", begin), "lines are written L12 or L12-L18, from 1")
    if found.end() != len(text):
        _refuse(text, found.end(), "lines are written L12 or L12-L18, from 1")
    first = int(found[1])
    last = int(found[2] or first)
    if last < first:
        _refuse(text, found.start(2), "the range is reversed")
    return first, last


def _node(text: str, end: int) -> tuple[str, int]:
    slash = text.find("/", len(SCHEME), end)
    found = _NODE.match(text, len(SCHEME), slash if slash >= 0 else end)
    stop = found.end() if found else len(SCHEME)
    if not found or stop != slash:
        _refuse(text, stop, "a node is letters, digits, '-' and '.', and a tree follows it")
    return found[0].lower(), slash + 1


def _path(text: str, begin: int, end: int, *, named: bool) -> bytes:
    """Decode TEXT[begin:end] into a path; NAMED is the full form, which begins with its tree."""
    if not named and text[begin:end] in (ROOT, ROOT + "/"):
        return b""
    lead = b""
    if not named and text.startswith("/", begin, end):
        lead, begin = b"/", begin + 1
    if text.endswith("/", begin, end):
        end -= 1
    segments = []
    at = begin
    for part in text[begin:end].split("/"):
        segment = _segment(text, at, at + len(part), named=named)
        if segment in (b"", b".", b".."):
            _refuse(text, at, "a path has no empty segment" if not segment else "a path has no '.' or '..'")
        segments.append(segment)
        at += len(part) + 1
    path = lead + b"/".join(segments)
    if len(path) > MAX_PATH_BYTES:
        _refuse(text, begin, f"a path has at most {MAX_PATH_BYTES} bytes")
    return path


def _segment(text: str, begin: int, end: int, *, named: bool) -> bytes:
    out = bytearray()
    at = begin
    while at < end:
        char = text[at]
        if char == "%":
            byte = _escaped(text[at + 1 : min(at + 3, end)])
            if byte is None:
                _refuse(text, at, "'%' needs two hex digits")
            if byte in b"\0/":
                _refuse(text, at, "no name holds a NUL or a slash")
            out.append(byte)
            at += 3
            continue
        if char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff":
            _refuse(text, at, "a control character has to be percent-encoded")
        if char == "?" and named:
            _refuse(text, at, "'?' has to be percent-encoded, a pointer has no query")
        out += char.encode()
        at += 1
    return bytes(out)


def _escaped(digits: str) -> int | None:
    return int(digits, 16) if re.fullmatch(r"[0-9A-Fa-f]{2}", digits) else None


def _encode(path: bytes) -> str:
    return "".join(chr(byte) if byte in _LITERAL or byte == 0x2F else f"%{byte:02X}" for byte in path)


def _shown(char: str) -> str:
    if char.isprintable() and char not in _MARKS and not _UNSEEN.match(char):
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))


def _fragment(lines: tuple[int, int] | None) -> str:
    if lines is None:
        return ""
    first, last = lines
    return f"#L{first}" if first == last else f"#L{first}-L{last}"
