"""The types of the JSON borders say what the tables say and what the node answers."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from budgeted_reads import contract, errors, fields, shapes
from budgeted_reads.http.openapi import EXAMPLES, document
from budgeted_reads.node import Node
from repos import Change, Link, make_repo

CODE = '''"""Doc."""


class Reader:
    """Reads."""

    size: int = 3

    def read(self, n: int) -> str:
        """Read n."""
        return "x" * n
'''
FILES: Change = {
    b"notes.md": b"# A\n\n## B\n\ntext text\n\n## C\n\nmore\n" + b"word " * 300 + b"\n",
    b"code.py": CODE.encode() + b"\n".join(b"x%d = 1" % n for n in range(200)) + b"\n",
    b"data.csv": b"a,b\n1,2\n3\n",
    b"empty.txt": b"",
    b"conf.json": b'{"a": {"b": [1, 2]}}\n',
    b"sub/one.txt": b"one\n",
    b"link": Link(b"notes.md"),
}
EVERYTHING = list(fields.INCLUDES)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A node over files of several formats, one of them dirty."""
    place = tmp_path_factory.mktemp("contract") / "tree"
    make_repo(place, [FILES])
    (place / "dirty.txt").write_text("new\n", encoding="utf-8")
    with Node.open(place) as opened:
        yield opened


def names(type_: Any) -> list[str]:
    """The fields of a struct."""
    return [field.name for field in msgspec.structs.fields(type_)]


def again(body: Any, type_: Any) -> Any:
    """BODY after it went through TYPE_; what that does not name is lost on the way."""
    return json.loads(msgspec.json.encode(msgspec.convert(body, type_)))


def test_requests_have_exactly_the_fields_of_the_tables() -> None:
    """Every field of a request is in its type, in the order of the table, with the help of the table."""
    assert names(contract.ReadRequest) == [field.name for field in fields.READ]
    assert names(contract.DereferenceRequest)[:2] == [field.name for field in fields.DEREFERENCE]
    shown = document()["components"]["schemas"]["ReadRequest"]["properties"]
    assert all(shown[field.name]["description"].startswith(field.help) for field in fields.READ)


def test_every_word_for_a_type_is_known() -> None:
    """No field of a table falls back to `anything`: its word, or its own type, is there."""
    for field in (*fields.READ, *fields.DEREFERENCE):
        assert field.type in contract.WANTED, field
        assert field.words == () or field.type in ("word", "words")
    for field in fields.ANSWER:
        assert field.name in contract.PARTS or field.type in contract.GIVEN, field


def test_objects_have_the_members_that_the_table_names() -> None:
    """Members named in braces in the help of a field are those of its type."""
    for field in fields.ANSWER:
        named = re.match(r"\[?\{([^}]*)\}", field.help)
        if named:
            type_ = contract.PARTS[field.name]
            struct = type_ if isinstance(type_, type) and issubclass(type_, msgspec.Struct) else type_.__args__[0]
            listed = re.split(r", | or ", named[1])
            assert set(listed) <= set(names(struct)), field


REQUESTS: list[dict[str, Any]] = [
    *({"path": path.decode(), "include": EVERYTHING} for path in FILES if path != b"sub/one.txt"),
    *({"path": "code.py", "budget_tokens": budget, "include": EVERYTHING} for budget in (20, 60, 150, 400)),
    {"path": "notes.md", "section": "B"},
    {"path": "notes.md", "lines": [1, 3], "number_lines": True},
    {"path": "notes.md", "view": "full", "budget_tokens": 40, "on_overflow": "page"},
    {"path": "notes.md", "lines": "10", "columns": "1-20"},
    {"path": "dirty.txt"},
    {"path": "notes.md", "commit": "HEAD", "tokenizer": "claude"},
    {"path": "sub"},
    {"path": ""},
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: str(request)[:60])
def test_every_answer_is_what_its_type_says(node: Node, request_: dict[str, Any]) -> None:
    """Real answers are valid by the type, and nothing but facts of a format is in them that the type does not name."""
    body = json.loads(json.dumps(node.ask(request_).to_dict()))
    typed = again(body, contract.Answer)
    for facts in (body.get("file") or {}, (typed.get("file") or {})):
        for name in set(facts) - set(names(shapes.File)):
            del facts[name]
    assert typed == body


def test_a_dereference_is_what_its_type_says(node: Node) -> None:
    """The same of what a pointer stands for."""
    row = node.ask({"path": "notes.md"}).to_dict()["evidence"]
    assert isinstance(row, list)
    body = json.loads(json.dumps(node.dereference(row[0]["pointer"], sha256="00").to_dict()))
    assert again(body, shapes.Dereferenced) == body


def test_every_error_is_a_problem_of_its_type() -> None:
    """Each code of the tree of errors is in the schema, with one status."""
    codes = contract.codes()
    assert set(codes) == set(document()["components"]["schemas"]["Problem"]["properties"]["code"]["enum"])
    found = errors.BudgetTooSmall("3 are too few", "ask with 11", minimum_tokens=11).problem()
    assert msgspec.convert(found, contract.Problem)
    assert codes["budget_too_small"] == 422
    contract_page = (Path(__file__).parent.parent / "docs" / "contract.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"`(\w+)`[^|]*\| (\d{3}) \|", contract_page))
    assert {code: str(status) for code, status in codes.items()} == table


def test_every_example_is_valid() -> None:
    """The examples of the description are bodies of their types."""
    for type_, example in EXAMPLES.items():
        assert msgspec.convert(example, type_)


def test_a_body_is_parsed_or_the_field_named() -> None:
    """Null counts as not given; anything wrong is `invalid_request` with the name of the field."""
    parsed: Any = contract.parse(contract.DereferenceRequest, {"pointer": "a@0123456", "sha256": None})
    assert (parsed.pointer, parsed.sha256) == ("a@0123456", None)
    with pytest.raises(errors.InvalidRequest, match="sha256"):
        contract.parse(contract.DereferenceRequest, {"pointer": "a", "sha256": 5})
    with pytest.raises(errors.InvalidRequest, match="unknown"):
        contract.parse(contract.DereferenceRequest, {"pointer": "a", "unknown": 5})
