"""The drinking trail: dice duels at gyms, trainer battles, items, boards and whole games.

In come a gym's numbers or a board (TOML) and a policy per player; out come exact chances, or a game
as events. Begin with `duels` for gyms, `play` for the turn, `odds` for the cost of a board.
"Drinks" are counters: units may as well be points or water.
"""
