"""``pucklab watch``: its options; `cli.watching`, which draws, is loaded when it runs."""

from typing import Any

import click

from pucklab.cli.browsing import page_options
from pucklab.cli.options import PATH, count, flag, option, renderer_option
from pucklab.cli.scene_options import best_options, scene_options


@click.command("watch")
@click.argument("replays", nargs=-1, type=PATH, metavar="[REPLAY]...")
@scene_options
@best_options
@renderer_option
@option("--trial", count(0, 10**12), "I", "Trial that is shown first.", default=0)
@option(
    "--battle",
    PATH,
    "FILE.json",
    "Show a battle in the browser instead: a record of 'pucklab battle --save'.",
)
@option("--turn", count(1, 10**6), "N", "Turn of the battle to begin with.  [default: its end]")
@click.option(
    "--light/--dark",
    default=None,
    help="Colours of slams: dark on white, or light on black.  [default: dark window, light file]",
)
@option(
    "--save",
    PATH,
    "FILE",
    "Open nothing: save a film strip (.png), a film (.gif, .mp4, .webm), a web page that plays "
    "it (.html) or a replay (.json). A web page has all slammers, all replays. A battle is saved "
    "as a web page (.html).",
)
@flag(
    "--reel",
    "With --save: a film or web page of the best five throws of --best, or of all replays, "
    "with titles between.",
)
@flag("--window", "Open a window of this program; its last line names the keys.")
@page_options(text=False)
def command(**options: Any) -> int:
    """Watch slams, at any speed: in the browser, or with --window in a window.

    Shows replays, throws as lines of text, or trials of a seed in the solid engine; --engine plane
    shows those that 'pucklab odds' counts. Of several slammers, each makes the same throw.

    \b
    Examples:
      pucklab watch --slammer onix --seed 7
      pucklab watch --slammer-g 4,8,20 --trial 12
      pucklab watch --slammer onix --trial 347 --engine plane --window
      pucklab watch --slammer onix --best flips --of 500
      pucklab watch --slammer onix --best flips --of 500 --reel --save reel.mp4
      pucklab watch slam.json
      pucklab watch th1:s=m20:k=3:t=v5000,x12,d0.3
      pucklab watch slam.json --save slam.mp4
      pucklab watch --slammer onix,pikachu --seed 2 --trial 347 --save slams.html
      pucklab watch --battle battle.json --turn 3
    """
    from pucklab.cli.watching import watch

    return watch(**options)
