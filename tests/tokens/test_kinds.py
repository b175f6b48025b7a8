"""The kind of a text is told by its format, its script, and in doubt is the worst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.tokens.kinds import KINDS, SAMPLE, SAMPLES, kind_of, worst

ENGLISH = "The lease is renewed by the owner, and it is not changed for the time that is left of this term.\n"
CASES = [
    (ENGLISH, "markdown", "prose", "prose"),
    (ENGLISH, None, None, "prose"),
    ("El contrato se renueva automáticamente cada año si ninguna parte avisa.\n", "markdown", "prose", "latin"),
    ("Kontrak ini berlaku untuk satu tahun dan akan diperpanjang lagi.\n", "markdown", "prose", "latin"),
    ("Договор продлевается автоматически.\n", "text", "plain", "cyrillic"),
    ("Договор with `code_of_it` in between, as in `many_docs`.\n", "markdown", "prose", "cyrillic"),
    ("本合同自签署之日起生效。\n", "markdown", "prose", "cjk"),
    ("契約は自動的に更新されます。\n", "text", "plain", "cjk"),
    ("계약은 서명한 날부터 효력이 있다.\n", "text", "plain", "cjk"),
    ("يتجدد العقد تلقائيًا.\n", "markdown", "prose", "unknown"),
    (ENGLISH + "अनुबंध अपने आप नवीनीकृत हो जाता है।\n", "markdown", "prose", "unknown"),
    ("def f(x):\n    return x\n", "python", "code", "code"),
    ("# 契約は自動的に更新されます。\ndef f(x):\n    return x\n", "python", "code", "code"),
    ("# renovación automática según el año\nx = 1\n", "python", "code", "latin"),
    ("x = 1\n", None, "code", "code"),
    ("var a=1;" * 200, "javascript", "code", "minified"),
    ("<p>hi</p>\n", "html", "prose", "markup"),
    ("a: 1\n", "yaml", "data", "markup"),
    ('{"a": 1}\n', "json", "data", "data"),
    ("a,b\n1,2\n", "csv", "data", "data"),
    ("a,b\n1,2\n", None, "data", "data"),
    ("", None, None, "unknown"),
    ("=" * 5000, "text", "plain", "unknown"),
    ("1 2 3\n" * 500, "text", "plain", "unknown"),
    ("total = renew(lease, owner)\nreturn total.value\n" * 9, "text", "plain", "latin"),
]


@pytest.mark.parametrize(("text", "format", "style", "kind"), CASES)
def test_a_text_has_the_kind_of_its_format_and_script(text: str, format: str | None, style: str, kind: str) -> None:
    """Format first, script for prose, the worst of what is present."""
    assert kind_of(text, format, style) == kind


@given(st.text(), st.none() | st.text(max_size=6), st.sampled_from(["code", "prose", "data", "plain", None]))
def test_every_text_has_one_kind(text: str, format: str | None, style: str | None) -> None:
    """Any text, format and style give one of KINDS, and the same one again."""
    kind = kind_of(text, format, style)
    assert kind in KINDS
    assert kind_of(text, format, style) == kind


def test_the_whole_of_a_large_text_is_sampled() -> None:
    """What stands at the end of a large text is seen, and only so much of the text is."""
    large = ENGLISH * 5000
    assert kind_of(large, "markdown", "prose") == "prose"
    assert kind_of(large + "يتجدد العقد " * 2000, "markdown", "prose") == "unknown"
    assert len(large) > 10 * SAMPLE * SAMPLES


def test_the_worst_of_nothing_is_unknown() -> None:
    """Without evidence the widest bound holds."""
    assert worst(()) == "unknown"
    assert worst(("prose", "latin", "code")) == "latin"
