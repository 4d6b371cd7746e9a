"""Settings of the whole suite: it must be repeatable and leave no files behind."""

from hypothesis import settings

settings.register_profile("pucklab", deadline=None, database=None, derandomize=True)
settings.load_profile("pucklab")
