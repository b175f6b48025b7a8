"""Tables of separated values: dialect, header and records against the standard library's reader."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline
from budgeted_reads.outline import csv as table
from budgeted_reads.outline.csvrecords import records
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown

CELLS = st.text('ab1 ,;\n"\té', max_size=6)


def made(content: str, name: bytes = b"a.csv") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=8), st.sampled_from([",", ";", "\t"]))
def test_records_are_those_that_were_written(rows: list[list[str]], delimiter: str) -> None:
    """Quoted line ends, quotes and delimiters belong to cells; every line is in exactly one record."""
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    found = list(records(decode(file.getvalue().encode()).lines(), delimiter))
    assert [record.width for record in found] == [len(row) for row in rows]
    lines = [number for record in found for number in range(record.first, record.last + 1)]
    assert lines == list(range(1, file.getvalue().count("\n") + 1))


@given(st.lists(st.lists(st.sampled_from(['"', '""', "a", ",", "\r", " ", "b"]), max_size=6).map("".join), max_size=6))
def test_counting_and_reading_agree(lines: list[str]) -> None:
    """Rows are counted the same whether quotes are simple enough to count or each record is read."""
    content = "".join(f"{line}\n" for line in lines)
    found = [record for record in records(decode(content.encode()).lines(), ",") if record.width]
    facts = dict(made(f"h1,h2\n{content}").facts)
    if facts["delimiter"] == "," and facts["header_line"] == 1:
        assert facts["row_count"] == len(found)


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(1, 40),
    st.text('",\na', max_size=4),
)
def test_counting_in_pieces_is_reading(rows: list[list[str]], end: str, chunk: int, tail: str) -> None:
    """Whatever the size of the pieces, what can be counted comes to what reading every record gives."""
    file = io.StringIO()
    csv.writer(file, lineterminator=end).writerows(rows)
    content = file.getvalue() + tail
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "CHUNK", chunk)
        counted = table._counted(content.encode(), b",", quoted=True)
    assert counted in (None, table._read(content, ","))


def test_quotes_around_whole_cells_are_counted() -> None:
    """A table that a program has written needs no reading of records, whatever is in its cells."""
    rows = b'1,"a ""b"", c","two\r\nlines"\r\n' * 40_000
    assert table._counted(rows, b",", quoted=True) == table._Rows(40_000, 3)
    assert table._counted(b'5" pipe,1\n' * 3, b",", quoted=False) == table._Rows(3, 2)


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ("a,b\n1,2\n", (("a", "b"), 1, ",", 1)),
        ("a;b\n1,5;2,5\n", (("a", "b"), 1, ";", 1)),
        ("a\tb\tc\n1\t2\t3\n\n", (("a", "b", "c"), 1, "\t", 1)),
        ("a|b\nx|y\n", (("a", "b"), 1, "|", 1)),
        ("1,2\n3,4\n", (("1", "2"), 2, ",", None)),
        ("2024-01-01,x\n2024-01-02,y\n", (("1", "2"), 2, ",", None)),
        ("country,2001,2002\nx,1,2\n", (("country", "2001", "2002"), 1, ",", 1)),
        ("\n\na,b\n1,2\n", (("a", "b"), 1, ",", 3)),
        ('"a\nb",c\n1,2\n', (("a\ufffdb", "c"), 1, ",", 1)),
        ("\ufeffa,b\r\n1,2\r\n", (("a", "b"), 1, ",", 1)),
        ("id,name,name,\n", (("id", "name", "name", ""), 0, ",", 1)),
        ("name\nx\ny\n", (("name",), 2, ",", 1)),
        ('size,n\n5" pipe,1\n6" pipe,2\n', (("size", "n"), 2, ",", 1)),
        ("", ((), 0, ",", None)),
    ],
)
def test_delimiter_header_and_rows(content: str, facts: tuple[object, ...]) -> None:
    """The delimiter is the one that makes rows of equal width; a first record with numbers or dates is no header."""
    assert tuple(value for _, value in made(content).facts) == facts


@pytest.mark.parametrize(
    ("content", "facts", "above"),
    [
        ("# made by x, y\nname,city\nbob,x\n", (("name", "city"), 1, ",", 2), "1"),
        ("\ufeff# é\n\n#\nn,é\nbob,1\n", (("n", "é"), 1, ",", 4), "1, 3"),
        ("sep=;\nname;a,b\nbob;1\n", (("name", "a,b"), 1, ";", 2), "1"),
        ("Report 2020\n\nname,age,city\nbob,1,x\n", (("name", "age", "city"), 1, ",", 3), "1"),
        ("Report,,\n,,\nname,age,city\nbob,1,x\n", (("name", "age", "city"), 1, ",", 3), "1, 2"),
        ("Station,A\nDate,1\nn,age,c\nbob,1,x\nann,2,y\n", (("n", "age", "c"), 2, ",", 3), "1, 2"),
        ('"two\nlines"\nn,age\nbob,1\n', (("n", "age"), 1, ",", 3), "1, 2"),
        ("# x\n1,2\n3,4\n", (("1", "2"), 2, ",", None), "1"),
        ("##x,y\n#id,name\n1,a\n", (("#id", "name"), 1, ",", 2), "1"),
        ("# id, name\n1, a\n", (("# id", "name"), 1, ",", 1), ""),
        ("name,city\nbob,x,\nann,y,\n", (("name", "city"), 2, ",", 1), ""),
        ("name,,\nbob,x,y\n", (("name", "", ""), 1, ",", 1), ""),
        ("# a\n# b\n", (("# a",), 1, ",", 1), ""),
    ],
)
def test_what_stands_above_a_table_is_no_row_of_it(content: str, facts: tuple[object, ...], above: str) -> None:
    """Comments, a line that says the delimiter, and titles are named in the warning; a header may be a comment."""
    result = made(content)
    assert tuple(value for _, value in result.facts) == facts
    said = [warned.detail for warned in result.warnings if "above" in warned.detail]
    assert said == ([f"lines above the table are not counted as rows: {above}"] if above else [])


def test_records_that_end_at_cr_alone_are_counted() -> None:
    """They stand on one line, of which the columns are windows; warnings name records, for there are no lines."""
    result = made('\ufeffReport\rname,age\rbob,1\rann\r"a\rb",3\r')
    assert tuple(value for _, value in result.facts) == (("name", "age"), 3, ",", 1)
    assert shown(result.entries) == "1-1:9-12 column name\n1-1:14-16 column age\n"
    assert [warned.detail for warned in result.warnings] == [
        "records above the table are not counted as rows: 1",
        "1 rows without 2 cells: records 4",
    ]
    assert dict(made("a,b\r\n").facts)["row_count"] == 0


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ('id\ttext\n1\t"Yes, he said\n2\tplain\n3\t"No", she said\n4\tz\n', 4),
        ('id,text\n1,"a\n2,b\n3,"c" d\n4,"x\ny"\n', 4),
        ('id,a,b\n1,"x,y\n2,u,"v\n3,"w,z\n', 3),
    ],
)
def test_a_stray_quote_that_opens_a_cell_swallows_no_rows(content: str, count: int) -> None:
    """A quote in another line closes a cell only before a delimiter or the end of the line; the warning names it."""
    result = made(content)
    assert dict(result.facts)["row_count"] == count
    assert [warned.code for warned in result.warnings] == ["unclosed_quote"]


def test_columns_are_windows_of_the_header_line() -> None:
    """Each has its code points, quotes included, and the type of its cells."""
    result = made('é,"b, c",d,e\n1,x,1.5,2024-01-01\n2,y,2,2024-01-02\n')
    assert shown(result.entries) == "1-1:1-1 column é\n1-1:3-8 column b, c\n1-1:10-10 column d\n1-1:12-12 column e\n"
    assert [entry.flags for entry in result.entries] == [("integer",), ("text",), ("number",), ("date",)]


def test_uneven_rows_are_named() -> None:
    """The warning says which lines have another number of cells than the header; a blank line is no row."""
    result = made("a,b\n1\n\n1,2\n1,2,3\n")
    assert [(warned.code, warned.detail) for warned in result.warnings] == [
        ("uneven_rows", "2 rows without 2 cells: lines 2, 5")
    ]


def test_a_quote_that_never_closes_hides_nothing() -> None:
    """Its cell ends with its line, the rows after it are counted, and the warning names it."""
    result = made('a,b\n1,"2\n3,4\n5,6\n')
    assert dict(result.facts)["row_count"] == 3
    assert [warned.code for warned in result.warnings] == ["unclosed_quote"]


def test_a_cell_of_any_length_is_fine() -> None:
    """The standard reader's limit of 131,072 characters does not apply, and stays as it was."""
    limit = csv.field_size_limit()
    assert dict(made(f"id,seq\n1,{'x' * 200_000}\n").facts)["row_count"] == 1
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize(
    "opening", ['"', '"\n', ',"', '"",', ",", "\n", 'a"', '"a""\n', '"a\n', '"a\nb"c\n', '"\r', "#\n", ",,\n", "a\r"]
)
def test_hostile_marks_end(opening: str) -> None:
    """Fifty thousand marks give some sound outline."""
    made(opening * 50_000)
