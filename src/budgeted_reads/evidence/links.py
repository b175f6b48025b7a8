"""Links to a file at a commit on a code host, and the addresses of remotes that they are compared with. Pure."""

import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from budgeted_reads.outline import Range

_LINK = re.compile(
    r"https?://(?:[^/@\s]*@)?(?P<host>[^/:@\s]+)(?::\d+)?/(?P<repository>[^?#]+?)(?:/-)?"
    r"/(?:blob|raw|blame)/(?P<commit>[0-9A-Fa-f]{7,64})/(?P<path>[^?#]+)(?:\?[^#]*)?(?:#(?P<lines>.*))?",
    re.IGNORECASE,
)
_LINES = re.compile(r"L(\d{1,15})(?:C\d+)?(?:-L?(\d{1,15})(?:C\d+)?)?\Z")
_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git|git\+ssh)://(?:[^/@]*@)?(?P<host>[^/:@]+)(?::\d+)?/|(?:[^/@:]+@)?(?P<scp>[^/@:]+):(?!//))"
    r"(?P<path>[^?#]+)",
    re.IGNORECASE,
)


class Link(NamedTuple):
    """What a link names: `remote` as `remote_name` gives it, the bytes of the path, and the lines if it has some."""

    remote: str
    commit: str
    path: bytes
    lines: Range | None


def parse_link(url: str) -> Link | None:
    """The file at a commit that URL names on GitHub, GitLab or a host like them; None for any other address."""
    found = _LINK.fullmatch(url)
    if not found:
        return None
    lines = None
    if found["lines"] and (place := _LINES.match(found["lines"])):
        first = int(place[1])
        last = int(place[2] or first)
        if 1 <= first <= last:
            lines = first, last
    path = unquote_to_bytes(found["path"])
    return Link(_name(found["host"], found["repository"]), found["commit"].lower(), path, lines)


def remote_name(url: str) -> str | None:
    """Host and path of the remote at URL, in lower case: the same however it is reached. None for a place on disk."""
    found = _REMOTE.fullmatch(url.strip())
    return _name(found["host"] or found["scp"], found["path"]) if found else None


def _name(host: str, path: str) -> str:
    return f"{host}/{path.strip('/').removesuffix('.git')}".lower()
