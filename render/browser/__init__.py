"""Pages to play in, from a small server on this machine; friends join by a link.

A game of `sim`, or a board to explore, comes in; pages that show it and take answers go out. Begin
with `server`; `guard` stands around it, `frame` has the parts of every page.
"""
