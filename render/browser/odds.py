"""The page of odds: a weight or two and a speed in, a sentence, a table and a curve out."""

from nicegui import ui

from pucklab.physics import InputError
from pucklab.render.browser.frame import page_frame
from pucklab.render.browser.work import compute
from pucklab.sim.api.odds import odds

_TRIALS = 200
_WEIGHTS_G, _SPEEDS_M_S = (2.0, 24.0), (0.5, 10.0)


def compute_odds(masses_g: tuple[float, ...], speed_m_s: float) -> str:
    """Return the odds of slammers at a speed as HTML, or why there are none."""
    try:
        found = odds(slammer_g=masses_g, speed_m_s=speed_m_s, trials=_TRIALS)
    except InputError as error:
        return str(error)
    return found._repr_html_()


def show_odds() -> None:
    """Show a form for odds, and the answer below it."""
    with page_frame("Odds") as (stage, panel):
        with stage:
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
                    found = await compute(compute_odds, masses, float(speed.value))
                    answer.content = found or ""
                finally:
                    button.enable()

            button = ui.button(f"Throw {_TRIALS} times", on_click=throw).mark("throw")
