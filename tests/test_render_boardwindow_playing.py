"""Games in a window: a person against policies, by mouse and keys; saved games; films."""

import numpy as np
import pytest
from PIL import Image

from render.boardwindow import (
    BoardExplorer,
    ExplorerState,
    GameWindow,
    LiveGame,
    history_of_game,
    turns_of_game,
)
from render.boardwindow.film import FILM_FPS, BoardFilm, save_film
from render.boardwindow.game_view import Selection
from render.bumpers import moment_of
from render.bumpers.sprites import PLAYERS
from render.palette import LIGHT
from sim.bumpers import Colour, PieceMove, board_of
from sim.bumpers.game import (
    BUMPERS,
    GreedyPlayer,
    MakeMove,
    Pass,
    Phase,
    PlacePiece,
    PlayCard,
    RandomPlayer,
    make_table,
)
from sim.core.game import Step, play
from sim.core.records import read_record, replay
from tests.boardwindows import LONG_S, Board
from tests.bumpersgames import at_turn, number
from tests.refusals import refused
from tests.slamwindows import SIZE, words_written

TWO_MATS = {"mat": "", "layout": "B1.B2"}


def game(seed=5, opponent=RandomPlayer):
    """Return a game of a person, red, against a policy on the small board without cards."""
    table = make_table(2, setup="old-school")
    return LiveGame(table, [None, opponent()], ["person", "policy"], seed)


class Seat(Board):
    """A person in a game."""

    @property
    def view(self):
        """The game shown."""
        return self.window.game_view

    @property
    def game(self):
        """The game."""
        return self.view.game

    def wait_for_me(self):
        """Let time pass until the person is asked, or the game is over."""
        for _ in range(3000):
            self.app.advance(0.1)
            if self.game.is_over or (self.game.is_waiting and not self.view.playback.is_moving):
                return
        raise AssertionError

    def name(self, space):
        """Return the name of a space."""
        board = board_of(self.game.state.position.layout)
        return board.name(board.squares[space])

    def place_all(self):
        """Place all pieces by clicks, each on the first space offered."""
        while True:
            self.wait_for_me()
            if self.game.state.phase is not Phase.PLACING:
                return
            put = next(c for c in self.game.offered if isinstance(c, PlacePiece))
            self.click(self.name(put.space))


def seat(live=None):
    return Seat(GameWindow(live or game()))


def seat_at(state, *, players=(None, None)):
    """Return a person in the middle of a game."""
    live = LiveGame(state.table, players, ["person"] * len(players), 1)
    live.steps.append(Step(state, Pass(), state, ()))
    live.go_to(state)
    return Seat(GameWindow(live))


def test_pieces_are_placed_by_clicks_and_the_policy_places_its_own():
    person = seat()
    person.place_all()
    colours = [piece.colour for _, piece in person.game.state.position.pieces]
    assert colours.count(Colour.RED) == colours.count(Colour.ORANGE) == 4
    assert person.game.person == 0


def test_the_kind_to_place_is_chosen_by_its_button():
    person = seat()
    person.wait_for_me()
    second = person.view.kinds[1]
    person.view.select_kind(second)
    assert person.view.kind == second
    put = next(c for c in person.game.offered if isinstance(c, PlacePiece) and c.piece == second)
    person.click(person.name(put.space))
    assert person.game.state.position.piece_on(put.space) == second


def test_a_click_and_a_click_beside_it_move_a_piece_and_then_the_policy_moves():
    person = seat()
    person.place_all()
    moves = [c.move for c in person.game.offered if isinstance(c, MakeMove)]
    before = len(person.game.steps)
    for _ in range(2):
        person.wait_for_me()
        move = next(c.move for c in person.game.offered if isinstance(c, MakeMove))
        person.click(person.name(move.space))
        person.key({"N": "up", "E": "right", "S": "down", "W": "left"}[move.direction.name])
    person.wait_for_me()
    who = [step.before.player for step in person.game.steps[before:]]
    assert moves
    assert who[:2] == [0, 0]
    assert 1 in who
    assert person.game.state.player == 0


@pytest.mark.parametrize(
    ("start", "down_px", "said"),
    [
        ("d1", -200, "that is an orange puck, which is not yours to move"),
        ("a1", 200, "a1S: a barrier or the edge of the board is in the way"),
    ],
)
def test_a_drag_that_is_no_choice_says_why(start, down_px, said):
    person = seat_at(at_turn([], [], pieces="RPa1.OPd1", board=TWO_MATS))
    x, y = person.place(start)
    person.press(x, y)
    person.release(x, y + down_px)
    assert person.view.message == said
    assert person.game.state.position.pieces == person.game.steps[0].after.position.pieces


def test_nothing_is_chosen_while_the_policy_is_to_move():
    person = seat()
    person.wait_for_me()
    put = next(c for c in person.game.offered if isinstance(c, PlacePiece))
    person.click(person.name(put.space))
    steps = len(person.game.steps)
    person.click(person.name(put.space))
    person.key("space")
    assert len(person.game.steps) == steps


def test_a_choice_is_taken_back_with_all_that_came_after_it():
    person = seat()
    person.place_all()
    before = person.game.state
    person.key("tab")
    move = next(
        c.move
        for c in person.game.offered
        if isinstance(c, MakeMove) and isinstance(c.move, PieceMove)
        if c.move.space == person.view.selection.space
    )
    person.key({"N": "up", "E": "right", "S": "down", "W": "left"}[move.direction.name])
    person.wait_for_me()
    person.key("z")
    assert person.game.state == before
    assert person.view.history.position == before.position
    person.wait(LONG_S)
    assert person.view.playback.moment.pieces == moment_of(before.position).pieces


def test_the_window_plays_the_same_game_as_the_command_line():
    table = make_table(2, max_actions=12)
    players = [GreedyPlayer(), RandomPlayer()]
    steps = list(play(BUMPERS, table, players, 3))
    live = LiveGame(table, [GreedyPlayer(), RandomPlayer()], ["greedy", "random"], 3)
    person = seat(live)
    person.wait_for_me()
    assert [step.answer for step in live.steps] == [step.answer for step in steps]
    assert live.is_over


def test_a_game_is_saved_and_replays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    person = seat()
    person.place_all()
    person.key("w")
    person.key("w")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-2.json", "game.json"]
    assert "wrote game-2.json" in person.view.message
    steps = list(replay(BUMPERS, read_record(BUMPERS, tmp_path / "game.json")))
    assert [step.answer for step in steps] == [step.answer for step in person.game.steps]


def test_a_card_is_played_by_its_button_and_a_mat_moved_by_a_drag():
    person = seat_at(at_turn(["Board Shift"], [], pieces="RPa1.OPd1", board=TWO_MATS))
    person.button("Board Shift")
    person.wait_for_me()
    assert person.game.state.pending is not None
    layout = person.game.state.position.layout
    view = person.view.board_view(SIZE)
    size = layout.size
    person.press(*view.pixel(0.5 * size, 0.5 * size))
    person.release(*view.pixel(1.5 * size, 1.5 * size))
    person.wait_for_me()
    assert person.game.state.position.layout != layout


def test_where_a_chosen_mat_may_go_by_a_swap_is_marked():
    person = seat_at(at_turn(["Board Swap"], [], pieces="RPa1.OPd1", board=TWO_MATS))
    person.button("Board Swap")
    person.wait_for_me()
    for mat, slot in ((0, (0, 1)), (1, (0, 0))):
        person.view.selection = Selection(mat=mat)
        assert person.view.marks(None, None).slots == (slot,)


def test_a_card_that_cannot_be_played_now_has_no_use():
    person = seat_at(at_turn(["Hold It"], []))
    person.button("Hold It")
    assert person.game.state.hands[0] == (number("Hold It"),)
    assert PlayCard(number("Hold It")) not in person.game.offered


def test_the_hand_and_the_prompt_are_written(monkeypatch):
    person = seat_at(at_turn(["Take 3", "Double Action"], []))
    with words_written(monkeypatch) as words:
        person.picture()
    assert {"Take 3", "Double Action", "red: action 1 of 1", "Red, turn 1"} <= set(words)


def test_the_hand_of_a_policy_is_not_shown(monkeypatch):
    state = at_turn([], ["Take 3"], player=1)
    person = seat_at(state, players=(None, RandomPlayer()))
    with words_written(monkeypatch) as words:
        person.picture()
    assert "Take 3" not in words
    assert "orange is to move ..." in words


def test_a_position_of_a_game_is_explored_and_the_game_goes_on_after_it():
    person = seat()
    person.place_all()
    position = person.game.state.position
    person.key("x")
    explorer = person.window.explorer
    assert explorer.state.position == position
    person.key("tab")
    person.key("b")
    assert person.window.explorer is None
    assert person.game.state.position == position


def played(seed=3, actions=12):
    table = make_table(2, max_actions=actions)
    players = [GreedyPlayer(), GreedyPlayer()]
    return table, list(play(BUMPERS, table, players, seed))


def test_a_saved_game_is_gone_through_by_steps_and_by_turns():
    table, steps = played()
    board = Board(BoardExplorer(ExplorerState(history=history_of_game(table, steps))))
    turns = []
    for name in ("pagedown", "pagedown", "pageup"):
        board.key(name)
        turns.append(board.view.state.history.entry.turn)
    assert turns == [1, 2, 1]
    board.key("end")
    assert board.view.state.position == steps[-1].after.position


def test_every_position_of_a_game_is_met_in_its_history():
    table, steps = played(actions=40)
    shown = [entry.position for entry in history_of_game(table, steps).entries]
    met = [shown[0]]
    for step in steps:
        if step.after.position != met[-1]:
            met.append(step.after.position)
    assert [p for n, p in enumerate(shown) if n == 0 or p != shown[n - 1]] == met


def test_a_part_of_a_game_begins_before_its_first_turn():
    table, steps = played()
    whole = history_of_game(table, steps)
    part = turns_of_game(whole, 2, 3)
    assert [entry.turn for entry in part.entries[1:]] == [
        entry.turn for entry in whole.entries if 2 <= entry.turn <= 3
    ]
    first = next(n for n, entry in enumerate(whole.entries) if entry.turn == 2)
    assert part.entries[0].position == whole.entries[first - 1].position


def test_a_film_shows_the_positions_one_after_another_and_ends_with_the_last():
    table, steps = played()
    film = BoardFilm(turns_of_game(history_of_game(table, steps), 1, 3))
    seen = [film.playback.history.position]
    for _ in range(round(film.seconds * FILM_FPS) + 1):
        film.advance(1 / FILM_FPS)
        if film.playback.history.position != seen[-1]:
            seen.append(film.playback.history.position)
    assert film.playback.history.is_last
    assert len(seen) >= 3
    assert not film.advance(10.0)


def test_a_film_is_saved_as_a_gif_and_its_end_as_a_picture(tmp_path):
    table, steps = played()
    history = turns_of_game(history_of_game(table, steps), 2, 2)
    save_film(tmp_path / "a.gif", history, palette=LIGHT)
    save_film(tmp_path / "a.png", history, palette=LIGHT)
    with Image.open(tmp_path / "a.gif") as film, Image.open(tmp_path / "a.png") as picture:
        film.seek(film.n_frames - 1)
        last = np.asarray(film.convert("RGB"), float)
        end = np.asarray(picture.convert("RGB"), float)
    assert np.abs(last - end).mean() < 3
    red = (end == PLAYERS[Colour.RED]).all(axis=2).sum()
    assert red > 100


def test_a_film_that_would_be_too_long_is_refused_with_advice(tmp_path):
    table, steps = played(actions=400)
    history = history_of_game(table, steps)
    history = type(history)(entries=history.entries * 4)
    refused(
        save_film,
        tmp_path / "a.gif",
        history,
        palette=LIGHT,
        said="give --turns for a part of a game",
    )
    assert not list(tmp_path.iterdir())
