"""Words of well-known code bases that are no part of C or C++: Qt's, Linux', Windows', CUDA's, those of thread safety.

A rule is tried only on a text that has its word; what its group matches is blanked, or all where it has none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class _Rule(NamedTuple):
    word: bytes
    pattern: "re.Pattern[bytes]"
    in_directives: bool = False


_LINUX = rb"""
init exit initdata initconst exitdata devinit cpuinit meminit net_init net_exit user kernel iomem percpu rcu force
bitwise nocast private safe must_check must_hold acquires? releases? cond_acquires always_unused maybe_unused unused
used visible packed aligned pure weak cold hot noreturn noclone always_inline no_inline flatten malloc read_mostly
ro_after_init refdata ref section cacheline_aligned(?:_in_smp)? printf scanf latent_entropy sched randomize_layout
no_sanitize_address lockfunc counted_by(?:_[lb]e)? gnu_inline noscs nonstring alloc_size designated_init attribute_\w+__
wur owur nonnull dead2 printflike result_use_check nonnull_attribute__ notrace restrict__
global__ device__ host__ shared__ constant__ managed__ forceinline__ noinline__ launch_bounds__
"""


def _one_of(words: list[bytes]) -> bytes:
    """A pattern of WORDS that looks at those alone that begin with the letter at hand."""
    letters = sorted({word[:1] for word in words})
    groups = (b"|".join(word[1:] for word in words if word[:1] == letter) for letter in letters)
    return (
        b"(?:" + b"|".join(letter + b"(?:" + group + b")" for letter, group in zip(letters, groups, strict=True)) + b")"
    )


_ARGUMENTS = rb"\((?:[^()\n]|\([^()\n]*\))*+\)"
_LINKAGE = _Rule(
    b"__cplusplus",
    re.compile(
        rb"\n[ \t]*+#[ \t]*+if(?:def[ \t]++|[ \t]++defined[ \t]*+\(?)__cplusplus\b[^\n]*+\n\s*+"
        rb"(extern[ \t]++\"C\"\s*+\{|\})\s*+(?:/[^\n]*\n\s*)?(?=#[ \t]*+endif)"
    ),
)
"""The braces of `extern "C"`, where only C++ has them."""

_C: tuple[_Rule, ...] = (
    # `void __user *p`, `int f(void) __must_check;`, `u32 x __aligned(8);`, not where such a word is defined.
    _Rule(
        b"__",
        re.compile(
            rb"__(?<![\w.>]__)"
            + _one_of(_LINUX.split())
            + (rb"(?:[ \t]*" + _ARGUMENTS + rb")?(?![\w(:])(?![ \t]*[()])")
        ),
    ),
    _LINKAGE,
    # `int WINAPI f(...)`, `DWORD (WINAPI *f)(...)`
    *(
        _Rule(
            b"WINAPI" if word == b"WINAPI" else b"indows.h",
            re.compile(word + rb"(?<=[\w*( \t][ \t(]" + word + rb")(?=[ \t]*\*|[ \t]+[A-Za-z_]\w*+[ \t]*\()"),
        )
        for word in (b"WINAPI", b"NTAPI", b"CALLBACK", b"APIENTRY")
    ),
    # `_In_ LPCSTR name`, `_Field_size_(n) int *p`: what Windows says of parameters and fields.
    _Rule(
        b"WINAPI",
        re.compile(
            rb"_(?<!\w_)(?:In|Out|Inout|Outptr|Field|Ret|Success|When|Check|Must|Use|COM|Pre|Post|Frees|Reserved)"
            rb"(?:_[a-z]*)*_(?:" + _ARGUMENTS + rb")?(?!\w)"
        ),
    ),
    # A type among what is given.
    _Rule(b"va_arg(", re.compile(rb"va_arg\([^(),;]*+(,[^();]*+)\)")),
)
_CPP = (
    *_C,
    # `const T &a = {}` among parameters.
    _Rule(b"= {}", re.compile(rb"= \{\}(?=[ \t\r\n]*[,)])")),
    # `f<<<1, 2>>>(x)`
    _Rule(b"<<<", re.compile(rb"<<<[^;{}<>]*+>>>")),
    # `int at GUARDED_BY(lock);`
    _Rule(b"_BY(", re.compile(rb"(?<=[\w\])][ \t])([A-Z_]+_BY\([^()\n]*+\))(?=\s*[;={])")),
    # `signals:`, `public slots:`, `emit changed();`
    _Rule(b"<Q", re.compile(rb"\n[ \t]*+(?:public|protected|private)[ \t]++(slots|Q_SLOTS)(?=[ \t]*:)")),
    _Rule(b"<Q", re.compile(rb"\n[ \t]*+((?:signals|Q_SIGNALS)[ \t]*:)")),
    _Rule(b"<Q", re.compile(rb"\n[ \t]*+(emit)[ \t]++(?=[A-Za-z_])")),
)


_REMARK = re.compile(rb"/\*[^*\n]*+(?:\*(?!/)[^*\n]*+)*+\*/(?=[ \t]*+[^\s])")


def remarks(text: bytes) -> Iterator[tuple[int, int]]:
    """Comments inside of directives, which grammars take for their end; TEXT begins with LF."""
    for found in _REMARK.finditer(text):
        line = text.rfind(b"\n", 0, found.start())
        while text.endswith(b"\\", 0, line) or text.endswith(b"\\\r", 0, line):
            line = text.rfind(b"\n", 0, line)
        if text[line + 1 : found.start()].lstrip().startswith(b"#"):
            yield found.span()


def annotated(text: bytes, *, cpp: bool) -> Iterator[tuple[int, int]]:
    """Where such words stand in TEXT, which begins with LF."""
    held: dict[bytes, bool] = {}
    for word, pattern, in_directives in _CPP if cpp else _C:
        if word not in held:
            held[word] = word in text
        if held[word]:
            for found in pattern.finditer(text):
                start, end = found.span(pattern.groups)
                if in_directives or not text.startswith(b"#", text.rfind(b"\n", 0, start) + 1):
                    yield start, end
