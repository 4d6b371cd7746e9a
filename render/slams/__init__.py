"""Slams as pictures: in space and from above, as film strips, films, web pages and replays.

In comes a recording; `motion.motion_of` makes a `Motion` of it, `motion.moment_at` the `Moment` of
one time. `space` draws that in space, by `opengl` with the shaders of the web page or in
`software`; `top_view` looks at it from above. `frame` puts both together with text, and
`export.export_slam` writes the file that its name asks for. Begin at `export`.
"""
