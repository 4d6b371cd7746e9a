"""Longer versions of quick tests."""

import pytest


def slow(*values):
    """Return the parameters of a version that only runs with the slow tests."""
    return pytest.param(*values, marks=pytest.mark.slow)
