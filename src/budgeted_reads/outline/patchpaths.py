"""The paths that the headers of diffs name, without the quotes, sides and times that stand around them."""

import re

NOWHERE = "/dev/null"
"""What stands for the side that a file is missing on."""

Pair = tuple[str, str]
"""The old path and the new one."""

_SIDES = frozenset("abciow12")
"""Letters that git puts in front of the two paths: a and b, or what they are (commit, index, object, work tree)."""

_REVISIONS = re.compile(r"(?:-r \S+ )++(?P<path>\S.*)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_ESCAPE = re.compile(rb"\\(?:([0-3][0-7]{2})|(.))")
_SHORT = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_LISTED = re.compile(r"(?:Binary f|F)iles (?P<both>.+) differ$|Only in (?P<folder>[^:]+): (?P<name>.+)")


def of_git(words: str) -> Pair:
    """What follows `diff --git`: two paths of the same name are found whatever spaces are in it."""
    old, new = _two(words)
    if old == new:
        return old, new
    return without_sides(old, new)


def of_diff(words: str) -> Pair:
    """What follows `diff` of other programs, `-r 0a1b2c path` or `-u old new`, as far as words can be told apart."""
    if found := _REVISIONS.match(words):
        return found["path"], found["path"]
    old, _, new = words.rpartition(" ")
    return without_sides(old.rpartition(" ")[2], new)


def of_lines(old: str, new: str) -> Pair:
    """What follows `---` and `+++`: without a time or revision behind a tab."""
    return unquoted(old.partition("\t")[0].rstrip()), unquoted(new.partition("\t")[0].rstrip())


def of_listing(line: str) -> Pair | None:
    """What `Binary files x and y differ`, `Files x and y differ` or `Only in x: y` name; None for other lines."""
    found = _LISTED.match(line)
    if found is None:
        return None
    if found["name"]:
        path = without_sides(f"{found['folder'].rstrip('/')}/{found['name']}", NOWHERE)[0]
        return path, path
    # Two paths of one name have the same words in them: the `and` in the middle parts them.
    parts = found["both"].split(" and ")
    half = len(parts) // 2
    return without_sides(" and ".join(parts[:half]), " and ".join(parts[half:]))


def without_sides(old: str, new: str) -> Pair:
    """The paths without `a/` and `b/` or the like: both have a side, and not the same, or it is a folder's name."""
    if NOWHERE in (old, new):
        return _bare(old), _bare(new)
    if old[1:2] == new[1:2] == "/" and old[0] != new[0] and _SIDES.issuperset((old[0], new[0])):
        return old[2:], new[2:]
    return old, new


def is_of(path: str, name: str) -> bool:
    """Whether PATH is NAME, as it is or behind a side."""
    return name in (path, path[2:] if path[1:2] == "/" else path)


def unquoted(path: str) -> str:
    """PATH as git means it: in quotes, octal escapes are bytes of UTF-8."""
    if len(path) < 2 or path[0] != '"' or path[-1] != '"':
        return path
    plain = _ESCAPE.sub(_unescaped, path[1:-1].encode("utf-8", "surrogatepass"))
    try:
        return plain.decode("utf-8")
    except UnicodeError:
        return path[1:-1]


def _unescaped(found: "re.Match[bytes]") -> bytes:
    return bytes([int(found[1], 8)]) if found[1] else _SHORT.get(found[2], found[2])


def _bare(path: str) -> str:
    return path[2:] if path.startswith(("a/", "b/")) else path


def _two(words: str) -> Pair:
    if found := _QUOTED.match(words):
        return unquoted(found[0]), unquoted(words[found.end() :].strip())
    if words.endswith('"'):
        old, _, new = words.partition(' "')
        return old, unquoted(f'"{new}')
    half = len(words) // 2
    old, new = words[:half], words[half + 1 :]
    if words[half : half + 1] == " " and (old == new or old[1:] == new[1:] or old[2:] == new[2:]):
        return old, new
    old, _, new = words.rpartition(" ")
    return old.rpartition(" ")[2], new
