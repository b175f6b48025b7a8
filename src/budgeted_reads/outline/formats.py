"""The formats that are known, as one table, and which of them a file is in.

The name decides, then the extension, then a `#!` line; the content is asked only where a name says nothing (`.txt`,
no extension) or is plainly wrong (a web page saved as `.md`).
"""

import re
from typing import NamedTuple

from budgeted_reads.outline.stamps import is_log
from budgeted_reads.text import BOM, Text


class Format(NamedTuple):
    """One row: `module` of this package makes the outline; without one the text is shown as plain text, and says so.

    `extensions`, `names` and `programs` are separated by spaces, in lower case; `language` is given for code.
    """

    name: str
    module: str = ""
    extensions: str = ""
    names: str = ""
    programs: str = ""
    language: str | None = None


def _code(name: str, extensions: str, names: str = "", programs: str = "") -> Format:
    return Format(name, "code", extensions, names, programs, name)


_INI_NAMES = ".editorconfig .gitconfig .gitmodules .npmrc .flake8 .pylintrc .coveragerc .pypirc"
_ENV_NAMES = ".env .env.example .env.sample .env.template .env.dist .env.local .env.development .env.test"
_LOCK_NAMES = (
    "package-lock.json npm-shrinkwrap.json packages.lock.json pnpm-lock.yaml pylock.toml go.sum gems.locked"
    " package.resolved gradle.lockfile buildscript-gradle.lockfile"
)

TEXT = Format("text", "plain", "txt text out err", "license notice authors copying")
UNKNOWN = Format("text")
"""A file with an extension that no row has."""

FORMATS: tuple[Format, ...] = (
    TEXT,
    Format("log", "log", "log"),
    Format("markdown", "markdown", "md markdown mdown mkd mkdn mdx qmd rmd"),
    Format("restructuredtext", "rst", "rst rest"),
    Format("asciidoc", "asciidoc", "adoc asciidoc"),
    Format("org", "org", "org"),
    Format("latex", "latex", "tex sty cls ltx"),
    Format("html", "html", "html htm xhtml"),
    Format("xml", "xml", "xml xsd xsl xslt svg plist csproj vbproj props targets wsdl rss atom resx"),
    Format("notebook", "notebook", "ipynb"),
    Format("lock", "lock", "lock", _LOCK_NAMES),
    Format("json", "json", "json jsonc json5 geojson webmanifest", ".eslintrc .babelrc .prettierrc"),
    Format("jsonl", "json", "jsonl ndjson"),
    Format("yaml", "yaml", "yaml yml", ".clang-format .clang-tidy"),
    Format("toml", "toml", "toml", "pipfile"),
    Format("csv", "csv", "csv tsv psv"),
    Format("ini", "ini", "ini cfg conf service socket timer desktop", _INI_NAMES),
    Format("env", "ini", "env", _ENV_NAMES),
    Format("properties", "ini", "properties"),
    Format("diff", "patch", "diff patch"),
    _code("python", "py pyi pyw", "sconstruct sconscript", "python python2 python3 pypy3"),
    _code("javascript", "js mjs cjs jsx", "", "node"),
    _code("typescript", "ts mts cts", "", "deno ts-node"),
    _code("tsx", "tsx"),
    _code("java", "java"),
    _code("c", "c h"),
    _code("cpp", "cc cpp cxx c++ hh hpp hxx ipp tpp"),
    _code("csharp", "cs"),
    _code("go", "go"),
    _code("rust", "rs"),
    _code("ruby", "rb rake gemspec", "rakefile gemfile", "ruby"),
    _code("php", "php phtml", "", "php"),
    _code("kotlin", "kt kts"),
    _code("swift", "swift"),
    _code("shell", "sh bash zsh ksh", ".bashrc .profile .zshrc", "sh bash zsh dash ksh"),
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
    Format("vue", "component", "vue", language="vue"),
    Format("svelte", "component", "svelte", language="svelte"),
)

BY_NAME = {form.name: form for form in FORMATS}
_EXTENSIONS = {extension: form for form in FORMATS for extension in form.extensions.split()}
_NAMES = {name: form for form in FORMATS for name in form.names.split()}
_PROGRAMS = {program: form for form in FORMATS for program in form.programs.split()}

_CPP = re.compile(r"^[ \t]*(?:class|namespace|template|using|public:|private:|protected:)\b|\w::\w", re.MULTILINE)
_OBJECTIVE_C = re.compile(r"^@(?:interface|protocol|implementation|class)\b", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}[ \t]+\S")


def detect(path: bytes, text: Text) -> Format:
    """The format of TEXT at PATH, `UNKNOWN` where nothing tells."""
    name = path.rsplit(b"/", 1)[-1].decode("utf-8", "replace").lower()
    if form := _NAMES.get(name):
        return form
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        found = _EXTENSIONS.get(extension, UNKNOWN)
        return _by_content(found, text) if extension != "c" else found
    return _by_shebang(text) or _by_content(TEXT, text)


def _by_shebang(text: Text) -> Format | None:
    line = text.line(1).removeprefix(BOM) if text.line_count else ""
    words = line[2:].split() if line.startswith("#!") else []
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    program = words[0].rpartition("/")[2] if words else ""
    return _PROGRAMS.get(program) or _PROGRAMS.get(program.rstrip("0123456789."))


def _by_content(form: Format, text: Text) -> Format:
    if form.name == "c" and _OBJECTIVE_C.search(text.head):
        return UNKNOWN
    if form.name == "c" and _CPP.search(text.head):
        return BY_NAME["cpp"]
    if form.name not in ("text", "markdown") or form is UNKNOWN:
        return form
    head = text.head.removeprefix(BOM).lstrip()
    if re.match(r"<(!doctype\s+html|html)\b", head, re.IGNORECASE):
        return BY_NAME["html"]
    if re.match(r"[\[{]\s*(\"|[\[{]\s*\")", head) and (text.large or text.content.rstrip()[-1:] in "]}"):
        return BY_NAME["json"]
    if form is TEXT and is_log(head):
        return BY_NAME["log"]
    if form is TEXT and _is_markdown(head):
        return BY_NAME["markdown"]
    return form


def _is_markdown(head: str) -> bool:
    """Two or more headings, each between blank lines, and hardly a `#` line of another sort (comments)."""
    lines = ["", *(line.strip() for line in head.split("\n")), ""]
    marks = [at for at, line in enumerate(lines) if line.startswith("#")]
    headings = [at for at in marks if _HEADING.match(lines[at]) and not lines[at - 1] and not lines[at + 1]]
    return len(headings) >= 2 and len(headings) * 4 >= len(marks) * 3
