"""Templates: what they define, in the marks of Go and of Jinja."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str, name: bytes = b"_helpers.tpl") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


def test_definitions_of_go_templates() -> None:
    """To the `end` that is theirs, whatever opens and ends inside; what stands in comments is none."""
    content = (
        '{{/* {{ define "no" }} */}}\n{{- define "a.name" -}}\n{{- if .x }}\n{{ range .y }}{{ . }}{{ end }}\n'
        '{{- end }}\n{{- end -}}\n{{ with .z }}\n{{ block "b" . }}x{{ end }}\n{{ end }}\n{{ template "a.name" . }}\n'
    )
    result = made(content)
    assert (result.format, result.warnings) == ("template", ())
    assert shown(result.entries) == "2-6 template a.name\n8-8 template b\n"


def test_macros_and_blocks_of_jinja() -> None:
    """Nested as they stand."""
    content = "{% extends 'a' %}\n{% block body %}\n{%- macro row(x) -%}\n{{ x }}\n{%- endmacro %}\n{% endblock %}\n"
    assert shown(made(content, b"page.j2").entries) == "2-6 template body\n  3-5 template row\n"


def test_a_template_without_definitions_is_read_as_what_it_seems_to_make() -> None:
    """Code by its indentation, and says that it is a guess; else plain text."""
    guess = made("sub rise {\n    return 1;\n}\n", b"a.pl.j2")
    assert shown(guess.entries) == "1-3 function rise\n"
    assert [warned.code for warned in guess.warnings] == ["approximate_outline"]
    assert made("Dear {{ name }},\n\nit rises.\n", b"mail.j2").style == "plain"


@pytest.mark.parametrize(
    "opening", ['{{ define "a" }}', "{{", "{{/*", "{{ end }}", "{% block a %}", "{%", "{{ if ", "{{ \n"]
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
