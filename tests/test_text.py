"""Bytes to lines: no byte is lost, no line end invented, whatever the encoding (CONTRACT section 1)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from budgeted_reads.errors import BinaryFile, RangeOutOfBounds
from budgeted_reads.text import Text, clamp, decode

LEGACY = {
    "gbk": "港口日志\n今日到港三艘船\n天气晴朗风力三级\n",
    "shift-jis": "港の日誌\n今日は三隻が入港\n晴れ、風力三\n",
    "euc-jp": "港の日誌\n今日は三隻が入港\n晴れ、風力三\n",
    "euc-kr": "오늘 항구에 배 세 척이 들어왔다.\n바람은 약하다.\n",
    "big5": "港口日誌\n今日到港三艘船\n天氣晴朗風力三級\n",
    "windows-1252": "Der Hafen ist schön, über die Brücke gehen wir \u2013 täglich.\nGrüße\n",
    "windows-1250": "Dzi\u015b do portu wesz\u0142y trzy statki.\n\u017b\u00f3\u0142w \u015bpi.\n",
    "windows-1251": "Сегодня в порт пришли три корабля.\nВетер слабый.\n",
    "koi8-r": "Сегодня в порт пришли три корабля.\nВетер слабый.\n",
    "windows-1253": "Σήμερα τρία πλοία ήρθαν στο λιμάνι.\n",
    "windows-1254": "Bug\u00fcn limana \u00fc\u00e7 gemi geldi. I\u015f\u0131k \u015f\u00f6yle bir \u011f\n",
}
LETTERS = st.sampled_from(
    [
        *"a \n\r\t.\x0b\x0c\x85\u2028",
        "\r\n",
        *"\u00e9\u00fc\u6e2f\u53e3\u306e\uc624\u0434\U0001f6a2\ufffd\u0a0a\u0a00\u000d",
    ]
)
PIECES = st.sampled_from(
    [
        b"\n",
        b"\r\n",
        b"\0",
        b"\n\0",
        b"\0\n",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xd8",
        b"\xdc\x0a",
        b"a",
        b"\x81",
        b"\x8f",
        b"\xe2\x82",
    ]
)
RAW = st.one_of(
    st.binary(max_size=80),
    st.lists(PIECES, max_size=40).map(b"".join),
    st.tuples(st.sampled_from([b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"]), st.binary(max_size=60)).map(b"".join),
    st.tuples(
        st.lists(LETTERS, max_size=60).map("".join),
        st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", *LEGACY]),
    ).map(lambda pair: pair[0].encode(pair[1], "ignore")),
    st.tuples(st.sampled_from(sorted(LEGACY)), st.binary(max_size=3), st.integers(0, 200)).map(
        lambda parts: (
            b"%b%b%b" % ((whole := LEGACY[parts[0]].encode(parts[0]))[: parts[2]], parts[1], whole[parts[2] :])
        )
    ),
)


def text_of(raw: bytes) -> Text | None:
    """The text of RAW, or None where it is binary."""
    try:
        return decode(raw)
    except BinaryFile:
        return None


@given(RAW)
@example(b"\xff\xfe\x00\xd8\n\x00")
@example(b"\xff\xfe" + b"a\0" * 40 + b"\x00\xd8\n\0a\0b")
def test_lines_and_bytes_agree_in_every_encoding(raw: bytes) -> None:
    """Nothing but `binary_file` is raised; lines, as text and as bytes, are equally many and join to the whole."""
    text = text_of(raw)
    if text is None:
        return
    numbers = range(1, text.line_count + 1)
    assert b"".join(text.bytes_of(number, number) for number in numbers) == raw
    assert "".join(text.slice(number, number) for number in numbers) == text.content
    assert [text.line(number) for number in numbers] == text.lines()
    assert all(text.line_at(text.starts[number - 1]) == number for number in numbers)
    for number in numbers:
        assert text.bytes_of(number, number)
        same = text.slice(number, number).encode(text.encoding, "replace") == text.bytes_of(number, number)
        assert text.exact(number, number) == same
    if not text.lossy:
        assert text.content.encode(text.encoding) == raw
        assert all(text.exact(number, number) for number in numbers)
    if not text.encoding.startswith("utf-16"):
        assert text.line_count == raw.count(b"\n") + (raw[-1:] not in (b"", b"\n"))


@given(st.text(max_size=200).filter(lambda content: "\0" not in content))
def test_utf8_is_never_taken_for_anything_else(content: str) -> None:
    """Any text without NUL, written as UTF-8, comes back as it was; its BOM stays and is reported."""
    if content[:1] == "\ufeff":
        content = content[1:]
    for raw in (content.encode(), content.encode("utf-8-sig")):
        text = decode(raw)
        assert (text.content, text.encoding, text.guessed, text.lossy) == (raw.decode(), "utf-8", False, False)
        assert text.bom is raw.startswith(b"\xef\xbb\xbf")


@given(st.binary(max_size=60))
def test_a_nul_early_on_is_text_only_in_utf16(raw: bytes) -> None:
    """The rule of git: a NUL in the first 8,000 bytes makes a file binary; later ones do not."""
    text = text_of(b"\0" + raw)
    assert text is None or text.encoding.startswith("utf-16")
    assert decode(b"a" * 8000 + b"\0").encoding == "utf-8"


@given(st.lists(st.sampled_from([*"abc XYZ.,\n\t", "\r\n", "\u00e9", "\u0434"]), min_size=8).map("".join))
def test_utf16_comes_back_with_a_mark_and_mostly_without(content: str) -> None:
    """With a mark always; without one, text that is mostly ASCII in either byte order, and then as a guess."""
    for order, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        text = decode(mark + content.encode(order))
        assert (text.content, text.encoding, text.bom, text.guessed) == ("\ufeff" + content, order, True, False)
        if 2 * sum(char < "\x80" for char in content) >= len(content):
            text = decode(content.encode(order))
            assert (text.content, text.encoding, text.bom, text.guessed) == (content, order, False, True)


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "content", ["Сегодня в порт пришли три корабля.\n", "Привет, мир\n", LEGACY["gbk"] * 3, LEGACY["euc-kr"]]
)
def test_utf16_of_other_scripts_is_seen_without_a_mark(content: str, order: str) -> None:
    """Line ends and blanks give the byte order away."""
    assert decode(content.encode(order)).content == content


@pytest.mark.parametrize(
    "raw",
    [
        b"one\0two\0three\0four\0",
        b"\0",
        b"a\0",
        b"\x01\0\x02\0\x03\0\x04\0",
        "hello\n".encode("utf-32"),
        b"\x7fELF\x02\x01\x01\0\0\0\0\0",
        b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0",
        bytes(range(256)) * 2,
        b"wharf\0\x01\xff" * 50,
    ],
)
def test_nul_separated_strings_and_small_binaries_are_no_utf16(raw: bytes) -> None:
    """A list of paths with NULs between, numbers of 16 bits, UTF-32 and file headers are refused."""
    with pytest.raises(BinaryFile):
        decode(raw)


@pytest.mark.parametrize("encoding", LEGACY)
def test_an_older_encoding_is_guessed_and_gives_its_bytes_back(encoding: str) -> None:
    """The guess is reported, and encoding the text again is the file."""
    raw = LEGACY[encoding].encode(encoding)
    text = decode(raw)
    assert (text.encoding, text.content, text.guessed, text.lossy) == (encoding, LEGACY[encoding], True, False)
    assert text.content.encode(text.encoding) == raw
    assert decode(b"# A plain heading\n\n" + raw).encoding == encoding


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("caf\u00e9\n", "windows-1252"),
        ("\u00a9 2020 Foo\n", "windows-1252"),
        ("price: 20 \u00a3\n", "windows-1252"),
        ("L'\u00e9t\u00e9, \u00e0 c\u00f4t\u00e9 du port.\n", "windows-1252"),
        ("你好", "gbk"),
        ("こんにちは", "shift-jis"),
        ("カタカナ テスト", "shift-jis"),
        ("안녕하세요", "euc-kr"),
        ("Привет, мир\n", "windows-1251"),
        ("我们用这个系统读文件，\U0001f6a2\n", "gb18030"),
        ("① 港の船です\n", "cp932"),
    ],
)
def test_a_few_words_are_enough_for_a_guess(content: str, encoding: str) -> None:
    """Short files, single accented letters and signs beside ASCII."""
    text = decode(content.encode(encoding))
    assert (text.encoding, text.content) == (encoding, content)


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff",
        b"\xe9\n",
        b"\xff\xff",
        b"\xc4\xe3",
        b"na\xc3\xafve \xe6\xb8\xaf caf\xc3\xa9 \xe9 \xe6\xb8",
        bytes(range(128, 256)),
    ],
)
def test_without_a_likely_encoding_the_text_is_lossy_and_says_so(raw: bytes) -> None:
    """Bytes too few to tell, damaged UTF-8 and noise are shown as UTF-8 with U+FFFD."""
    text = decode(raw)
    assert (text.encoding, text.lossy, text.guessed) == ("utf-8", True, False)
    assert text.content == raw.decode("utf-8", "replace")
    assert not text.exact(1, text.line_count)


def test_damaged_utf16_is_shown_with_its_damage() -> None:
    """A cut last unit makes the text lossy, not binary; whole lines before it are still exact."""
    raw = "\ufeffa line\nand another line\n".encode("utf-16-le") + b"x"
    text = decode(raw)
    assert (text.encoding, text.lossy, text.line_count) == ("utf-16-le", True, 3)
    assert text.exact(1, 2)
    assert not text.exact(3, 3)


def test_a_binary_file_is_refused_with_its_card() -> None:
    """The card has the size, and the kind where the first bytes tell."""
    with pytest.raises(BinaryFile) as caught:
        decode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert caught.value.members["card"] == {"bytes": 16, "kind": "png"}
    with pytest.raises(BinaryFile) as caught:
        decode(b"\0\1\2")
    assert caught.value.members["card"] == {"bytes": 3}


def test_only_lf_ends_a_line() -> None:
    """FF, VT, NEL, FS, U+2028 and a lone CR stay inside their line; a final LF starts none; an empty file has none."""
    odd = "a\x0b\x0c\x1c\x85\u2028\u2029\rb"
    text = decode(f"{odd}\nlast".encode())
    assert text.lines() == [odd, "last"]
    assert decode(b"a\n").line_count == 1
    assert decode(b"\n").line_count == 1
    assert decode(b"").line_count == 0
    assert decode(b"").lines() == []


@pytest.mark.parametrize(
    ("raw", "ending"),
    [
        (b"a\nb\n", "lf"),
        (b"a\r\nb\r\n", "crlf"),
        (b"a\r\nb\n", "mixed"),
        (b"a\rb", "cr"),
        (b"a", "none"),
        (b"", "none"),
    ],
)
def test_how_lines_end_is_reported(raw: bytes, ending: str) -> None:
    """A lone CR counts only where there is no LF."""
    assert decode(raw).line_ending == ending


def test_a_range_is_cut_to_the_file_or_refused() -> None:
    """Partly past the end is clamped; wholly past it names the line count."""
    assert clamp((2, 9), 3) == (2, 3)
    for count in (0, 3):
        with pytest.raises(RangeOutOfBounds) as caught:
            clamp((count + 1, count + 1), count)
        assert caught.value.line_count == count
