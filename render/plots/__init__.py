"""Plots of odds, calibrations and tournaments, drawn with Matplotlib."""
