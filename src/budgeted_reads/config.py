"""The configuration of a node (CONTRACT section 10): one TOML file, never one inside a served tree.

    node = "home-box"
    [[tree]]
    name = "agents"
    path = "~/agents"
    [defaults]
    budget_tokens = 2000
    max_budget_tokens = 100000
    tokenizer = "o200k_base"
    [limits]
    max_file_bytes = 100000000
    [snapshots]
    enabled = true          # left out: on, unless the node binds a public address
    quota_bytes = 1073741824
    age_days = 90
    off = ["agents"]        # trees without snapshots
    [secrets]
    patterns = ["*.pem"]    # in place of the list of CONTRACT section 4
    extra = ["*.secret"]    # beside it

Unknown keys are errors, so a typing mistake never passes for a setting.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from budgeted_reads import limits
from budgeted_reads.errors import InvalidRequest

_NODE = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")
_SMALL = 1 << 20


class Place(NamedTuple):
    """One `[[tree]]`: its name, and its folder as an absolute path."""

    name: str
    path: str


class Defaults(NamedTuple):
    """`[defaults]`: what a request that says nothing gets, and the most it may ask for."""

    budget_tokens: int = limits.DEFAULT_BUDGET
    max_budget_tokens: int = limits.MAX_BUDGET
    tokenizer: str = "o200k_base"


class Limits(NamedTuple):
    """`[limits]`: lower limits than the product's own."""

    max_file_bytes: int = limits.MAX_FILE_BYTES


class Snapshots(NamedTuple):
    """`[snapshots]`: `enabled` is None where the file leaves it to the address that the node binds."""

    enabled: bool | None = None
    quota_bytes: int = 1 << 30
    age_days: int = 90
    off: tuple[str, ...] = ()


class Secrets(NamedTuple):
    """`[secrets]`: `patterns` is None where the product's own list holds; `extra` is added to either."""

    patterns: tuple[str, ...] | None = None
    extra: tuple[str, ...] = ()


class Config(NamedTuple):
    """A whole configuration. `source` is the file it was read from, None where there is none."""

    node: str = "local"
    trees: tuple[Place, ...] = ()
    defaults: Defaults = Defaults()
    limits: Limits = Limits()
    snapshots: Snapshots = Snapshots()
    secrets: Secrets = Secrets()
    source: str | None = None


def load(option: str | None = None, environ: Mapping[str, str] | None = None) -> Config:
    """The configuration in the file OPTION, else the one that NAS_CONFIG names, else the user's, else the defaults.

    A file that was named must be there; the user's need not. Raises `invalid_request` that names file, key and remedy.
    """
    environ = os.environ if environ is None else environ
    named = option or environ.get("NAS_CONFIG") or None
    source = os.path.abspath(os.path.expanduser(named)) if named else user_file(environ)
    if source is None or (not named and not os.path.lexists(source)):
        return Config()
    config = parse(_read(source), source)
    check_outside(source, (place.path for place in config.trees))
    return config


def user_file(environ: Mapping[str, str]) -> str | None:
    """Where the user's configuration is looked for: `budgeted-reads/nas.toml` in their configuration folder."""
    folder = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        home = environ.get("HOME", "")
        if not os.path.isabs(home):
            return None
        folder = os.path.join(home, ".config")
    return os.path.join(folder, "budgeted-reads", "nas.toml")


def check_outside(source: str, roots: Iterable[str]) -> None:
    """Raise `invalid_request` where the file SOURCE lies inside one of the ROOTS: a tree cannot configure its node."""
    where = os.path.realpath(source)
    for root in roots:
        real = os.path.realpath(root)
        if os.path.commonpath((where, real)) == real:
            raise InvalidRequest(
                f"the configuration {source} lies inside the served tree {root}", "move it out of every served tree"
            )


def parse(text: str, source: str) -> Config:
    """The configuration that TEXT says, relative paths counting from the folder of SOURCE."""
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRequest(f"{source} is no TOML: {error}", "correct the file") from error
    top = _Table(table, source, "")
    config = Config(
        node=top.take("node", _node, "local"),
        trees=_trees(top.take("tree", _tables, []), source),
        defaults=_defaults(top.section("defaults")),
        limits=_limits(top.section("limits")),
        snapshots=_snapshots(top.section("snapshots")),
        secrets=_secrets(top.section("secrets")),
        source=source,
    )
    top.section("auth").done()
    top.done()
    strangers = set(config.snapshots.off) - {place.name for place in config.trees}
    if strangers:
        raise InvalidRequest(
            f"{source}: snapshots.off names no tree: {', '.join(sorted(strangers))}", "name a [[tree]]"
        )
    return config


class _Table:
    """One table of the file, from which known keys are taken; what is left over at the end is an error."""

    def __init__(self, values: Mapping[str, Any], source: str, name: str) -> None:
        self._values = dict(values)
        self._source = source
        self._name = name
        self._known: list[str] = []

    def take(self, key: str, check: Callable[[Any], Any], default: Any) -> Any:
        """The value of KEY as CHECK gives it; CHECK raises ValueError with what the value should be."""
        self._known.append(key)
        if key not in self._values:
            return default
        try:
            return check(self._values.pop(key))
        except ValueError as error:
            raise InvalidRequest(f"{self._source}: {self._full(key)} must be {error}", "correct the file") from None

    def section(self, key: str) -> "_Table":
        """The table KEY, an empty one where it is not there."""
        return _Table(self.take(key, _table, {}), self._source, self._full(key))

    def done(self) -> None:
        """Raise `invalid_request` for the first key that nobody has taken, with the nearest known one."""
        for key in self._values:
            import difflib

            near = difflib.get_close_matches(key, self._known, 1)
            known = f"known keys: {', '.join(self._known)}" if self._known else "no key is known there"
            hint = f"did you mean {near[0]}?" if near else known
            raise InvalidRequest(f"{self._source}: unknown key {self._full(key)}", hint)

    def _full(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key


def _trees(tables: list[dict[str, Any]], source: str) -> tuple[Place, ...]:
    from budgeted_reads.trees.catalog import check_name

    places: list[Place] = []
    for number, values in enumerate(tables, 1):
        table = _Table(values, source, f"tree[{number}]")
        name, path = table.take("name", _text, None), table.take("path", _text, None)
        table.done()
        if name is None or path is None:
            raise InvalidRequest(f"{source}: tree[{number}] needs both name and path", "add what is missing")
        check_name(name, [place.name for place in places])
        path = os.path.normpath(os.path.join(os.path.dirname(source), os.path.expanduser(path)))
        if not os.path.isdir(path):
            raise InvalidRequest(f"{source}: the tree {name} is not a folder: {path}", "name a folder that exists")
        places.append(Place(name, path))
    return tuple(places)


def _defaults(table: _Table) -> Defaults:
    plain = Defaults()
    most = table.take("max_budget_tokens", _whole(1, limits.MAX_BUDGET), plain.max_budget_tokens)
    budget = table.take("budget_tokens", _whole(1, most), min(plain.budget_tokens, most))
    tokenizer = table.take("tokenizer", _tokenizer, plain.tokenizer)
    table.done()
    return Defaults(budget, most, tokenizer)


def _limits(table: _Table) -> Limits:
    found = Limits(table.take("max_file_bytes", _whole(1, limits.MAX_FILE_BYTES), limits.MAX_FILE_BYTES))
    table.done()
    return found


def _snapshots(table: _Table) -> Snapshots:
    plain = Snapshots()
    found = Snapshots(
        table.take("enabled", _switch, plain.enabled),
        table.take("quota_bytes", _whole(0, 1 << 50), plain.quota_bytes),
        table.take("age_days", _whole(1, 36_500), plain.age_days),
        table.take("off", _texts, plain.off),
    )
    table.done()
    return found


def _secrets(table: _Table) -> Secrets:
    found = Secrets(table.take("patterns", _texts, None), table.take("extra", _texts, ()))
    table.done()
    return found


def _node(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 253 or not _NODE.fullmatch(value.lower()):
        raise ValueError("a name of letters, digits, `.` and `-`, with :port where it needs one")
    return value.lower()


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("a text that is not empty")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("a list of texts")
    return tuple(value)


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a table")
    return value


def _tables(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("written as [[tree]], once for each tree")
    return value


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _whole(least: int, most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return check


def _tokenizer(value: Any) -> str:
    from budgeted_reads.errors import UnknownTokenizer
    from budgeted_reads.tokens.counter import counter

    try:
        return counter(_text(value)).name
    except UnknownTokenizer as error:
        raise ValueError(f"the name of a tokenizer: {error.hint}") from None


def _read(source: str) -> str:
    try:
        with open(source, "rb") as file:
            raw = file.read(_SMALL + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise InvalidRequest(f"the configuration {source} cannot be read: {why}", "name a file that can be") from error
    if len(raw) > _SMALL:
        raise InvalidRequest(f"the configuration {source} has more than {_SMALL} bytes", "shorten it")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidRequest(f"the configuration {source} is no UTF-8", "save it as UTF-8") from None
