"""The calls of `pucklab` for Python, a file a topic; like `sim.cli`, it may draw."""
