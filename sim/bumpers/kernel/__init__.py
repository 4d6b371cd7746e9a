"""The fast engine: positions as arrays, searched by functions compiled ahead.

It shares no code with the rules, which its tests compare it with. `pucklab.sim.bumpers.solver` and
`pucklab.sim.bumpers.perft` use it; begin with `position` (the data), then `move_generation` and
`search`.
"""
