"""Logs of real throws: fit of the thrower and of contact parameters, with identifiability.

In comes a log (`log`), out come values and intervals (`fit`) and a report. `fit` simulates throws
of the log's settings and hands them to `pucklab.calibration.simulated_fit`, the place to begin.
"""
