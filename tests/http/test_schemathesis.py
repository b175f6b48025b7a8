"""The description against the server: generated requests, and what the server may answer to them."""

import re
import subprocess
import sys
from pathlib import Path

from serving import Served

SETTINGS = """
[warnings]
enabled = false
[parameters]
"path.tree" = "agents"
"path.path" = ["crlf.txt", "notes/acme.md", "wide.txt"]
"""

OPTIONS = [
    *("--max-examples", "10", "--seed", "1", "--workers", "2", "--generation-database", "none", "--no-color"),
    *("--phases", "examples,coverage,fuzzing", "--exclude-method", "HEAD"),
    # That a valid request may meet a 404 is no mistake of a description whose paths nobody can know.
    *("--exclude-checks", "positive_data_acceptance"),
]


def test_no_generated_request_meets_a_fault_or_an_undocumented_answer(served: Served, tmp_path: Path) -> None:
    """No 5xx, no status, type or body beside the description, and nothing accepted that it forbids; seeded."""
    (tmp_path / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    program = Path(sys.executable).parent / "schemathesis"
    run = subprocess.run(
        [program, "--config-file", "settings.toml", "run", f"{served.client.url}/openapi.json", *OPTIONS],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:]
    generated = re.search(r"(\d+) generated, (\d+) passed", run.stdout)
    assert generated, run.stdout[-2000:]
    assert int(generated[1]) == int(generated[2]) > 200
