"""Makes the golden games in tests/data/bumpers/games: ``python -m tests.make_bumpers_games``.

Each is the record of a whole game; it must replay to the same end whatever becomes of the code,
and be told in the same words. Make them anew only when a rule is changed on purpose.
"""

import sys
from pathlib import Path

from pucklab.base.files import write_whole
from pucklab.sim.bumpers.game import BUMPERS, game_transcript, make_config, result_lines
from pucklab.sim.bumpers.game.player_kinds import PLAYERS
from pucklab.sim.core.game import Match
from pucklab.sim.core.records import read_record, record_json, record_of, replay

FOLDER = Path(__file__).parent / "data" / "bumpers" / "games"

GAMES = {
    "two-greedy": (("greedy", "greedy"), {}),
    "three-mixed": (("random", "greedy", "random"), {}),
    "four-greedy": (("greedy",) * 4, {}),
    "five-mixed": (("greedy", "random") * 2 + ("greedy",), {}),
    "six-greedy": (("greedy",) * 6, {}),
    "two-random-draw": (("random", "random"), {"max_actions": 150}),
    "old-school": (("random",) * 4, {"setup": "old-school"}),
    "several-colours": (("greedy", "greedy"), {"colours_each": 3}),
    "may-pass": (("random",) * 3, {"may_pass": True, "max_actions": 100}),
}
TOLD = ("six-greedy", "may-pass")
"""Games with a golden transcript: every kind of event is in one of them."""


def transcript_of(name):
    """Return both transcripts of a game, the short one first, and its result."""
    steps = list(replay(BUMPERS, read_record(BUMPERS, FOLDER / f"{name}.json")))
    told = [*game_transcript(steps), "", *game_transcript(steps, verbose=True), ""]
    return "\n".join([*told, *result_lines(steps[-1].after), ""])


def main():
    """Play the games, and write their records and transcripts."""
    FOLDER.mkdir(exist_ok=True)
    for seed, (name, (kinds, options)) in enumerate(GAMES.items(), start=1):
        table = make_config(len(kinds), **options)
        match = Match(BUMPERS, table, [*map(PLAYERS.of, kinds)], seed, kinds=kinds)
        steps = len(list(match.play()))
        record = record_json(BUMPERS, record_of(match))
        write_whole(FOLDER / f"{name}.json", record.encode())
        sys.stderr.write(f"{name}: {steps} steps\n")
    for name in TOLD:
        write_whole(FOLDER / f"{name}.txt", transcript_of(name).encode())


if __name__ == "__main__":
    main()
