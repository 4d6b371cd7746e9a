"""The fast engine: arrays of numbers, compiled by numba. It shares no code with the rules.

`sim.bumpers.perft` is its door for counting.
"""
