"""States, turns and attacks with other values in some fields: what events change.

Each takes the state, turn or attack, and then the values of the fields that it names.
"""

from sim.pokepucks.battle.changing import changer
from sim.pokepucks.battle.state import Attack, BattleState, Turn

with_step = changer(BattleState, "step")
with_turns = changer(BattleState, "turns", "turn")
with_stacks = changer(BattleState, "stacks")
with_max_sizes = changer(BattleState, "max_sizes")
with_statuses = changer(BattleState, "statuses")
with_effects = changer(BattleState, "effects")
with_players = changer(BattleState, "playing", "statuses", "effects")
with_payer = changer(BattleState, "payer")
with_winner = changer(BattleState, "winner")
with_turn = changer(BattleState, "turn")
with_attack = changer(BattleState, "attack")
with_attack_and_turn = changer(BattleState, "attack", "turn")
with_throw = changer(BattleState, "attack", "turn", "throws")
with_picked = changer(BattleState, "stacks", "attack", "turn")

turn_with_used = changer(Turn, "used")
turn_with_matchup = changer(Turn, "matchup")
turn_with_attacks = changer(Turn, "attacks")
turn_with_flags = changer(Turn, "flags")
turn_with_grants = changer(Turn, "grants")
turn_with_made = changer(Turn, "made")
turn_thrown = changer(Turn, "throws", "flipped")
turn_picked = changer(Turn, "picked")

attack_by = changer(Attack, "player", "slammer", "grant", "knock_out", "most", "only")
attack_declared = changer(Attack, "declared")
attack_thrown = changer(Attack, "thrown", "hit", "flipped", "inside", "out")
attack_landed = changer(Attack, "flipped", "inside", "out")
attack_with_most = changer(Attack, "most")
attack_barred = changer(Attack, "barred")
attack_picked = changer(Attack, "picked")
