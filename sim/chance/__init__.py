"""Exact chances: finite distributions, and finite processes with or without decisions.

In come outcomes or moves with their probabilities, as fractions or floats; out come distributions,
best policies and expected costs, as fractions if fractions came in. Begin with `distribution` for
dice, and with `process` for anything that goes on step by step.
"""
