"""Secret files: known by name or by a private key in them; no part of a value is shown (CONTRACT section 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.secret import secret_path, secret_text
from budgeted_reads.secretnames import public_rows
from budgeted_reads.text import decode

BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\nabcd0123efgh4567=\n-----END RSA PRIVATE KEY-----\n"

KEYS = st.text("ABCDEF_", min_size=1, max_size=8)
SECRET = st.text("qwxyz019=:/+ #-[]{},$", min_size=1, max_size=20)
PLAIN = SECRET.map(lambda value: "q" + value)
VALUES = st.one_of(
    PLAIN,
    PLAIN.map(lambda value: f'"{value}"'),
    PLAIN.map(lambda value: f"'{value}'"),
    st.lists(PLAIN, min_size=2, max_size=4).map(lambda parts: '"' + "\n".join(parts) + '"'),
    st.lists(PLAIN, min_size=2, max_size=4).map(lambda parts: "'" + "\n".join(parts) + "'"),
    st.lists(PLAIN, min_size=2, max_size=4).map(lambda parts: '"""' + "\n".join(parts) + '"""'),
    st.lists(PLAIN, min_size=2, max_size=4).map("\\\n".join),
    st.lists(PLAIN, min_size=2, max_size=4).map("\n    ".join),
    st.lists(PLAIN, min_size=1, max_size=3).map(lambda parts: 'q"' + "\n".join(parts) + '"'),
    st.lists(PLAIN, min_size=1, max_size=3).map(lambda parts: '"q\\"\n' + "\n".join(parts) + '"'),
    st.just(PEM.strip()),
    st.just(f'"{PEM.strip()}"'),
)


def rows(content: str, path: bytes = b".env") -> list[tuple[int, str]]:
    """The rows of CONTENT as a file at PATH."""
    return public_rows(decode(content.encode()), path)


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "export ", "  "]), KEYS, st.sampled_from(["=", " = ", ": "]), VALUES), max_size=6
    )
)
def test_no_part_of_a_value_is_shown(pairs: list[tuple[str, str, str, str]]) -> None:
    """Whatever the values are, over one line or several, rows hold keys of the file and PEM labels alone."""
    content = "".join(f"{lead}{key}{mark}{value}\n" for lead, key, mark, value in pairs)
    allowed = {key for _, key, _, _ in pairs}
    for number, shown in rows(content):
        assert shown in allowed or shown.startswith("-----")
        assert shown in content.split("\n")[number - 1]


@given(st.lists(st.tuples(KEYS, st.text("qwxyz019 ", min_size=1)), max_size=6))
def test_every_key_of_a_plain_file_is_shown(pairs: list[tuple[str, str]]) -> None:
    """One row for each `KEY=value`, with its line."""
    content = "".join(f"{key}={value}\n" for key, value in pairs)
    assert rows(content) == [(number, key) for number, (key, _) in enumerate(pairs, 1)]


@given(st.text(max_size=200))
def test_any_text_has_rows_within_it(content: str) -> None:
    """Nothing fails on any text, and each row stands in its line."""
    if "\0" in content:
        content = content.replace("\0", "")
    for path in (b".env", b"credentials.json", b"a.pem"):
        for number, shown in rows(content, path):
            assert shown in content.split("\n")[number - 1]


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.ENV",
        ".env.local",
        ".envrc",
        "x/server.PEM",
        "tls.key",
        "a.p12",
        "a.pfx",
        "id_rsa",
        ".ssh/id_ed25519",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        "credentials.json",
        "credentials-prod.json",
        "vault.kdbx",
    ],
)
def test_secret_names(path: str) -> None:
    """The list of the contract, on the last component, in any case."""
    assert secret_path(path.encode())


@pytest.mark.parametrize(
    "path", [".env.example", "env", "a.env", "id_rsa.pub", "keys.md", ".env/readme.md", "pem", "credentials.md", ""]
)
def test_names_that_are_not_secret(path: str) -> None:
    """`.env.example` is there to be read; a folder of such a name does not make its files secret."""
    assert not secret_path(path.encode())


def test_the_list_is_configurable() -> None:
    """Patterns replace the list; a later one takes back what an earlier one said."""
    assert secret_path(b"conf/Tokens.txt", ["tokens.*"])
    assert not secret_path(b"tokens.md", ["tokens.*", "!*.md"])
    assert not secret_path(b".env", ["tokens.*"])
    assert secret_path(b"\xff.bin", ["?.bin"])
    assert not secret_path(b"a" * 3000, ["*a" * 3 + "*" * 50 + "b"])


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_makes_a_text_secret(kind: str) -> None:
    """Each PEM kind, on its own lines or inside a string."""
    assert secret_text(f"notes\n-----BEGIN {kind}PRIVATE KEY-----\n{BODY}\n-----END {kind}PRIVATE KEY-----\n")
    assert secret_text(f'{{"key": "-----BEGIN {kind}PRIVATE KEY-----\\n{BODY}\\n"}}')


def test_text_about_keys_is_not_secret() -> None:
    """A label without data behind it, a certificate and a public key may be read."""
    assert not secret_text("Files that start with -----BEGIN PRIVATE KEY----- are refused.\n")
    assert not secret_text(f"-----BEGIN CERTIFICATE-----\n{BODY}\n-----END CERTIFICATE-----\n")
    assert not secret_text(f"-----BEGIN PUBLIC KEY-----\n{BODY}\n-----END PUBLIC KEY-----\n")


def test_a_pem_shows_its_labels_alone() -> None:
    """The data, its last line with `=` included, is never shown; nor is anything of a block without end."""
    labels = [(1, "-----BEGIN RSA PRIVATE KEY-----"), (4, "-----END RSA PRIVATE KEY-----")]
    for path in (b"a.pem", b"id_rsa", b".env"):
        assert rows(PEM, path) == labels
        assert rows(PEM.rsplit("\n", 2)[0] + "\nA=1\n", path) == labels[:1]


def test_formats_show_their_names() -> None:
    """.env, INI, JSON and YAML: keys and sections, with their lines."""
    assert rows("# note\nA=1\nexport B='x y'\nC=\n\nD = \"a\n  b=c\n\"\nE=5\n") == [
        (2, "A"),
        (3, "B"),
        (4, "C"),
        (6, "D"),
        (9, "E"),
    ]
    assert rows("[pypi]\nusername = me\npassword = x=y:z\n", b".pypirc") == [
        (1, "[pypi]"),
        (2, "username"),
        (3, "password"),
    ]
    json = '{\n  "type": "x",\n  "in": {\n    "private_key": "a: b",\n    "list": [\n      "user:pass"\n    ]\n  }\n}\n'
    assert rows(json, b"credentials.json") == [(2, "type"), (3, "in"), (4, "private_key"), (5, "list")]
    yaml = "db:\n  user: me\n  pass: |\n    abc: def\n  url: https://a:b@c\n"
    assert rows(yaml, b"secrets.yaml") == [(1, "db"), (2, "user"), (3, "pass"), (5, "url")]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ("https://me:token@example.com\n", b".git-credentials"),
        ("https://me:token@example.com\n", b".env"),
        ("machine example.com login me password x\n", b".netrc"),
        ("dGVzdA==\n", b".env"),
        ("dGVzdA=\n", b".env"),
        ("dGVzdA=\n", b"tls.key"),
        ('["user:pass", "abc=def"]\n', b"credentials.json"),
    ],
)
def test_values_without_a_name_are_not_taken_for_names(content: str, path: bytes) -> None:
    """Addresses with a password, bare base64 and strings of a list have no key."""
    assert rows(content, path) == []
