"""Invariants of the explorer under any sequence of actions."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from render.boardwindow import ExplorerState, Tool, initial_state
from render.boardwindow.explorer_state import (
    stepped,
    with_brush,
    with_next_piece,
    with_next_side,
    with_piece_sent,
    with_scored,
    with_side,
    with_tool,
)
from render.boardwindow.mouse import after_click, with_mat_flipped, with_mat_turned
from render.boardwindow.picture import advanced, animation_between, resting_animation
from render.bumpers import moment_of
from sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Piece,
    parse_position,
    position_problems,
    position_text,
)

START = parse_position("pb1:small:RPb7f5.RMe7.BPd7.BId6.GPk3:-:R:-")

Act = Callable[[ExplorerState], ExplorerState]

SQUARES = st.tuples(st.integers(-4, 19), st.integers(-4, 19))
PIECES = st.builds(Piece, st.sampled_from(Colour), st.sampled_from(Kind))
ACTS: st.SearchStrategy[Act] = st.one_of(
    st.sampled_from(Tool).map(lambda tool: lambda state: with_tool(state, tool)),
    st.one_of(st.none(), PIECES).map(lambda piece: lambda state: with_brush(state, piece)),
    SQUARES.map(lambda square: lambda state: after_click(state, square)),
    SQUARES.map(lambda square: lambda state: after_click(state, square)),
    st.sampled_from(Direction).map(
        lambda direction: lambda state: with_piece_sent(state, direction)
    ),
    st.integers(1, 3).map(lambda quarters: lambda state: with_mat_turned(state, quarters)),
    st.sampled_from((1, -1)).map(lambda change: lambda state: with_next_piece(state, change)),
    st.sampled_from((1, -1)).map(lambda change: lambda state: with_scored(state, change)),
    st.one_of(st.none(), st.sampled_from(Colour)).map(
        lambda colour: lambda state: with_side(state, colour)
    ),
    st.just(with_next_side),
    st.just(with_mat_flipped),
    st.sampled_from((-2, -1, 1)).map(lambda steps: lambda state: stepped(state, steps)),
)


@settings(max_examples=60)
@given(st.lists(ACTS, max_size=25))
def test_every_position_is_legal_and_its_line_reads_back(acts: list[Act]) -> None:
    state = initial_state(START)
    for act in acts:
        state = act(state)
        assert position_problems(state.position) == ()
    assert parse_position(position_text(state.position)) == state.position


@settings(max_examples=60)
@given(st.lists(ACTS, max_size=25))
def test_steps_back_lead_to_the_first_position_and_on_to_the_last(acts: list[Act]) -> None:
    state = initial_state(START)
    for act in acts:
        state = act(state)
    end = stepped(state, 100)
    assert stepped(end, -100).position == START
    assert stepped(stepped(end, -100), 100).position == end.position


@settings(max_examples=60)
@given(st.lists(ACTS, max_size=25))
def test_the_animation_comes_to_rest_at_the_position_shown(acts: list[Act]) -> None:
    state = initial_state(START)
    animation = resting_animation(state.history)
    for act in acts:
        after = act(state)
        if after.history is not state.history:
            animation = advanced(animation_between(state.history, after.history), 0.01)
        state = after
    animation = advanced(advanced(animation, 100.0), 100.0)
    assert not animation.is_moving
    at_rest = moment_of(state.position, animation.origin)
    assert (animation.moment.mats, animation.moment.pieces) == (at_rest.mats, at_rest.pieces)
