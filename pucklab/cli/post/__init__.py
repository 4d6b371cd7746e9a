"""``pucklab post``: battles by post; `answers` is exact, `play` rolls dice."""

import click

from pucklab.cli.commands import LazyGroup

_ANSWERS, _PLAY = "pucklab.cli.post.answers", "pucklab.cli.post.play"


@click.group(
    "post",
    cls=LazyGroup,
    lazy={
        "new": (f"{_PLAY}:new_command", "Write the file of a new battle."),
        "hit": (f"{_ANSWERS}:hit_command", "Chance to hit, damage and knock-outs of an action."),
        "round": (f"{_PLAY}:round_command", "Exact odds of a round; or roll it, and save."),
        "reply": (f"{_ANSWERS}:reply_command", "Best orders against orders seen."),
        "lead": (f"{_ANSWERS}:lead_command", "Orders that lose least when they are seen."),
        "duel": (f"{_ANSWERS}:duel_command", "Odds of a duel, both playing their best."),
        "play": (f"{_PLAY}:play_command", "Play whole battles, or one as a person."),
        "pokemon": (f"{_ANSWERS}:pokemon_command", "A stat line, with a Nature."),
        "check": (f"{_ANSWERS}:check_command", "Check data files and battle files."),
    },
)
def command() -> None:
    """Battle-By-Post: a turn-based battle of orders, by its odds.

    The second poster sees the orders of the first; nobody sees the dice.

    \b
    Examples:
      pucklab post hit --user murkrow --move slam --on golduck
      pucklab post duel murkrow:slam golduck:jab --hp 30,30
      pucklab post play murkrow golduck --policy greedy,search
    """
