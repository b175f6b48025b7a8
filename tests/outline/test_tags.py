"""Lines that belong to the template that makes a text, whatever the text is."""

import pytest

from budgeted_reads.outline.tags import WITHIN, tag_lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("{{ a }}\n  {% if b %}\n{# c #}\n", {1: 0, 2: 2, 3: 0}),
        ("{{ a }}{{- b }} \r\n{{ a }}: b\nc {{ a }}\n{{ a }} d {{ b }}\n", {1: 0}),
        (" {{- /*\n}} a\n\nb */ -}}\nc\n", {1: 1, 2: 1, 4: 1}),
        ("a {{ b\nc }} d\n", {2: WITHIN}),
        ("{% a\n{% b %}\n", {2: 0}),
        ("{{ a\n{% b\n{# c\n{{/* d\n", {}),
        ("{{ a\n{{ b }}\n", {2: 0}),
    ],
)
def test_lines_of_tags_alone(content: str, lines: dict[int, int]) -> None:
    """A line of tags alone, and one that goes on with a tag, is known with the indentation of that tag."""
    assert tag_lines(content.split("\n")) == lines
