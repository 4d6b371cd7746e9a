"""The page of odds: a weight or two and a speed in, a sentence, a table and a curve out."""

from collections.abc import Callable

from nicegui import ui

from pucklab.render.browser.frame import page_frame
from pucklab.render.browser.work import Viewers, compute

AskOdds = Callable[[tuple[float, ...], float, int], str]
"""Takes masses in g, a speed in m/s and a number of throws; returns odds as HTML."""

_TRIALS = 200
_WEIGHTS_G, _SPEEDS_M_S = (2.0, 24.0), (0.5, 10.0)


def show_odds(ask_odds: AskOdds | None) -> None:
    """Show a form for odds, and the answer below it."""
    if ask_odds is None:
        with page_frame("Odds") as (stage, _), stage:
            ui.label("This server has only throws; `pucklab play` has odds, too.")
        return
    viewers = Viewers()
    with page_frame("Odds") as (stage, panel):
        with stage:
            viewers.join()
            answer = ui.html(sanitize=False).classes("pucklab-answer").mark("answer")
        with panel:
            least, most = _WEIGHTS_G
            weights = [
                ui.number(label, value=value, min=least, max=most, step=1, suffix="g").mark(label)
                for label, value in (("Slammer", 8), ("Another slammer", 20))
            ]
            slowest, fastest = _SPEEDS_M_S
            speed = ui.number(
                "Speed", value=5, min=slowest, max=fastest, step=0.5, suffix="m/s"
            ).mark("Speed")

            async def throw() -> None:
                masses = tuple(sorted({float(w.value) for w in weights if w.value}))
                if not masses or not speed.value:
                    return
                button.disable()
                answer.content = f"Throwing each {_TRIALS} times ..."
                try:
                    found = await compute(viewers, ask_odds, masses, float(speed.value), _TRIALS)
                    answer.content = found or ""
                finally:
                    button.enable()

            button = ui.button(f"Throw {_TRIALS} times", on_click=throw).mark("throw")
