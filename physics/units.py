"""Units and constants of nature. Inside ``physics``: mm, g, s, rad; so energy is in nJ."""

GRAVITY_MM_S2 = 9810.0
"""Standard gravity to three digits."""

NJ_PER_MJ = 1e6
"""Nanojoules (g mm2/s2) in a millijoule."""
