"""The parts that all of `sim` shares.

`files` reads and writes files, `records` reads JSON files of games, and `ordered_work` spreads work
over processes with ordered results.
"""
