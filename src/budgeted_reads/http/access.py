"""Who may talk to the server: loopback names only, until there is access control.

A page in a browser can make it send requests to this machine, and can give its own name the address of this machine
(DNS rebinding). The first carries the page's Origin, the second the page's name as Host: both are refused.
"""

import ipaddress
import re
from collections.abc import Collection, Sequence

from budgeted_reads.errors import ForbiddenPath, InvalidRequest

Headers = Sequence[tuple[bytes, bytes]]

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
_ORIGIN = re.compile(r"(https?)://(.+)")
_PORTS = {"http": "80", "https": "443"}


def is_loopback(name: str) -> bool:
    """Whether NAME is localhost, an address of 127.0.0.0/8, or ::1 (in brackets or without)."""
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def check_address(host: str) -> str:
    """The address to bind for HOST, a loopback name; anything else is `invalid_request`, and is never looked up."""
    if not is_loopback(host):
        raise InvalidRequest(
            f"{host} is not a loopback address, and there is no access control yet",
            "serve on 127.0.0.1, ::1 or localhost, and reach it from elsewhere through an ssh tunnel",
        )
    return "127.0.0.1" if host.lower() == "localhost" else host.strip("[]")


def check_caller(headers: Headers, names: Collection[str] = ()) -> None:
    """Raise `forbidden_path` unless Host is a loopback name or one of NAMES, and Origin, if there is one, ours."""
    hosts = _values(headers, b"host")
    host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if host is None or not _known(host[1], names):
        said = ", ".join(hosts)[:100] or "missing"
        raise ForbiddenPath(f"Host is {said!r}: not a name of this machine", "ask for localhost or 127.0.0.1")
    for origin in _values(headers, b"origin"):
        if not _own(origin, host[2], names):
            raise ForbiddenPath(
                f"requests of pages of {origin[:100]!r} are refused", "ask from a program, not from another site's page"
            )


def _own(origin: str, port: str | None, names: Collection[str]) -> bool:
    parts = _ORIGIN.fullmatch(origin)
    host = _HOST.fullmatch(parts[2]) if parts else None
    if parts is None or host is None or not _known(host[1], names):
        return False
    return (host[2] or _PORTS[parts[1]]) == (port or _PORTS[parts[1]])


def _known(name: str, names: Collection[str]) -> bool:
    return is_loopback(name) or name.lower() in names


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in headers if key == name]
