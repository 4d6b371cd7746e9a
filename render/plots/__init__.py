"""Plots of odds, calibrations and tournaments, drawn with Matplotlib.

In come tallies, fits and standings; out come PNG files or their bytes. Begin at
`odds.save_odds_plot`; `figures` has what all plots share.
"""
