"""Which older encoding bytes are in that are no UTF-8: a guess from how its readers write, or none.

Each encoding of the table reads the same sample. Its score is the share of characters that are usual in its languages
(half as much again for very frequent ones); words that mix scripts or case are not usual. General detectors are weak
on short files: they take Chinese for Korean, and West European for Central European. In all of these encodings the
byte 0x0A is always a line end, never a part of a character.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

SAMPLE_BYTES = 16_384
"""The guess rests on at most this much of the lines that are not ASCII, from the first on."""

_RUN_BYTES = 2048  # of one line
_LEAST = 0.6  # share of usual characters, below which there is no guess
_BONUS = 0.5  # for very frequent ones
_FIRST = 0.02  # by so much another has to be better than the first of the table, the most likely one beforehand
_FEW_BYTES = 4  # fewer are only guessed beside Latin letters

_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_WORD = re.compile(r"[^\W\d_]+|[^\x00-\x7f\w]|[^\W\x00-\x7f]")
_SYMBOLS = frozenset("“”‘’„‚«»‹›–—…•·¡¿°§©®™€£¥№±×²³¼½¾ªº´\u00a0\u00ad")

_HANZI = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去"
    "法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业"
    "外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教原东声提立及"
    "比员解水名真论处走义各入几口条平系气题活更别打女变四总何电数安少报才结反受目太量再感建务做接必场件计管期市直资命山金指许统区保至形"
)
_HANZI_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去"
    "法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業"
    "外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教原東聲提立及"
    "比員解水名真論處走義各入幾口條平系氣題活更別打女變四總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至形"
)
_HANGUL = (
    "이다는을에가고의하한지로사도기서어를은니리인그자나시대있해일들아으정전수부과라만보여주요게것와안까면때세우생제성할장없히상원조스구신위"
    "국공동말모선오중거문내했습된년비계야러더소진화저금무르발방연음용직미녕입합됩께되려네데따못본두번오늘배척람약글른같않음"
)
_HIRAGANA = "".join(map(chr, range(0x3041, 0x3094)))
_KATAKANA = "".join(map(chr, range(0x30A1, 0x30F7))) + "ー"
_CYRILLIC = "".join(map(chr, range(0x410, 0x450))) + "Ёё"


class _Encoding(NamedTuple):
    """`codecs` are tried in order, small to large; `usual` gives the characters that its readers expect."""

    codecs: tuple[str, ...]
    usual: Callable[[], frozenset[str]]
    frequent: frozenset[str]
    judge: Callable[[str, frozenset[str]], int]


def _block(codec: str, *leads: tuple[int, int], trails: tuple[int, int] = (0xA1, 0xFE)) -> frozenset[str]:
    """The characters of rows LEADS of a two-byte set: within them stand its everyday characters."""
    pairs = (
        bytes((a, b)) for first, last in leads for a in range(first, last + 1) for b in range(trails[0], trails[1] + 1)
    )
    return frozenset("".join(pair.decode(codec, "ignore") for pair in pairs))


def _each(word: str, usual: frozenset[str]) -> int:
    return sum(char in usual for char in word)


def _latin(word: str, usual: frozenset[str]) -> int:
    """All of a word, where its letters are the language's and about a third of them are ASCII."""
    beyond = [char for char in word if char > "\x7f"]
    return len(beyond) if 3 * len(beyond) <= 2 * len(word) + 1 and usual.issuperset(beyond) else 0


def _alphabet(word: str, usual: frozenset[str]) -> int:
    """All of a word, where it has no ASCII letter and its case is regular."""
    return len(word) if usual.issuperset(word) and (word[1:].islower() or word[1:] == word[1:].upper()) else 0


def _letters(text: str) -> Callable[[], frozenset[str]]:
    return lambda: frozenset(text)


_WEST = "àâäáãåæçèéêëìíîïñòóôõöøœùúûüýÿßðþšžµÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜÝŸÐÞŠŽ"
_CENTRAL = "ąćęłńóśźżáčďéěíňřšťúůýžäöüßőűăâîşţđĺľŕôĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽÄÖÜŐŰĂÂÎŞŢĐĹĽŔÔ"
_GREEK = "".join(map(chr, range(0x386, 0x3CF)))
_HEBREW = "".join(map(chr, range(0x5D0, 0x5EB)))
_ARABIC = "".join(map(chr, range(0x621, 0x64B))) + "پچژگ"

# The first of equals wins.
_ENCODINGS = (
    _Encoding(("windows-1252",), _letters(_WEST), frozenset("éèàçùâêîôäöüßñáíóúãåæøÉÄÖÜÅØ"), _latin),
    _Encoding(("windows-1250",), _letters(_CENTRAL), frozenset("ąęłśżźćńóřěůčšžýáíéúöüőűäôâîťľŚŻŁČŠŽ"), _latin),
    _Encoding(("windows-1254",), _letters("çğıöşüâîûÇĞİÖŞÜÂÎÛ"), frozenset("ışğçöüİŞÇÖÜ"), _latin),
    _Encoding(
        ("windows-1251",), _letters(_CYRILLIC + "ЄєІіЇїҐґЂђЈјЉљЊњЋћЏџЎў"), frozenset("оеаинтсрвлкмдпу"), _alphabet
    ),
    _Encoding(("koi8-r",), _letters(_CYRILLIC), frozenset("оеаинтсрвлкмдпу"), _alphabet),
    _Encoding(("windows-1253",), _letters(_GREEK), frozenset("αοιεστνηυρπκάίό"), _alphabet),
    _Encoding(("windows-1255",), _letters(_HEBREW), frozenset("יוהלאמרתבשנ"), _alphabet),
    _Encoding(("windows-1256",), _letters(_ARABIC), frozenset("اليمنترودبةع"), _alphabet),
    _Encoding(
        ("gbk", "gb18030"),
        lambda: _block("gb2312", (0xA1, 0xA1), (0xA3, 0xA3), (0xB0, 0xD7)),
        frozenset(_HANZI),
        _each,
    ),
    _Encoding(
        ("shift-jis", "cp932"),
        lambda: _block("euc-jp", (0xA1, 0xA1), (0xA3, 0xA5), (0xB0, 0xCF)),
        frozenset(_HIRAGANA + _KATAKANA),
        _each,
    ),
    _Encoding(
        ("euc-jp",),
        lambda: _block("euc-jp", (0xA1, 0xA1), (0xA3, 0xA5), (0xB0, 0xCF)),
        frozenset(_HIRAGANA + _KATAKANA),
        _each,
    ),
    _Encoding(
        ("euc-kr", "cp949"),
        lambda: _block("euc-kr", (0xA1, 0xA1), (0xA3, 0xA3), (0xB0, 0xC8)),
        frozenset(_HANGUL),
        _each,
    ),
    _Encoding(
        ("big5", "cp950"),
        lambda: _block("big5", (0xA1, 0xA3), (0xA4, 0xC6), trails=(0x40, 0xFE)),
        frozenset(_HANZI_TRADITIONAL),
        _each,
    ),
)


def guess(raw: bytes) -> tuple[str, str] | None:
    """The most likely encoding of RAW and its text, or None: no encoding fits, or none gives RAW back exactly.

    RAW is known to be no UTF-8. There is no guess for text that is UTF-8 but for a few bytes, for bytes with more
    than 1 % controls, and, where fewer than 4 bytes are beyond ASCII, for anything but a text with Latin letters.
    """
    runs = list(_runs(raw))
    if _broken_utf8(runs) or _noise(runs):
        return None
    few = sum(len(_NOT_ASCII.findall(run)) for run in runs) < _FEW_BYTES
    scored: list[tuple[float, int, str]] = []
    for encoding in _ENCODINGS:
        for codec in encoding.codecs:
            sample = None if few and encoding.judge is not _latin else _read(runs, codec)
            score = _score(sample, encoding) if sample is not None else 0.0
            if score >= _LEAST:
                scored.append((-score - (_FIRST if encoding is _ENCODINGS[0] else 0.0), len(scored), codec))
    for _, _, codec in sorted(scored):
        content = _exact(raw, codec)
        if content is not None:
            return codec, content
    return None


def _runs(raw: bytes) -> Iterator[bytes]:
    """What is not ASCII, line by line, with a word of ASCII before it. No run begins inside a character: the byte
    before its first one beyond ASCII is ASCII, and so is all before that in its line."""
    size = at = 0
    while size < SAMPLE_BYTES and (found := _NOT_ASCII.search(raw, at)):
        begin = max(at, found.start() - 24)
        end = raw.find(b"\n", found.start())
        end = len(raw) if end < 0 else end
        run = raw[begin : min(end, found.start() + _RUN_BYTES)]
        size += len(run)
        at = end
        yield run


def _broken_utf8(runs: list[bytes]) -> bool:
    bad = good = 0
    for run in runs:
        text = run.decode("utf-8", "replace")
        bad += text.count("\ufffd")
        good += sum(char > "\x7f" for char in text)
    return good - bad >= bad


def _noise(runs: list[bytes]) -> bool:
    return 100 * sum(len(_CONTROL.findall(run)) for run in runs) > sum(map(len, runs))


def _read(runs: list[bytes], codec: str) -> str | None:
    """The sample by CODEC; a run may be cut inside its last character."""
    try:
        return "\n".join(getincrementaldecoder(codec)().decode(run) for run in runs)
    except UnicodeDecodeError:
        return None


@cache
def _usual(encoding: _Encoding) -> frozenset[str]:
    return encoding.usual()


def _score(sample: str, encoding: _Encoding) -> float:
    usual = _usual(encoding)
    total = good = best = 0
    for match in _WORD.finditer(sample):
        word = match[0]
        beyond = sum(char > "\x7f" for char in word)
        if not beyond:
            continue
        total += beyond
        if encoding.judge is not _each and word in _SYMBOLS:
            good += not _inside(sample, match.start(), match.end()) or word in "’·×\u00ad"
            best += encoding.judge is _latin and not sample[match.end() : match.end() + 1].islower()
            continue
        part = encoding.judge(word, usual)
        good += part
        if part and (len(word) > 1 or encoding.judge is _each):
            best += sum(char in encoding.frequent for char in word)
    if encoding.judge is _latin:
        enough = bool(_ASCII_LETTER.search(sample))
    else:
        enough = encoding.judge is _each or 4 * best >= total
    return (good + _BONUS * best) / total if enough and good and good >= _LEAST * total else 0.0


def _inside(sample: str, begin: int, end: int) -> bool:
    return sample[begin - 1 : begin].isalpha() and sample[end : end + 1].isalpha()


def _exact(raw: bytes, codec: str) -> str | None:
    try:
        content = raw.decode(codec)
        return content if content.encode(codec) == raw else None
    except UnicodeError:
        return None
