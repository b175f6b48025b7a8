"""SQL: statements of several dialects, told apart by their marks alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True).map(lambda name: f"n_{name}")


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.sql")
    check(text, result)
    return result


@given(
    st.lists(
        st.tuples(NAMES, st.lists(NAMES, min_size=1, max_size=4), st.sampled_from(["\n", " ", "\n  "])), max_size=6
    )
)
def test_tables_and_columns_are_those_that_were_written(tables: list[tuple[str, list[str], str]]) -> None:
    """Whatever stands between them: line breaks, defaults with marks in them, comments."""
    content = "".join(
        f"CREATE TABLE {name} ({gap}"
        + f",{gap}".join(f"{column} varchar(3) DEFAULT ';('" for column in columns)
        + f"{gap}); -- a ; b\nINSERT INTO x VALUES ('CREATE TABLE no (a int);');\n"
        for name, columns, gap in tables
    )
    found = [(table.title, [column.title for column in table.children]) for table in made(content).entries]
    assert found == [(name, columns) for name, columns, _ in tables] or not tables


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("CREATE TABLE `a b` (`x` int, KEY k (`x`)) ENGINE=InnoDB;\n", "1-1 table a b\n  1-1:21-27 field x\n"),
        ("create or replace view V as select 1;", "1-1 view V\n"),
        ("CREATE PROCEDURE [dbo].[p] AS\nBEGIN\nSELECT 1;\nEND\nGO\nSELECT 2\n", "1-4 procedure dbo.p\n"),
        ("CREATE FUNCTION f() RETURNS int AS $$\nSELECT 1;\n$$ LANGUAGE sql;\n", "1-3 function f\n"),
        (
            "DELIMITER $$\nCREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW\nBEGIN\n  SET x = 1;\nEND$$\nDELIMITER ;\n"
            "CREATE TABLE b (c int);\n",
            "2-5 trigger t\n7-7 table b\n  7-7:17-21 field c\n",
        ),
        (
            "CREATE OR REPLACE PACKAGE BODY p AS\nPROCEDURE q IS\nBEGIN\nIF a THEN\nb;\nEND IF;\nEND;\n"
            "/\nCREATE INDEX i ON t (a);\n",
            "1-7 package p\n9-9 index i\n",
        ),
        ("CREATE TABLE a (b int\n", "1-1 table a\n"),
    ],
)
def test_dialects(content: str, rows: str) -> None:
    """MySQL, T-SQL, PostgreSQL, PL/SQL: names without their quotes, routines as one entry, exact lines."""
    assert shown(made(content).entries) == rows


def test_comments_above_are_the_doc() -> None:
    """A run of them directly above a statement; a blank line parts them."""
    first, second = made("-- one\n-- two\nCREATE SCHEMA a;\n\n-- three\n\nCREATE SCHEMA b;\n").entries
    assert (first.doc, second.doc) == ((1, 2), None)
