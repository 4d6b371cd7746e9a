"""Solving many positions: a case each, taken up again, and clear words for what is none."""

from dataclasses import replace

import pytest

from pucklab.sim.bumpers import apply, parse_move, parse_position
from pucklab.sim.bumpers.solver import Limits
from pucklab.sim.bumpers.solver.batch import SOLVED, answer, batch_cases, read_questions
from pucklab.sim.bumpers.solver.question import Defaults
from pucklab.sim.experiments import run_to_end
from pucklab.sim.experiments.table import table_of
from tests.refusals import refused
from tests.tables import cases, toml

FIRST = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
THREAT = "pb1:small:RPb7.RMe7.BPf7:-:R:-"
HEAD = "position,goal,cards,max_actions"


def tasks_of(write, *rows, head=HEAD, **defaults):
    path = write("batch.csv", "\n".join((head, *rows)) + "\n")
    return read_questions(path, Defaults(**defaults))


def solved(tasks):
    return run_to_end(SOLVED, batch_cases(tasks), trials=1).values()


def test_each_row_is_solved_for_what_it_asks(write):
    tasks = tasks_of(
        write,
        f"{FIRST},,,",
        f"{FIRST},all,twist,6",
        f"{FIRST},1:B,,1",
        f"{THREAT},stop:B,,",
    )
    rows = solved(tasks)
    assert [row["status"] for row in rows] == ["solved", "solved", "proved unsolvable", "solved"]
    assert [row["goal"] for row in rows] == ["1", "all", "1:B", "stop:B:1"]
    assert [row["max_actions"] for row in rows] == [20, 6, 1, 20]
    assert [row["cards"] for row in rows] == ["", "twist", "", ""]
    current = parse_position(rows[0]["position"])
    for text in rows[0]["solution"].split():
        current = apply(current, parse_move(current, text))
    assert current.scored[0] == 1
    assert len(rows[0]["solution"].split()) == rows[0]["actions"] == rows[0]["lower_bound"]


def test_all_counts_the_shortest_solutions(write):
    one, every = (solved(tasks_of(write, f"{FIRST},,,", every=e))[0] for e in (False, True))
    assert one["solutions"] == ""
    assert every["solutions"] >= 1
    assert every["complete"] == "yes"


def test_columns_may_be_left_out_and_others_do_not_matter(write):
    (task,) = tasks_of(write, f"7,{FIRST}", head="index,position", goal="all", max_actions=5)
    assert (task.goal.targets[0].count, task.limits.max_actions) == (None, 5)


def test_a_card_for_more_actions_makes_one_turn_of_it(write):
    tasks = tasks_of(write, f"{FIRST},,,", f'{FIRST},,"take-2,double",', f"{FIRST},,take-6,3")
    assert [task.limits.max_actions for task in tasks] == [20, 4, 3]


# Taking up again.


def test_other_limits_of_nodes_make_another_case(write):
    tasks = [tasks_of(write, f"{FIRST},,,", limits=Limits(nodes=most))[0] for most in (1, 10)]
    assert len(set(SOLVED.ids(batch_cases(tasks)))) == 2


@pytest.mark.parametrize(("limit", "kept"), [("seconds", 0), ("memory", 0), ("nodes", 1), ("", 1)])
def test_only_searches_that_seconds_or_memory_ended_are_made_again(limit, kept, write):
    cases = batch_cases(tasks_of(write, f"{FIRST},,,"))
    ended = replace(SOLVED, run=lambda *asked: replace(answer(*asked), limit=limit))
    table = table_of(SOLVED, cases, seed=1)
    table.resume(run_to_end(ended, cases, trials=1).csv(), "a.csv")
    assert table.trials == kept


def test_puzzles_that_were_not_found_are_no_tasks(write):
    head = "puzzle,position,experiment"
    (task,) = tasks_of(write, "1,,puzzles 1", f"2,{FIRST},puzzles 1", head=head)
    assert task.goal.targets[0].count == 1


# Bad input.


@cases(
    "row said",
    """
    pb1:small:RPzz9:-:R:-,,, => row 2, column position:
    FIRST,puck:c7,, => row 2, column goal: no puck stands on c7
    FIRST,,flip, => row 2, column cards: 'flip' is not a card the solver knows
    FIRST,,,zero => row 2, column max_actions: 'zero' is not accepted; give a whole number
    FIRST,,,0 => row 2, column max_actions: 0 is not accepted
    FIRST,stop:G,, => row 2, column goal: green has no puck on the board
    pb1:small:RPb7.RMe7.BPa1:-:R:-,stop:B,, => row 2, column position: ... a1
    pb1:small:RPb7:-:-:-,,, => row 2, column position: nobody is to move
    """,
)
def test_a_row_that_is_not_accepted_is_reported_with_its_row(write, row, said):
    row = row.replace("FIRST", FIRST)
    refused(tasks_of, write, row, said=f"^batch: ... {said}")


def test_a_defence_that_is_not_needed_is_reported_before_the_work(write):
    refused(
        tasks_of,
        write,
        f"{FIRST},stop:B,,",
        said="row 2, column goal: blue cannot score within 1 action",
    )


@cases(
    "text said",
    r"""
    "position\n" => has no row
    "" => is empty; give a row of column names: position
    "a,b\n1,2\n" => row 1, column position: missing; give position
    """,
    toml,
)
def test_a_file_without_positions_is_refused(write, text, said):
    refused(read_questions, write("b.csv", text), Defaults(), said=said)
