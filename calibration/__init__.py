"""Parameter files, and what is needed to fit their values."""
