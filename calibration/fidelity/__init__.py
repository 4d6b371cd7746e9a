"""Fidelity of the model: its statistics beside those of the solid engine, cell by cell."""
