"""Makes the golden battles' transcripts: ``python -m tests.make_pokepucks_battles [NAME ...]``.

In tests/data/pokepucks/battles each battle has a script (TOML): what everybody brings, who is
eager, and the outcome of every throw. Its transcript, every turn's stacks in it, must stay the same
whatever becomes of the code; each was read against the rulebook and the rulings. Make
one anew only when a rule is changed on purpose, and read it again. Beside it (``NAME.told.txt``)
stands the battle as it is told to a person: read that aloud.
"""

import sys
import tomllib
from pathlib import Path

from pucklab.base.decoding import decode
from pucklab.base.files import write_whole
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup, Puck
from pucklab.sim.pokepucks.battle.live import begin
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.questions import Asking
from pucklab.sim.pokepucks.battle.rule_book import RuleBook
from pucklab.sim.pokepucks.battle.transcript import battle_transcript, standing_lines
from pucklab.sim.pokepucks.special import shipped_rules
from tests.pokepucksbattles import CONFUSE_RAY, ScriptThrows, design

FOLDER = Path(__file__).parent / "data" / "pokepucks" / "battles"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.toml"))

_EAGER = {Asking.USE, Asking.KNOCK_OUT, Asking.SHIELDS, Asking.TEAM, Asking.BUILD_POWER}


class ScriptedPlayer:
    """Takes the first options, and as few as it may; an eager one uses whatever it can.

    Args:
        eager: Uses special rules, tries knock-outs, and brings all it may.
        discards: Names of pucks that it discards as soon as it may.
    """

    def __init__(self, *, eager, discards=()):
        self.eager = eager
        self.discards = discards

    def choose(self, moment, decision, rng):
        """Return the first options."""
        del rng
        state, question = moment.state, decision.about
        if question.asking is Asking.DISCARD:
            pucks = (option for option in question.options if isinstance(option, int))
            return tuple(puck for puck in pucks if state.design(puck).name in self.discards)
        many = self.eager and question.asking in _EAGER
        return question.options[: question.most if many else question.least]


def script_of(name):
    """Return the script of a battle."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def table_of_script(script):
    """Return the set-up that a script tells."""
    pucks = []
    for number, player in enumerate(script["players"]):
        pucks += [Puck(design=design(name), owner=number) for name in player["slammers"]]
        pucks += _pucks(player.get("pucks", {}), number)
    pucks += _pucks(script.get("box", {}), None)
    return BattleSetup(
        pucks=tuple(pucks),
        names=tuple(player["name"] for player in script["players"]),
        options=decode(BattleOptions, script.get("options", {}), "options"),
    )


def _pucks(counts, owner):
    return [
        Puck(design=design(name), owner=owner)
        for name, count in counts.items()
        for _ in range(count)
    ]


def play_script(script):
    """Play the battle that a script tells."""
    players = [
        ScriptedPlayer(eager=player["eager"], discards=tuple(player.get("discards", ())))
        for player in script["players"]
    ]
    rules = RuleBook((*shipped_rules().rules, CONFUSE_RAY))
    throws = ScriptThrows(script["throws"])
    return play_battle(table_of_script(script), players, throws, seed=1, rules=rules)


def transcript_of(script, exchanges):
    """Return a battle's transcript."""
    lines = [f"# {script['about']}"]
    lines += battle_transcript(begin(table_of_script(script)), exchanges, every_event=True)
    lines += standing_lines(exchanges[-1].after.state)
    return "".join(f"{line}\n" for line in lines)


def told_of(script, exchanges):
    """Return a battle as it is told to a person, with asterisks around what is bold."""
    table = table_of_script(script)
    lines = [
        *battle_transcript(begin(table), exchanges, bold="*{}*".format),
        *standing_lines(exchanges[-1].after.state, "names"),
    ]
    return "".join(f"{line}\n" for line in lines)


def main():
    """Play the scripts that are named, or all, and write their transcripts."""
    for name in sys.argv[1:] or SCRIPTS:
        script = script_of(name)
        exchanges = list(play_script(script))
        text, told = transcript_of(script, exchanges), told_of(script, exchanges)
        write_whole(FOLDER / f"{name}.txt", text.encode())
        write_whole(FOLDER / f"{name}.told.txt", told.encode())
        sys.stderr.write(f"{name}: {len(text.splitlines())} lines\n")


if __name__ == "__main__":
    main()
