"""Vue and Svelte: definitions of scripts have the lines of the file."""

from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"A.vue")
    check(text, result)
    return result


@given(
    st.integers(0, 20), st.integers(0, 5), st.sampled_from(["", ' lang="ts"', " setup lang='ts'", ' lang="tsx" a=">"'])
)
def test_a_function_has_its_line_wherever_its_script_stands(above: int, within: int, attributes: str) -> None:
    """Lines above the script, and its own tag, are counted."""
    content = "<template>\n" + "<p>x</p>\n" * above + f"</template>\n<script{attributes}>" + "\n" * within
    content += "function f() {\n}\n</script>\n"
    script = made(content).entries[1]
    (function,) = script.children
    assert (function.title, function.start, function.end) == ("f", above + 3 + within, above + 4 + within)
    assert function.level == script.level + 1


def test_a_template_ends_at_its_own_level() -> None:
    """Templates inside it, tags in comments and indented tags open no part."""
    content = "<!--\n<script>\n-->\n<template>\n <template #a>\n </template>\n <script>\n</template>\n<style>\n"
    assert shown(made(content).entries) == "4-8 section template\n9-9 section style\n"


def test_syntax_errors_in_a_script_are_said() -> None:
    """What can be read is there all the same."""
    result = made("<script>\nfunction f() {}\nlet = ;;(\n</script>\n")
    assert shown(result.entries) == "1-4 section script\n  2-2 function f\n"
    assert [warned.code for warned in result.warnings] == ["syntax_errors"]


def test_a_template_may_be_empty_and_a_script_may_speak_of_comments() -> None:
    """A tag that closes itself opens no level, whatever its attributes hold; other blocks of Vue are parts as well."""
    content = '<template>\n <template v-if="a > 1" />\n <!-- <template #x> -->\n</template>\n'
    content += "<script>\nlet a = '<!--'\n</script>\n<i18n>\n{}\n</i18n>\n<style>\n</style>\n"
    assert shown(made(content).entries) == (
        "1-4 section template\n5-7 section script\n  6-6 variable a\n8-10 section i18n\n11-12 section style\n"
    )
