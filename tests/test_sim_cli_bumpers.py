"""``pucklab bumpers`` as a person uses it: in processes of its own."""

import time

from tests.commands import interrupt, not_windows, pucklab, started, succeed

START = "pb1:small:RPb7.RMe7.BPd7:-:R:-"


def test_show_draws_a_position_and_prints_its_line_with_a_checksum():
    done = succeed(f"bumpers show {START}")
    *_, line = done.stdout.splitlines()
    assert pucklab(f"bumpers show {line}").stdout == done.stdout


def test_show_reads_files(tmp_path, write):
    write("board.toml", 'schema = 1\nlayout = "B1 G1"\npieces = "RPa1"\n')
    write("line.txt", START + "\n")
    board = pucklab("bumpers show board.toml", cwd=tmp_path)
    assert "mats: B1  G1" in board.stdout
    line = pucklab("bumpers show line.txt", cwd=tmp_path)
    assert line.stdout == pucklab(f"bumpers show {START}").stdout


def test_moves_lists_one_move_per_line_and_the_positions_after_them():
    done = pucklab(f"bumpers moves {START}")
    assert done.stdout.split() == ["b7N", "b7E", "b7S", "b7W", "e7N", "e7E", "e7S", "e7Wx"]
    beside = pucklab(f"bumpers moves {START} --positions --mats")
    rows = [line.split("\t") for line in beside.stdout.splitlines()]
    assert [row[0] for row in rows[:8]] == done.stdout.split()
    assert {row[0][:2] for row in rows[8:]} == {"T:", "S:", "H:"}
    assert all(row[1].startswith("pb1:") for row in rows)


def test_perft_counts_leaves_and_divides_them_by_first_move():
    table = succeed(f"bumpers perft {START} --depth 3")
    rows = [line.split() for line in table.stdout.splitlines()[1:]]
    divided = pucklab(f"bumpers perft {START} --depth 3 --divide")
    counts = [int(line.split()[1]) for line in divided.stdout.splitlines()]
    assert len(counts) == 9
    assert sum(counts[:-1]) == counts[-1] == int(rows[2][1])


@not_windows
def test_ctrl_c_keeps_the_counts_so_far():
    position = "pb1:classic:RPa1e5l12p16.RMc3h12.RId9:-:R:-"
    with started(f"bumpers perft {position} --depth 30") as running:
        printed = [running.stdout.readline() for _ in range(3)]
        time.sleep(0.5)
        _, said = interrupt(running)
        assert "stopped" in said
        assert "".join(printed).startswith("depth")


def test_show_draws_the_empty_board_of_a_setup():
    done = pucklab("bumpers show old-school")
    assert done.stdout.splitlines()[-1].startswith("pb1:old-school:-:-:-:")


def test_moves_says_when_there_are_none():
    done = pucklab("bumpers moves pb1:small:BPb7:-:R:-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no legal move\n")


def test_a_board_with_several_goals_is_drawn_with_all_and_is_a_puzzle_for_each(tmp_path, write):
    drawing = "+-+-+-+\n|R . #|\n+ +-+ +\n|. B .|\n+-+-+-+\ngoal: to:c1:b1\ngoal: to:a1:R\n"
    write("two.txt", drawing)
    done = succeed("bumpers show --plain --board two.txt", cwd=tmp_path)
    assert done.stdout == drawing
    done = succeed("puzzle --board two.txt", cwd=tmp_path)
    assert [line[:2] for line in done.stdout.splitlines() if line[0].isdigit()] == ["1.", "2."]
    done = succeed("puzzle --board two.txt --goal to:a1:R", cwd=tmp_path)
    assert "\n2. " not in done.stdout
