"""Mats, the house set, layouts and the moves of mats."""

from collections import Counter
from itertools import combinations

import pytest

from physics import InputError
from sim.bumpers import (
    Direction,
    Kind,
    Layout,
    MatShift,
    MatSwap,
    MatTurn,
    NotationError,
    Piece,
    Rules,
    apply,
    board_of,
    draw_mat,
    house_faces,
    layout_problems,
    legal_mat_moves,
    legal_moves,
    make_position,
    open_spaces,
    parse_move,
    parse_position,
    play,
    position_text,
    read_mat,
    setup_named,
    setups,
    start_spaces,
)
from sim.bumpers.mat_notation import layout_text, read_layout
from sim.bumpers.mats import Colour
from sim.bumpers.moves import why_mat_move_illegal
from sim.bumpers.setups import house_faces as faces

SETUPS = {
    # name: spaces, starts of pucks, meeples and ice blocks, most slides of a lone puck to a goal
    "classic": (256, (32, 16, 16), 9),
    "small": (192, (16, 12, 16), 11),
    "old-school": (256, (16, 0, 16), 9),
}


def layout(text: str) -> Layout:
    return read_layout("layout", text, faces())


def goal_distances(board_layout: Layout) -> dict[int, list[tuple[int, bool]]]:
    """Return where a lone puck can slide from each space, and whether it scores there."""
    puck = Piece(Colour.RED, Kind.PUCK)
    ends = {}
    for space in open_spaces(board_layout):
        start = make_position(board_layout, {space: puck}, to_move=Colour.RED)
        changes = [play(start, move)[1].movements[0] for move in legal_moves(start)]
        ends[space] = [(movement.end, movement.scored) for movement in changes]
    return ends


def slides_to(ends: dict[int, list[tuple[int, bool]]], goals: set[int]) -> dict[int, int]:
    """Return how many slides a lone puck needs from each space to one of some goal spaces."""
    needed = dict.fromkeys(goals, 0)
    slides = 0
    while True:
        slides += 1
        new = [
            space
            for space, there in ends.items()
            if space not in needed
            and any(end in needed and (end in goals) == scored for end, scored in there)
        ]
        if not new:
            return {space: count for space, count in needed.items() if space not in goals}
        needed |= dict.fromkeys(new, slides)


def goals_of(board_layout: Layout) -> list[set[int]]:
    """Return the two spaces of each goal."""
    return [
        {mat * board_layout.spaces_per_mat + space for space in goal.spaces}
        for mat, face in enumerate(board_layout.faces)
        for goal in face.goals
    ]


# The house set.


def test_pb_2_the_house_set_has_16_double_sided_mats() -> None:
    assert Counter(face.name[0] for face in house_faces().values()) == {"B": 12, "K": 12, "G": 8}
    assert {face.size for face in house_faces().values()} == {4}
    assert all(f"{face.name}f" in house_faces() for face in house_faces().values())


def test_pb_1_every_house_mat_is_4_by_4() -> None:
    assert {setup.layout.size for setup in setups().values()} == {4}


@pytest.mark.parametrize("name", SETUPS)
def test_a_house_setup_is_legal_and_has_four_pools_and_four_goals(name: str) -> None:
    setup = setup_named(name)
    board = board_of(setup.layout)
    assert layout_problems(setup.layout, Rules(one_piece=True)) == ()
    assert (len(board.pools), len(board.goals)) == (4, 8)


@pytest.mark.parametrize("name", SETUPS)
def test_pb_3_a_house_setup_has_the_expected_numbers_of_spaces_and_starts(name: str) -> None:
    spaces, starts, _ = SETUPS[name]
    setup = setup_named(name)
    assert len(board_of(setup.layout).squares) == spaces
    found = [len(start_spaces(setup.layout, k)) for k in (Kind.PUCK, Kind.MEEPLE, Kind.ICE)]
    assert tuple(found) == starts


@pytest.mark.parametrize(("name", "players"), [("classic", 6), ("small", 3), ("old-school", 6)])
def test_pb_3_there_are_enough_starts_for_the_most_players(name: str, players: int) -> None:
    setup = setup_named(name)
    for kind, each in setup.rules.pieces_each.items():
        assert len(start_spaces(setup.layout, kind)) >= players * each


@pytest.mark.parametrize("name", SETUPS)
def test_no_two_starts_of_a_house_setup_touch(name: str) -> None:
    board_layout = setup_named(name).layout
    board = board_of(board_layout)
    starts = {board.squares[s] for kind in Kind for s in start_spaces(board_layout, kind)}
    for square in starts:
        assert not any(board.ahead(square, direction) in starts for direction in Direction)


@pytest.mark.parametrize("name", SETUPS)
def test_a_single_puck_reaches_every_goal_from_every_space(name: str) -> None:
    board_layout = setup_named(name).layout
    ends = goal_distances(board_layout)
    most = 0
    for goal in goals_of(board_layout):
        needed = slides_to(ends, goal)
        assert needed.keys() == set(open_spaces(board_layout))
        most = max(most, *needed.values())
    assert most == SETUPS[name][2]


@pytest.mark.parametrize("name", SETUPS)
def test_each_puck_start_is_3_or_4_slides_from_its_nearest_goal(name: str) -> None:
    board_layout = setup_named(name).layout
    needed = slides_to(goal_distances(board_layout), set().union(*goals_of(board_layout)))
    assert {needed[space] for space in start_spaces(board_layout, Kind.PUCK)} <= {3, 4}


def test_pb_34_the_small_setup_is_the_classic_one_without_its_corners() -> None:
    small, classic = setup_named("small").layout, setup_named("classic").layout
    corners = {(0, 0), (0, 3), (3, 0), (3, 3)}
    lying = {
        place.slot: (face, place.turn)
        for face, place in zip(classic.faces, classic.places, strict=True)
        if place.slot not in corners
    }
    assert lying == {
        place.slot: (face, place.turn)
        for face, place in zip(small.faces, small.places, strict=True)
    }


def test_goal_mats_of_the_house_setups_begin_locked_inside() -> None:
    for name in ("classic", "small"):
        board_layout = setup_named(name).layout
        goals = {mat for mat, face in enumerate(board_layout.faces) if face.goals}
        moved = {
            mat
            for move in legal_mat_moves(board_layout, Rules())
            for mat in ((move.first, move.second) if isinstance(move, MatSwap) else (move.mat,))
            if not isinstance(move, MatTurn)
        }
        assert len(goals) == 4
        assert not goals & moved


def test_an_unknown_setup_is_refused() -> None:
    with pytest.raises(InputError, match="setup: 'huge' is not accepted; give one of classic"):
        setup_named("huge")


# Drawings of mats.


@pytest.mark.parametrize("label", house_faces())
def test_a_house_mats_drawing_reads_back_as_the_mat(label: str) -> None:
    face = house_faces()[label]
    assert read_mat(face.name, draw_mat(face), flipped=face.flipped) == face


def test_a_drawing_with_walls_reads_back_as_the_mat() -> None:
    walled = read_mat("X", "+-+ +\n|. .\n+ +-+\n p|~\n+ + +")
    assert walled.walls == {
        (0, Direction.N),
        (0, Direction.W),
        (1, Direction.S),
        (2, Direction.E),
    }
    assert read_mat("X", draw_mat(walled)) == walled


def test_goals_are_pairs_of_arrows_from_the_north_west() -> None:
    mat = read_mat("X", "vvvv\n<..>\n<..>\n^^..")
    assert [(goal.spaces, goal.facing.name) for goal in mat.goals] == [
        ((0, 1), "S"),
        ((2, 3), "S"),
        ((4, 8), "W"),
        ((7, 11), "E"),
        ((12, 13), "N"),
    ]


@pytest.mark.parametrize(
    ("drawing", "said"),
    [
        ("..\n.", "not square"),
        ("", "0 rows are not accepted; give 2 to 9"),
        (".", "1 rows are not accepted"),
        ("..\n.x", "'x' is not a space; give one of"),
        ("v.\n..", "half a goal"),
        ("v.\nv.", "half a goal"),
        ("vvv\n...\n...", "half a goal"),
        ("+-+\n|. .\n+ +", "with walls, give 2 n"),
    ],
)
def test_an_invalid_drawing_is_refused(drawing: str, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read_mat("X", drawing)
    assert str(caught.value).startswith("mat X")
    assert "\n" not in str(caught.value)


def test_a_turn_is_clockwise_and_arrows_turn_with_the_mat() -> None:
    board = board_of(layout("G1@90.B1"))
    assert {board.name(square): facing.name for square, facing in board.goals.items()} == {
        "d3": "W",
        "d2": "W",
    }


# Layouts.


@pytest.mark.parametrize("text", ["B1", "B1.B2", "B1/B2", "B1.B2@90/-.B3", "B1.B2.-.K1/-.-.-.K2f"])
def test_pb_12_a_layout_is_legal_if_every_mat_touches_another(text: str) -> None:
    assert layout_problems(layout(text), Rules()) == ()
    assert layout_text(layout(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("B1.B2.-.K1", ("mat K1 touches no other mat",)),
        ("B1.-/-.B2", ("mat B1 touches no other mat", "mat B2 touches no other mat")),
        ("B1.B1f", ("mat B1 is on the board twice",)),
    ],
)
def test_pb_12_every_problem_of_a_layout_is_reported(text: str, said: tuple[str, ...]) -> None:
    assert layout_problems(layout(text), Rules()) == said


def test_pb_12_the_board_may_fall_apart_unless_the_rules_say_one_piece() -> None:
    apart = layout("B1.B2.-.K1/-.-.-.K2")
    assert layout_problems(apart, Rules()) == ()
    assert layout_problems(apart, Rules(one_piece=True)) == (
        "the board is not one piece (rules: one-piece)",
    )


def test_pb_1_all_mats_of_a_board_have_the_same_size() -> None:
    small = read_mat("X", "..\n..")
    mixed = read_layout("layout", "B1.X", {**house_faces(), "X": small})
    assert layout_problems(mixed, Rules()) == (
        "mat X is 2 spaces wide, but B1 4; all mats of a board have the same size",
    )


# Moves of mats.

SQUARE = "B1.B2.B3/B4.G1.B5/K1.K2.K3"


def position(text: str, pieces: str = "-", rules: str = "-") -> str:
    return f"pb1:{text}:{pieces}:-:R:rules={rules}:-"


def moved(text: str, move: str, pieces: str = "-") -> str:
    start = parse_position(position(text, pieces))
    return layout_text(apply(start, parse_move(start, move)).layout)


def test_pb_11_a_mat_without_an_open_side_neither_swaps_nor_shifts_but_turns() -> None:
    start = parse_position(position(SQUARE))
    for move in ("S:B1,G1", "H:G1,B2.N"):
        with pytest.raises(InputError, match="mat G1 has no open side"):
            parse_move(start, move)
    assert moved(SQUARE, "T:G1+90") == "B1.B2.B3/B4.G1@90.B5/K1.K2.K3"


def test_pb_22_swap_and_shift_keep_the_heading() -> None:
    assert moved("B1@90.B2@180/K1.-", "S:B1,B2") == "B2@180.B1@90/K1.-"
    assert moved("B1@90.B2@180/K1.-", "H:B2,K1.E") == "B1@90.-/K1.B2@180"


def test_pb_22_both_swapped_mats_need_an_open_side() -> None:
    assert MatSwap(0, 1) in legal_mat_moves(layout(SQUARE), Rules())
    goal = layout(SQUARE).mat_named("G1")
    assert not any(
        isinstance(move, MatSwap) and goal in (move.first, move.second)
        for move in legal_mat_moves(layout(SQUARE), Rules())
    )


def test_pb_22_a_twist_is_by_90_180_or_270_degrees() -> None:
    turns = [m for m in legal_mat_moves(layout("B1.B2"), Rules()) if isinstance(m, MatTurn)]
    assert turns == [MatTurn(mat, quarters) for mat in (0, 1) for quarters in (1, 2, 3)]
    for wrong in ("T:B1+0", "T:B1+45", "T:B1+360"):
        with pytest.raises(InputError, match=r"give T:K3\+90"):
            parse_move(parse_position(position("B1.B2")), wrong)


def test_pb_12_a_shift_must_leave_every_mat_a_neighbour() -> None:
    start = parse_position(position("B1.B2.B3"))
    with pytest.raises(InputError, match="after it, mat B1 touches no other mat"):
        parse_move(start, "H:B2,B3.E")
    with pytest.raises(InputError, match="after it, mat B3 touches no other mat"):
        parse_move(start, "H:B3,B2.EE")


def test_a_shift_to_a_slot_in_use_or_far_away_is_refused() -> None:
    start = parse_position(position("B1.B2.B3"))
    with pytest.raises(InputError, match="mat B2 is there"):
        parse_move(start, "H:B1,B3.W")
    with pytest.raises(InputError, match="more than 2 slots away"):
        parse_move(start, "H:B1,B3.NNN")


def test_pb_13_pieces_travel_and_turn_with_their_mat() -> None:
    start = parse_position(position("B1.B2", "RPa4d3"))
    turned = apply(start, parse_move(start, "T:B1+90"))
    assert position_text(turned).split(":")[2] == "RPd4c1"
    shifted = apply(turned, parse_move(turned, "H:B1,B2.E"))
    assert position_text(shifted).split(":")[2] == "RPh4g1"
    assert [space for space, _ in shifted.pieces] == [space for space, _ in start.pieces]


def test_pb_24_a_gap_left_by_a_mat_is_an_edge_that_nothing_crosses() -> None:
    start = parse_position(position("B1.B2/K1.-", "RPa8"))
    there = apply(start, parse_move(start, "H:B2,K1.E"))
    assert there.pieces == start.pieces
    assert position_text(apply(there, parse_move(there, "a8E"))).split(":")[2] == "RPd8"


def test_pb_24_pieces_may_be_cut_off() -> None:
    start = parse_position(position("B1.B2.B3.B4", "RPa4"))
    apart = apply(start, parse_move(start, "H:B4,B1.N"))
    again = apply(apart, parse_move(apart, "H:B1,B4.N"))
    assert layout_problems(again.layout, Rules()) == ()


def test_pb_23_and_the_faq_within_a_series_a_layout_may_be_illegal_and_a_side_opened_counts() -> (
    None
):
    start = parse_position(position("B1.B2.B3/B4.G1.B5/K1.K2.K3"))
    lift = parse_move(start, "H:B2,B1.NN", temporary=True)
    opened, _ = play(start, lift, temporary=True)
    assert layout_problems(opened.layout, start.rules) == ("mat B2 touches no other mat",)
    goal = opened.layout.mat_named("G1")
    assert any(
        isinstance(move, MatSwap) and goal in (move.first, move.second)
        for move in legal_mat_moves(opened.layout, start.rules, temporary=True)
    )
    repaired, _ = play(opened, parse_move(opened, "H:B2,B1.W", temporary=True))
    assert layout_problems(repaired.layout, start.rules) == ()


def test_pb_12_with_one_piece_a_shift_that_splits_the_board_is_refused() -> None:
    text = "B1.B2.B3.B4"
    free, strict = (parse_position(position(text, rules=r)) for r in ("-", "one-piece"))
    split = "H:B1,B4.E"
    assert apply(strict, parse_move(strict, split))
    apart = "H:B2,B4.E"
    with pytest.raises(InputError, match="mat B1 touches no other mat; the board is not one piece"):
        parse_move(strict, apart)
    wide = "B1.B2.B3.B4/K1.-.-.K4"
    free, strict = (parse_position(position(wide, rules=r)) for r in ("-", "one-piece"))
    assert len(legal_mat_moves(strict.layout, strict.rules)) < len(
        legal_mat_moves(free.layout, free.rules)
    )


def test_a_single_mat_can_only_turn() -> None:
    assert legal_mat_moves(layout("B1"), Rules()) == tuple(MatTurn(0, q) for q in (1, 2, 3))


def test_a_goal_may_face_anything() -> None:
    assert moved("G1.B1", "T:G1+180") == "G1@180.B1"
    assert moved("G1.B1", "T:G1+270") == "G1@270.B1"


def test_shifts_of_the_same_mat_lead_to_different_layouts() -> None:
    start = layout("B1.B2/B3.-")
    shifts = [m for m in legal_mat_moves(start, Rules()) if isinstance(m, MatShift)]
    position_ = make_position(start, {})
    assert len({apply(position_, move).layout for move in shifts}) == len(shifts)


@pytest.mark.parametrize("rules", [Rules(), Rules(one_piece=True)], ids=["free", "one-piece"])
@pytest.mark.parametrize("temporary", [False, True])
@pytest.mark.parametrize(
    "text", [SQUARE, "B1.B2.-/-.B3.G1/B4.-.-", "B1.B2.-.B3.B4", "B1.-.B2", "B1"]
)
def test_the_legal_mat_moves_are_those_without_a_reason_against_them(
    text: str, temporary: bool, rules: Rules
) -> None:
    start = layout(text)
    mats = range(len(start.faces))
    slots = [(r, c) for r in range(-3, start.rows + 3) for c in range(-3, start.columns + 3)]
    moves: list[MatTurn | MatSwap | MatShift] = [
        MatTurn(mat, quarters) for mat in mats for quarters in (1, 2, 3)
    ]
    moves += [MatSwap(first, second) for first, second in combinations(mats, 2)]
    moves += [MatShift(mat, slot) for mat in mats for slot in slots]
    allowed = [m for m in moves if not why_mat_move_illegal(start, m, rules, temporary=temporary)]
    assert list(legal_mat_moves(start, rules, temporary=temporary)) == allowed
