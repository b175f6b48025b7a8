"""Fuzzing of every format by hand: hostile bytes in, a sound outline out. Seeded and bounded by time.

    python bench/fuzz.py --seconds 600 --seed 1

Each text starts from a seed of its format (the fixtures of the tests, a few marks of the format) and is mutated: cut,
repeated, spliced with others, bytes changed, marks put in by the thousand. Each is outlined as a node does, grammars in
a child. A failure is an exception, an outline whose ranges do not lie in the text or cross those of their parent, two
outlines that differ, or a text that takes longer than its limit; each is printed and saved. The last lines are counts.
"""

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

from budgeted_reads.errors import BinaryFile
from budgeted_reads.outline.formats import FORMATS
from budgeted_reads.outline.plainly import fits
from budgeted_reads.text import decode
from budgeted_reads.workers import Workers

FIXTURES = Path(__file__).resolve().parent.parent / "tests" / "outline" / "fixtures"
MARKS = (
    b"\n\r\n\r\0\xff\xe2\x80\xa8\xed\xa0\x80\xef\xbb\xbf\t ",
    b"\"'`{}[]()<>#*=-_:;,.|&!%@$\\/+~^?",
    b"--- ```~~~ <!-- --> /* */ <![CDATA[ ]]> {{ }} ${ => -> :: == ## @@ diff --git &a *a !!x <<: ''' \"\"\" #if",
)
SECONDS = 10.0
"""A text that takes longer is a failure: the limits of a child and of the formats are below that."""
MOST = 20_000


def seeds() -> dict[str, list[bytes]]:
    """Texts to start from, by extension or name."""
    found: dict[str, list[bytes]] = {}
    for form in FORMATS:
        name = (form.extensions.split() or [""])[0]
        if name:
            found[f"a.{name}"] = [b"", b"a = 1\n", b"# a\n\nb: [c]\n"]
    for file in sorted(FIXTURES.rglob("*")) if FIXTURES.is_dir() else ():
        if file.is_file():
            found.setdefault(f"a{file.suffix}", []).append(file.read_bytes()[:MOST])
    return found


def mutated(raw: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """RAW after a few changes."""
    for _ in range(chance.randint(1, 5)):
        at, end = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
        mark = bytes(chance.choices(chance.choice(MARKS), k=chance.randint(1, 4)))
        match chance.randrange(7):
            case 0:
                raw = raw[:at] + raw[end:]
            case 1:
                raw = raw[:end] + raw[at:end] * chance.randint(1, 9) + raw[end:]
            case 2:
                raw = raw[:at] + mark * chance.choice([1, 2, 50, 1500]) + raw[at:]
            case 3:
                other = chance.choice(others)
                raw = raw[:at] + other[chance.randrange(len(other) + 1) :] + raw[end:]
            case 4:
                raw = raw[:at] + bytes(chance.randrange(256) for _ in range(chance.randint(1, 20))) + raw[at:]
            case 5:
                raw = raw.replace(b"\n", chance.choice([b"\r\n", b"\r", b"", b"\n\n", b" "]))
            case _:
                raw = chance.choice(MARKS[2].split()) + raw
        raw = raw[:MOST]
    return raw


def trouble(workers: Workers, name: str, raw: bytes, counts: Counter[str]) -> str:
    """What is wrong with the outline of RAW, nothing where it is sound."""
    began = time.monotonic()
    try:
        text = decode(raw)
        made = workers.outline(text, name.encode())
    except BinaryFile:
        counts["binary_file"] += 1
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if (took := time.monotonic() - began) > SECONDS:
        return f"took {took:.1f} s"
    counts.update({warned.code for warned in made.warnings})
    counts["with entries"] += bool(made.entries)
    lost = [warned.detail for warned in made.warnings if "parser of this format" in warned.detail]
    failed = [warned.detail for warned in made.warnings if "outline failed" in warned.detail]
    counts["lost children"] += len(lost)
    if not fits(made, text.line_count):
        return "ranges are wrong"
    again = made if lost else workers.outline(text, name.encode())
    if again != made and not any("parser of this format" in warned.detail for warned in again.warnings):
        return "two outlines differ"
    return failed[0] if failed else ""


def main() -> None:
    """Fuzz until the time is over; exit code 1 where something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, default=Path("fuzz-failures"), help="folder for what failed")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    names = seeds()
    everything = [raw for raws in names.values() for raw in raws]
    workers = Workers(forks=False)
    counts: Counter[str] = Counter()
    failures = 0
    until = time.monotonic() + given.seconds
    while time.monotonic() < until:
        for name, raws in names.items():
            raw = mutated(chance.choice(raws), everything, chance)
            counts["texts"] += 1
            if wrong := trouble(workers, name, raw, counts):
                failures += 1
                given.save.mkdir(exist_ok=True)
                (given.save / f"{failures}-{name}").write_bytes(raw)
                print(f"{failures} {name} {len(raw)} bytes: {wrong}", flush=True)
    workers.close()
    print(f"seed {given.seed}, {len(names)} kinds of files, {failures} failures")
    print(", ".join(f"{name} {count}" for name, count in counts.most_common()))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
