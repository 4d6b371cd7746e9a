"""The calls of `pucklab` for Python, a file a topic. It may draw, and commands call it."""
