"""``pucklab tournament``: tables, files and plots of pairs, kinds and decks; mistakes."""

import pytest

from tests.commands import fail, json_of, pucklab, rows_of, succeed

SHORT = "tournament --throws table --turns 5"
THREE = f"{SHORT} --slammers onix,pikachu,eevee"


def test_a_tournament_makes_a_table_a_file_and_a_heat_map(tmp_path):
    out = "--battles 3 --out t.csv --plot t.png"
    done = succeed(f"{THREE} {out}", cwd=tmp_path)
    rows = rows_of(tmp_path / "t.csv")
    assert [(row["slammer"], row["opponent"]) for row in rows] == [
        ("Eevee", "Onix"),
        ("Eevee", "Pikachu"),
        ("Onix", "Pikachu"),
    ]
    drawn = sum(int(row["draws"]) for row in rows)
    assert f"{drawn} of 9 battles were drawn" in done.stdout
    assert "Genetically Unstable" in done.stdout
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    more = pucklab(f"{THREE} --battles 5 --out t.csv --resume --json", cwd=tmp_path)
    whole = pucklab(f"{THREE} --battles 5 --json")
    assert more.stdout == whole.stdout
    for change in (("--turns", "7"), ("--seed", "2"), ("--slammers", "onix,lapras")):
        saved = (tmp_path / "t.csv").read_bytes()
        on = (*change, "--out", "t.csv", "--resume")
        fail(THREE, *on, said="which would be lost", cwd=tmp_path)
        assert (tmp_path / "t.csv").read_bytes() == saved


def test_json_has_pairs_standings_and_knock_outs():
    arguments = "--slammers onix,pikachu --battles 2"
    results = json_of(f"tournament --throws table {arguments}")
    assert results["pairs"][0]["trials"] == 2
    assert {standing["slammer"] for standing in results["standings"]} == {"Onix", "Pikachu"}
    assert all(0 <= rate["p_knock_out"] <= 1 for rate in results["knock_outs"])


def test_kinds_are_compared_with_a_named_row_each(tmp_path):
    kinds = f"{SHORT} --policy greedy,random,random --battles 6"
    done = succeed(f"{kinds} --out a.csv --plot a.svg", cwd=tmp_path)
    assert "of 6 battles" in done.stdout
    rows = rows_of(tmp_path / "a.csv")
    assert [row["player"] for row in rows] == ["greedy", "random", "random 2"]
    assert {(row["trials"], row["battles"]) for row in rows} == {("2", "6")}
    won = sum(int(row["wins"]) for row in rows) + int(rows[0]["draws"])
    assert won == 6
    for row in rows:  # a draw is not a win
        assert float(row["p_win"]) == pytest.approx(int(row["wins"]) / 6, abs=1e-5)
    told = json_of(f"{kinds} --out a.csv --resume", cwd=tmp_path)
    assert [row["wins"] for row in told] == [int(row["wins"]) for row in rows]
    decks = f"{SHORT} --deck onix,eevee --battles 2"
    for policy, names in (
        ("greedy", ["Onix", "Eevee"]),
        ("greedy,random", ["greedy with Onix", "random with Eevee"]),
    ):
        played = json_of(f"{decks} --policy {policy}")
        assert [row["player"] for row in played] == names


def test_decks_of_a_file_are_played_with_whoever_the_options_let_begin(tmp_path, write):
    setup = 'schema = 1\n[options]\nfirst = "random"\nmax_turns = 3\n'
    for name, slammer in (("Ash", "Onix"), ("Misty", "Lapras")):
        setup += f'[[players]]\nname = "{name}"\nslammers = ["{slammer}"]\n'
        setup += 'pucks = { "Plain Puck" = 16 }\n'
    write("decks.toml", setup)
    decks = "--policy greedy,random --setup decks.toml --battles 4"
    for option in ((), ("--option", "first=Misty")):
        succeed(f"{SHORT} {decks}", *option, cwd=tmp_path)
