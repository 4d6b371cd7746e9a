"""The parts that all of `sim` shares.

`files` reads and writes files, `records` checks JSON files of games, `json_reading` turns JSON into
dataclasses by their types, and `ordered_work` spreads work over processes with ordered results.
"""
