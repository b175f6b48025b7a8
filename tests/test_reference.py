"""The reference page and the tables that it is made from are one."""

import runpy
from pathlib import Path

from budgeted_reads import fields

TOP = Path(__file__).parent.parent


def test_the_reference_is_what_the_tables_say() -> None:
    """docs/reference.md is exactly what `tools/reference.py --write` would write."""
    made = runpy.run_path(str(TOP / "tools" / "reference.py"))["page"]()
    assert (TOP / "docs" / "reference.md").read_text(encoding="utf-8") == made


def test_no_field_is_described_twice() -> None:
    """Every field of a table has one row there, with a help text and a known type."""
    for table in (fields.READ, fields.DEREFERENCE, fields.ANSWER):
        names = [field.name for field in table]
        assert len(names) == len(set(names))
        assert all(field.help and field.clause for field in table)
    assert all(field.type in fields.TYPES for field in (*fields.READ, *fields.DEREFERENCE))
