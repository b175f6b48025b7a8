"""The formats that are known, as one table, and which of them a file is in.

The name decides, then the extension, then a `#!` line; the content is asked only where a name says nothing (`.txt`,
no extension, one that is not known) or is plainly wrong (a web page saved as `.md`). A template is in the format of
what it makes: `values.yaml.j2` is YAML.
"""

import re
from typing import NamedTuple

from budgeted_reads.outline.stamps import is_log
from budgeted_reads.text import BOM, Text


class Format(NamedTuple):
    """One row: `module` of this package makes the outline; without one the text is shown as plain text, and says so.

    `extensions`, `names` and `programs` are separated by spaces, in lower case; `language` is given for code.
    `repeats`: a key may stand more than once, and each has its value.
    """

    name: str
    module: str = ""
    extensions: str = ""
    names: str = ""
    programs: str = ""
    language: str | None = None
    repeats: bool = False


def _code(name: str, extensions: str, names: str = "", programs: str = "") -> Format:
    return Format(name, "code", extensions, names, programs, name)


def _patterned(name: str, extensions: str, names: str = "", programs: str = "") -> Format:
    return Format(name, "patterned", extensions, names, programs, name)


_REPEATING_NAMES = ".gitconfig .gitmodules php.ini"
_INI_NAMES = ".editorconfig .npmrc .flake8 .pylintrc pylintrc .coveragerc .pypirc .hgrc sshd_config ssh_config"
_UNITS = "service socket timer mount automount network netdev slice target"
_JSON_NAMES = ".eslintrc .babelrc .prettierrc .stylelintrc .swcrc .jshintrc .lintstagedrc .nycrc .mocharc .releaserc"
_XML = "xml xsd xsl xslt svg plist csproj vbproj fsproj vcxproj props targets wsdl rss atom resx pom nuspec xaml"
_RUBY_NAMES = "rakefile gemfile vagrantfile podfile fastfile brewfile guardfile capfile dangerfile appfile berksfile"
_SHELL_NAMES = ".bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .zshenv .envrc pkgbuild apkbuild"
_BAZEL_NAMES = "build build.bazel workspace workspace.bazel module.bazel repo.bazel"
_LOCK_NAMES = (
    "package-lock.json npm-shrinkwrap.json packages.lock.json pnpm-lock.yaml pylock.toml go.sum go.work.sum"
    " gems.locked package.resolved gradle.lockfile buildscript-gradle.lockfile"
)

TEXT = Format("text", "plain", "txt text out err stdout stderr output", "license notice authors copying")
UNKNOWN = Format("text")
"""A file with an extension that no row has."""

FORMATS: tuple[Format, ...] = (
    TEXT,
    Format("log", "log", "log"),
    Format("markdown", "markdown", "md markdown mdown mkd mkdn qmd rmd"),
    Format("mdx", "markdown", "mdx"),
    Format("restructuredtext", "rst", "rst rest"),
    Format("asciidoc", "asciidoc", "adoc asciidoc"),
    Format("org", "org", "org"),
    Format("latex", "latex", "tex sty cls ltx"),
    Format("html", "html", "html htm xhtml"),
    Format("roff", "roff", "man mdoc"),
    Format("gettext", "records", "po pot"),
    Format("bibtex", "records", "bib"),
    Format("subtitles", "records", "srt vtt"),
    Format("gherkin", "records", "feature"),
    Format("xml", "xml", f"{_XML} storyboard xib xliff xlf kml gpx xcscheme"),
    Format("notebook", "notebook", "ipynb"),
    Format("lock", "lock", "lock", _LOCK_NAMES),
    Format("gomod", "gomod", "", "go.mod go.work"),
    Format("json", "json", "json jsonc json5 geojson webmanifest har sarif tfstate code-workspace gyp", _JSON_NAMES),
    Format("jsonl", "json", "jsonl ndjson"),
    Format("yaml", "yaml", "yaml yml", ".clang-format .clang-tidy .gemrc .condarc"),
    Format("toml", "toml", "toml", "pipfile"),
    Format("csv", "csv", "csv tsv psv"),
    Format("ini", "ini", f"conf {_UNITS}", _REPEATING_NAMES, repeats=True),
    Format("ini", "ini", "ini cfg cnf desktop repo reg", _INI_NAMES),
    Format("env", "ini", "env", ".env"),
    Format("properties", "ini", "properties"),
    Format("diff", "patch", "diff patch"),
    _code("python", "py pyi pyw bzl star", "sconstruct sconscript wscript tiltfile", "python python2 python3 pypy3"),
    _code("javascript", "js mjs cjs jsx", "", "node"),
    _code("typescript", "ts mts cts", "", "deno ts-node"),
    _code("tsx", "tsx"),
    _code("java", "java"),
    _code("c", "c h"),
    _code("cpp", "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl tcc txx ixx cppm cu cuh hip ino"),
    _code("csharp", "cs"),
    _code("go", "go"),
    _code("rust", "rs"),
    _code("ruby", "rb rake gemspec ru podspec", _RUBY_NAMES, "ruby"),
    _code("php", "php phtml", "", "php"),
    _code("kotlin", "kt kts"),
    _code("swift", "swift"),
    _code("shell", "sh bash zsh ksh bashrc", _SHELL_NAMES, "sh bash zsh dash ksh"),
    Format("sql", "sql", "sql ddl psql", language="sql"),
    Format("css", "css", "css", language="css"),
    Format("scss", "css", "scss", language="scss"),
    Format("less", "css", "less", language="less"),
    _code("scala", "scala sc sbt"),
    _code("lua", "lua", "", "lua luajit"),
    _code("dart", "dart"),
    _code("elixir", "ex exs", "", "elixir"),
    _code("haskell", "hs", "", "runhaskell runghc"),
    _code("zig", "zig"),
    _code("r", "r", ".rprofile", "rscript"),
    _code("julia", "jl", "", "julia"),
    _code("hcl", "tf tfvars hcl"),
    _code("protobuf", "proto"),
    _code("graphql", "graphql gql graphqls"),
    Format("makefile", "makefile", "mk mak", "makefile gnumakefile", language="makefile"),
    Format("dockerfile", "dockerfile", "dockerfile", "dockerfile containerfile", language="dockerfile"),
    Format("cmake", "calls", "cmake", "cmakelists.txt", language="cmake"),
    Format("bazel", "calls", "", _BAZEL_NAMES, language="starlark"),
    _patterned("emacs-lisp", "el", ".emacs", "emacs"),
    _patterned("common-lisp", "lisp lsp asd", "", "sbcl clisp"),
    _patterned("scheme", "scm ss sld sls rkt", "", "guile racket"),
    _patterned("clojure", "clj cljs cljc", "", "bb clojure"),
    _patterned("ocaml", "ml mli", "", "ocaml"),
    _patterned("fsharp", "fs fsi fsx"),
    _patterned("objective-c", "m mm"),
    _patterned("powershell", "ps1 psm1", "", "pwsh powershell"),
    _patterned("perl", "pl pm t", "cpanfile", "perl"),
    _patterned("bats", "bats", "", "bats"),
    _patterned("tcl", "tcl", "", "tclsh wish expect"),
    _patterned("nix", "nix"),
    _patterned("erlang", "erl hrl", "rebar.config", "escript"),
    Format("template", "template", "tpl"),
    Format("vue", "component", "vue", language="vue"),
    Format("svelte", "component", "svelte", language="svelte"),
)

BY_NAME = {form.name: form for form in FORMATS}
_EXTENSIONS = {extension: form for form in FORMATS for extension in form.extensions.split()}
_NAMES = {name: form for form in FORMATS for name in form.names.split()}
_NAMES |= {"jenkinsfile": UNKNOWN}
_PROGRAMS = {program: form for form in FORMATS for program in form.programs.split()}
_FAMILIES = {".env": BY_NAME["env"], "dockerfile": BY_NAME["dockerfile"], "makefile": BY_NAME["makefile"]}
"""What begins with one of these and a dot is of its format: `Dockerfile.dev`, `.env.local`."""

_OTHERS = (
    "asm s vim nim cr d groovy gradle pas pp dpr f for f77 f90 f95 f03 f08 adb ads v sv vh svh vhd vhdl cob cbl pro"
    " coffee elm purs hx vala vb bas awk sed m4 tmlanguage sublime-syntax snippets sty dtx"
)
"""Extensions of languages that no row has: `dockerfile.vim` is about Dockerfiles, and none."""

_FOREIGN = frozenset(_OTHERS.split())

_COPIES = frozenset({"in", "sample", "example", "dist", "default", "orig", "bak", "old", "inc"})
_TEMPLATES = frozenset(
    {"j2", "jinja", "jinja2", "tmpl", "tpl", "gotmpl", "erb", "ejs", "eex", "heex", "hbs", "mustache", "template"}
)
"""Extensions that stand behind the one of what a file is, or of what it makes."""

_DOCKERFILE = re.compile(r"(?:docker|container)file[.-]")
"""`Dockerfile.prod`, `Dockerfile-dev`: what follows is no extension, unless it is one that is known."""

_CPP = re.compile(
    r"^[ \t]*(?:(?:class|(?:inline[ \t]+)?namespace|template|using|enum[ \t]+class)\b|(?:public|private|protected):"
    r"|#[ \t]*include[ \t]*<[\w/]+>)|\w::\w",
    re.MULTILINE,
)
_OBJECTIVE_C = re.compile(r"^@(?:interface|protocol|implementation|class)\b", re.MULTILINE)
_POINTER, _POINTER_BYTES = "version https://git-lfs.github.com/spec/", 1024
"""How a pointer of git-lfs begins, and how long one is at most."""

_HEADING = re.compile(r"#{1,6}[ \t]+\S")
_ROFF = re.compile(r"^\.(?:TH|Dd|Dt)[ \t]++\S", re.MULTILINE)
_MANUAL = re.compile(r"(?:\d|\.[1-9][a-z]+|\.[nl])(?:\.in)?\Z")
"""How the names of manual pages end, whatever stands before it: `tide.conf.5`, `tide.3pm`, `tide.1.in`."""

_ASCIIDOC = re.compile(r"^={1,6}[ \t]++\S", re.MULTILINE)
_PERL = re.compile(r"^[ \t]*(?:(?:use|no|package|my|our|sub|require|BEGIN)\b|=\w|[$@%]\w)|^#!.*perl", re.MULTILINE)
_SIGNS = {
    "t": _PERL,
    "pl": _PERL,
    "m": re.compile(r"^[ \t]*(?:@\w|#[ \t]*(?:import|include|define|pragma|if)|//|/\*|[-+][ \t]*\(\w)", re.MULTILINE),
    "fs": re.compile(r"^[ \t]*(?:(?:module|namespace|open|let|type)\b|\[<)", re.MULTILINE),
}
"""What is found at the beginning of a text whose extension other languages have, too."""

_KEY = r"\{\s*+\"(?:[^\"\\\n]|\\.)*+\"\s*+:"
_JSON = re.compile(rf"\[\s*+(?:\"|\[\s*+\"|{_KEY})|{_KEY}")
_RULE = re.compile(r"^[a-z_]\w*\(", re.MULTILINE)
_UNDERLINE = re.compile(r"([=~^*-])\1{2,}")


def detect(path: bytes, text: Text) -> Format:
    """The format of TEXT at PATH, `UNKNOWN` where nothing tells."""
    name = path.rsplit(b"/", 1)[-1].decode("utf-8", "replace").lower()
    form = _by_name(name)
    if form is None or form is UNKNOWN or "." not in name:
        form = _by_shebang(text) or form or TEXT
    return _by_content(form, name, text)


def _by_name(name: str) -> Format | None:
    """The format that NAME tells, `UNKNOWN` for an extension that no row has, None where it has none."""
    if form := _NAMES.get(name):
        return form
    stem, dot, extension = name.rpartition(".")
    if _DOCKERFILE.match(name) and extension not in _EXTENSIONS and extension not in _FOREIGN:
        return BY_NAME["dockerfile"]
    if not (dot and stem):
        return None
    if extension == "txt" and stem.endswith(".rst"):
        return BY_NAME["restructuredtext"]
    if form := _EXTENSIONS.get(extension):
        return form
    if extension in _FOREIGN:
        return UNKNOWN
    if form := next((form for family, form in _FAMILIES.items() if name.startswith(f"{family}.")), None):
        return form
    inner = _by_name(stem) if extension in _COPIES | _TEMPLATES or extension.isdigit() else None
    if extension in _TEMPLATES and (inner is None or inner.module in ("", "code")):
        return BY_NAME["template"]
    return inner or UNKNOWN


def _by_shebang(text: Text) -> Format | None:
    line = text.line(1).removeprefix(BOM) if text.line_count else ""
    words = line[2:].split() if line.startswith("#!") else []
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    program = words[0].rpartition("/")[2] if words else ""
    return _PROGRAMS.get(program) or _PROGRAMS.get(program.rstrip("0123456789."))


def _by_content(form: Format, name: str, text: Text) -> Format:
    """FORM, or what the content says where the NAME says nothing or is plainly wrong."""
    if text.head.startswith(_POINTER) and not text.large and len(text.raw) <= _POINTER_BYTES:
        # It stands for a file of its name, and is none.
        return TEXT
    if form.name == "c" and not name.endswith(".c"):
        objective = _OBJECTIVE_C.search(text.head)
        return BY_NAME["objective-c"] if objective else BY_NAME["cpp"] if _CPP.search(text.head) else form
    if name.endswith(".mm") and not _OBJECTIVE_C.search(text.head):
        return BY_NAME["cpp"]
    if (signs := _SIGNS.get(name.rpartition(".")[2])) and form.module == "patterned" and not signs.search(text.head):
        return _by_shebang(text) or UNKNOWN
    head = text.head.removeprefix(BOM).lstrip()
    if form.name == "typescript" and head.startswith(("<?xml", "<!DOCTYPE")):
        # What Qt translates has the same extension.
        return BY_NAME["xml"]
    if form.name == "bazel" and name in ("build", "workspace") and not _RULE.search(head):
        return TEXT
    if form.name == "json" and name in _JSON_NAMES and head[:1] not in ("{", "[", "/"):
        return BY_NAME["yaml"]
    if (_MANUAL.search(name) or (form.name == "text" and head[:1] in (".", "'"))) and _ROFF.search(head):
        return BY_NAME["roff"]
    if form is UNKNOWN and name.endswith(".asc") and not head.startswith("-----BEGIN") and _ASCIIDOC.search(head):
        # What is signed or encrypted has the same extension.
        return BY_NAME["asciidoc"]
    if form.name not in ("text", "markdown") or name in TEXT.names:
        return form
    if re.match(r"<(!doctype\s+html|html)\b", head, re.IGNORECASE):
        return BY_NAME["html"]
    if _JSON.match(head) and (text.large or text.content.rstrip()[-1:] in "]}"):
        return BY_NAME["json"]
    if form.name == "text" and head.startswith("<?xml"):
        return BY_NAME["xml"]
    if form.name == "text" and is_log(head):
        return BY_NAME["log"]
    if form is TEXT and _is_markdown(head):
        return BY_NAME["markdown"]
    if form is TEXT and _is_underlined(head):
        return BY_NAME["restructuredtext"]
    return form


def _is_markdown(head: str) -> bool:
    """Two or more headings, each between blank lines, and hardly a `#` line of another sort (comments)."""
    lines = ["", *(line.strip() for line in head.split("\n")), ""]
    marks = [at for at, line in enumerate(lines) if line.startswith("#")]
    headings = [at for at in marks if _HEADING.match(lines[at]) and not lines[at - 1] and not lines[at + 1]]
    return len(headings) >= 2 and len(headings) * 4 >= len(marks) * 3


def _is_underlined(head: str) -> bool:
    """Two or more titles, each between blank lines and underlined from its first to its last character."""
    lines = ["", *(line.rstrip() for line in head.split("\n")), ""]
    titles = 0
    for at in range(1, len(lines) - 2):
        title, below = lines[at], lines[at + 1]
        if len(title) == len(below) and title[:1].isalnum() and _UNDERLINE.fullmatch(below):
            titles += not lines[at - 1] and not lines[at + 2]
    return titles >= 2
