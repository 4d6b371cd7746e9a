"""Parameter files, and 3-D reference engines to compare the planar model with."""

if __name__ != "pucklab.calibration":
    raise ImportError(f"{__name__}: import pucklab.calibration, and test pucklab/calibration")
