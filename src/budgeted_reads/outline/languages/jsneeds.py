"""Which words of JavaScript begin what may be a definition: where a function has none, nothing in it is looked at."""

import re

from budgeted_reads.outline.languages.table import Needs

HOOKS = rb"(?:context|beforeEach|afterEach|beforeAll|afterAll|before|after)"
TESTS = rb"(?:describe|it|test|suite|specify)"
"""What calls of tests and of groups of them begin with, and of what runs around them."""

_CONTROL = re.compile(rb"[ \t}]*(?:else\s+)?(?:if|for|while|switch|catch|with)\b")
_NAMED = re.compile(rb"function\s*\*?\s*[\w$]")
_TESTING = rb"[\s})\];]*+(?:await\s+|return\s+)?(?:\(|(?:" + (
    HOOKS + rb"|[xf]?" + TESTS + rb"|[\w$]++\.(?:" + TESTS + rb"|module|skip|todo|only))\b)"
)
_NEAR = 300
_GIVEN = re.compile(rb"(?!" + _TESTING + rb")(?=[^=:]*+\Z)[^=:]*?[\w$](?<!async)\(")
"""The beginning of a line, up to a function that a call is given: not what it is assigned to, nor a test."""


def _counted(source: bytes, offsets: list[int]) -> list[int]:
    """Those of OFFSETS that may be definitions: no block of `if (...) {`, no function that a call is given.

    Those have no name, and what is defined in them is found by its own words; the call of a test counts.
    """
    counted = []
    find, named, given, line_end, heads = source.find, _NAMED.match, _GIVEN.match, -1, False
    line = 0
    for at in offsets:
        if at > line_end:
            line = source.rfind(b"\n", max(0, at - _NEAR), at) + 1
            line_end = find(b"\n", at)
            line_end = line_end if line_end >= 0 else len(source)
            heads = False
        sign = source[at]
        if not line:
            counts = True
        elif sign == 0x29:
            counts = not heads and _CONTROL.match(source, line) is None
        elif sign == 0x3D or (sign == 0x66 and named(source, at) is None):
            # `=>`, or `function` without a name.
            heads = heads or sign == 0x66
            counts = given(source, line, at) is None
        else:
            heads = heads or sign == 0x66
            counts = True
        if counts:
            counted.append(at)
    return counted


FUNCTIONS = (b"function", b"=>", b"class")
IN_FUNCTION = Needs(
    (*FUNCTIONS, b"exports"), re.compile(rb"\)\s*\{"), _counted, inner=(b"{", b">"), alone=(b"exports",)
)
"""A function, or a member of an object that is one: `name(...) {`."""
