"""``pucklab deck``: tables, files, resuming, mistakes, and decks in battles."""

import re

from tests.commands import json_of, rows_of, succeed

SHORT = "--turns 3"
SEARCH = f"deck search --slammer lapras {SHORT}"
BALANCE = f"deck balance --slammers onix,eevee,pidgeot {SHORT}"

COLLECTION = """
schema = 1
pucks = { "Plain Puck" = 8, "Potion" = 5, "Water Energy" = 4, "You" = 2 }
"""
LEGAL = """
schema = 1
[legal]
per_player = { "Potion" = { most = 2 }, trainer = { most = 1 } }
"""


def test_a_deck_is_found_saved_and_played_with(tmp_path, write):
    write("mine.toml", COLLECTION)
    write("legal.toml", LEGAL)
    limits = "--collection mine.toml --setup legal.toml --against onix,eevee"
    counts = "--battles 120 --test-battles 6"
    done = succeed(f"{SEARCH} {limits} {counts} --save s.toml --out s.csv", cwd=tmp_path)
    assert "Tested in 8 battles against Onix, Eevee" in done.stdout  # whole rounds of rivals
    rows = rows_of(tmp_path / "s.csv")
    kinds = [row["generation"] for row in rows]
    assert (kinds[0], rows[0]["round"]) == ("1", "1")
    assert {kind.partition(" ")[0] for kind in kinds[kinds.index("test") + 1 :]} == {"without"}
    for row in rows:
        pucks = {name: int(n) for name, n in (p.split("=") for p in row["deck"].split("; "))}
        assert sum(pucks.values()) == 14
        assert pucks.get("Potion", 0) <= 2
        assert pucks.get("You", 0) <= 1
    succeed("battle --deck s.toml,lapras --throws table", cwd=tmp_path)
    found = json_of(f"{SEARCH} {limits} {counts}", cwd=tmp_path)
    assert "; ".join(f"{name}={n}" for name, n in found["deck"].items()) == rows[-1]["deck"]


def test_a_worth_is_clear_if_its_interval_excludes_0():
    line = "deck balance --slammers onix,eevee,pidgeot --throws table --kind slammer --battles 40"
    told = succeed(line).stdout
    rows = re.findall(r"\((\S+)% to (\S+)%\).*% +(yes)?", told)
    signs = [(float(low) > 0) - (float(high) < 0) for low, high, _ in rows]
    assert set(signs) >= {1, -1}
    assert [bool(sign) for sign in signs] == [bool(clear) for *_, clear in rows]


def test_a_balance_report_has_a_table_a_file_and_a_plot(tmp_path):
    once = f"{BALANCE} --battles 4 --out b.csv"
    done = succeed(f"{once} --plot b.png", cwd=tmp_path)
    rows = rows_of(tmp_path / "b.csv")
    assert {row["kind"] for row in rows} == {"slammer", "ability", "puck"}
    assert {row["trials"] for row in rows} == {"2"}
    assert all(word in done.stdout for row in rows for word in row["name"].split())
    marked = {
        line.split("  ")[0].strip() for line in done.stdout.splitlines() if "never used" in line
    }
    unused = {row["name"] for row in rows if row["kind"] != "slammer" and row["uses"] == "0"}
    assert marked == unused != set()
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    some = f"{BALANCE} --kind slammer,puck --battles 2"
    told = json_of(some, cwd=tmp_path)
    assert {row["kind"] for row in told} == {"slammer", "puck"}
    more = json_of(f"{once} --battles 6 --resume", cwd=tmp_path)
    assert {row["trials"] for row in more} == {3}
