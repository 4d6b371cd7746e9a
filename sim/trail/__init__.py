"""The drinking trail."""
