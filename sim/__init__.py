"""Games and statistics on the outcomes of slams, and the command line."""

if __name__ != "pucklab.sim":
    raise ImportError(f"{__name__}: import pucklab.sim, and test pucklab/sim")
