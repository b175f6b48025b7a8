"""No test touches the folders of whoever runs it: state, cache and configuration are those of the test run."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """State, cache and configuration folders for this run, which processes that tests start inherit."""
    names = {name: f"XDG_{name.upper()}_HOME" for name in ("state", "cache", "config")}
    before = {variable: os.environ.get(variable) for variable in names.values()}
    for name, variable in names.items():
        os.environ[variable] = str(tmp_path_factory.mktemp(name))
    yield
    for variable, value in before.items():
        os.environ.pop(variable, None)
        if value is not None:
            os.environ[variable] = value
