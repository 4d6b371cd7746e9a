"""``pucklab post``: battles by post."""

import click

from pucklab.cli.commands import LazyGroup

_BATTLES = "pucklab.cli.post.battles"


@click.group(
    "post",
    cls=LazyGroup,
    lazy={
        "new": (f"{_BATTLES}:new_command", "Write the file of a new battle."),
        "hit": (f"{_BATTLES}:hit_command", "Chance to hit, damage and knock-outs of an action."),
        "round": (f"{_BATTLES}:round_command", "Exact odds of a round; or roll it, and save."),
        "reply": (f"{_BATTLES}:reply_command", "Best orders against orders seen."),
        "play": (f"{_BATTLES}:play_command", "Play a battle at a table."),
        "check": (f"{_BATTLES}:check_command", "Check data files and battle files."),
    },
)
def command() -> None:
    """Battle-By-Post: a turn-based battle of orders, by its odds.

    The second poster sees the orders of the first; nobody sees the dice.

    \b
    Examples:
      pucklab post hit --user murkrow --move slam --on golduck
      pucklab post new ann:murkrow bob:golduck --save battle.toml
      pucklab post play battle.toml
    """
