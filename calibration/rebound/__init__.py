"""Rebounds of a slammer: restitution, and hysteresis, which sets the rebound from a stack."""
