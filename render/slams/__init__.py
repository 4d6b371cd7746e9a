"""Slams as pictures: from the side and from above, as film strips, films and replays.

In comes a recording; `motion.motion_of` makes a `Motion` of it, `motion.moment_at` the `Moment` of
one time, and `side_view` and `top_view` draw that on any surface. `frame` puts both views together
with text, and `export.export_slam` writes the file that its name asks for. Begin at `export`.
"""
