"""Translations, bibliographies, subtitles and features."""

import pytest

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown

CASES = {
    "de.po": (
        '# Tides.\nmsgid ""\nmsgstr ""\n"Language: de\\n"\n\n#: a.c:12\nmsgid "It rises"\nmsgstr "Sie steigt"\n\n'
        'msgctxt "menu"\nmsgid ""\n"A long \\"one\\""\nmsgid_plural "No"\nmsgstr[0] ""\n',
        '6-9@7 heading It rises\n10-14@12 heading A long \\"one\\"\n',
    ),
    "a.bib": (
        "@string{x = {y}}\n@article{gate84,\n  title = {Tides},\n}\n\n@Book {reef20,\n}\n@comment{no,\n}\n",
        "2-5 heading gate84\n6-9 heading reef20\n",
    ),
    "a.srt": (
        "1\n00:00:01,000 --> 00:00:02,000\nIt rises.\nAnd falls.\n\n2\n00:00:03,000 --> 00:00:04,000\nTwice.\n",
        "1-5@3 heading It rises.\n6-8@8 heading Twice.\n",
    ),
    "a.vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\nIt rises.\n\n00:03.000 --> 00:04.000\n", "3-6@4 heading It rises.\n"),
    "a.feature": (
        "@tide\nFeature: Tides\n  Background:\n    Given a gate\n  Scenario: rise\n    When it rises\n"
        "  Rule: night\n    Scenario Outline: fall\n      Then it falls\n      Examples:\n        | a |\n",
        "2-11 heading Tides\n  3-4 heading Background\n  5-6 heading rise\n  7-11 heading night\n"
        "    8-11 heading fall\n      10-11 heading Examples\n",
    ),
}


def made(content: str, name: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, name.encode())
    check(text, result)
    return result


@pytest.mark.parametrize("name", CASES)
def test_each_record_is_a_section(name: str) -> None:
    """By what a reader looks for in it, with the lines that lead up to that."""
    content, entries = CASES[name]
    result = made(content, name)
    assert result.warnings == ()
    assert shown(result.entries) == entries


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "opening", ['msgid ""\n"', 'msgid "a"\n', "@a{b,\n", "@a{", " --> \na\n", "Rule:\n", "\\", '"']
)
def test_hostile_marks_end(name: str, opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000, name)
