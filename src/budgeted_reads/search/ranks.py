"""What comes first where nothing else decides: sources, then tests, then documents, then what was generated."""

import re
from functools import lru_cache

SOURCE, TEST, DOCUMENT, GENERATED = range(4)

ORDER = "sources, tests, documents, generated; then by path"
"""The order in words."""

_TEST_PARTS = frozenset(b"test tests testing spec specs __tests__ testdata fixtures test-data e2e".split())
_DOCUMENT_PARTS = frozenset(
    b"doc docs documentation man changelog changelogs example examples sample samples demo demos playground".split()
)
_GENERATED_PARTS = frozenset(
    b"node_modules vendor vendored third_party third-party deps dist build generated __generated__ .yarn".split()
)
_TEST = re.compile(rb"test_.*|conftest\.py|.*[._-](?:test|tests|spec)\.\w+|.*_test\.\w+|test\w*\.py", re.DOTALL)
_DOCUMENT = re.compile(rb".*\.(?:md|markdown|mdx|rst|adoc|txt|html?|po|log)", re.DOTALL)
# Without an extension. What may as well be the name of a program is a document only in capitals: `INSTALL`, `News`.
_NAMED = re.compile(
    rb"(?:readme|changelog|licen[cs]e|copying|copyright|contribut(?:ing|ors)|maintainers|code_of_conduct)"
    rb"(?:[-_][\w-]+|[-_.]\d[\d.]*)?|copying\.(?:lesser|lib)",
    re.DOTALL,
)
_IN_CAPITALS = re.compile(
    rb"(?:change_?log|changes|news|history|what_?s_?new|release[-_]?notes|relnotes|authors|credits|thanks|notice|patents"
    rb"|acknowledge?ments|security|support|install|upgrad(?:e|ing)|updating|hacking|bugs|faq|todo)(?:[-_.]\d[\d.]*)?",
    re.DOTALL,
)
_GENERATED = re.compile(
    rb".*\.min\.\w+|.*\.(?:map|lock|svg|snap)|.*_pb2(?:_grpc)?\.pyi?|.*\.pb\.\w+|.*\.generated\.\w+|.*\.g\.\w+"
    rb"|package-lock\.json|pnpm-lock\.yaml|go\.sum|bundle\.js",
    re.DOTALL,
)


@lru_cache(maxsize=65536)
def rank(path: bytes) -> int:
    """The class of PATH, SOURCE first; by its names alone."""
    *folders, name = path.lower().split(b"/")
    if _GENERATED.fullmatch(name) or not _GENERATED_PARTS.isdisjoint(folders):
        return GENERATED
    if _TEST.fullmatch(name) or not _TEST_PARTS.isdisjoint(folders):
        return TEST
    if _DOCUMENT.fullmatch(name) or not _DOCUMENT_PARTS.isdisjoint(folders):
        return DOCUMENT
    written = path[-len(name) :]
    if _NAMED.fullmatch(name) or (_IN_CAPITALS.fullmatch(name) and written[:1].isupper()):
        return DOCUMENT
    if any(folder.startswith(b".") for folder in folders):
        # Settings of tools around the project: .github, .vscode.
        return DOCUMENT
    return SOURCE
