"""The configuration: found where it is promised, never inside a tree, every mistake named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.config import Config, Defaults, Limits, Place, Secrets, Snapshots, check_outside, load, parse
from budgeted_reads.errors import InvalidRequest


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for configurations, with a tree beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "trees" / "docs").mkdir(parents=True)
    return tmp_path / "home"


def wrote(place: Path, text: str) -> str:
    """PLACE after TEXT was written to it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    return str(place)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    """No file is no error: node `local`, no tree, the product's own limits."""
    assert load(environ={"HOME": str(tmp_path)}) == Config()
    assert load(environ={}) == Config()
    assert Config().node == "local"


def test_a_whole_file_is_read(home: Path) -> None:
    """Every key of the contract is taken, with its type; relative folders count from the file."""
    text = """
    node = "Home-Box"
    [[tree]]
    name = "agents/docs"
    path = "../trees/docs"
    [defaults]
    budget_tokens = 100
    max_budget_tokens = 200
    tokenizer = "cl100k_base"
    [limits]
    max_file_bytes = 10
    [snapshots]
    enabled = false
    quota_bytes = 0
    age_days = 1
    off = ["agents/docs"]
    [secrets]
    patterns = []
    extra = ["*.x"]
    [auth]
    """
    source = wrote(home / "nas.toml", text)
    assert load(source, {}) == Config(
        "home-box",
        (Place("agents/docs", str(home.parent / "trees" / "docs")),),
        Defaults(100, 200, "cl100k_base"),
        Limits(10),
        Snapshots(False, 0, 1, ("agents/docs",)),
        Secrets((), ("*.x",)),
        source,
    )


def test_the_option_comes_before_the_environment_before_the_users_folder(home: Path) -> None:
    """`--config`, then NAS_CONFIG, then XDG_CONFIG_HOME, then ~/.config."""
    user = wrote(home / ".config" / "budgeted-reads" / "nas.toml", 'node = "user"')
    xdg = wrote(home / "xdg" / "budgeted-reads" / "nas.toml", 'node = "xdg"')
    named = wrote(home / "named.toml", 'node = "named"')
    option = wrote(home / "option.toml", 'node = "option"')
    environ = {"HOME": str(home)}
    assert load(None, environ).source == user
    environ["XDG_CONFIG_HOME"] = str(home / "xdg")
    assert load(None, environ).source == xdg
    environ["NAS_CONFIG"] = named
    assert load(None, environ).source == named
    assert load(option, environ).source == option


def test_a_named_file_must_be_there(home: Path) -> None:
    """A file that was named and is not there, is a folder, no UTF-8 or no TOML is `invalid_request`."""
    (home / "latin.toml").write_bytes(b'node = "\xff"')
    wrote(home / "bad.toml", "node =")
    for name in ("none.toml", ".", "latin.toml", "bad.toml"):
        with pytest.raises(InvalidRequest):
            load(str(home / name), {})


def test_a_file_inside_a_tree_is_refused(home: Path) -> None:
    """A configuration inside a tree that it lists, through a link too, is `invalid_request`."""
    text = f'[[tree]]\nname = "docs"\npath = "{home.parent / "trees"}"\n'
    inside = wrote(home.parent / "trees" / "docs" / "nas.toml", text)
    (home / "link.toml").symlink_to(inside)
    for source in (inside, str(home / "link.toml")):
        with pytest.raises(InvalidRequest, match="inside"):
            load(source, {})
    with pytest.raises(InvalidRequest):
        check_outside(inside, [str(home.parent)])
    check_outside(inside, [str(home), str(home.parent / "trees-too")])


@pytest.mark.parametrize(
    ("text", "word", "hint"),
    [
        ('nod = "x"', "nod", "node"),
        ("[default]", "default", "defaults"),
        ("[defaults]\nbudget_token = 1", "defaults.budget_token", "budget_tokens"),
        ('[[tree]]\nname = "a"\npath = "/"\nroot = "/"', "tree[1].root", "path"),
        ('[auth]\ntoken = "x"', "auth.token", "no key"),
        ("zzz = 1", "zzz", "known keys"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest(text: str, word: str, hint: str) -> None:
    """An unknown key is `invalid_request` with the whole name of the key and the nearest known one."""
    with pytest.raises(InvalidRequest) as caught:
        parse(text, "/x/nas.toml")
    assert word in caught.value.detail
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "node = 1", 'node = ""', 'node = "a b"', 'node = "-a"', "defaults = 1", "tree = {}", "tree = [1]",
        '[[tree]]\nname = "a"', '[[tree]]\npath = "/"', '[[tree]]\nname = "a"\npath = "/none/at/all"',
        '[[tree]]\nname = "a"\npath = ""', '[[tree]]\nname = "a b"\npath = "/"',
        '[[tree]]\nname = "a"\npath = "/"\n[[tree]]\nname = "a"\npath = "/"',
        '[[tree]]\nname = "a"\npath = "/"\n[[tree]]\nname = "a/b"\npath = "/"',
        "[defaults]\nbudget_tokens = 0", "[defaults]\nbudget_tokens = true", "[defaults]\nbudget_tokens = 1.5",
        "[defaults]\nmax_budget_tokens = 100000000", "[defaults]\nmax_budget_tokens = 5\nbudget_tokens = 6",
        '[defaults]\ntokenizer = "none"', "[limits]\nmax_file_bytes = 0", '[snapshots]\nenabled = "yes"',
        "[snapshots]\nage_days = 0", '[snapshots]\noff = ["none"]', '[secrets]\npatterns = "*.x"',
        "[secrets]\nextra = [1]",
    ],
)  # fmt: skip
def test_a_wrong_value_is_invalid(text: str) -> None:
    """A value of another type, out of its range, missing, or naming what is not there is `invalid_request`."""
    with pytest.raises(InvalidRequest):
        parse(text, "/x/nas.toml")


def test_a_low_maximum_lowers_the_default() -> None:
    """Where only the maximum is set, the default budget is never above it."""
    assert parse("[defaults]\nmax_budget_tokens = 10", "/x/nas.toml").defaults == Defaults(10, 10)


@given(st.text(max_size=60))
def test_any_text_is_a_configuration_or_invalid(text: str) -> None:
    """No text brings anything but a configuration or `invalid_request`."""
    try:
        parse(text, "/x/nas.toml")
    except InvalidRequest as error:
        assert error.detail
