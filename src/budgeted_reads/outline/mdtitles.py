"""What a heading of Markdown says, without inline markup, labels and links to itself."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from budgeted_reads.outline.mdblocks import inline

if TYPE_CHECKING:
    from markdown_it.token import Token

_LONG_TITLE = 2000
"""A heading longer than this keeps its inline markup: the inline rules are not linear."""

_MARKUP = re.compile(r"[*_`\[\]<>\\&~!]")
_ATTRIBUTES = re.compile(
    r"\{:?+\s*+[#.][\w:.-]++(?:\s++(?:[#.][\w:.-]++|[\w:-]++=(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'{}]++)))*+\s*+\}"
    r"|\{/\*[^*]*+\*/\}"
)
_PERMALINK = re.compile(r"\[\\?[^\w\s\[\]\\]{1,3}\]\(#[^\s()]*+(?:\s++\"[^\"]*+\")?+\)")


def title(words: str, env: dict[str, Any]) -> str:
    """WORDS of a heading as a reader says them; white space is folded."""
    return spoken(unlabelled(words), env)


def unlabelled(words: str) -> str:
    """WORDS without what ends them as no part of the title, unless there is nothing else.

    That is a link to the heading itself (`[¶](#id)`), then attributes (`{#id .class}`, `{: #id}`, `{/*id*/}`).
    """
    for last, opening, form in ((")", "[", _PERMALINK), ("}", "{", _ATTRIBUTES)):
        at = words.rfind(opening) if words.endswith(last) else 0
        if at > 0 and words[at - 1] not in "\\!" and form.fullmatch(words, at):
            words = words[:at].rstrip()
    return words


def spoken(words: str, env: dict[str, Any]) -> str:
    """WORDS without inline markup."""
    if _MARKUP.search(words) and len(words) <= _LONG_TITLE:
        words = _said(inline(words, env))
    return " ".join(words.split())


def _said(tokens: Sequence["Token"]) -> str:
    said = []
    for token in tokens:
        if token.type == "image":
            said.append(_said(token.children or ()))
        elif token.type in ("text", "code_inline", "text_special"):
            said.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            said.append(" ")
    return "".join(said)
