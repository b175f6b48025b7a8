"""Lisps: a definition is a form, to the bracket that closes it."""

from budgeted_reads.outline.patterns.ends import balanced
from budgeted_reads.outline.patterns.marks import Marks, marks
from budgeted_reads.outline.patterns.rule import Language, Rule, rule

_SYMBOL = r"[^\s()\[\]{}\"';,`]++"
_NAME = rf"\s++(?:'|\^(?:\{{[^{{}}]*+\}}|{_SYMBOL})\s*+)*+\(*+(?P<name>{_SYMBOL})"


def _marks(literal: str) -> Marks:
    return marks(
        rf"(?P<literal>{literal})|(?P<comment>;[^\n]*+)|(?P<nest>\#\|)|(?P<text>\"(?:[^\"\\]|\\.?)*+(?:\"|\Z))",
        r"(?P<open>\#\|)|(?P<close>\|\#)",
    )


def _form(kind: str, words: str, *, name: str = _NAME, margin: bool = False) -> Rule:
    return rule(kind, rf"\((?:{words}){name}", balanced, margin=margin)


EMACS = Language(
    _marks(r"(?<![\w\-*/+<>=!&])\?(?:\\(?:[CMSHAs]-|\^|\\(?=[CMSHAs]-))*+\\?.|[^\s\\])"),
    (
        _form("function", r"(?:cl-)?def(?:un|subst|generic|method)\*?|define-inline|defadvice|defalias"),
        _form("function", r"define-(?:advice|minor-mode|derived-mode|globali[sz]ed-minor-mode|generic-mode)"),
        _form("function", r"transient-define-(?:prefix|suffix|infix|argument|group)"),
        _form("macro", r"(?:cl-)?defmacro\*?"),
        _form("constant", r"defconst"),
        _form("variable", r"defvar(?:-local|-keymap)?|defcustom"),
        _form("type", r"(?:cl-)?def(?:struct|type|class)|define-error"),
        _form("face", r"defface"),
        _form("group", r"defgroup"),
        _form("test", r"ert-deftest"),
        _form("package", r"use-package", margin=True),
        _form(
            "definition",
            r"(?!define-key|define-abbrev|default|defer|defined?-?p?\s)(?:[a-z]+-)*+def(?:ine)?[a-z*-]*+",
            margin=True,
        ),
    ),
)

COMMON = Language(
    _marks(r"\#\\(?:\w++|.)"),
    (
        _form("function", r"defun|defgeneric|defsetf", name=rf"\s++(?P<name>\(setf {_SYMBOL}\)|{_SYMBOL})"),
        _form("method", r"defmethod", name=rf"\s++(?P<name>\(setf {_SYMBOL}\)|{_SYMBOL})"),
        _form("macro", r"defmacro|define-(?:compiler-macro|modify-macro|setf-expander|symbol-macro)"),
        _form("constant", r"defconstant"),
        _form("variable", r"defvar|defparameter"),
        _form("class", r"defclass|define-condition"),
        _form("type", r"defstruct|deftype"),
        _form(
            "package", r"(?:uiop:)?def(?:ine-)?package|defsystem|asdf:defsystem", name=rf"\s++\#?:?(?P<name>{_SYMBOL})"
        ),
        _form("test", r"deftest|def-test|define-test"),
        _form("definition", r"(?:\w+:)?def(?!ault)[\w*-]*+", margin=True),
    ),
)

SCHEME = Language(
    _marks(r"\#\\(?:\w++|.)|\#;"),
    (
        _form("module", r"define-module|define-library|library", name=r"\s++\((?P<name>[^()]++)\)"),
        _form("module", r"module[*+]?", margin=True),
        _form("macro", r"define-(?:syntax(?:-rule|-parameter|es)?|macro|simple-macro)"),
        _form("type", r"define-(?:record-type|class|struct|generics|enum(?:eration)?)|struct"),
        _form("function", r"define\*?(?:-public|-inlinable|-integrable|/\w++)?", name=rf"\s++\(++(?P<name>{_SYMBOL})"),
        _form("constant", r"define(?:-public|-values|-constant|-parameter|/\w++)?"),
        _form("definition", r"def[\w*!/-]*+", margin=True),
    ),
)

CLOJURE = Language(
    _marks(r"\\(?:\w++|.)"),
    (
        _form("namespace", r"ns"),
        _form("function", r"(?:\w+/)?defn-?|defmulti"),
        _form("method", r"defmethod", name=rf"\s++(?P<name>{_SYMBOL}\s++[^\s(){{}}\"]++)"),
        _form("method", r"defmethod"),
        _form("macro", r"defmacro"),
        _form("protocol", r"defprotocol|definterface"),
        _form("type", r"defrecord|deftype"),
        _form("test", r"deftest-?|defspec"),
        _form("constant", r"defonce|def"),
        _form("definition", r"(?:[\w.-]+/)?def[\w-]*+", margin=True),
    ),
)

LANGUAGES = {"emacs-lisp": EMACS, "common-lisp": COMMON, "scheme": SCHEME, "clojure": CLOJURE}
