"""The tags of HTML with their offsets, and what their attributes say; what is no markup (scripts) has none."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# A quote opens a value behind `=` alone, and `<` stands in values or begins what a server fills in (`<%= id %>`). Where
# that does not come out, a tag ends at its first `>`. Of attempts from different `<` at most one is in each state
# (outside, in either quote), for no sign brings two states together: so all of them cost no more than the text is long.
_ATTRIBUTES = (
    r"(?:(?:[^<>\"'=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+|<[%?](?:[^<>=-]|[=-]>?)*+>)*+(?=>)"
    r"|[^<>]*+)"
)
_TAG = re.compile(
    r"<!--(?:-?>|.*?-->)|<!--.*+"
    # A script that ends in `/>` holds nothing in XHTML, and is written in no other page.
    rf"|<(?P<raw>script|style|textarea|title)\b(?P<rawattrs>{_ATTRIBUTES})(?<![\s\"']/)>"
    r"(?P<rawtext>[^<]*+(?:<(?!/(?P=raw)\b)[^<]*+)*+)"
    rf"|<(?P<close>/?)(?P<name>[a-zA-Z][\w:-]*+)(?P<attrs>{_ATTRIBUTES})>",
    re.DOTALL | re.IGNORECASE,
)
_HOLDS_HTML = re.compile(r"\s*text/(?:html|[\w-]*(?:template|handlebars|mustache|tmpl))\b", re.IGNORECASE)
"""What the `type` of a script begins with that is a template of HTML: `text/x-handlebars-template`."""

COMMENT = "!"
"""The name of a comment, which is a tag without attributes."""

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
"""Elements without an end tag."""


class Tag(NamedTuple):
    """A tag from START to before END; of what holds no markup, such as a style, END is before its end tag."""

    name: str
    closes: bool
    attrs: str
    start: int
    end: int


def tags(content: str) -> list[Tag]:
    """The tags and comments of CONTENT in order, their names in lower case.

    A script holds no tags, unless its `type` says that it is a template of HTML.
    """
    made: list[Tag] = []
    for found in _TAG.finditer(content):
        raw, _, _, close, name, attrs = found.groups()
        if name:
            made.append(Tag(name.lower(), close == "/", attrs, *found.span()))
        elif raw:
            made += _raw(found)
        else:
            made.append(Tag(COMMENT, False, "", *found.span()))
    return made


def _raw(found: re.Match[str]) -> Iterator[Tag]:
    """The tag that opens what holds no markup, as far as that goes; of a template also the tags in it."""
    tag = Tag(found["raw"].lower(), False, found["rawattrs"], *found.span())
    if tag.name != "script" or not _HOLDS_HTML.match(attribute(tag, "type")):
        yield tag
        return
    inside = found.start("rawtext")
    yield tag._replace(end=inside)
    for one in _TAG.finditer(found.string, inside, tag.end):
        # Its own end tag ends what is raw in it, so nothing in there needs a look inside.
        name = one["name"] or one["raw"] or COMMENT
        yield Tag(name.lower(), one["close"] == "/", one["attrs"] or one["rawattrs"] or "", *one.span())


_VALUE = r"""(?<![^\s"'])%s\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
_VALUES = {name: re.compile(_VALUE % name, re.IGNORECASE) for name in ("id", "type", "role", "aria-level", "alt")}


def attribute(tag: Tag, name: str) -> str:
    """What the attribute NAME, one of those in `_VALUES`, says in TAG; "" where it is not there."""
    found = _VALUES[name].search(tag.attrs)
    return (found[1] or found[2] or found[3] or "") if found else ""


def alone(tag: Tag) -> bool:
    """Whether TAG ends its own element, as XHTML and SVG write it: `<circle />`, but not `<a href=b/>`."""
    return tag.attrs == "/" or tag.attrs.endswith((" /", '"/', "'/", "\n/"))
