"""All pages by their addresses; and pages that commands open, each by a function with its path."""

from pathlib import Path

from nicegui import app, ui

from pucklab.render.browser import (
    arena_element,
    battles,
    explorer,
    game_page,
    puzzles,
    ready_pages,
    tables,
)
from pucklab.render.browser.bumpers_page import BumpersPage, BumpersTable, show_bumpers
from pucklab.render.browser.exploring import ExplorerState
from pucklab.render.browser.work import Viewers
from pucklab.render.bumpers.history import History
from pucklab.sim.bumpers.game.player_kinds import PLAYERS as BUMPERS_PLAYERS
from pucklab.sim.bumpers.puzzle_series import PuzzleSource
from pucklab.sim.core.game import AnyMatch
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS as BATTLE_PLAYERS
from pucklab.sim.post.play import PLAYERS as POST_PLAYERS
from pucklab.sim.trail.match import PLAYERS as TRAIL_PLAYERS


def register_pages(site_url: str = "") -> None:
    """Let the server answer with all pages; throws are shared by an address of ``site_url``."""
    for players in (TRAIL_PLAYERS, POST_PLAYERS):
        tables.GAMES[players.game.name] = (players, lambda _: tables.Table)
    tables.GAMES[BUMPERS_PLAYERS.game.name] = (BUMPERS_PLAYERS, lambda _: BumpersTable)
    tables.GAMES[BATTLE_PLAYERS.game.name] = (BATTLE_PLAYERS, battles.table_for)
    game_page.PAGES[BUMPERS_PLAYERS.game.name] = BumpersPage
    game_page.PAGES[BATTLE_PLAYERS.game.name] = battles.BattlePage
    for path, page in (
        ("/battles", battles.show_battles),
        ("/bumpers", show_bumpers),
        ("/boards/{name}", explorer.show_board),
        ("/puzzles/archive", puzzles.show_archive),
        ("/puzzles/{name}", puzzles.show_puzzles),
        ("/tables/{name}", game_page.show_table),
    ):
        ui.page(path)(page)
    app.exception_handler(404)(ready_pages.answer_missing)
    app.exception_handler(Exception)(ready_pages.answer_failed)
    app.get("/")(ready_pages.answer_lab(site_url))
    app.get("/learn/{name:path}")(ready_pages.answer_learn)
    app.get("/pages/{name}")(ready_pages.answer_opened)
    app.get("/arena.js")(arena_element.answer_arena)


def open_match(match: AnyMatch, save: Path | None = None) -> str:
    """Open a table for a match, which is saved as it goes."""
    kind = BumpersTable if match.game is BUMPERS_PLAYERS.game else tables.Table
    return f"/tables/{tables.open_table(match, save=save, kind=kind).name}"


def open_history(history: History) -> str:
    """Open a board to explore."""
    return f"/boards/{explorer.open_board(ExplorerState(history=history), viewers=Viewers())}"


def open_puzzles(source: PuzzleSource, most: int | None) -> str:
    """Open puzzles to solve, which the host's scores count."""
    puzzles.open_series("own", source, most)
    return "/puzzles/own"
