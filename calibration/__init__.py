"""Parameter files, and 3-D reference engines to compare the planar model with."""
