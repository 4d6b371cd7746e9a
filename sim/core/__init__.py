"""The parts that all of `sim` shares.

`game` is the protocol of all games and a match under way, `players` has players by name and
programs, `records` writes and replays games. `files` reads and writes files, and `ordered_work`
spreads work over processes with ordered results.
"""
